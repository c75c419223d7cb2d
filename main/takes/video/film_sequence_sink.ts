import { createReadStream, existsSync } from 'node:fs';
import { open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { makeFolderForThePerson, saveForThePerson } from '@likeness/node-kit/storage/private_files.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import type { SavedFilm } from '@likeness/proto/takes/film_message.ts';
import { z } from 'zod';
import { thereAlready } from './film_file_sink.ts';
import type { FilmSink } from './film_sink.ts';

/** The file that identifies the film of the frames in a folder. */
const noteName = 'film.json';
const Note = z.looseObject({ schemaVersion: z.literal(1), film: z.string() });

export interface FilmSequenceOptions {
  /** The folder; created if it is missing. */
  path: string;
  /** Base name of the frames and of the audio. */
  stem: string;
  /** Replaces another film's frames in the folder. */
  overwrite: boolean;
  frames: number;
  width: number;
  height: number;
  /** Equal for the same film, whose missing frames are then added. */
  film: string;
  /** Path of a WAV file. */
  sound: string;
}

/**
 * Writes a folder of PNG files and one WAV file. Each frame is complete or missing; existing ones are not
 * made again.
 */
export class FilmSequenceSink implements FilmSink {
  readonly there: readonly (readonly [number, number])[];
  readonly #options: FilmSequenceOptions;

  private constructor(options: FilmSequenceOptions, there: readonly (readonly [number, number])[]) {
    this.#options = options;
    this.there = there;
  }

  /** @throws Failure `conflict` if the folder has other content; `storage` */
  static async create(options: FilmSequenceOptions): Promise<FilmSequenceSink> {
    const { path, overwrite, film } = options;
    const note = join(path, noteName);
    try {
      if (existsSync(path) && !overwrite && (await filmOf(note)) !== film && (await readdir(path)).length > 0)
        throw thereAlready(path);
      makeFolderForThePerson(path);
      if ((await filmOf(note)) !== film) {
        for (const name of await readdir(path)) if (isOurs(name)) await rm(join(path, name));
        await saveForThePerson(note, `${JSON.stringify({ schemaVersion: 1, film })}\n`);
      }
      return new FilmSequenceSink(options, await wholeFrames(options));
    } catch (error) {
      throw storageFailure(error, path);
    }
  }

  async piece(): Promise<void> {
    throw new Failure('invalid_input', t('film.not_of_it'));
  }

  async frame(index: number, bytes: Uint8Array): Promise<void> {
    const { frames, width, height, path } = this.#options;
    if (index >= frames || !isPng(bytes.subarray(0, headBytes), bytes.subarray(-endBytes), width, height))
      throw new Failure('invalid_input', t('film.not_of_it'));
    await saveForThePerson(join(path, frameName(this.#options, index)), bytes);
  }

  async finish(): Promise<SavedFilm> {
    const { path, stem, sound } = this.#options;
    await saveForThePerson(join(path, `${stem}.wav`), createReadStream(sound));
    return { files: [], at: path };
  }

  async discard(): Promise<void> {
    // Existing files are complete, and the next run continues after them.
  }
}

/** Frames are counted from 0, with leading zeros so that their names sort. */
const frameName = ({ stem }: Pick<FilmSequenceOptions, 'stem'>, index: number): string =>
  `${stem}_${String(index).padStart(6, '0')}.png`;

/** Frames of an earlier film in the folder. */
const isOurs = (name: string): boolean => /_\d{6}\.png$/.test(name) || name === noteName;

async function filmOf(note: string): Promise<string | null> {
  const text = await readFile(note, 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    return Note.safeParse(JSON.parse(text)).data?.film ?? null;
  } catch {
    return null;
  }
}

async function wholeFrames(options: FilmSequenceOptions): Promise<(readonly [number, number])[]> {
  const names = new Set(await readdir(options.path));
  const stretches: [number, number][] = [];
  for (let index = 0; index < options.frames; index++) {
    const name = frameName(options, index);
    if (!names.has(name) || !(await isWhole(join(options.path, name), options))) continue;
    const last = stretches.at(-1);
    if (last?.[1] === index - 1) last[1] = index;
    else stretches.push([index, index]);
  }
  return stretches;
}

/** First bytes (signature and first chunk) and last chunk of a PNG file. */
const headBytes = 33;
const endBytes = 12;
const signature = Buffer.from('89504e470d0a1a0a', 'hex');
const lastChunk = Buffer.from('0000000049454e44ae426082', 'hex');

function isPng(head: Uint8Array, end: Uint8Array, width: number, height: number): boolean {
  const first = Buffer.from(head);
  return (
    first.length === headBytes &&
    first.subarray(0, 8).equals(signature) &&
    first.readUInt32BE(16) === width &&
    first.readUInt32BE(20) === height &&
    lastChunk.equals(end)
  );
}

async function isWhole(path: string, { width, height }: FilmSequenceOptions): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const head = Buffer.alloc(headBytes);
    const end = Buffer.alloc(endBytes);
    await file.read(head, 0, headBytes, 0);
    await file.read(end, 0, endBytes, Math.max(0, size - endBytes));
    return isPng(head, end, width, height);
  } finally {
    await file.close();
  }
}
