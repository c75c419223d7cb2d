/** Playing one word of a take. */
import { useEffect, useRef } from 'react';
import { attempt } from '../../base/notices.tsx';
import type { TakePlayback } from '../take-playback.ts';

/** Seconds played around a skipped word, which has no length. */
const around = 0.4;

/**
 * Goes to a stretch of the sound, and plays it alone where that is wanted.
 *
 * @param of id of the take: another one has another audio element
 */
export function useStretchPlayer(
  of: string,
  playback: Pick<TakePlayback, 'audio' | 'now' | 'seek'>,
): {
  goTo: (stretch: { start: number }) => void;
  play: (stretch: { start: number; end: number }) => void;
} {
  const { audio, now, seek } = playback;
  const playing = useRef<{ from: number; to: number } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with another take, `audio` holds another element
  useEffect(() => {
    const player = audio.current;
    if (!player) return;
    let frame = 0;
    const stopAtEnd = (): void => {
      if (!playing.current || now() < playing.current.to) return;
      playing.current = null;
      player.pause();
    };
    const watch = (): void => {
      frame = requestAnimationFrame(watch);
      stopAtEnd();
    };
    // Whoever goes elsewhere, or pauses, wants to hear on from there.
    const forgetElsewhere = (): void => {
      const stretch = playing.current;
      const at = now();
      if (stretch && (at < stretch.from - 0.05 || at > stretch.to + 0.1)) {
        playing.current = null;
      }
    };
    const forget = (): void => {
      playing.current = null;
    };
    frame = requestAnimationFrame(watch);
    // A page that is not seen draws nothing, and is still heard.
    player.addEventListener('timeupdate', stopAtEnd);
    player.addEventListener('seeking', forgetElsewhere);
    player.addEventListener('pause', forget);
    return () => {
      cancelAnimationFrame(frame);
      player.removeEventListener('timeupdate', stopAtEnd);
      player.removeEventListener('seeking', forgetElsewhere);
      player.removeEventListener('pause', forget);
    };
  }, [of, audio, now]);
  return {
    goTo({ start }) {
      playing.current = null;
      seek(start);
    },
    play({ start, end }) {
      const player = audio.current;
      if (!player) return;
      const from = end > start ? start : Math.max(0, start - around);
      seek(from);
      playing.current = { from, to: end > start ? end : end + around };
      attempt(() => player.play());
    },
  };
}
