/** A made-up face that speaks: a jaw that swings, lips that shut for three frames of sixty, a blink now and then. */
import { arkitBlendshapeIndex, arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';

/** Seconds between two closures of the lips, and between two blinks. */
export const closureEvery = 0.5;
export const blinkEvery = 2;

/** @param frameRate hertz */
export function speakingFace(seconds: number, frameRate = 60): PlayableFace {
  const frames = Array.from({ length: Math.round(seconds * frameRate) }, (_, at) => {
    const timeCode = at / frameRate;
    const weights = new Float32Array(arkitBlendshapeNames.length);
    const set = (name: keyof typeof arkitBlendshapeIndex, value: number): void => {
      weights[arkitBlendshapeIndex[name]] = value;
    };
    set('jawOpen', 0.3 + 0.1 * Math.sin(timeCode * 7));
    set('mouthLowerDownLeft', 0.2);
    set('mouthLowerDownRight', 0.2);
    set('mouthFunnel', 0.3);
    set('browInnerUp', 0.2 + 0.1 * Math.sin(timeCode * 3));
    if (isClosed(timeCode)) {
      set('jawOpen', 0.035);
      set('mouthClose', 0.035);
      set('mouthLowerDownLeft', 0);
      set('mouthLowerDownRight', 0);
      set('mouthFunnel', 0.1);
      set('mouthPressLeft', 0.3);
      set('mouthPressRight', 0.3);
    }
    const lid = Math.max(0, 1 - Math.abs((timeCode % blinkEvery) - 1) / 0.08);
    set('eyeBlinkLeft', lid);
    set('eyeBlinkRight', lid);
    return { timeCode, weights, headPose: undefined, eyeGaze: undefined };
  });
  return {
    channelNames: arkitBlendshapeNames,
    frameRate,
    frames,
    serverShare: new Float32Array(frames.length),
  };
}

/** Shut for 50 ms, each half second. */
const isClosed = (seconds: number): boolean => {
  const since = (seconds + 1e-9) % closureEvery;
  return since >= 0.25 && since < 0.3;
};
