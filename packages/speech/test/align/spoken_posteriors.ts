/** Posteriors as a network would make them of known phones, and words to say. */

import { seededRandom } from '@likeness/proto/seeded_random.ts';
import { phoneParts } from '@likeness/proto/speech/phones.ts';
import type { SpokenWord } from '../../src/words/index.ts';

/** A phone and how many frames of 10 ms it lasts. */
export type Said = readonly [phone: string, frames: number];

/** @param noise how much of each frame is spread over visemes at random, 0..1 */
export function posteriorsOf(said: readonly Said[], noise = 0.2, seed = 1) {
  const random = seededRandom(seed);
  const rows: number[][] = [];
  for (const [phone, frames] of said) {
    for (let k = 0; k < frames; k++) {
      let passed = 0;
      const part = phoneParts(phone).find(({ share }) => {
        passed += share;
        return passed > (k + 0.5) / frames;
      });
      const raw = Array.from({ length: 15 }, () => random() ** 3);
      const sum = raw.reduce((a, b) => a + b);
      rows.push(raw.map((value, v) => (noise * value) / sum + (v === part?.viseme ? 1 - noise : 0)));
    }
  }
  return { frames: rows.length, posteriors: Float32Array.from(rows.flat()) };
}

/** A word with its pronunciations, phones by spaces. */
export const word = (text: string, ...pronunciations: string[]): SpokenWord => ({
  text,
  from: 0,
  to: text.length,
  language: 'en',
  pronunciations: pronunciations.map((phones) => phones.split(' ')),
  source: 'dictionary',
  endsClause: false,
});

export const vocabulary = [
  word('boat', 'B OW T'),
  word('copper', 'K AA P ER'),
  word('five', 'F AY V'),
  word('shoes', 'SH UW Z'),
  word('garden', 'G AA R D AX N'),
  word('meet', 'M IY T'),
  word('thought', 'TH AO T'),
  word('village', 'V IH L IH JH'),
  word('people', 'P IY P AX L'),
  word('rain', 'R EY N'),
  word('sister', 'S IH S T ER'),
  word('window', 'W IH N D OW'),
];

/** A script of `count` words, no two alike in a row, and what is said for it: each phone 7 frames, pauses now and then. */
export function speech(count: number, seed = 1): { words: SpokenWord[]; said: Said[][] } {
  const random = seededRandom(seed);
  const words: SpokenWord[] = [];
  while (words.length < count) {
    const next = vocabulary[Math.floor(random() * vocabulary.length)] as SpokenWord;
    if (next !== words.at(-1)) words.push(next);
  }
  return { words, said: words.map((one) => sayWord(one, 6 + Math.floor(random() * 3))) };
}

export const sayWord = (one: SpokenWord, frames = 7): Said[] =>
  (one.pronunciations[0] as readonly string[]).map((phone): Said => [phone, frames]);
