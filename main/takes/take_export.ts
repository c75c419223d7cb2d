import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { takeFormats } from '#contract';
import type { PlayableFace } from '#proto/take_stream.ts';
import type { ConvertThreads } from '../formats/convert_threads.ts';
import { makeFolderForThePerson, saveForThePerson } from '../storage/private_files.ts';
import { safeName } from '../storage/safe_name.ts';
import { storageFailure } from '../storage/storage_failure.ts';
import { faceLines } from './face_lines.ts';
import { liveLinkCsv } from './live_link_csv.ts';

export type TakeFormat = (typeof takeFormats)[number];

export interface TakeToExport {
  name: string;
  /** Milliseconds since 1970. */
  createdAt: number;
  face: PlayableFace;
  /** A whole WAV file. */
  audio: Uint8Array;
  /** A GLB, read when a format needs it. */
  head: () => Promise<Buffer>;
}

/** Runs slow conversions off the main thread. */
export type ConvertTake = ConvertThreads['convertTake'];

/** Options of the folder that a take is written to. */
export interface ExportPlace {
  /** True for a file that is not to be written over: the one that the sound came from. */
  isKept?: (path: string) => boolean;
  /** A private folder of the studio's own; default: one that the person chose. */
  isPrivate?: boolean;
}

const endings: Readonly<Record<TakeFormat, string>> = {
  livelink: 'csv',
  glb: 'glb',
  fbx: 'fbx',
  vrma: 'vrma',
  jsonl: 'jsonl',
};

/** Whether a format contains the head: such a file is removed when the head is erased. */
export const holdsHead = (format: TakeFormat): boolean => format === 'glb' || format === 'fbx';

const stemOf = (name: string): string =>
  safeName(name, { maxBytes: 100, fallback: 'take' }).replaceAll('.', '_');

/** Names of the files that a take of this name becomes, the sound last. */
export const takeFileNames = (name: string, formats: readonly TakeFormat[]): string[] =>
  [...formats.map((format) => endings[format]), 'wav'].map((ending) => `${stemOf(name)}.${ending}`);

/**
 * Writes a take as other programs read it. The sound lies beside each.
 *
 * @returns names of the files, in `folder`
 * @throws Failure `storage`; `unsupported`, `invalid_input` where the head can't be animated
 */
export async function exportTake(
  { name, createdAt, face, audio, head }: TakeToExport,
  formats: readonly TakeFormat[],
  folder: string,
  convertTake: ConvertTake,
  { isKept = () => false, isPrivate = false }: ExportPlace = {},
): Promise<string[]> {
  const stem = stemOf(name);
  const files: [string, string | Uint8Array][] = [];
  for (const format of formats) {
    if (format === 'livelink') files.push([`${stem}.csv`, liveLinkCsv(face, secondsOfDay(createdAt))]);
    if (format === 'jsonl') files.push([`${stem}.jsonl`, faceLines(face)]);
    if (format === 'glb' || format === 'fbx' || format === 'vrma') {
      const glb = holdsHead(format) ? await head() : null;
      files.push([`${stem}.${endings[format]}`, await convertTake(glb, { format, face, name })]);
    }
  }
  if (!isKept(join(folder, `${stem}.wav`))) files.push([`${stem}.wav`, audio]);
  try {
    if (isPrivate) await mkdir(folder, { recursive: true, mode: 0o700 });
    else makeFolderForThePerson(folder);
    for (const [fileName, content] of files) {
      const path = join(folder, fileName);
      if (isPrivate) await writeFile(path, content, { mode: 0o600 });
      else await saveForThePerson(path, content);
    }
  } catch (error) {
    throw storageFailure(error, folder);
  }
  return files.map(([fileName]) => fileName);
}

/** Local time of day, as the phone app has it. */
function secondsOfDay(at: number): number {
  const day = new Date(at);
  return day.getHours() * 3600 + day.getMinutes() * 60 + day.getSeconds() + day.getMilliseconds() / 1000;
}
