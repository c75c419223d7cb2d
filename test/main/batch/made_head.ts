import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { batchCalls } from '../../../main/batch/batch_calls.ts';
import type { Stage } from './stage.ts';

export const callsOf = ({ batch, importer }: Stage) =>
  batchCalls({ batch, importer, choose: async () => null, takeDropped: () => [], onImages: () => {} });

/** A head in the library, made of a photo with these choices. @returns its id */
export async function headOf(stage: Stage, options: object | null = null): Promise<string> {
  const path = join(stage.folder, 'ada.png');
  const picture = sharp({ create: { width: 200, height: 100, channels: 3, background: '#8a6' } });
  await writeFile(path, await picture.png().toBuffer());
  stage.importer.begin([{ path, name: '', temporary: false }]);
  await stage.importer.settled();
  const [photo] = stage.batch.importList.selected({ filter: {} });
  const calls = callsOf(stage);
  await calls.tag({ selection: { ids: [photo!.id] }, set: { sex: 'female', options } });
  await calls.start({ selection: { ids: [photo!.id] }, profileId: stage.profile.id, again: false });
  await stage.rest();
  return stage.libraries.search({}, 0, 1).models[0]!.id;
}
