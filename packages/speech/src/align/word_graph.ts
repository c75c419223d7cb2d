/**
 * The words of a script as states of 10 ms that a path must pass. Before each word come an optional pause and
 * optional speech that the script lacks, then one of the word's pronunciations.
 */
import { lastThat } from '@likeness/proto/binary_search.ts';
import { phoneParts } from '@likeness/proto/speech/phones.ts';
import { silence } from './viseme_scores.ts';

/** Properties of a state, bits of `WordGraph.kind`. */
export const loops = 1;
/** The state is entered from the boundary before the word. */
export const opensChain = 2;
/** The state exits to the boundary after the word. */
export const endsWord = 4;
/** The state exits to the boundary before the word: a pause or other speech. */
export const endsAside = 8;
/** The first state of a phone, a pause or other speech. */
export const opensItem = 16;

/** `viseme` of a state that accepts any speech. */
export const anyViseme = 15;

/**
 * Minimum lengths, frames of 10 ms: of a phone with one part, of a part of several, of a pause or other
 * speech.
 */
const minPhone = 3;
const minPart = 2;
const minPause = 3;
const minOtherFrames = 6;
/** No dictionary has more; limits the cost of a crafted script. */
const maxPronunciations = 12;

/** Pronunciations by word. */
export type Sayable = {
  readonly pronunciations: readonly (readonly string[])[];
  readonly endsClause: boolean;
};

/** The word, pause or other speech that a state belongs to. */
export interface GraphItem {
  /** The word that it precedes or belongs to; the count of words after the last. */
  readonly word: number;
  readonly kind: 'pause' | 'other' | 'phone';
  /** −1 if it isn't a phone of a word. */
  readonly pronunciation: number;
  readonly position: number;
}

export class WordGraph {
  readonly words: readonly Sayable[];
  /** [words + 2] first state of each word's block; the last block holds the pause at the end alone. */
  readonly offsets: Int32Array;
  /** [states] viseme, or `anyViseme`. */
  readonly viseme: Uint8Array;
  /** [states] bits as above. */
  readonly kind: Uint8Array;
  /** Maximum number of states of one word. */
  readonly widest: number;

  constructor(words: readonly Sayable[]) {
    this.words = words;
    const blocks = [...words.map(blockLength), asideLength];
    this.offsets = new Int32Array(blocks.length + 1);
    blocks.forEach((length, k) => {
      this.offsets[k + 1] = (this.offsets[k] as number) + length;
    });
    this.widest = blocks.reduce((max, length) => Math.max(max, length), 0);
    const states = this.offsets[blocks.length] as number;
    this.viseme = new Uint8Array(states);
    this.kind = new Uint8Array(states);
    for (let k = 0; k < blocks.length; k++) this.#lay(k);
  }

  /** The word whose block holds `state`. */
  wordOf(state: number): number {
    return lastThat(this.words.length + 1, (word) => (this.offsets[word] as number) <= state);
  }

  /** Returns the item of its first state. */
  itemOf(state: number): GraphItem {
    const word = this.wordOf(state);
    let at = this.offsets[word] as number;
    const aside = { word, pronunciation: -1, position: -1 };
    if (state === at) return { ...aside, kind: 'pause' };
    if (state === at + minPause) return { ...aside, kind: 'other' };
    at += asideLength;
    for (const [pronunciation, phones] of tried(this.words[word] as Sayable).entries()) {
      for (const [position, phone] of phones.entries()) {
        if (state === at) return { word, kind: 'phone', pronunciation, position };
        at += phoneLength(phone);
      }
    }
    throw new RangeError(`State ${state} opens nothing`);
  }

  #lay(word: number): void {
    let at = this.offsets[word] as number;
    const put = (viseme: number, length: number, first: number, last: number): void => {
      this.viseme.fill(viseme, at, at + length);
      this.kind[at] = (this.kind[at] as number) | first;
      this.kind[at + length - 1] = (this.kind[at + length - 1] as number) | loops | last;
      at += length;
    };
    put(silence, minPause, opensChain | opensItem, endsAside);
    put(anyViseme, minOtherFrames, opensChain | opensItem, endsAside);
    if (word === this.words.length) return;
    for (const phones of tried(this.words[word] as Sayable)) {
      for (const [position, phone] of phones.entries()) {
        const parts = phoneParts(phone);
        const length = parts.length === 1 ? minPhone : minPart;
        for (const [k, { viseme }] of parts.entries()) {
          const first = k === 0 ? opensItem | (position === 0 ? opensChain : 0) : 0;
          put(viseme, length, first, k === parts.length - 1 && position === phones.length - 1 ? endsWord : 0);
        }
      }
    }
  }
}

const asideLength = minPause + minOtherFrames;

/** The usable pronunciations of a word: those with phones. */
export const tried = (word: Sayable): readonly (readonly string[])[] =>
  word.pronunciations.filter((phones) => phones.length > 0).slice(0, maxPronunciations);

function phoneLength(phone: string): number {
  const { length } = phoneParts(phone);
  return length === 1 ? minPhone : length * minPart;
}

/** Minimum frames of a pronunciation. */
const minFrames = (phones: readonly string[]): number =>
  phones.reduce((sum, phone) => sum + phoneLength(phone), 0);

const blockLength = (word: Sayable): number =>
  tried(word).reduce((sum, phones) => sum + minFrames(phones), asideLength);
