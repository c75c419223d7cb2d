import type { Settings } from '#contract';
import type { Reversible } from './page-history.ts';
import { changeSettingsBy } from './studio-queries.ts';

type Pose = Settings['poses'][number];

/** Changes the person's own poses. @returns How to undo that; other poses stay as they are then. */
export async function changePoses(change: (poses: readonly Pose[]) => Pose[]): Promise<Reversible> {
  let before: readonly Pose[] = [];
  let after: Pose[] = [];
  await changeSettingsBy(({ poses }) => {
    before = poses;
    after = change(poses);
    return { poses: after };
  });
  const named = (poses: readonly Pose[]): Map<string, Pose> =>
    new Map(poses.map((pose) => [pose.name, pose]));
  const [was, is] = [named(before), named(after)];
  const changed = new Set([...was.keys(), ...is.keys()].filter((name) => was.get(name) !== is.get(name)));
  const set = (to: ReadonlyMap<string, Pose>) => () =>
    changeSettingsBy(({ poses }) => ({
      poses: [
        ...poses.flatMap((pose) => (changed.has(pose.name) ? (to.get(pose.name) ?? []) : [pose])),
        ...[...to.values()].filter(
          ({ name }) => changed.has(name) && !poses.some((pose) => pose.name === name),
        ),
      ],
    }));
  return { undo: set(was), redo: set(is) };
}

export const removePose = (name: string): Promise<Reversible> =>
  changePoses((poses) => poses.filter((pose) => pose.name !== name));
