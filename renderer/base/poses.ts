import { attempt } from './notices.tsx';
import { changeSettingsBy } from './studio-queries.ts';

/** Removes a pose of the person's own. @returns Brings it back; other poses stay as they are then. */
export async function removePose(name: string): Promise<() => void> {
  let gone: { name: string; weights: Record<string, number> } | undefined;
  await changeSettingsBy(({ poses }) => {
    gone = poses.find((pose) => pose.name === name);
    return { poses: poses.filter((pose) => pose.name !== name) };
  });
  return () =>
    attempt(() =>
      changeSettingsBy(({ poses }) =>
        gone && !poses.some((pose) => pose.name === name) ? { poses: [...poses, gone] } : {},
      ),
    );
}
