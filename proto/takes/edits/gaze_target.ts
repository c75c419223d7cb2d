/** Eyes that look where a person said. */
import { eyeLook } from '../../face/eye_movement.ts';
import { firstFrom } from '../closures.ts';
import { eased } from './drawn_curve.ts';
import type { WorkFrame } from './region_movement.ts';
import type { GazeStretch } from './take_edits.ts';

/** Eyes take so long to get to a target and back, seconds. */
const saccade = 0.06;
const degree = Math.PI / 180;

/** Within each stretch the eyes look at its target. */
export function lookAside(
  work: readonly WorkFrame[],
  channelNames: readonly string[],
  stretches: readonly GazeStretch[],
): void {
  for (const { from, to, yaw, pitch } of stretches) {
    // To the right of what the face sees is its own right; gaze counts towards its left.
    const target = { yaw: -yaw * degree, pitch: pitch * degree };
    for (let at = firstFrom(work, from); at < work.length && work[at]!.timeCode <= to; at++) {
      const frame = work[at]!;
      const edge = Math.min(saccade, (to - from) / 2);
      const since = Math.min(frame.timeCode - from, to - frame.timeCode);
      const share = edge > 0 ? eased(Math.min(1, since / edge), 'smooth') : 1;
      for (const [name, weight] of eyeLook(target)) {
        const channel = channelNames.indexOf(name);
        if (channel >= 0) frame.weights[channel] = frame.weights[channel]! * (1 - share) + weight * share;
      }
      const is = frame.eyeGaze ?? { leftYaw: 0, leftPitch: 0, rightYaw: 0, rightPitch: 0 };
      const mixed = (value: number, wanted: number): number => value + (wanted - value) * share;
      frame.eyeGaze = {
        leftYaw: mixed(is.leftYaw, target.yaw),
        leftPitch: mixed(is.leftPitch, target.pitch),
        rightYaw: mixed(is.rightYaw, target.yaw),
        rightPitch: mixed(is.rightPitch, target.pitch),
      };
    }
  }
}
