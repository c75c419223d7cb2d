import { isPhone } from '@likeness/proto/speech/phones.ts';
import { dictionary as everyEntry } from 'cmu-pronouncing-dictionary';
import { expect, test } from 'vitest';
import { learnTrees } from '../../../../scripts/letter_to_sound/learn_trees.ts';
import { alignLetters } from '../../../../scripts/letter_to_sound/letter_alignment.ts';
import { letterToSound } from '../../src/words/english/letter_to_sound.ts';
import { decodeTrees, encodeTrees, soundLetters } from '../../src/words/english/letter_trees.ts';
import { newerWord } from '../../src/words/english/newer_words.ts';
import { pronouncingDictionary, withoutStress } from '../../src/words/english/pronouncing_dictionary.ts';
import { stemPronunciations } from '../../src/words/english/word_endings.ts';

test('every entry of the dictionary is found, though it is read as text', async () => {
  const { find } = await pronouncingDictionary();
  const wrong: string[] = [];
  for (const [name, entry] of Object.entries(everyEntry)) {
    const phones = entry.replace(/#.*/, '').trim().split(' ').map(withoutStress);
    const found = find(name.replace(/\(\d\)$/, '')).map((one) => one.join(' '));
    if (!found.includes(phones.join(' ')) || !phones.every(isPhone)) wrong.push(name);
  }
  expect(wrong).toEqual([]);
  for (const word of ['', 'zzzzqq', 'the(2)', 'the"', '__proto__', 'caf\u00e9', 'x'.repeat(1000)]) {
    expect(find(word), word).toEqual([]);
  }
});

test('letters are read as words that the dictionary does not have may sound', async () => {
  const { guess } = await letterToSound();
  expect(guess('blick')[0]).toEqual(['B', 'L', 'IH', 'K']);
  expect(guess('splonk')[0]).toEqual(['S', 'P', 'L', 'AA', 'NG', 'K']);
  expect(guess('photation')[0]!.slice(-4)).toEqual(['EY', 'SH', 'AX', 'N']);
  expect(guess('')).toEqual([]);
  expect(guess('xq'.repeat(32)).length).toBeGreaterThan(0);
  for (const phones of guess('zorblaxian')) expect(phones.filter((phone) => !isPhone(phone))).toEqual([]);
});

test('what is learnt from a few words is read back from its bytes', () => {
  const entry = (letters: string, phones: string) => ({ letters, phones: phones.split(' ') });
  const lesson = [
    entry('cat', 'K AE T'),
    entry('cut', 'K AH T'),
    entry('city', 'S IH T IY'),
    entry('cell', 'S EH L'),
    entry('cot', 'K AA T'),
    entry('cent', 'S EH N T'),
    entry('cup', 'K AH P'),
    entry('cite', 'S AY T'),
  ];
  const often = Array.from({ length: 20 }, () => lesson).flat();
  const learnt = decodeTrees(encodeTrees(learnTrees(alignLetters(often), 200)));
  for (const { letters, phones } of lesson) expect(soundLetters(letters, learnt, 1)).toEqual([phones]);
  expect(soundLetters('cet', learnt, 1)).toEqual([['S', 'EH', 'T']]);
});

test('an ending is added to a word with the sound that it has there', async () => {
  const { find } = await pronouncingDictionary();
  const said = (word: string): string | undefined => stemPronunciations(word, find)[0]?.join(' ');
  expect(said('vlogs')).toBeUndefined();
  expect(said("blog's")).toMatch(/ G Z$/);
  expect(said("church's")).toMatch(/ CH IH Z$/);
  expect(said("cat's")).toMatch(/ T S$/);
  expect(said('relooping')).toMatch(/^R IY L UW P IH NG$/);
  expect(said('unfundedly')).toMatch(/ L IY$/);
});

test('the words that were added are said with phones that there are', () => {
  expect(newerWord('constructor')).toEqual([]);
  expect(newerWord('gif').length).toBe(2);
  for (const word of ['covid', 'emoji', 'wifi', 'viseme']) {
    for (const phones of newerWord(word)) expect(phones.every(isPhone), word).toBe(true);
  }
});
