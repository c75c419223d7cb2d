/** Operations as a person could make them, by chance. */
import { arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import { faceRegions, interpolations } from '@likeness/proto/takes/edits/edit_limits.ts';
import type { EditOperation } from '@likeness/proto/takes/edits/take_edits.ts';

/** All times are within so many seconds. */
const operationSeconds = 10;

/** Most make sense; a few are refused. @param random 0..1 */
export function anyOperation(random: () => number): EditOperation {
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const from = random() * operationSeconds;
  const to = Math.min(operationSeconds, from + 0.05 + random() * 2);
  const keys = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      time: from + ((at + random() * 0.5) * (to - from)) / count,
      value: random(),
      to: one(interpolations),
    }));
  const made: (() => EditOperation)[] = [
    () => ({
      kind: 'region',
      region: one(faceRegions),
      changes: one([
        { gain: random() * 2 },
        { shift: random() - 0.5 },
        { smoothing: random() * 200 },
        { offset: random() * 0.2, least: 0, most: 0.8 },
        { muted: random() < 0.3 },
        { solo: random() < 0.3 },
        {
          source: one(['measured', 'inferred', 'generated', 'drawn'] as const),
          seed: Math.floor(random() * 100),
        },
      ]),
    }),
    () => ({
      kind: 'draw',
      channel: one(arkitBlendshapeNames),
      from,
      to,
      keys: keys(1 + Math.floor(random() * 5)),
    }),
    () => ({ kind: 'reset', channels: [one(arkitBlendshapeNames)], from, to }),
    () => ({ kind: 'take', region: one(faceRegions), from, to, attempt: one(['recording', 'second-try']) }),
    () => ({ kind: 'preset', name: one(['mine', 'yours']), weights: one([null, { jawOpen: random() }]) }),
    () => ({
      kind: 'expressions',
      keys: keys(3).map(({ time, value, to: next }) => ({
        time,
        preset: one(['joy', 'anger', 'neutral', 'mine']),
        weight: value,
        to: next,
      })),
    }),
    () => ({ kind: 'gaze', stretches: [{ from, to, yaw: random() * 40 - 20, pitch: random() * 20 - 10 }] }),
    () => ({ kind: 'blinks', blinks: { recorded: random() < 0.5, added: [from, to] } }),
    () => ({
      kind: 'pieces',
      pieces: one([[], [{ from: 0, to: from + 0.1, speed: 1 }], [{ from, to, speed: 0.5 + random() }]]),
    }),
    () => ({ kind: 'marker', id: one(['a', 'b']), marker: one([null, { time: from, note: 'here' }]) }),
  ];
  return one(made)();
}
