/** Takes on disk, as a recording leaves them. */
import type { TakeBeginning } from '../../main/takes/take_record.ts';
import { Takes } from '../../main/takes/takes.ts';
import type { TakesOptions } from '../../main/takes/takes_options.ts';

export const openTakes = (folder: string, more: Partial<TakesOptions> = {}): Promise<Takes> => {
  let number = 0;
  return Takes.open({
    folder,
    clock: () => 1_700_000_000_000,
    randomId: () => `t${++number}`,
    speak: () => Promise.reject(new Error('nothing speaks here')),
    warn: () => {},
    onChanged: () => {},
    ...more,
  });
};

export const takeBeginning = {
  name: 'Hello',
  notes: '',
  model: '',
  source: 'microphone',
  sampleRate: 48_000,
  frameRate: 60,
  profileId: 'built-in',
  profileName: 'Built-in engine',
} as const satisfies TakeBeginning;

/** @returns the new take's id */
export async function recordTake(
  takes: Takes,
  beginning: Partial<TakeBeginning> = {},
  sound = new Float32Array(48_000),
): Promise<string> {
  const recorder = await takes.start({ ...takeBeginning, ...beginning });
  recorder.sound(sound);
  return (await recorder.finish({ latency: null })).id;
}
