/** Takes being made from sound files, one after the other; this continues while another place is shown. */
import i18next from 'i18next';
import { reportJob } from '../base/jobs.ts';
import { notify, notifyFailure } from '../base/notices.tsx';
import { go, parseRoute } from '../base/route.ts';
import { createStore } from '../base/store.ts';
import { asFailure, studio } from '../base/studio.ts';
import { queryClient } from '../base/studio-queries.ts';
import { liveSettings } from '../live/live-settings.ts';
import { makeTake } from './make-take.ts';
import { readScript } from './speech/read-script.ts';
import type { SoundWithScript } from './speech/script-pairs.ts';

/**
 * The audio file that currently becomes a take, its progress in percent, and the number of waiting files;
 * null if idle.
 */
export const making = createStore<{ name: string; percent: number; left: number } | null>(null);

const waiting: SoundWithScript[] = [];
let stop = new AbortController();

/** Makes a take from each sound, with its words. Errors are reported, and the next one follows. */
export async function makeTakes(files: readonly SoundWithScript[]): Promise<void> {
  waiting.push(...files);
  if (making.get()) return;
  stop = new AbortController();
  const { signal } = stop;
  try {
    const profileId = await profileInUse();
    for (let file = waiting.shift(); file && !signal.aborted; file = waiting.shift())
      await make(file, profileId, signal);
  } finally {
    making.set(null);
  }
}

export function stopMaking(): void {
  waiting.length = 0;
  stop.abort();
}

making.subscribe(() => {
  const now = making.get();
  if (!now) return reportJob('take', null);
  const { name, percent, left } = now;
  reportJob('take', { name, share: percent / 100, secondsLeft: null, waiting: left, cancel: stopMaking });
});

async function profileInUse(): Promise<string> {
  const profiles = await queryClient.fetchQuery({
    queryKey: ['profiles'],
    queryFn: () => studio.connections.list(),
  });
  const { profileId } = liveSettings();
  return profiles.find(({ id }) => id === profileId)?.id ?? 'built-in';
}

async function make(
  { file, script }: SoundWithScript,
  profileId: string,
  signal: AbortSignal,
): Promise<void> {
  const { name } = file;
  // In steps of one percent: frames come by the thousand, and a bar shows no more.
  const show = (fraction: number): void => {
    const percent = Math.floor(fraction * 100);
    const now = making.get();
    if (now?.name !== name || now.percent !== percent || now.left !== waiting.length)
      making.set({ name, percent, left: waiting.length });
  };
  show(0);
  try {
    const { modelId } = liveSettings();
    // One that can't be read is told, and the take is made without it.
    const spokenScript = script && (await readScript(script).catch(notifyFailure));
    const id = await makeTake({
      file,
      profileId,
      modelId,
      script: spokenScript ?? null,
      signal,
      onProgress: show,
    });
    if (parseRoute(window.location.hash).page === 'takes') go('takes', id);
    else notify({ level: 'success', title: i18next.t('takes:made', { name }), text: '' });
  } catch (thrown) {
    if (asFailure(thrown).code !== 'cancelled') notifyFailure(thrown);
  }
}
