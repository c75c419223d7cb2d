import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import { rowChunks } from './row_chunks.ts';

/** Writes a face as JSON lines: a header line, then one line per frame, weights by position. */
export function faceLines({ channelNames, frameRate, frames, serverShare }: PlayableFace): Iterable<string> {
  const header = JSON.stringify({ format: 'likeness-face', version: 1, frameRate, channelNames });
  return rowChunks(header, frames, ({ timeCode, weights, headPose, eyeGaze }, index) =>
    JSON.stringify({
      time: rounded(timeCode),
      weights: Array.from(weights, rounded),
      ...(headPose && {
        head: { translation: headPose.translation.map(rounded), rotation: headPose.rotation.map(rounded) },
      }),
      ...(eyeGaze && { gaze: eyeGaze }),
      ...(serverShare[index]! > 0 && { server: rounded(serverShare[index]!) }),
    }),
  );
}

/** Six digits: a micrometre of a face. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;
