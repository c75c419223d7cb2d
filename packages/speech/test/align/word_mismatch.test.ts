import { expect, test } from 'vitest';
import { VisemeScores, visemeCount } from '../../src/align/viseme_scores.ts';
import { type WordTrace, wordMismatch } from '../../src/align/word_mismatch.ts';

const [words, length] = [40, 20];
const [said, heardInstead] = [4, 8];

/** Words of one phone each, in a voice of which the network believes what is said by `sure`. */
function recording(sure: number, leftOut: number): number[] {
  const frames = words * length;
  const posteriors = new Float32Array(frames * visemeCount).fill(0.01);
  for (let frame = 0; frame < frames; frame++) {
    posteriors[frame * visemeCount + said] = sure;
    posteriors[frame * visemeCount + heardInstead] = 0.87 - sure;
  }
  const traces = Array.from(
    { length: words },
    (_, word): WordTrace => ({
      phones:
        word < leftOut
          ? []
          : [{ kind: 'phone', phone: 'D', word, start: word * length, end: (word + 1) * length }],
      otherBefore: 0,
      otherAfter: 0,
    }),
  );
  return wordMismatch(traces, new VisemeScores({ frames, posteriors }));
}

test('where a voice is heard badly, words that the path goes over say less of the others', () => {
  const [well, badly] = [recording(0.8, 2), recording(0.36, 2)].map((wrong) => wrong.at(-1) as number);
  expect(badly).toBeLessThan((well as number) / 2);
});

test('the more words the path goes over, the more each of the others is doubted', () => {
  const wrong = [0, 1, 2, 4, 8].map((leftOut) => recording(0.8, leftOut).at(-1) as number);
  expect(wrong).toEqual(wrong.toSorted((a, b) => a - b));
  expect(new Set(wrong).size).toBe(wrong.length);
});

test('a word that the path goes over is likelier wrong than any that it passes through', () => {
  const [first = 0, ...others] = recording(0.8, 1);
  expect(first).toBeGreaterThan(10 * Math.max(...others));
});
