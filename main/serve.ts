/** Entry: the studio in a browser tab, on loopback. `npm run serve`, or `npm start` without Electron. */
import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { joinMessages, t, translate } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { dataFolderPath, emptyTemporary, prepareDataFolder } from '@likeness/node-kit/storage/data_folder.ts';
import { acquireInstanceLock } from '@likeness/node-kit/storage/instance_lock.ts';
import { makeFilesPrivate } from '@likeness/node-kit/storage/private_files.ts';
import { openToCommands } from './cli_ipc/studio_commands.ts';
import { terminalLanguage } from './commands/output/terminal_language.ts';
import { openConfFile } from './connections/vault/secret_file.ts';
import { openDrawingPage } from './shell/browser/drawing_page.ts';
import { openLink } from './shell/browser/open_link.ts';
import { type BrowserServer, serveBrowser } from './shell/browser/server.ts';
import { Sessions } from './shell/browser/sessions.ts';
import { createTerminalShell } from './shell/none/shell.ts';
import { createPages } from './shell/pages.ts';
import { surviveFaults } from './shell/survive_faults.ts';
import { createStudio, type StudioOptions } from './studio.ts';

const writeLine = (line: string): void => void process.stdout.write(`${line}\n`);

/** Prints one more link. Only a user who may also kill the process can send a signal. */
const anotherLink = `For a new one: ${process.platform === 'win32' ? '' : `kill -USR1 ${process.pid}, or `}Settings, Open pages, in a page that is open.`;

export interface ServeOptions {
  /** 0: any free port. */
  port: number;
  /** Opens the user's browser. */
  open: boolean;
}

/**
 * Serves until the process gets a signal to stop. @throws Failure if the data folder is in use or unusable.
 */
export async function serve({ port, open }: ServeOptions): Promise<void> {
  makeFilesPrivate();
  const layout = prepareDataFolder(
    dataFolderPath({ platform: process.platform, environment: process.env, home: homedir() }),
  );
  const { folder, temporaryFolder } = layout;
  const instance = await acquireInstanceLock({
    folder,
    kind: 'serve',
    processId: process.pid,
    clock: Date.now,
  });
  if (!instance.isAcquired) {
    throw new Failure(
      'conflict',
      t('studio.running', {
        holder: instance.holder?.kind ?? 'none',
        pid: instance.holder?.pid ?? 0,
        folder,
      }),
      {
        hint: instance.holder?.kind === 'serve' ? t('studio.open_link') : t('studio.close_first'),
      },
    );
  }
  // The terminal may close (`| head`, a closed window) while the studio continues; its output is then lost.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
  emptyTemporary(layout);
  let server: BrowserServer | undefined;
  const sessions = new Sessions({ randomBytes, clock: Date.now });
  const studio = await createStudio(
    createTerminalShell({ kind: 'browser', dataFolder: folder, writeLine, openPages: sessions }),
    {
      openSecretFile: openConfFile,
      pageOrigin: () => server?.origin ?? null,
      engineEntry: fileURLToPath(new URL('./engine.js', import.meta.url)),
      packageFile: fileURLToPath(new URL('../../package.json', import.meta.url)),
      environment: process.env,
      drawFilm: drawInChromium(temporaryFolder),
    },
  );
  surviveFaults(studio.report);
  const commands = await openToCommands(studio);
  let first = true;
  let forget = (): void => {};
  server = await serveBrowser({
    port,
    randomBytes,
    sessions,
    onDefect: studio.report,
    uploads: {
      folder: join(temporaryFolder, 'uploads'),
      register: studio.dropped.register,
      randomName: () => randomBytes(16).toString('hex'),
    },
    dispatcher: studio.dispatcher,
    pages: createPages({ ...builtPages, asset: studio.asset }),
    onLink(link) {
      writeLine(first ? `Likeness Studio: ${link}` : `For another tab: ${link}`);
      if (first && process.stdout.isTTY) writeLine(`It opens one page, within ten minutes. ${anotherLink}`);
      if (first && open) forget = openLink(link, { folder: join(temporaryFolder, 'link'), randomBytes });
      first = false;
    },
    onLinkEnd(how) {
      forget();
      if (how === 'expired') writeLine(`That link was not used in time. ${anotherLink}`);
    },
  });
  // By default Node opens its debugger at this signal, on a port that every user of the machine can reach.
  if (process.platform !== 'win32') process.on('SIGUSR1', sessions.offerLink.bind(sessions));

  const stop = once(async () => {
    forget();
    await server?.close();
    await commands.close();
    await studio.close();
    emptyTemporary(layout);
    instance.lock.release();
    process.exit(0);
  });
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

/** The built page, and its bridge for browsers. */
const builtPages = {
  rendererFolder: fileURLToPath(new URL('../renderer', import.meta.url)),
  bridgeFile: fileURLToPath(new URL('../preload/browser.cjs', import.meta.url)),
};

/** Films with a Chromium of this machine. @param folder for temporary files of the page */
export const drawInChromium =
  (folder: string): NonNullable<StudioOptions['drawFilm']> =>
  (filmId, { handlers, asset, report }) =>
    openDrawingPage({
      filmId,
      handlers,
      pages: { ...builtPages, asset },
      folder,
      randomBytes,
      report,
      environment: process.env,
    });

function once(action: () => Promise<void>): () => void {
  let started = false;
  return () => {
    if (started) return;
    started = true;
    void action();
  };
}

if (import.meta.main) {
  const flag = (name: string): string | undefined => process.argv[process.argv.indexOf(name) + 1];
  serve({
    port: process.argv.includes('--port') ? Number(flag('--port')) : 0,
    open: process.argv.includes('--open'),
  }).catch((error: unknown) => {
    const message = error instanceof Failure ? joinMessages(error.userMessage, error.advice) : String(error);
    process.stderr.write(`${translate(message, terminalLanguage(process.env))}\n`);
    process.exit(1);
  });
}
