/**
 * Decision trees for the phones of a letter in an English word, from the letters around it and the sounds of
 * the two letters after it. scripts/letter-to-sound.ts trains them on the CMU Pronouncing Dictionary.
 */
export interface LetterTrees {
  /** The possible sounds of a letter: no phone (''), one, or two with a space between. */
  readonly sounds: readonly string[];
  /** A tree for each of a–z: four bytes a node, see `encodeTrees`. */
  readonly trees: readonly Uint8Array[];
}

/** Letters on each side that a tree may test. */
const contextLetters = 4;
/** Codes of letters: a–z are 1–26, and 0 is beyond the word. */
const firstLetter = 96;
/** Code of the sound of a letter beyond the word. */
export const noSound = 255;
/** Questions: letters at -4…-1 and 1…4, then the sounds of the next letter and of the one after it. */
export const questionCount = 2 * contextLetters + 2;
/** In the first byte of a node: the question is whether the letter belongs to a set. */
export const setQuestion = 0x80;
export const leafMark = 0xff;

const setsOfLetters = (
  'aeiou aeiouy eiy aou bcdfghjklmnpqrstvwxz lr lrwy mn lmnr bdgvz pckfstx ptkbdg szcx fvwbpm td hgk ei ie ' +
  'r l n s st rsn'
).split(' ');

/** Masks of sets of letters by their codes. */
export const letterSets: readonly number[] = [
  ...setsOfLetters.map((letters) =>
    [...letters].reduce((mask, letter) => mask | (1 << letterCode(letter)), 0),
  ),
  ...setsOfLetters
    .slice(0, 5)
    .map((letters) => [...letters].reduce((mask, letter) => mask | (1 << letterCode(letter)), 1)),
];

/** @param letter a–z; the code of any other, and of positions beyond the word, is 0 */
export function letterCode(letter: string | undefined): number {
  const code = (letter?.charCodeAt(0) ?? 0) - firstLetter;
  return code >= 1 && code <= 26 ? code : 0;
}

/** Answers to all questions about one letter, [questionCount]. */
export function answersAt(letters: string, at: number, next: number, afterNext: number): Uint8Array {
  const answers = new Uint8Array(questionCount);
  for (let step = 1; step <= contextLetters; step += 1) {
    answers[contextLetters - step] = letterCode(letters[at - step]);
    answers[contextLetters + step - 1] = letterCode(letters[at + step]);
  }
  answers[2 * contextLetters] = next;
  answers[2 * contextLetters + 1] = afterNext;
  return answers;
}

/**
 * Finds a tree's answer. A node: question, value, and the position of its no-branch (u16); the yes-branch is
 * the next node.
 */
function leafOf(tree: Uint8Array, answers: Uint8Array): number {
  let node = 0;
  while (tree[4 * node] !== leafMark) {
    const question = tree[4 * node]!;
    const value = tree[4 * node + 1]!;
    const answer = answers[question & 0x7f]!;
    const yes = question & setQuestion ? (letterSets[value]! >> answer) & 1 : answer === value;
    node = yes ? node + 1 : tree[4 * node + 2]! | (tree[4 * node + 3]! << 8);
  }
  return 4 * node;
}

interface Path {
  readonly score: number;
  /** Sounds of the letters from here to the word's end. */
  readonly sounds: readonly number[];
}

const beam = 12;
/** Maximum distance of a guess from the best, in natural logarithms. */
const maxScoreGap = 2.3;

/**
 * Returns the likeliest pronunciations of a word, best first. Works from its last letter to its first,
 * because endings decide most.
 *
 * @param word letters a–z
 */
export function soundLetters(word: string, { sounds, trees }: LetterTrees, max: number): string[][] {
  let paths: Path[] = [{ score: 0, sounds: [] }];
  for (let at = word.length - 1; at >= 0; at -= 1) {
    const tree = trees[letterCode(word[at]) - 1];
    if (!tree) return [];
    const longer: Path[] = [];
    for (const path of paths) {
      const answers = answersAt(word, at, path.sounds[0] ?? noSound, path.sounds[1] ?? noSound);
      const leaf = leafOf(tree, answers);
      const share = Math.max(1, tree[leaf + 3]!) / 256;
      longer.push({ score: path.score + Math.log(share), sounds: [tree[leaf + 1]!, ...path.sounds] });
      if (tree[leaf + 2] !== tree[leaf + 1]) {
        longer.push({ score: path.score + Math.log(1 - share), sounds: [tree[leaf + 2]!, ...path.sounds] });
      }
    }
    paths = longer.sort((one, other) => other.score - one.score).slice(0, beam);
  }
  const distinct = new Map<string, string[]>();
  for (const { score, sounds: path } of paths) {
    const phones = path
      .map((sound) => sounds[sound]!)
      .filter(Boolean)
      .join(' ');
    if (phones && !distinct.has(phones) && score > paths[0]!.score - maxScoreGap)
      distinct.set(phones, phones.split(' '));
  }
  return [...distinct.values()].slice(0, max);
}

/** Trees as bytes: the sounds as a line of text with commas, a zero, then each tree's nodes (u16) and nodes. */
export function encodeTrees({ sounds, trees }: LetterTrees): Uint8Array {
  const head = new TextEncoder().encode(`${sounds.join(',')}\0`);
  const parts = trees.flatMap((tree) => {
    const nodes = tree.length / 4;
    return [Uint8Array.of(nodes & 255, nodes >> 8), tree];
  });
  const bytes = new Uint8Array(head.length + parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of [head, ...parts]) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

export function decodeTrees(bytes: Uint8Array): LetterTrees {
  const end = bytes.indexOf(0);
  const sounds = new TextDecoder().decode(bytes.subarray(0, end)).split(',');
  const trees: Uint8Array[] = [];
  for (let at = end + 1; at < bytes.length; ) {
    const length = 4 * (bytes[at]! | (bytes[at + 1]! << 8));
    trees.push(bytes.subarray(at + 2, at + 2 + length));
    at += 2 + length;
  }
  return { sounds, trees };
}
