/**
 * Movement that nobody recorded: blinks, gaze, brows and head, from a seed. The same seed makes the same movement, at
 * every rate. Rates are those of people in conversation, as in the engine's own liveliness.
 */
import { arkitBlendshapeIndex, arkitBlendshapeNames } from '../../blendshapes.ts';
import { eyeLook } from '../../face/eye_movement.ts';
import { PackedFace } from '../../face/packed_face.ts';
import type { HeadPose } from '../../face_stream_protocol.ts';
import { seededRandom } from '../../seeded_random.ts';
import type { PlayableFace } from '../../take_stream.ts';
import { addBlinks } from './blinks.ts';
import { eased, keyBefore } from './drawn_curve.ts';
import { generatedRegions } from './edit_limits.ts';
import type { WorkFrame } from './region_movement.ts';

const degree = Math.PI / 180;

/** A value that goes from target to target. */
interface Move {
  readonly time: number;
  readonly values: readonly number[];
}

/** A drag asks for the same faces many times: for each region around the playhead, what is seen, and the next part. */
const maxKept = 3 * generatedRegions.length;
const kept = new Map<string, PlayableFace>();

/**
 * @param seconds how long @param frameRate hertz
 * @param within only the frames between which a time from … to lies
 */
export function generatedFace(
  seed: number,
  seconds: number,
  frameRate: number,
  within: { from: number; to: number },
): PlayableFace {
  const count = Math.ceil(seconds * frameRate);
  // A frame more on each side: a quotient may be rounded to the frame beside it.
  const first = Math.max(0, Math.min(count - 1, Math.floor(within.from * frameRate) - 1));
  const end = Math.min(count, Math.max(1, Math.ceil(within.to * frameRate) + 2));
  const key = `${seed} ${seconds} ${frameRate} ${first} ${end}`;
  const face = kept.get(key) ?? makeFace(seed, seconds, frameRate, { first, end });
  kept.delete(key);
  kept.set(key, face);
  const oldest = kept.keys().next().value;
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
  return face;
}

/** Frames that are made at once: hours of them are packed piece by piece. */
const pieceFrames = 4096;

function makeFace(
  seed: number,
  seconds: number,
  frameRate: number,
  { first, end }: { first: number; end: number },
): PlayableFace {
  const gaze = moves(seed + 1, seconds, 0.8, 3, (random) => {
    const reach = random() < 0.3 ? 1 : 0.16;
    return [(random() * 2 - 1) * 9 * degree * reach, (random() * 2 - 1.15) * 5 * degree * reach];
  });
  const turns = moves(seed + 2, seconds, 1.2, 4, (random) => [
    (random() * 2 - 1) * 4.2 * degree,
    (random() * 2 - 1) * 2 * degree,
    (random() * 2 - 1) * 2.4 * degree,
  ]);
  const brows = moves(seed + 3, seconds, 1.5, 5, (random) => [random() < 0.3 ? 0.35 * random() : 0.03]);
  const frameAt = (at: number): WorkFrame => {
    const timeCode = at / frameRate;
    const [yaw = 0, pitch = 0] = moved(gaze, timeCode, 0.06);
    const [turn = 0, nod = 0, tilt = 0] = moved(turns, timeCode, 0.9);
    const [brow = 0] = moved(brows, timeCode, 0.3);
    const weights = new Float32Array(arkitBlendshapeNames.length);
    for (const [name, weight] of eyeLook({ yaw, pitch })) weights[arkitBlendshapeIndex[name]] = weight;
    weights[arkitBlendshapeIndex.browInnerUp] = brow;
    weights[arkitBlendshapeIndex.browOuterUpLeft] = brow * 0.8;
    weights[arkitBlendshapeIndex.browOuterUpRight] = brow * 0.8;
    return {
      timeCode,
      weights,
      headPose: turned(turn, nod, tilt),
      eyeGaze: { leftYaw: yaw, leftPitch: pitch, rightYaw: yaw, rightPitch: pitch },
    };
  };
  const blinks = blinkTimes(seed, seconds);
  const count = Math.ceil(seconds * frameRate);
  const face = new PackedFace({ channelNames: arkitBlendshapeNames, frameRate }, 64, end - first);
  for (let from = first; from < end; from += pieceFrames) {
    const to = Math.min(end, from + pieceFrames);
    // One more than the piece has: whether a blink's shut frame is the last one hangs on the next.
    const piece = Array.from({ length: Math.min(count, to + 1) - from }, (_, at) => frameAt(from + at));
    addBlinks(piece, arkitBlendshapeNames, blinks);
    for (const frame of piece.slice(0, to - from)) face.push(frame);
  }
  return face.trimmed();
}

/** Skewed as people's are: many short waits, few long ones. */
function blinkTimes(seed: number, seconds: number): number[] {
  const random = seededRandom(seed);
  const times: number[] = [];
  for (let time = 0.6 + 1.8 * random(); time < seconds; time += 0.7 - Math.log(1 - 0.98 * random()) * 2.4)
    times.push(time);
  return times;
}

function moves(
  seed: number,
  seconds: number,
  least: number,
  most: number,
  target: (random: () => number) => number[],
): Move[] {
  const random = seededRandom(seed);
  const made: Move[] = [{ time: 0, values: target(random) }];
  for (let time = least; time < seconds; time += least + random() * (most - least))
    made.push({ time, values: target(random) });
  return made;
}

/** Where a movement is that takes so many seconds to get to each target. */
function moved(all: readonly Move[], time: number, seconds: number): number[] {
  const at = Math.max(0, keyBefore(all, time));
  const [to, from] = [all[at]!, all[at - 1] ?? all[at]!];
  const mix = eased(Math.min(1, Math.max(0, (time - to.time) / seconds)), 'smooth');
  return to.values.map((value, at) => from.values[at]! + (value - from.values[at]!) * mix);
}

/** Angles are small: half of each is its part of the quaternion. */
function turned(yaw: number, pitch: number, roll: number): HeadPose {
  const [x, y, z] = [-pitch / 2, yaw / 2, roll / 2];
  const length = Math.hypot(x, y, z, 1);
  return {
    translation: [yaw * 0.02, -pitch * 0.01, 0],
    rotation: [x / length, y / length, z / length, 1 / length],
  };
}
