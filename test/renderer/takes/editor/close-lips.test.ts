import type { SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import { applyOperation, noEdits } from '@likeness/proto/takes/edits/apply_operation.ts';
import { noContext, shapedFace } from '@likeness/proto/takes/edits/edited_face.ts';
import { expect, test } from 'vitest';
import { closeLips, openClosures } from '../../../../renderer/takes/editor/edits/close-lips.ts';
import { madeFace } from '../../../fixtures/made_face.ts';

const phone = (name: string, start: number, end: number) => ({ phone: name, start, end, confidence: 1 });
const spoken = (flag: string | null, ...phones: ReturnType<typeof phone>[]): SpeechAlignment =>
  ({ verdict: 'aligned', words: [{ flag, phones }], unknown: [] }) as never;
const sounds = [phone('P', 0.98, 1.04), phone('AA', 1.04, 1.3), phone('M', 2, 2.06), phone('S', 2.5, 2.6)];
/** A mouth that shuts at 1 s and not at 2 s. */
const mouth = {
  jawOpen: (time: number) => (Math.abs(time - 1) < 0.05 ? 0 : 0.4),
  mouthClose: () => 0,
  mouthUpperUpLeft: () => 0.1,
  eyeBlinkLeft: () => 0.2,
};
const closed = (face: PlayableFace): PlayableFace => {
  const operations = openClosures(face, spoken(null, ...sounds)).flatMap((each) => closeLips(face, each));
  return shapedFace(face, operations.reduce(applyOperation, noEdits), noContext(3));
};

test('finds the sounds at which the lips stay open', () => {
  const face = madeFace(mouth, { seconds: 3 });
  expect(openClosures(face, spoken(null, ...sounds)).map(({ phone: name }) => name)).toEqual(['M']);
  expect(openClosures(face, spoken('left_out', ...sounds))).toEqual([]);
  expect(openClosures(madeFace({ viseme_PP: () => 0 }), spoken(null, ...sounds))).toEqual([]);
});

test.each([24, 60])(
  'closes them at %i frames a second, and leaves the rest of the face as it was',
  (frameRate) => {
    const face = madeFace(mouth, { seconds: 3, frameRate });
    const shown = closed(face);
    expect(openClosures(shown, spoken(null, ...sounds))).toEqual([]);
    const changed = shown.frames.filter(({ weights }, at) =>
      weights.some((weight, channel) => Math.abs(weight - face.frames[at]!.weights[channel]!) > 1e-6),
    );
    expect(changed.length).toBeGreaterThan(1);
    expect(changed.every(({ timeCode }) => timeCode > 1.85 && timeCode < 2.21)).toBe(true);
    expect(shown.frames.every(({ weights }) => Math.abs(weights[3]! - 0.2) < 1e-6)).toBe(true);
  },
);
