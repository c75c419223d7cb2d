/** Plays a try over its take: its own sound, and its face in the regions that it was recorded for. */
import { useEffect, useMemo } from 'react';
import type { TakeOverdub } from '#contract';
import { assetUrl } from '../../../base/asset-url.ts';
import { attempt } from '../../../base/notices.tsx';
import { createStore, type Store } from '../../../base/store.ts';
import type { TakePlayback } from '../../take-playback.ts';
import type { EditSession } from '../edits/edit-session.ts';
import { coveredBy, tryOperations } from './take-overdubs.ts';

export interface TryPlayer {
  /** The try that is heard; null: none. */
  readonly heard: Store<string | null>;
  toggle(tried: TakeOverdub): void;
  stop(): void;
}

/** Seconds that the try's sound may be away from the take's before it is put right. */
const maxApart = 0.06;

export function useTryPlayer(playback: TakePlayback, session: EditSession, seconds: number): TryPlayer {
  const { audio, now, seek, onTime, pause, toggle: play } = playback;
  const player = useMemo(() => {
    const heard = createStore<string | null>(null);
    let end: (() => void) | null = null;
    const stop = (): void => end?.();
    const start = (tried: TakeOverdub): void => {
      const range = coveredBy(tried, seconds);
      const sound = new Audio(assetUrl(tried.id, 'take-overdub-audio'));
      pause();
      if (audio.current) audio.current.muted = true;
      session.preview(tryOperations(tried.regions, range, tried.id, session.shown.get()));
      const at = now();
      if (at < range.from || at >= range.to - 0.2) seek(range.from);
      let hasPlayed = false;
      const follow = onTime((time) => {
        const isPlaying = audio.current?.paused === false;
        hasPlayed ||= isPlaying;
        if ((hasPlayed && !isPlaying) || time >= range.to) return stop();
        const wanted = time - tried.startsAt;
        if (Math.abs(sound.currentTime - wanted) > maxApart) sound.currentTime = Math.max(0, wanted);
      });
      end = () => {
        end = null;
        follow();
        sound.pause();
        sound.removeAttribute('src');
        if (audio.current) audio.current.muted = false;
        pause();
        session.preview(null);
        heard.set(null);
      };
      heard.set(tried.id);
      play();
      attempt(() => sound.play());
    };
    return {
      heard,
      stop,
      toggle(tried: TakeOverdub) {
        const isHeard = heard.get() === tried.id;
        stop();
        if (!isHeard) start(tried);
      },
    };
  }, [audio, now, seek, onTime, pause, play, session, seconds]);
  useEffect(() => player.stop, [player]);
  return player;
}
