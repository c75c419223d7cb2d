import { lstat, open, readdir, realpath, stat } from 'node:fs/promises';
import { basename, extname, join, relative, sep } from 'node:path';
import type { skipReasons } from '#contract';
import { imageHeadBytes, imageKind, takenKinds } from './image_kind.ts';

export type SkipReason = (typeof skipReasons)[number];

export type Walked =
  | {
      kind: 'photo';
      path: string;
      fileName: string;
      /** Folder below what was given, with `/`. */
      folder: string;
      format: string;
      bytes: number;
    }
  | { kind: 'skipped'; fileName: string; reason: SkipReason; detail: string };

/** Files that cameras, editors and systems put beside photos. */
const sidecars = new Set(
  '.xmp .aae .json .txt .csv .tsv .thm .pp3 .dop .cos .xml .pdf .md .html .url .lnk .log .mov .mp4 .zip'.split(
    ' ',
  ),
);
const hiddenNames = new Set(['thumbs.db', 'desktop.ini', '__macosx', '$recycle.bin', 'icon\r']);
const rawNames = new Set('.cr2 .cr3 .nef .arw .dng .raf .orf .rw2'.split(' '));

/** Looks into files and folders, all the way down, and says of each file what it is. Follows links, but no loop. */
export async function* walkFiles(paths: readonly string[]): AsyncGenerator<Walked> {
  const entered = new Set<string>();
  for (const path of paths) {
    const stats = await stat(path).catch(() => null);
    if (stats?.isDirectory()) yield* walkFolder(path, path, entered);
    else yield lookAt(path, '');
  }
}

async function* walkFolder(folder: string, root: string, entered: Set<string>): AsyncGenerator<Walked> {
  const real = await realpath(folder).catch(() => null);
  if (real === null) {
    yield {
      kind: 'skipped',
      fileName: basename(folder),
      reason: 'unreadable',
      detail: 'The folder can’t be read.',
    };
    return;
  }
  if (entered.has(real)) {
    const detail = 'A link leads back to a folder that was looked at already.';
    yield { kind: 'skipped', fileName: basename(folder), reason: 'link_loop', detail };
    return;
  }
  entered.add(real);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => null);
  if (entries === null) {
    yield {
      kind: 'skipped',
      fileName: basename(folder),
      reason: 'unreadable',
      detail: 'The folder can’t be read.',
    };
    return;
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const below = relative(root, folder).split(sep).join('/');
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (isHidden(entry.name)) {
      if (!entry.isDirectory())
        yield { kind: 'skipped', fileName: entry.name, reason: 'hidden', detail: 'Hidden file.' };
      continue;
    }
    const linkedFolder = entry.isSymbolicLink() && (await stat(path).catch(() => null))?.isDirectory();
    if (entry.isDirectory() || linkedFolder) yield* walkFolder(path, root, entered);
    else yield lookAt(path, below);
  }
}

const isHidden = (name: string): boolean => name.startsWith('.') || hiddenNames.has(name.toLowerCase());

async function lookAt(path: string, folder: string): Promise<Walked> {
  const fileName = basename(path);
  const skip = (reason: SkipReason, detail: string): Walked => ({
    kind: 'skipped',
    fileName,
    reason,
    detail,
  });
  if (isHidden(fileName)) return skip('hidden', 'Hidden file.');
  let bytes: number;
  const head = Buffer.alloc(imageHeadBytes);
  try {
    const stats = await stat(path);
    if (!stats.isFile()) return skip('unreadable', 'It is neither a file nor a folder.');
    bytes = stats.size;
    if (bytes === 0) return skip('empty', 'The file is empty.');
    const file = await open(path, 'r');
    try {
      await file.read(head, 0, imageHeadBytes, 0);
    } finally {
      await file.close();
    }
  } catch {
    const broken = (await lstat(path).catch(() => null))?.isSymbolicLink();
    return skip('unreadable', broken ? 'The link leads nowhere.' : 'The file can’t be read.');
  }
  const format = imageKind(head);
  const extension = extname(fileName).toLowerCase();
  // Most raw files begin like a TIFF and hold no finished picture.
  if (rawNames.has(extension) && (format === null || format === 'tiff')) {
    return skip('undecodable', 'A camera’s raw file. Export it as JPEG or TIFF.');
  }
  if (format === null) {
    if (sidecars.has(extension)) return skip('sidecar', 'A file that goes with photos, not one itself.');
    if (rawNames.has(extension))
      return skip('undecodable', 'A camera’s raw file. Export it as JPEG or TIFF.');
    return skip('not_an_image', 'Its content is no picture, whatever its name says.');
  }
  if (!takenKinds.has(format)) {
    return skip('undecodable', `${format.toUpperCase()} pictures are not taken. Save it as JPEG or PNG.`);
  }
  return { kind: 'photo', path, fileName, folder, format, bytes };
}
