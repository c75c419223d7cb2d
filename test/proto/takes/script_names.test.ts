import { scriptBeside } from '@likeness/proto/takes/script_names.ts';
import { expect, test } from 'vitest';

test.each<[sound: string, there: string[], found: string | null]>([
  ['M\u00fcller.wav', ['Mu\u0308ller.txt'], 'Mu\u0308ller.txt'],
  ['Talk.WAV', ['other.txt', 'talk.Txt'], 'talk.Txt'],
  ['talk.wav', ['TALK.txt', 'talk.txt'], 'talk.txt'],
  ['talk.wav', ['talk .srt'], 'talk .srt'],
  ['talk.wav', ['talk.wav.srt', 'talk.wav'], 'talk.wav.srt'],
  ['talk.wav', ['talk.TextGrid', 'talk.SRT'], 'talk.SRT'],
  ['talk.wav', ['talk.en.vtt'], 'talk.en.vtt'],
  ['talk.wav', ['talk.zh-Hans.srt', 'talk.fr.srt', 'talk.de.srt'], 'talk.zh-Hans.srt'],
  ['talk.wav', ['talk.en-US.vtt', 'talk.en.srt'], 'talk.en.srt'],
  ['talk.wav', ['talk.en.vtt', 'talk.txt'], 'talk.txt'],
  ['talk.wav', ['talk_en.txt'], 'talk_en.txt'],
  ['talk.wav', ['talk.fr.vtt'], 'talk.fr.vtt'],
  // Other sounds' words, other versions, other endings.
  ['talk.wav', ['talk2.txt', 'talk.v2.txt', 'talk-in.txt', 'talk.en.doc', 'my talk.txt'], null],
])('beside %s lie %j: its words are in %s', (sound, there, found) => {
  expect(scriptBeside(sound, there)).toEqual({ name: found, several: [] });
});

test('of several languages that the studio can align none is chosen, and all are named', () => {
  const there = ['talk.en.vtt', 'talk.zh.vtt', 'talk.fr.vtt'];
  expect(scriptBeside('talk.wav', there)).toEqual({ name: null, several: ['talk.en.vtt', 'talk.zh.vtt'] });
});
