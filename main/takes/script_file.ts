import { readFile, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { joinMessages, type KeyedMessage, type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { namedFileFailure } from '@likeness/node-kit/storage/named_file.ts';
import { decodeText } from '@likeness/proto/text/text_encoding.ts';
import { blankUnspoken } from '@likeness/proto/text/unspoken.ts';
import { captionText } from './formats/caption_text.ts';
import { withoutReferences } from './formats/character_references.ts';
import { arePhones, areTabbedLabels, labelsAsText, readLabels } from './formats/label_text.ts';
import type { LeftOutKind, ReadWords } from './formats/read_words.ts';
import { spokenTiers } from './formats/spoken_tiers.ts';
import { readTextGrid } from './formats/text_grid.ts';

/** The transcript of a recording, from a user's file. */
export interface ScriptFile {
  readonly text: string;
  readonly language: 'auto';
  readonly fileName: string;
  /** Describes skipped parts of the file; empty: none. */
  readonly leftOut: Message;
}

/** Maximum bytes: hours of speech. */
const maxBytes = 4 * 1024 * 1024;
/** First bytes of word processor documents (ZIP, OLE, RTF) and PDF. */
const documentStarts = ['PK\x03\x04', '\xd0\xcf\x11\xe0', '{\\rtf', '%PDF-'];
const untyped = /[\p{Cc}--[\s\u0085]]/v;
/** Replacement and unassigned characters: damaged text has some, binary files have many. */
const unknown = /[\ufffd\p{Cn}\p{Co}\p{Cs}]/gu;
const maxUnknownShare = 0.05;

/**
 * Reads a transcript: plain text, subtitles (`.srt`, `.vtt`), labels (`.lab`) or a TextGrid, in any common
 * encoding.
 *
 * @throws Failure `not_found`, `unsupported`, each naming the file
 */
export async function readScriptFile(path: string): Promise<ScriptFile> {
  const fileName = basename(path);
  return scriptOf(await readBounded(path, fileName), fileName);
}

/**
 * The same from a file's content, by the extension of its name.
 *
 * @throws Failure `unsupported`
 */
export function scriptOf(bytes: Uint8Array, fileName: string): ScriptFile {
  if (bytes.length > maxBytes) throw refused(t('takes.script_too_large', { file: fileName }));
  const start = String.fromCharCode(...bytes.subarray(0, 8));
  if (documentStarts.some((known) => start.startsWith(known)))
    throw refused(t('takes.script_document', { file: fileName }));
  const whole = decodeText(bytes).replace(/\r\n?/g, '\n');
  // Text does not contain these: it is a picture, audio or another binary file.
  const unknownCount = whole.match(unknown)?.length ?? 0;
  if (untyped.test(whole) || unknownCount > Math.max(1, maxUnknownShare * whole.length))
    throw refused(t('takes.script_not_text', { file: fileName }));
  const { text, leftOut } = wordsOf(whole, extname(fileName).toLowerCase(), fileName);
  if (!/\p{L}|\p{N}/u.test(text)) throw refused(t('takes.script_empty', { file: fileName }));
  const unspoken = new Set<string>();
  blankUnspoken(text, (part) => unspoken.add(part));
  const parts = [...leftOut, { kind: 'unspoken', what: [...unspoken] } as const];
  return { text: text.trim(), language: 'auto', fileName, leftOut: leftOutOf(parts, fileName) };
}

const leftOutSentences: Readonly<
  Record<LeftOutKind, (values: { file: string; what: string }) => KeyedMessage>
> = {
  untimed: (values) => t('script.left_out_untimed', values),
  noise: (values) => t('script.left_out_noise', values),
  no_label: (values) => t('script.left_out_no_label', values),
  tier: (values) => t('script.left_out_tier', values),
  unspoken: (values) => t('script.left_out_unspoken', values),
};

/** Maximum number of problems of each kind to list, and characters of each. */
const shown = { most: 5, characters: 60 };

function leftOutOf(leftOut: ReadWords['leftOut'], file: string): Message {
  return leftOut
    .filter(({ what }) => what.length > 0)
    .map(({ kind, what }) => {
      const named = what.slice(0, shown.most).map((text) => {
        const line = text.replace(/\s+/g, ' ');
        return line.length > shown.characters ? `${line.slice(0, shown.characters)}…` : line;
      });
      if (what.length > shown.most) named.push(`… (${what.length})`);
      return leftOutSentences[kind]({ file, what: named.join(' · ') });
    })
    .reduce<Message>(joinMessages, '');
}

async function readBounded(path: string, fileName: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(path);
    if (size <= maxBytes) return await readFile(path);
  } catch (error) {
    throw namedFileFailure(error, path);
  }
  throw refused(t('takes.script_too_large', { file: fileName }));
}

function wordsOf(text: string, extension: string, fileName: string): ReadWords {
  const isPlain = extension !== '.srt' && extension !== '.vtt';
  const captions = isPlain && !looksLikeCaptions.test(text) ? null : captionText(text);
  if (captions) return captions;
  if (!isPlain) throw refused(t('takes.script_no_captions', { file: fileName }));
  if (extension === '.textgrid') return textGridWords(text, fileName);
  const labels = extension === '.lab' || areTabbedLabels(text) ? readLabels(text) : null;
  if (!labels) return { text: withoutReferences(text), leftOut: [] };
  return wordsOfLabels(labels.labels, fileName, { kind: 'no_label', what: labels.others });
}

/** Captions that were saved as plain text. */
const looksLikeCaptions = /^\ufeff?\s*(?:WEBVTT\b|(?:\d+\s*\n)?\s*[\d:.,]+ *--> *[\d:.,]+)/;

function textGridWords(text: string, fileName: string): ReadWords {
  const tiers = readTextGrid(text);
  if (!tiers) throw refused(t('takes.script_no_text_grid', { file: fileName }));
  const spoken = spokenTiers(tiers);
  if (!spoken) throw refused(t('takes.script_no_word_tier', { file: fileName }));
  return wordsOfLabels(spoken.labels, fileName, { kind: 'tier', what: spoken.others });
}

function wordsOfLabels(
  labels: readonly string[],
  fileName: string,
  others: ReadWords['leftOut'][number],
): ReadWords {
  if (arePhones(labels)) throw refused(t('takes.script_of_phones', { file: fileName }));
  const { text, noise } = labelsAsText(labels);
  return { text: withoutReferences(text), leftOut: [{ kind: 'noise', what: noise }, others] };
}

const refused = (fault: KeyedMessage): Failure =>
  new Failure('unsupported', fault, { hint: t('takes.script_formats') });
