import { arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';

/** The jaw opens and closes once, the head turns with it, the left eye looks aside by its channel. */
export const waveTake = (frameRate: number, count: number): PlayableFace => ({
  channelNames: arkitBlendshapeNames,
  frameRate,
  serverShare: new Float32Array(count),
  frames: Array.from({ length: count }, (_, index) => {
    const wave = Math.sin((index / (count - 1)) * Math.PI);
    const weights = new Float32Array(arkitBlendshapeNames.length);
    weights[arkitBlendshapeNames.indexOf('jawOpen')] = wave;
    weights[arkitBlendshapeNames.indexOf('eyeLookOutLeft')] = wave / 2;
    return {
      timeCode: index / frameRate,
      weights,
      headPose: { translation: [0, 0, 0], rotation: [0, Math.sin(wave / 4), 0, Math.cos(wave / 4)] },
      eyeGaze: undefined,
    };
  }),
});
