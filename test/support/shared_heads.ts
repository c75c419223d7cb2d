/**
 * Photos of nobody and heads that many tests read. Each is made at most once for the sources of the engine
 * and kept in `.cache/test-heads/<hash of the sources>`; every call returns a copy of its own.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { HeadModel } from '@likeness/portrait/contract/head_model.ts';
import type { HeadRequest } from '@likeness/portrait/contract/head_request.ts';
import { writeGlb } from '@likeness/portrait/gltf/write_glb.ts';
import { type ModelledHead, modelHead } from '@likeness/portrait/make_head.ts';
import { defaultHeadModel, inventedHeadModel } from '@likeness/synthetic-heads/default_head.ts';
import { photograph } from './drawn_photo.ts';
import { madeOnce } from './made_once.ts';

const root = join(import.meta.dirname, '../..');

/** Heads that the engine draws without a photo. */
const drawnHeads = {
  female: () => defaultHeadModel('female'),
  male: () => defaultHeadModel('male'),
  default: () => inventedHeadModel('default'),
  man: () => inventedHeadModel('man'),
  stylised: () => inventedHeadModel('stylised'),
} satisfies Record<string, () => Promise<HeadModel>>;
export type DrawnHead = keyof typeof drawnHeads;

interface PhotoView {
  readonly head: DrawnHead;
  /** Degrees; positive where the head turns to its left. */
  readonly yaw?: number;
}

/** Photos of drawn heads, 640 × 640. */
const photos = {
  female: { head: 'female' },
  femaleHalf: { head: 'female', yaw: 30 },
  femaleProfile: { head: 'female', yaw: 90 },
  male: { head: 'male' },
  default: { head: 'default' },
} satisfies Record<string, PhotoView>;
export type SharedPhoto = keyof typeof photos;

/** Heads that the engine makes of these photos. */
const madeHeads = {
  // Choices that are the defaults: as if nothing were chosen.
  female: { photo: 'female', sex: 'female', options: { glasses: 'seen', light: 0.35 } },
  male: { photo: 'male', sex: 'male', hair: 'seen' },
} as const satisfies Record<string, Omit<HeadRequest, 'photo'> & { photo: SharedPhoto }>;
export type MadeHead = keyof typeof madeHeads;

const hashedPaths = [
  'packages/geometry/src',
  'packages/portrait/src',
  'packages/head-renderer/src',
  'packages/synthetic-heads/src',
  'packages/gltf/src',
  'proto',
  'package-lock.json',
  'test/support/drawn_photo.ts',
  'test/support/shared_heads.ts',
];

function hashSources(): string {
  const hash = createHash('sha256').update(process.version);
  const add = (path: string): void => {
    hash.update(`${path}\n`).update(readFileSync(join(root, path)));
  };
  for (const path of hashedPaths) {
    if (/\.[a-z]+$/.test(path)) add(path);
    else
      for (const entry of readdirSync(join(root, path), { recursive: true, withFileTypes: true })
        .filter((found) => found.isFile())
        .map((found) => join(found.parentPath, found.name).slice(root.length + 1))
        .toSorted())
        add(entry);
  }
  return hash.digest('hex').slice(0, 16);
}

const cacheFolder = join(root, '.cache/test-heads');
let current: Promise<string> | undefined;

/** The folder of today's sources; those of sources that nobody has tested for a day go. */
function currentFolder(): Promise<string> {
  current ??= (async () => {
    const folder = join(cacheFolder, hashSources());
    if (await mkdir(folder, { recursive: true }))
      for (const name of await readdir(cacheFolder)) {
        const other = join(cacheFolder, name);
        const made = await stat(other).catch(() => null);
        if (made && Date.now() - made.mtimeMs > 86_400_000) await rm(other, { recursive: true, force: true });
      }
    return folder;
  })();
  return current;
}

const shared = async (name: string, make: () => Promise<Uint8Array>): Promise<Buffer> =>
  madeOnce(join(await currentFolder(), name), make);

/** A head that is drawn without a photo. */
export async function sharedHead(name: DrawnHead): Promise<HeadModel> {
  return deserialize(
    await shared(`drawn-${name}`, async () => serialize(await drawnHeads[name]())),
  ) as HeadModel;
}

/** The same as a file. */
export async function sharedGlb(name: DrawnHead): Promise<Uint8Array> {
  return new Uint8Array(await shared(`drawn-${name}.glb`, async () => writeGlb(await sharedHead(name))));
}

/** A photo of a drawn head, PNG. */
export async function sharedPhoto(name: SharedPhoto): Promise<Uint8Array> {
  return new Uint8Array(
    await shared(`photo-${name}.png`, async () => {
      const { head, ...view }: PhotoView = photos[name];
      return (await photograph(await sharedHead(head), view)).png;
    }),
  );
}

/** A head that is made of a shared photo, with what was measured in it. */
export async function sharedMadeHead(name: MadeHead): Promise<ModelledHead> {
  const { photo, ...request } = madeHeads[name];
  return deserialize(
    await shared(`made-${name}`, async () =>
      serialize(await modelHead({ ...request, photo: await sharedPhoto(photo) })),
    ),
  ) as ModelledHead;
}
