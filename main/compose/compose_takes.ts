import { randomBytes } from 'node:crypto';
import type { LiveOptions } from '../live/live_calls.ts';
import { speakAfterwards } from '../live/speak_afterwards.ts';
import { Takes } from '../takes/takes.ts';
import { TakeExports } from '../takes/takes_calls.ts';
import type { Connected } from './compose_connections.ts';
import type { Ground } from './compose_ground.ts';

/**
 * Whose face a sound is: what a live session and a take that is spoken afterwards need of the other rooms.
 */
export type Voices = Pick<LiveOptions, 'journal' | 'openClients' | 'profile'>;

export const composeVoices = ({ journal }: Ground, { connections, openLiveClients }: Connected): Voices => ({
  journal,
  openClients: openLiveClients,
  async profile(id) {
    const { profileName, stream } = await connections.resolve(id);
    return { name: profileName, words: stream.words };
  },
});

/** @throws Failure `storage` */
export async function composeTakes(
  { layout, log, emit }: Ground,
  voices: Voices,
): Promise<{ takes: Takes; takeExports: TakeExports }> {
  const takes = await Takes.open({
    folder: layout.takesFolder,
    clock: Date.now,
    randomId: () => randomBytes(4).toString('hex'),
    speak: (sound, frameRate) => speakAfterwards(voices, sound, frameRate),
    warn: (text) => log.warn(text),
    onChanged: (list) => emit('takes', 'changed', list),
  });
  const takeExports = new TakeExports(layout.temporaryFolder, () => randomBytes(9).toString('base64url'));
  return { takes, takeExports };
}
