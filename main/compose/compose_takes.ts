import { randomBytes } from 'node:crypto';
import type { LiveOptions } from '../live/live_calls.ts';
import { speakAfterwards } from '../live/speak_afterwards.ts';
import { type SpeechHearing, TakeHearings } from '../takes/take_hearing.ts';
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
  { layout, log, emit, settings }: Ground,
  voices: Voices,
  speech: SpeechHearing,
): Promise<{ takes: Takes; hearings: TakeHearings; takeExports: TakeExports }> {
  const warn = (text: string): void => void log.warn(text);
  const takes = await Takes.open({
    folder: layout.takesFolder,
    clock: Date.now,
    randomId: () => randomBytes(4).toString('hex'),
    speak: (sound, frameRate) => speakAfterwards(voices, sound, frameRate),
    warn,
    onChanged: (list) => emit('takes', 'changed', list),
    onRecorded: (id) => void hearings.want(id).catch((error: unknown) => warn(String(error))),
  });
  const hearings: TakeHearings = new TakeHearings({
    takes,
    speech,
    pronunciations: () =>
      Object.fromEntries(settings.get().pronunciations.map(({ word, phones }) => [word, phones])),
    onProgress: (progress) => emit('takes', 'hearing', progress),
    warn,
  });
  const takeExports = new TakeExports(layout.temporaryFolder, () => randomBytes(9).toString('base64url'));
  return { takes, hearings, takeExports };
}
