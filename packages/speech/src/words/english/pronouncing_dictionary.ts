import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Pronunciations of English words, each as phones of proto/speech/phones.ts. */
export interface PronouncingDictionary {
  /** @param word in lower case. Returns an empty list if the dictionary lacks it. */
  find(word: string): readonly (readonly string[])[];
}

let loaded: Promise<PronouncingDictionary> | undefined;

/**
 * The CMU Pronouncing Dictionary, read once for this process.
 *
 * Its package is a JavaScript module of 135,000 properties. Importing it blocks the process for a third of a
 * second and leaves 60 MB behind, and this process also answers live voices. So the file is read as text, one
 * entry a line, and only its lines are indexed.
 */
export function pronouncingDictionary(): Promise<PronouncingDictionary> {
  loaded ??= load().catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

const newline = 10;
const quote = 34;
const space = 32;
const openBracket = 40;
const linesATurn = 10_000;

async function load(): Promise<PronouncingDictionary> {
  const bytes = await readFile(createRequire(import.meta.url).resolve('cmu-pronouncing-dictionary'));
  /** Open addressing: the start of a word's first line, plus one; 0 is free. */
  const slots = new Uint32Array(1 << 18);
  const mask = slots.length - 1;
  let lines = 0;
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(newline, start);
    if (isEntry(bytes, start)) {
      const word = endOfWord(bytes, start + 3);
      if (bytes[word] === quote) {
        let slot = hash(bytes, start + 3, word) & mask;
        while (slots[slot]) slot = (slot + 1) & mask;
        slots[slot] = start + 1;
        if (++lines % linesATurn === 0) await nextTurn();
      }
    }
    if (end < 0) break;
    start = end + 1;
  }
  if (lines < 100_000)
    throw new Error(`The pronouncing dictionary has ${lines} words only: its file is damaged`);
  return { find: (word) => find(bytes, slots, word) };
}

/** An entry is a line `  "word": "W ER1 D",`, further pronunciations of it follow as `  "word(2)": …`. */
const isEntry = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === space && bytes[at + 1] === space && bytes[at + 2] === quote;

function endOfWord(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] !== quote && bytes[at] !== openBracket && at < bytes.length) at += 1;
  return at;
}

/** FNV-1a */
function hash(bytes: Uint8Array, from: number, to: number): number {
  let sum = 0x811c9dc5;
  for (let at = from; at < to; at += 1) sum = Math.imul(sum ^ (bytes[at] ?? 0), 0x01000193);
  return sum >>> 0;
}

function find(bytes: Buffer, slots: Uint32Array, word: string): string[][] {
  const key = Buffer.from(word, 'latin1');
  if (!/^[\x21\x23-\x27\x29-\x7e]+$/.test(word)) return [];
  const mask = slots.length - 1;
  for (let slot = hash(key, 0, key.length) & mask; slots[slot]; slot = (slot + 1) & mask) {
    const start = slots[slot]! - 1;
    const end = start + 3 + key.length;
    if (bytes[end] === quote && bytes.compare(key, 0, key.length, start + 3, end) === 0) {
      return readEntries(bytes, start, word);
    }
  }
  return [];
}

function readEntries(bytes: Buffer, from: number, word: string): string[][] {
  const found = new Map<string, string[]>();
  for (let start = from; ; ) {
    const end = bytes.indexOf(newline, start);
    const line = bytes.toString('latin1', start, end);
    if (start > from && !line.startsWith(`  "${word}(`)) break;
    // The text after `#` is the word's origin.
    const phones = /: "([A-Z0-2 ]+)/.exec(line)?.[1]?.trim().split(' ').map(withoutStress);
    if (phones) found.set(phones.join(' '), phones);
    start = end + 1;
  }
  return [...found.values()];
}

/** The dictionary writes the schwa as an unstressed AH; for lips and networks it is a separate phone. */
export const withoutStress = (phone: string): string => (phone === 'AH0' ? 'AX' : phone.replace(/\d$/, ''));
