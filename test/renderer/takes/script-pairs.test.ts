import { expect, test } from 'vitest';
import { pairedFiles } from '../../../renderer/takes/speech/script-pairs.ts';

const file = (name: string): File => new File([''], name);

test('words go with the sound of their name, whatever the letters’ case', () => {
  const { sounds, alone } = pairedFiles(['a.wav', 'b.mp3', 'A.TextGrid', 'c.txt', 'b.2.srt'].map(file));
  expect(sounds.map((each) => [each.file.name, each.script?.name])).toEqual([
    ['a.wav', 'A.TextGrid'],
    ['b.mp3', undefined],
  ]);
  expect(alone.map(({ name }) => name)).toEqual(['c.txt', 'b.2.srt']);
});

test('what is neither sound nor script is told apart', () => {
  const typed = new File([''], 'voice', { type: 'audio/ogg' });
  const { sounds, alone, refused } = pairedFiles([file('A.WAV'), file('photo.jpg'), typed]);
  expect(sounds.map((each) => each.file.name)).toEqual(['A.WAV', 'voice']);
  expect(alone).toEqual([]);
  expect(refused.map(({ name }) => name)).toEqual(['photo.jpg']);
});
