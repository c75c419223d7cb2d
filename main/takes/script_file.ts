import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { textOf } from '#proto/text_encoding.ts';
import { type Sentence, say } from '#sentences';
import { Failure } from '../failure.ts';
import { captionText } from './formats/caption_text.ts';
import { arePhones, labelsAsText, readLabels } from './formats/label_text.ts';
import { readTextGrid } from './formats/text_grid.ts';

/** What is said in a recording, from a file of a person's. */
export interface ScriptFile {
  readonly text: string;
  readonly language: 'auto';
  readonly fileName: string;
}

/** In the order in which they are looked for beside a sound. */
const scriptExtensions = ['txt', 'srt', 'vtt', 'lab', 'TextGrid'] as const;

/** Hours of speech; more is no script. */
const mostBytes = 4 * 1024 * 1024;
const untyped = /[\p{Cc}--[\s\u0085]]/v;

/**
 * Reads a script: plain text, subtitles (`.srt`, `.vtt`), labels (`.lab`) or a TextGrid, in any encoding that
 * programs write.
 *
 * @throws Failure `not_found`, `unsupported`, each with the file at fault
 */
export async function readScriptFile(path: string): Promise<ScriptFile> {
  const fileName = basename(path);
  return scriptOf(await readBounded(path, fileName), fileName);
}

/**
 * The same from a file's content, by the ending of its name.
 *
 * @throws Failure `unsupported`
 */
export function scriptOf(bytes: Uint8Array, fileName: string): ScriptFile {
  if (bytes.length > mostBytes) throw refused(say('takes.script_too_large', { file: fileName }));
  const whole = textOf(bytes).replaceAll('\r\n', '\n');
  // Nobody types these: it is a picture, a sound or a document of a word processor.
  if (untyped.test(whole)) throw refused(say('takes.script_not_text', { file: fileName }));
  const text = wordsOf(whole, extname(fileName).toLowerCase(), fileName);
  if (!/\p{L}|\p{N}/u.test(text)) throw refused(say('takes.script_empty', { file: fileName }));
  return { text: text.trim(), language: 'auto', fileName };
}

/** The script that lies beside a sound, by its name: `talk.wav` → `talk.txt`, then `.srt`, `.vtt` …; or null. */
export async function findScriptBeside(soundPath: string): Promise<string | null> {
  const stem = join(dirname(soundPath), basename(soundPath, extname(soundPath)));
  for (const extension of scriptExtensions) {
    for (const name of new Set([extension, extension.toLowerCase(), extension.toUpperCase()])) {
      const path = `${stem}.${name}`;
      if (path === soundPath) continue;
      const found = await stat(path).catch(() => null);
      if (found?.isFile()) return path;
    }
  }
  return null;
}

async function readBounded(path: string, fileName: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(path);
    if (size <= mostBytes) return await readFile(path);
  } catch {
    throw new Failure('not_found', say('takes.cannot_read', { path }), { hint: say('takes.check_name') });
  }
  throw refused(say('takes.script_too_large', { file: fileName }));
}

function wordsOf(text: string, extension: string, fileName: string): string {
  if (extension === '.srt' || extension === '.vtt') {
    const captions = captionText(text);
    if (captions === null) throw refused(say('takes.script_no_captions', { file: fileName }));
    return captions;
  }
  if (extension === '.textgrid') return textGridWords(text, fileName);
  if (extension === '.lab') {
    const labels = readLabels(text);
    return labels ? wordsOfLabels(labels, fileName) : text;
  }
  return text;
}

const wordTier = /^(?:(?:.+ - )?words?|ort|orthograph\w*|transcript\w*|text|utterances?|sentences?)$/i;
const phoneTier = /phon|segment|syll|^mau$/i;

function textGridWords(text: string, fileName: string): string {
  const tiers = readTextGrid(text);
  if (!tiers) throw refused(say('takes.script_no_text_grid', { file: fileName }));
  const tier =
    tiers.find(({ name }) => wordTier.test(name.trim())) ?? tiers.find(({ name }) => !phoneTier.test(name));
  if (!tier) throw refused(say('takes.script_no_word_tier', { file: fileName }));
  return wordsOfLabels(
    tier.intervals.map(({ label }) => label),
    fileName,
  );
}

function wordsOfLabels(labels: readonly string[], fileName: string): string {
  if (arePhones(labels)) throw refused(say('takes.script_of_phones', { file: fileName }));
  return labelsAsText(labels);
}

const refused = (fault: Sentence): Failure =>
  new Failure('unsupported', fault, { hint: say('takes.script_formats') });
