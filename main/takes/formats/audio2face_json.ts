import { arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';

/**
 * Joints that a face rotates besides its shapes. Audio2Face also has a jaw joint: here `jawOpen` is a shape.
 */
const joints = ['head', 'eye_L', 'eye_R'] as const;
const rowsPerChunk = 256;

type Frame = PlayableFace['frames'][number];

/**
 * Writes a face as NVIDIA Audio2Face exports one ("Export blendshape weights as JSON"). `weightMat` has a row
 * per frame and a column per name of `facsNames`. `rotations` (quaternions x y z w) and `translations`
 * (metres from rest) have a row per frame and joint. The names are ARKit's 52, which Audio2Face uses if its
 * solver is set to ARKit and its importers for Blender, Unreal and Maya expect.
 *
 * @param soundFile the audio's name beside the file
 */
export function* audio2faceJson(
  { channelNames, frameRate, frames }: PlayableFace,
  soundFile: string,
): Generator<string> {
  const channels = arkitBlendshapeNames.map((name) => channelNames.indexOf(name));
  const head = {
    exportFps: frameRate,
    trackPath: soundFile,
    numPoses: arkitBlendshapeNames.length,
    numFrames: frames.length,
    facsNames: arkitBlendshapeNames,
  };
  yield JSON.stringify(head).slice(0, -1);
  yield* rowsOf('weightMat', frames, ({ weights }) =>
    channels.map((channel) => (channel < 0 ? 0 : rounded(weights[channel]!))),
  );
  yield `,"joints":${JSON.stringify(joints)}`;
  yield* rowsOf('rotations', frames, rotationsOf);
  yield* rowsOf('translations', frames, ({ headPose }) => [
    (headPose?.translation ?? [0, 0, 0]).map(rounded),
    [0, 0, 0],
    [0, 0, 0],
  ]);
  yield '}\n';
}

function* rowsOf(
  name: string,
  frames: readonly Frame[],
  rowOf: (frame: Frame) => unknown,
): Generator<string> {
  yield `,"${name}":[`;
  for (let from = 0; from < frames.length; from += rowsPerChunk) {
    const rows = frames.slice(from, from + rowsPerChunk).map((frame) => JSON.stringify(rowOf(frame)));
    yield `${from > 0 ? ',' : ''}${rows.join(',')}`;
  }
  yield ']';
}

const rotationsOf = ({ headPose, eyeGaze }: Frame): number[][] => {
  return [
    (headPose?.rotation ?? [0, 0, 0, 1]).map(rounded),
    turnOf(eyeGaze?.leftYaw, eyeGaze?.leftPitch),
    turnOf(eyeGaze?.rightYaw, eyeGaze?.rightPitch),
  ];
};

/** Yaw about +Y, then pitch; up is a rotation about −X. */
function turnOf(yaw = 0, up = 0): number[] {
  const [sy, cy, sp, cp] = [Math.sin(yaw / 2), Math.cos(yaw / 2), Math.sin(-up / 2), Math.cos(-up / 2)];
  return [cy * sp, sy * cp, -sy * sp, cy * cp].map(rounded);
}

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;
