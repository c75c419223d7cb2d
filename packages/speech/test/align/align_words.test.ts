import { expect, test } from 'vitest';
import { alignedLabels, alignWords } from '../../src/align/index.ts';
import type { SpokenWord } from '../../src/words/index.ts';
import { posteriorsOf, type Said, sayWord, speech, vocabulary, word } from './spoken_posteriors.ts';

const pause: Said = ['sil', 30];
const [boat, copper, five, shoes, garden, meet] = vocabulary as [
  SpokenWord,
  SpokenWord,
  SpokenWord,
  SpokenWord,
  SpokenWord,
  SpokenWord,
];

test('finds phones within a frame of where they are said', async () => {
  const { words, said } = speech(40);
  const all = [pause, ...said.flatMap((phones, k) => (k % 8 === 7 ? [...phones, pause] : phones)), pause];
  const { verdict, words: found } = await alignWords(posteriorsOf(all), words);
  expect(verdict).toBe('aligned');
  expect(found.map(({ text }) => text)).toEqual(words.map(({ text }) => text));
  expect(found.filter(({ flag }) => flag !== null)).toEqual([]);
  const starts: number[] = [];
  let at = 0;
  for (const [phone, frames] of all) {
    if (phone !== 'sil') starts.push(at / 100);
    at += frames;
  }
  const phones = found.flatMap((one) => one.phones);
  expect(phones).toHaveLength(starts.length);
  // two phones of one viseme, as the t and d of "meet" and a word after it, have no edge to be heard
  const late = phones.filter((phone, k) => Math.abs(phone.start - (starts[k] as number)) > 0.0101);
  expect(late.length).toBeLessThan(0.03 * phones.length);
});

test('flags a word that is not said, one said in its place and one said besides', async () => {
  const { words, said } = speech(24, 5);
  const heard = (sounds: readonly Said[][]) => posteriorsOf([pause, ...sounds.flat(), pause]);
  const foreign = sayWord(word('mushroom', 'M AH SH R UW M'));

  const without = await alignWords(heard(said.filter((_, k) => k !== 12)), words);
  expect(without.words[12]).toMatchObject({ flag: 'left_out', phones: [] });
  expect(without.words[12]?.start).toBe(without.words[12]?.end);

  const changed = await alignWords(heard(said.map((phones, k) => (k === 12 ? foreign : phones))), words);
  expect(changed.words[12]?.flag).toBe('changed');

  const more = await alignWords(
    heard(said.map((phones, k) => (k === 12 ? [...phones, ...foreign] : phones))),
    words,
  );
  expect(more.words[12]?.flag).toBe('followed_by_more');

  for (const { words: found } of [without, changed, more]) {
    const far = found.filter((_, k) => Math.abs(k - 12) > 1);
    expect(far.filter(({ flag }) => flag !== null)).toEqual([]);
  }
});

test('hears which way a word is said', async () => {
  const read = word('read', 'R IY D', 'R EH D');
  const say = async (phones: string) => {
    const said = [pause, ...sayWord(boat), ...sayWord(word('', phones)), ...sayWord(five), pause];
    const { words } = await alignWords(posteriorsOf(said), [boat, read, five]);
    return words[1]?.phones.map(({ phone }) => phone).join(' ');
  };
  expect(await say('R IY D')).toBe('R IY D');
  expect(await say('R EH D')).toBe('R EH D');
});

test('keeps the times that a person has set, and aligns the neighbours around them', async () => {
  const words = [boat, copper, five, shoes];
  const heard = posteriorsOf([pause, ...words.flatMap((one) => sayWord(one)), pause]);
  const free = await alignWords(heard, words);
  const start = (free.words[1]?.start ?? 0) + 0.053;
  const pinned = await alignWords(heard, words, { pinned: [{ index: 1, start, end: start + 0.2 }] });
  expect(pinned.words[1]).toMatchObject({ start, end: start + 0.2, pinned: true, flag: null });
  expect(pinned.words[1]?.phones[0]?.start).toBe(start);
  expect(pinned.words[1]?.phones.at(-1)?.end).toBe(start + 0.2);
  expect(pinned.words[0]?.end).toBeLessThanOrEqual(start + 0.01);
  expect(pinned.words[2]?.start).toBeGreaterThanOrEqual(start + 0.19);
  // less time than its phones take at the least
  const tight = await alignWords(heard, words, { pinned: [{ index: 1, start, end: start + 0.05 }] });
  expect(tight.words[1]?.phones).toHaveLength(4);
  expect(tight.words[1]?.phones.at(-1)?.end).toBe(start + 0.05);
});

test('refuses pins that overlap, lie outside or name no word', async () => {
  const heard = posteriorsOf(sayWord(boat));
  for (const pin of [
    { index: 1, start: 0, end: 0.1 },
    { index: 0, start: 0.1, end: 0.1 },
    { index: 0, start: 0, end: 9 },
    { index: 0, start: Number.NaN, end: 0.1 },
  ]) {
    await expect(alignWords(heard, [boat], { pinned: [pin] })).rejects.toThrow(RangeError);
  }
});

test("tells another recording's script, and what is no speech", async () => {
  const { said } = speech(40, 1);
  const heard = posteriorsOf([pause, ...said.flat(), pause]);
  const other = [
    word('physics', 'F IH Z IH K S'),
    word('mama', 'M AA M AX'),
    word('sausages', 'S AO S IH JH IH Z'),
    word('fluffy', 'F L AH F IY'),
    word('bamboo', 'B AE M B UW'),
  ];
  const script = Array.from({ length: 40 }, (_, k) => other[(k * 7 + (k >> 2)) % 5] as SpokenWord);
  expect(await alignWords(heard, script)).toEqual({ verdict: 'other_words', words: [] });
  expect((await alignWords(heard, [])).verdict).toBe('other_words');
  expect((await alignWords(posteriorsOf([['sil', 500]]), script)).verdict).toBe('no_speech');
  expect((await alignWords(posteriorsOf([['AA', 500]]), script)).verdict).toBe('no_speech');
  expect((await alignWords({ frames: 0, posteriors: new Float32Array() }, script)).verdict).toBe('no_speech');
});

test('tells how far it is, and stops when told to', async () => {
  const { words, said } = speech(120, 2);
  const heard = posteriorsOf(said.flat());
  const shares: number[] = [];
  await alignWords(heard, words, { onProgress: (share) => void shares.push(share) });
  expect(shares.at(-1)).toBe(1);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  const reason = new Error('enough');
  const stop = new AbortController();
  stop.abort(reason);
  await expect(alignWords(heard, words, { signal: stop.signal })).rejects.toBe(reason);
  const later = new AbortController();
  const long = speech(400, 3);
  const running = alignWords(posteriorsOf(long.said.flat()), long.words, {
    signal: later.signal,
    onProgress: () => later.abort(reason),
  });
  await expect(running).rejects.toBe(reason);
});

test('writes the aligned phones over what was heard, but for flagged words', async () => {
  const words = [boat, garden, meet];
  const heard = posteriorsOf([pause, ...words.flatMap((one) => sayWord(one)), pause], 0.6);
  const { words: found } = await alignWords(heard, words);
  const labels = alignedLabels({ words: found }, heard);
  for (const frame of [10, 32, 40, 110]) {
    const row = labels.subarray(frame * 15, frame * 15 + 15);
    expect(row.reduce((a, b) => a + b)).toBeCloseTo(1, 4);
  }
  expect(labels[32 * 15 + 1]).toBeGreaterThan(0.85);
  const doubted = found.map((one) => ({ ...one, flag: 'changed' as const }));
  expect(alignedLabels({ words: doubted }, heard).subarray(300, 1200)).toEqual(
    heard.posteriors.subarray(300, 1200),
  );
});
