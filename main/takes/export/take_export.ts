import { createReadStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConvertThreads } from '@likeness/gltf/formats/convert_threads.ts';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { makeFolderForThePerson, saveForThePerson } from '@likeness/node-kit/storage/private_files.ts';
import { safeName } from '@likeness/node-kit/storage/safe_name.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import type { SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import { type ExportRate, type FrameRate, frameRateOf } from '@likeness/proto/takes/frame_rates.ts';
import { resampledFace } from '@likeness/proto/takes/resampled_face.ts';
import { type takeFormats, takeFormatsOfWords } from '#contract';
import { audio2faceJson } from '../formats/audio2face_json.ts';
import { faceCsv } from '../formats/face_csv.ts';
import { faceLines } from '../formats/face_lines.ts';
import { liveLinkCsv } from '../formats/live_link_csv.ts';
import { mohoSwitch, prestonBlairList } from '../formats/preston_blair.ts';
import { rhubarbJson, rhubarbTsv } from '../formats/rhubarb.ts';
import { subRip, webVtt } from '../formats/subtitles.ts';
import { takeVisemes } from '../formats/take_visemes.ts';
import { textGrid } from '../formats/text_grid.ts';
import { type VisemeTimeline, visemeList } from '../formats/viseme_changes.ts';

export type TakeFormat = (typeof takeFormats)[number];

export interface TakeToExport {
  name: string;
  /** Milliseconds since 1970. */
  createdAt: number;
  face: PlayableFace;
  /** A whole WAV file: its bytes, or its path. */
  audio: Uint8Array | { path: string };
  /** Duration of the audio. */
  seconds: number;
  /** Null: the transcript is unknown. */
  words: TakeWords | null;
  /** A GLB, read when a format needs it. */
  head: () => Promise<Buffer>;
}

/** Words with their times, with the transcript. */
export interface TakeWords {
  alignment: SpeechAlignment;
  script: string;
}

/** Runs slow work off the main thread. */
export type ConvertTake = ConvertThreads['convertTake'];

/** Options of an export. */
export interface ExportOptions {
  /** Frame rate; default: the take's own. */
  rate?: ExportRate;
  /** Base name of the files, used unchanged. Default: made from the take's name. */
  stem?: string;
  /** Aborts between or within files: then none is left. */
  signal?: AbortSignal | undefined;
  /** After each format. */
  onFormat?: () => void;
  /** True for a file that must not be overwritten: the audio's source. */
  isKept?: (path: string) => boolean;
  /** A private folder of the studio; default: one that the user chose. */
  isPrivate?: boolean;
}

const endings: Readonly<Record<TakeFormat, readonly string[]>> = {
  livelink: ['csv'],
  glb: ['glb'],
  fbx: ['fbx'],
  vrma: ['vrma'],
  csv: ['face.csv'],
  jsonl: ['jsonl'],
  a2f: ['a2f.json'],
  visemes: ['visemes.tsv'],
  rhubarb: ['rhubarb.tsv', 'rhubarb.json'],
  blair: ['blair.tsv'],
  moho: ['dat'],
  textgrid: ['TextGrid'],
  srt: ['srt'],
  vtt: ['vtt'],
};

/** Whether a format needs the words: it has no file without them. */
export const needsWords = (format: TakeFormat): boolean =>
  (takeFormatsOfWords as readonly TakeFormat[]).includes(format);

/** Whether a format shows the head itself: such a file is deleted when the head is erased. */
export const holdsHead = (format: TakeFormat): boolean => format === 'glb' || format === 'fbx';

/** Returns a base name that is valid on every system, without dots. */
export const stemOf = (name: string): string =>
  safeName(name, { maxBytes: 100, fallback: 'take' }).replaceAll('.', '_');

/** Names of a take's files, the audio last. @param stem their base name */
export const takeFileNames = (stem: string, formats: readonly TakeFormat[]): string[] =>
  [...formats.flatMap((format) => endings[format]), 'wav'].map((ending) => `${stem}.${ending}`);

/** Content of a file: long texts are made in chunks during the write. */
type Content = string | Uint8Array | Iterable<string> | { path: string };

/**
 * Writes a take for other programs, every format with the same frames, and the audio beside them.
 *
 * @returns names of the files, in `folder`
 * @throws Failure `storage`; `cancelled`; `unsupported`, `invalid_input` if the head can't be animated, or a
 * format's source is missing
 */
export async function exportTake(
  take: TakeToExport,
  formats: readonly TakeFormat[],
  folder: string,
  convertTake: ConvertTake,
  {
    isKept = () => false,
    isPrivate = false,
    rate = 'own',
    stem = stemOf(take.name),
    signal,
    onFormat,
  }: ExportOptions = {},
): Promise<string[]> {
  const frameRate = frameRateOf(rate, take.face.frameRate);
  const timed = { ...take, timedFace: resampledFace(take.face, frameRate, take.seconds), frameRate, stem };
  const files: [string, Content][] = [];
  for (const format of formats) {
    signal?.throwIfAborted();
    const contents = await contentsOf(format, timed, (head, order) => convertTake(head, order, signal));
    for (const [at, ending] of endings[format].entries()) files.push([`${stem}.${ending}`, contents[at]!]);
    onFormat?.();
  }
  if (!isKept(join(folder, `${stem}.wav`))) files.push([`${stem}.wav`, take.audio]);
  try {
    if (isPrivate) await mkdir(folder, { recursive: true, mode: 0o700 });
    else makeFolderForThePerson(folder);
    for (const [fileName, content] of files) {
      const path = join(folder, fileName);
      if (isPrivate) await writeFile(path, bytesOf(content, signal), { mode: 0o600 });
      else await saveForThePerson(path, bytesOf(content, signal));
    }
  } catch (error) {
    if (isPrivate) for (const [name] of files) await rm(join(folder, name), { force: true });
    throw storageFailure(error, folder);
  }
  return files.map(([fileName]) => fileName);
}

function bytesOf(
  content: Content,
  signal: AbortSignal | undefined,
): string | Uint8Array | AsyncIterable<Uint8Array> {
  if (typeof content === 'string' || content instanceof Uint8Array) return content;
  return 'path' in content ? readIn(content.path, signal) : encoded(content, signal);
}

async function* readIn(path: string, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    signal?.throwIfAborted();
    yield chunk as Buffer;
  }
}

/** The writer waits for the disk after each chunk, so that other tasks can run. */
async function* encoded(
  pieces: Iterable<string>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    signal?.throwIfAborted();
    yield Buffer.from(piece);
  }
}

/** A take on the time base of its export. Data with its own times (words, visemes) is made from `face`. */
type TimedTake = TakeToExport & { timedFace: PlayableFace; frameRate: FrameRate; stem: string };

/** Contents of a format's files, by their extensions. @throws as {@link exportTake} */
async function contentsOf(
  format: TakeFormat,
  take: TimedTake,
  convertTake: ConvertTake,
): Promise<readonly Content[]> {
  const { name, stem, createdAt, timedFace: face, frameRate, seconds, head } = take;
  switch (format) {
    case 'livelink':
      return [liveLinkCsv(face, secondsOfDay(createdAt))];
    case 'csv':
      return [faceCsv(face, frameRate)];
    case 'jsonl':
      return [faceLines(face)];
    case 'a2f':
      return [audio2faceJson(face, `${stem}.wav`)];
    case 'visemes':
      return [visemeList(visemesOf(take))];
    case 'rhubarb':
      return [rhubarbTsv(visemesOf(take)), rhubarbJson(visemesOf(take), `${stem}.wav`)];
    case 'blair':
      return [prestonBlairList(visemesOf(take))];
    case 'moho':
      return [mohoSwitch(visemesOf(take), frameRate)];
    case 'textgrid':
      return [textGrid(wordsOf(take).alignment, seconds)];
    case 'srt':
    case 'vtt': {
      const { alignment, script } = wordsOf(take);
      return [(format === 'srt' ? subRip : webVtt)(alignment, script, 'sentences', seconds)];
    }
    default: {
      const glb = holdsHead(format) ? await head() : null;
      return [await convertTake(glb, { format, face, name })];
    }
  }
}

function visemesOf({ face, words, seconds }: TakeToExport): VisemeTimeline {
  const visemes = takeVisemes(face, words?.alignment ?? null, seconds);
  if (!visemes) throw new Failure('unsupported', t('takes.no_visemes'), { hint: t('takes.give_words') });
  return visemes;
}

function wordsOf({ words }: TakeToExport): TakeWords {
  if (!words) throw new Failure('unsupported', t('takes.no_words'), { hint: t('takes.give_words') });
  return words;
}

/** Local time of day, as in the phone app. */
function secondsOfDay(at: number): number {
  const day = new Date(at);
  return day.getHours() * 3600 + day.getMinutes() * 60 + day.getSeconds() + day.getMilliseconds() / 1000;
}
