import { lstat, open, readdir, readlink, realpath, stat } from 'node:fs/promises';
import { basename, extname, join, relative, sep } from 'node:path';
import { type Message, t } from '@likeness/messages';
import { fileErrorCode } from '@likeness/node-kit/error_codes.ts';
import { imageHeadBytes, imageKind, takenKinds } from '@likeness/node-kit/image_kind.ts';
import { byNaturalOrder } from '@likeness/node-kit/natural_order.ts';
import { liesWithin, openInside } from '@likeness/node-kit/storage/inside_folder.ts';
import type { skipReasons } from '#contract';

export type SkipReason = (typeof skipReasons)[number];

export type Walked =
  | {
      kind: 'photo';
      /** Absolute; the target of a link, if a link in a folder leads to the file. */
      path: string;
      /**
       * The given folder that contains the file at any depth; checked again when the file is read. Null: the
       * file was given directly.
       */
      within: string | null;
      fileName: string;
      /** Path of its folder relative to the given folder, with `/`. */
      folder: string;
      format: string;
      bytes: number;
    }
  /** A table that may be a manifest of the photos beside it. */
  | { kind: 'table'; path: string; within: string | null; fileName: string; folder: string; bytes: number }
  | { kind: 'skipped'; fileName: string; reason: SkipReason; detail: Message };

/** Files that cameras, editors and systems store beside photos. */
const sidecars = new Set(
  '.xmp .aae .json .txt .thm .pp3 .dop .cos .xml .pdf .md .html .url .lnk .log .mov .mp4 .zip'.split(' '),
);
const tables = new Set(['.csv', '.tsv']);
const hiddenNames = new Set(['thumbs.db', 'desktop.ini', '__macosx', '$recycle.bin', 'icon\r']);
const rawNames = new Set('.cr2 .cr3 .nef .arw .dng .raf .orf .rw2'.split(' '));

/**
 * Walks files and folders recursively and classifies each file. Follows given paths and links within the
 * given folders. Ignores loops and links that lead outside: a folder from someone else must not send photos
 * that it does not contain.
 *
 * @param calledAs - The user's name for an upload, whose file has a name of ours.
 */
export async function* walkFiles(paths: readonly string[], calledAs?: string): AsyncGenerator<Walked> {
  const entered = new Set<string>();
  const given = await Promise.all(
    paths.map(async (path) => ({
      path,
      isFolder: (await stat(path).catch(() => null))?.isDirectory() ?? false,
      real: await realpath(path).catch(() => path),
    })),
  );
  const roots = given.flatMap(({ isFolder, real }) => (isFolder ? [real] : []));
  for (const { path, isFolder } of given) {
    if (isFolder) yield* walkFolder(path, { top: path, roots, entered });
    else yield inspect(path, '', null, path, calledAs);
  }
}

interface Walk {
  /** The given folder being walked. */
  top: string;
  /** Real paths of all given folders. */
  roots: readonly string[];
  entered: Set<string>;
}

async function* walkFolder(folder: string, walk: Walk): AsyncGenerator<Walked> {
  const { top, roots, entered } = walk;
  const real = await realpath(folder).catch(() => null);
  if (real !== null && entered.has(real)) {
    yield skipped(basename(folder), 'link_loop', t('walk.link_loop'));
    return;
  }
  if (real !== null) entered.add(real);
  const entries = real && (await readdir(folder, { withFileTypes: true }).catch(() => null));
  if (!entries) {
    yield skipped(basename(folder), 'unreadable', t('walk.folder_unreadable'));
    return;
  }
  entries.sort((a, b) => byNaturalOrder(a.name, b.name));
  const below = relative(top, folder).split(sep).join('/');
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (isHidden(entry.name)) {
      if (!entry.isDirectory()) yield skipped(entry.name, 'hidden', t('walk.hidden'));
      continue;
    }
    if (!entry.isSymbolicLink()) {
      if (entry.isDirectory()) yield* walkFolder(path, walk);
      else yield inspect(path, below, folder);
      continue;
    }
    const target = await realpath(path).catch(() => null);
    const within = target && roots.find((root) => liesWithin(target, root));
    if (target && !within) {
      const to = await readlink(path).catch(() => '');
      const detail = t('walk.link_out', { to: to || 'another_place' });
      yield skipped(entry.name, 'link_outside', detail);
    } else if (target && (await stat(target).catch(() => null))?.isDirectory()) yield* walkFolder(path, walk);
    else yield inspect(path, below, within || folder, target ?? path);
  }
}

const skipped = (fileName: string, reason: SkipReason, detail: Message): Walked => ({
  kind: 'skipped',
  fileName,
  reason,
  detail,
});

const isHidden = (name: string): boolean => name.startsWith('.') || hiddenNames.has(name.toLowerCase());

/** @param path - Path by which it was found; `at` is its real path. */
async function inspect(
  path: string,
  folder: string,
  within: string | null,
  at = path,
  fileName = basename(path),
): Promise<Walked> {
  const skip = (reason: SkipReason, detail: Message): Walked => skipped(fileName, reason, detail);
  if (isHidden(fileName)) return skip('hidden', t('walk.hidden'));
  let bytes: number;
  const head = Buffer.alloc(imageHeadBytes);
  try {
    const stats = await stat(at);
    if (!stats.isFile()) return skip('unreadable', t('walk.neither'));
    bytes = stats.size;
    if (bytes === 0) return skip('empty', t('walk.empty'));
    const file = await (within === null ? open(at, 'r') : openInside(within, at));
    try {
      await file.read(head, 0, imageHeadBytes, 0);
    } finally {
      await file.close();
    }
  } catch (error) {
    const isMissing = ['ENOENT', 'ELOOP'].includes(fileErrorCode(error));
    const broken = isMissing && (await lstat(path).catch(() => null))?.isSymbolicLink();
    return skip('unreadable', broken ? t('walk.link_nowhere') : t('walk.file_unreadable'));
  }
  const format = imageKind(head);
  const extension = extname(fileName).toLowerCase();
  // Most raw files start like a TIFF but contain no finished picture.
  if (rawNames.has(extension) && (format === null || format === 'tiff')) {
    return skip('undecodable', t('walk.raw'));
  }
  if (format === null) {
    if (tables.has(extension)) return { kind: 'table', path: at, within, fileName, folder, bytes };
    if (sidecars.has(extension)) return skip('sidecar', t('walk.sidecar'));
    if (rawNames.has(extension)) return skip('undecodable', t('walk.raw'));
    return skip('not_an_image', t('walk.no_picture'));
  }
  if (!takenKinds.has(format)) {
    return skip('undecodable', t('walk.format_not_taken', { format: format.toUpperCase() }));
  }
  return { kind: 'photo', path: at, within, fileName, folder, format, bytes };
}
