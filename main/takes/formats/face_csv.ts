import { appRotations } from '@likeness/gltf/formats/live_link_rotations.ts';
import { csvLine } from '@likeness/node-kit/csv.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import { type FrameRate, smpteTimecode } from '@likeness/proto/takes/frame_rates.ts';

import { sixDecimals } from './decimal_text.ts';
import { rowChunks } from './row_chunks.ts';

const poseColumns = [
  ...['headX', 'headY', 'headZ', 'headYaw', 'headPitch', 'headRoll'],
  ...['leftEyeYaw', 'leftEyePitch', 'rightEyeYaw', 'rightEyePitch'],
];
const degrees = 180 / Math.PI;

/**
 * Writes a face as a table for a spreadsheet or pandas. Each row is a frame: number, seconds, SMPTE time code
 * from 00:00:00:00, each channel by name, the head's position in metres, its rotations and the eyes' in
 * degrees. RFC 4180 except for single-character line ends; at most six decimals.
 *
 * @param rate that the frames were resampled to
 */
export function faceCsv({ channelNames, frames }: PlayableFace, rate: FrameRate): Iterable<string> {
  const head = csvLine(['frame', 'time', 'timecode', ...channelNames, ...poseColumns]).trimEnd();
  return rowChunks(head, frames, (frame, index) => {
    let row = `${index},${sixDecimals(frame.timeCode)},${smpteTimecode(index, rate)}`;
    for (const weight of frame.weights) row += `,${sixDecimals(weight)}`;
    for (const value of poseOf(frame)) row += `,${sixDecimals(value)}`;
    return row;
  });
}

/**
 * Right-handed, as in the stream: left is the face's left and positive; pitch is positive downwards, for eyes
 * upwards.
 */
function poseOf(frame: PlayableFace['frames'][number]): number[] {
  const turns = appRotations(frame);
  const [yaw = 0, pitch = 0, roll = 0, leftYaw = 0, leftPitch = 0, , rightYaw = 0, rightPitch = 0] = turns;
  const own = [-yaw, pitch, -roll, -leftYaw, -leftPitch, -rightYaw, -rightPitch];
  return [...(frame.headPose?.translation ?? [0, 0, 0]), ...own.map((turn) => turn * degrees)];
}
