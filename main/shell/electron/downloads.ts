import { join } from 'node:path';
import { giveToThePerson } from '@likeness/node-kit/storage/private_files.ts';
import { app, type Session } from 'electron';
import { originOf, pageOrigin } from './page_scheme.ts';

/**
 * Saves the page's downloads (exports, made in the page as a blob or served as an asset) to the path that the
 * user chooses in the system's dialog. Refuses downloads from any other origin.
 */
export function askWhereToSave(session: Session): void {
  session.on('will-download', (event, item) => {
    const address = item.getURL();
    if (!address.startsWith(`blob:${pageOrigin}/`) && originOf(address) !== pageOrigin) {
      event.preventDefault();
      return;
    }
    item.once('done', (_event, state) => {
      if (state === 'completed') giveToThePerson(item.getSavePath()).catch(() => undefined);
    });
    item.setSaveDialogOptions({ defaultPath: join(app.getPath('downloads'), item.getFilename()) });
  });
}
