import { useEffect } from 'react';
import type { Take } from '#contract';
import { assetUrl } from '../../base/asset-url.ts';
import { useKeyedState } from '../keyed-state.ts';
import { SoundPeaks } from './timeline/sound-peaks.ts';
import type { TimelineState } from './timeline/timeline-state.ts';

/** Columns that a timeline has at most: its samples are read where peaks would be wider than one. */
const maxColumns = 2000;

/** The sound of a take as a timeline draws it, from its beginning to its end by and by; null: it has none. */
export function useTakeSound({ id }: Take, timeline: TimelineState): SoundPeaks | null {
  const [sound, setSound] = useKeyedState<SoundPeaks | null>(id, null);
  useEffect(() => {
    const { signal, stop } = stoppable();
    const read = async (): Promise<void> => {
      const opened = await SoundPeaks.open(assetUrl(id, 'take-audio'), signal);
      signal.throwIfAborted();
      setSound(opened);
      await opened?.read(assetUrl(id, 'take-audio-view'), signal);
    };
    // Who plays it is told what is wrong with it.
    read().catch(() => undefined);
    return stop;
  }, [id, setSound]);
  useEffect(() => {
    if (!sound) return;
    const { signal, stop } = stoppable();
    const load = (): void => {
      sound
        .loadSamples({ from: timeline.timeAt(0), to: timeline.timeAt(1) }, maxColumns, signal)
        .catch(() => undefined);
    };
    load();
    const end = timeline.window.subscribe(load);
    return () => {
      end();
      stop();
    };
  }, [sound, timeline]);
  return sound;
}

function stoppable(): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, stop: () => controller.abort() };
}
