/**
 * A library of as many models as one likes: seeded, in three scripts, as a studio's would look after a year.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { engineVersion } from '@likeness/portrait/contract/head_request.ts';
import { newRecord, recordText } from '../../main/library/model/likeness_record.ts';
import { makeGlb } from '../fixtures/service/glb.ts';
import { seeded } from '../main/batch/crash_points.ts';

const first =
  'Ada Grace Alan Mary Linus Margaret Ken Barbara Edsger Frances 王 李 さくら 김 Zoë Ångström'.split(' ');
const last =
  'Lovelace Hopper Turing Keller Torvalds Hamilton Thompson Liskov 小明 伟 民수 Müller García'.split(' ');
const tags = 'studio outdoor actor extra 演员 test keep redo smile neutral'.split(' ');

/**
 * What people type: names, parts of names, tags, files, dates; a few find half of the library, a few nothing.
 */
export const searchWords = [
  'grace hopper',
  'ada',
  '王',
  '小明',
  '演员',
  'dsc04',
  'atelier',
  'stage 5',
  'müller',
  'second attempt',
  '2026-01-0',
  'さくら',
  'hopper 4',
  'zoë keep',
  'neutral 77',
];

/**
 * Fills a library's folder; the same models for the same count.
 *
 * @param thumbnails - WebP files, dealt out in turn; none: models without pictures.
 */
export async function fillLibrary(
  library: string,
  count: number,
  thumbnails: readonly Uint8Array[] = [],
): Promise<void> {
  const random = seeded(4);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const glb = makeGlb();
  for (let number = 0; number < count; number += 1) {
    const record = newRecord({
      id: `model-${String(number).padStart(6, '0')}`,
      name: `${pick(first)} ${pick(last)} ${number}`,
      source: 'portrait',
      createdAt: Date.UTC(2026, 0, 1) + number * 60_000,
      fileName: `DSC0${number}.jpg`,
      tags: [pick(tags), pick(tags)],
      notes: random() < 0.3 ? `Taken on stage ${number % 7}, ${pick(tags)} light, second attempt.` : '',
      rating: Math.floor(random() * 6),
      parameters: {
        sex: random() < 0.5 ? 'female' : 'male',
        eyelidType: null,
        crop: null,
        corrections: null,
        options: null,
      },
      engine: engineVersion,
      profile: { id: `p${number % 3}`, name: pick(['Built-in engine', 'Atelier Nord', 'Farm']) },
      photo: { sha256: `${number}`.padStart(64, '0'), file: null, reference: null },
      model: { sha256: '', bytes: glb.byteLength },
    });
    const folder = join(library, `${record.name.slice(0, 40)} ${number}`);
    const picture = thumbnails[number % thumbnails.length];
    await mkdir(folder, { recursive: true });
    await Promise.all([
      writeFile(join(folder, 'likeness.json'), recordText(record)),
      writeFile(join(folder, 'model.glb'), glb),
      ...(picture ? [writeFile(join(folder, 'thumbnail.webp'), picture)] : []),
    ]);
  }
}
