import type { SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import type { Contact } from '@likeness/proto/takes/closures.ts';
import { noEdits } from '@likeness/proto/takes/edits/apply_operation.ts';
import { expect, test } from 'vitest';
import { takeText } from '../../../../renderer/takes/editor/panels/take-text.ts';

const frameRate = 50;
const face = {
  frameRate,
  channelNames: [],
  frames: Array.from({ length: 100 }, (_, at) => ({ timeCode: at / frameRate })),
} as unknown as PlayableFace;
const lips = (from: number, to: number): Contact =>
  ({ of: 'lips', first: Math.round(from * frameRate), last: Math.round(to * frameRate) }) as Contact;
const phone = (name: string, start: number, end: number) => ({ phone: name, start, end, confidence: 1 });
const spoken = (phones: ReturnType<typeof phone>[]): SpeechAlignment =>
  ({ verdict: 'aligned', words: [{ text: 'w', start: 0, end: 2, phones }], unknown: [] }) as never;
const shut = (contact: Contact, phones: ReturnType<typeof phone>[]): string[] =>
  takeText(face, [contact], spoken(phones), noEdits, []).flatMap((event) =>
    event.kind === 'lips' ? [event.phone] : [],
  );

test('lips are shut by the sound that shuts them, and not by the one before it', () => {
  // “is mine”: the lips are on their way while the Z still sounds.
  const phones = [phone('Z', 0.9, 1.02), phone('M', 1.02, 1.1), phone('AY', 1.1, 1.3)];
  expect(shut(lips(0.98, 1.06), phones)).toEqual(['M']);
  expect(shut(lips(0.96, 1.0), phones)).toEqual(['M']);
});

test('where none of the sounds shuts them, none is named', () => {
  expect(shut(lips(0.4, 0.5), [phone('Z', 0.3, 0.6), phone('P', 0.8, 0.9)])).toEqual(['']);
});
