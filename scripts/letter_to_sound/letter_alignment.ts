/** A word of the dictionary: its letters and the phones of one pronunciation. */
export interface SoundedWord {
  readonly letters: string;
  readonly phones: readonly string[];
}

/** Maximum phones of one letter. */
const maxPhones = 2;
const rounds = 8;
const neverSeen = Math.log(1e-7);

/**
 * Assigns to each letter of each word its phones: none, one or two, joined by a space. Alternates between
 * the best alignments and the counts of letters with their sounds until nothing changes (hard EM). Omits
 * words with more sounds than their letters can have.
 */
export function alignLetters(words: readonly SoundedWord[]): { letters: string; sounds: string[] }[] {
  let scores = firstScores(words);
  let aligned: { letters: string; sounds: string[] }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    aligned = words.flatMap((word) => {
      const sounds = bestAlignment(word, scores);
      return sounds ? [{ letters: word.letters, sounds }] : [];
    });
    scores = countedScores(aligned);
  }
  return aligned;
}

type Scores = ReadonlyMap<string, number>;
const key = (letter: string, sound: string): string => `${letter}:${sound}`;

/** A letter and a sound at the same relative position in their word probably belong together. */
function firstScores(words: readonly SoundedWord[]): Scores {
  const counts = new Map<string, number>();
  for (const { letters, phones } of words) {
    for (let at = 0; at < letters.length; at += 1) {
      const middle = ((at + 0.5) / letters.length) * phones.length - 0.5;
      for (const [index, phone] of phones.entries()) {
        const weight = Math.exp(-2 * Math.abs(index - middle));
        const pair = key(letters[at]!, phone);
        counts.set(pair, (counts.get(pair) ?? 0) + weight);
      }
    }
  }
  return logShares(counts);
}

function countedScores(aligned: readonly { letters: string; sounds: readonly string[] }[]): Scores {
  const counts = new Map<string, number>();
  for (const { letters, sounds } of aligned) {
    for (const [at, sound] of sounds.entries()) {
      const pair = key(letters[at]!, sound);
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    }
  }
  return logShares(counts);
}

function logShares(counts: ReadonlyMap<string, number>): Scores {
  const totals = new Map<string, number>();
  for (const [pair, count] of counts) totals.set(pair[0]!, (totals.get(pair[0]!) ?? 0) + count);
  return new Map([...counts].map(([pair, count]) => [pair, Math.log(count / totals.get(pair[0]!)!)]));
}

function bestAlignment({ letters, phones }: SoundedWord, scores: Scores): string[] | null {
  const width = phones.length + 1;
  const best = new Float64Array((letters.length + 1) * width).fill(-Infinity);
  const taken = new Uint8Array(best.length);
  best[0] = 0;
  for (let at = 0; at < letters.length; at += 1) {
    for (let column = 0; column < width; column += 1) {
      const before = best[at * width + column]!;
      if (before === -Infinity) continue;
      for (let count = 0; count <= maxPhones && column + count < width; count += 1) {
        const sound = phones.slice(column, column + count).join(' ');
        const score = before + (scores.get(key(letters[at]!, sound)) ?? neverSeen + (count === 1 ? 0 : -2));
        const next = (at + 1) * width + column + count;
        if (score <= best[next]!) continue;
        best[next] = score;
        taken[next] = count;
      }
    }
  }
  let position = phones.length;
  if (best[letters.length * width + position] === -Infinity) return null;
  const sounds: string[] = [];
  for (let at = letters.length; at > 0; at -= 1) {
    const count = taken[at * width + position]!;
    sounds.unshift(phones.slice(position - count, position).join(' '));
    position -= count;
  }
  return sounds;
}
