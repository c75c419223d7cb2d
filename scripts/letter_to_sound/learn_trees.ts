import {
  answersAt,
  type LetterTrees,
  leafMark,
  letterCode,
  letterSets,
  noSound,
  questionCount,
  setQuestion,
} from '@likeness/speech/words/english/letter_trees.ts';

interface Samples {
  /** [count][questionCount] */
  readonly answers: Uint8Array[];
  /** Each sound as an index into the table of sounds. */
  readonly sounds: Uint8Array;
}

interface Node {
  readonly letter: number;
  readonly samples: Uint32Array;
  split: Split | null;
  yes: Node | null;
  no: Node | null;
}

interface Split {
  readonly question: number;
  readonly value: number;
  /** Bits that the split saves over all its samples. */
  readonly gain: number;
}

const fewestSamples = 2;
const minGain = 3;

/**
 * Grows one tree per letter. Always splits the leaf whose best question saves the most bits.
 *
 * @param max splits of all trees together
 */
export function learnTrees(
  aligned: readonly { letters: string; sounds: readonly string[] }[],
  max: number,
): LetterTrees {
  const sounds = [...new Set(aligned.flatMap((word) => word.sounds))].sort();
  if (sounds.length >= noSound)
    throw new Error(`${sounds.length} sounds of letters: a byte holds ${noSound - 1}`);
  const samples = gather(aligned, new Map(sounds.map((sound, at) => [sound, at])));
  const roots = samples.map(({ sounds: all }, letter) =>
    leaf(
      samples,
      letter,
      Uint32Array.from(all, (_, at) => at),
    ),
  );
  const open: Node[] = [];
  for (const root of roots) if (root.split) push(open, root);
  for (let splits = 0; splits < max && open.length > 0; splits += 1) {
    const node = takeBest(open);
    divide(samples, node);
    for (const child of [node.yes!, node.no!]) if (child.split) push(open, child);
  }
  return { sounds, trees: roots.map((root) => encode(root, samples[root.letter]!.sounds)) };
}

function gather(
  aligned: readonly { letters: string; sounds: readonly string[] }[],
  codes: Map<string, number>,
): Samples[] {
  const answers: Uint8Array[][] = Array.from({ length: 26 }, () => []);
  const sounds: number[][] = Array.from({ length: 26 }, () => []);
  for (const word of aligned) {
    const coded = word.sounds.map((sound) => codes.get(sound)!);
    for (let at = 0; at < word.letters.length; at += 1) {
      const letter = letterCode(word.letters[at]) - 1;
      answers[letter]!.push(answersAt(word.letters, at, coded[at + 1] ?? noSound, coded[at + 2] ?? noSound));
      sounds[letter]!.push(coded[at]!);
    }
  }
  return answers.map((each, letter) => ({ answers: each, sounds: Uint8Array.from(sounds[letter]!) }));
}

const leaf = (samples: readonly Samples[], letter: number, own: Uint32Array): Node => ({
  letter,
  samples: own,
  split: bestSplit(samples[letter]!, own),
  yes: null,
  no: null,
});

function bestSplit({ answers, sounds }: Samples, own: Uint32Array): Split | null {
  if (own.length < 2 * fewestSamples) return null;
  const total = new Float64Array(256);
  for (const sample of own) total[sounds[sample]!]! += 1;
  const seen = [...total.keys()].filter((sound) => total[sound]! > 0);
  if (seen.length < 2) return null;
  const whole = bits(seen.map((sound) => total[sound]!));
  let best: Split | null = null;
  for (let question = 0; question < questionCount; question += 1) {
    const counts = new Map<number, Float64Array>();
    for (const sample of own) {
      const value = answers[sample]![question]!;
      let row = counts.get(value);
      if (!row) {
        row = new Float64Array(256);
        counts.set(value, row);
      }
      row[sounds[sample]!]! += 1;
    }
    if (counts.size < 2) continue;
    for (const [code, value, yes] of candidates(question, counts, seen)) {
      const yesCounts = seen.map((sound) => yes(sound));
      const size = yesCounts.reduce((sum, count) => sum + count, 0);
      if (size < fewestSamples || own.length - size < fewestSamples) continue;
      const rest = seen.map((sound, at) => total[sound]! - yesCounts[at]!);
      const gain = whole - bits(yesCounts) - bits(rest);
      if (gain > (best?.gain ?? minGain)) best = { question: code, value, gain };
    }
  }
  return best;
}

type Candidate = [question: number, value: number, yes: (sound: number) => number];

function candidates(
  question: number,
  counts: Map<number, Float64Array>,
  seen: readonly number[],
): Candidate[] {
  const single = [...counts].map(([value, row]): Candidate => [question, value, (sound) => row[sound]!]);
  if (question >= questionCount - 2 || seen.length === 0) return single;
  const sets = letterSets.map((mask, at): Candidate => {
    const rows = [...counts].filter(([value]) => (mask >> value) & 1).map(([, row]) => row);
    return [question | setQuestion, at, (sound) => rows.reduce((sum, row) => sum + row[sound]!, 0)];
  });
  return [...single, ...sets];
}

/** Bits to encode the classes of these samples (entropy × count). */
function bits(counts: readonly number[]): number {
  const sum = counts.reduce((one, other) => one + other, 0);
  return counts.reduce((total, count) => (count > 0 ? total - count * Math.log2(count / sum) : total), 0);
}

function divide(samples: readonly Samples[], node: Node): void {
  const { question, value } = node.split!;
  const { answers } = samples[node.letter]!;
  const says = (sample: number): boolean => {
    const answer = answers[sample]![question & 0x7f]!;
    return question & setQuestion ? ((letterSets[value]! >> answer) & 1) === 1 : answer === value;
  };
  node.yes = leaf(samples, node.letter, node.samples.filter(says));
  node.no = leaf(
    samples,
    node.letter,
    node.samples.filter((sample) => !says(sample)),
  );
}

/** A heap by gain, the largest first. */
function push(open: Node[], node: Node): void {
  let at = open.push(node) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (gainOf(open[parent]) >= gainOf(node)) break;
    open[at] = open[parent]!;
    at = parent;
  }
  open[at] = node;
}

function takeBest(open: Node[]): Node {
  const best = open[0]!;
  const last = open.pop()!;
  if (open.length === 0) return best;
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    const larger = gainOf(open[left + 1]) > gainOf(open[left]) ? left + 1 : left;
    if (gainOf(open[larger]) <= gainOf(last)) break;
    open[at] = open[larger]!;
    at = larger;
  }
  open[at] = last;
  return best;
}

const gainOf = (node: Node | undefined): number => node?.split?.gain ?? -1;

/** Nodes of a tree in storage order, yes before no: see `LetterTrees`. */
function encode(root: Node, sounds: Uint8Array): Uint8Array {
  const nodes: [number, number, number, number][] = [];
  const write = (node: Node): void => {
    if (!node.yes || !node.no || !node.split) {
      nodes.push(encodeLeaf(node, sounds));
      return;
    }
    const at = nodes.push([node.split.question, node.split.value, 0, 0]) - 1;
    write(node.yes);
    nodes[at]![2] = nodes.length & 255;
    nodes[at]![3] = nodes.length >> 8;
    write(node.no);
  };
  write(root);
  return Uint8Array.from(nodes.flat());
}

function encodeLeaf({ samples }: Node, sounds: Uint8Array): [number, number, number, number] {
  const counts = new Map<number, number>();
  for (const sample of samples) counts.set(sounds[sample]!, (counts.get(sounds[sample]!) ?? 0) + 1);
  const [first = [0, 1], second = first] = [...counts].sort((one, other) => other[1] - one[1]);
  const share = (first[1] + 0.5) / (samples.length + 1);
  return [leafMark, first[0], second[0], Math.min(255, Math.round(256 * share))];
}
