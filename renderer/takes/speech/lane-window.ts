/** Which stretch of a take the lanes show, and playing one word of it. */
import { useElementSize } from '@mantine/hooks';
import { type RefCallback, type RefObject, useEffect, useRef, useState } from 'react';
import { attempt } from '../../base/notices.tsx';

/** Wide enough that most words can be read. */
const pixelsPerSecond = 200;
/** Seconds. */
const leastSpan = 2;

/** The stretch that is seen, seconds. */
export interface LaneWindow {
  readonly from: number;
  readonly span: number;
}

/**
 * A window as long as the element `lanes` is wide. It turns its page with the playhead, whose element `head`
 * is moved outside React.
 *
 * @param seconds length of the take
 */
export function useLaneWindow(
  audio: RefObject<HTMLAudioElement | null>,
  seconds: number,
): { view: LaneWindow; lanes: RefCallback<HTMLDivElement>; head: RefObject<HTMLDivElement | null> } {
  const { ref: lanes, width } = useElementSize<HTMLDivElement>();
  const head = useRef<HTMLDivElement>(null);
  const [page, setPage] = useState(0);
  const span = Math.min(seconds, Math.max(leastSpan, width / pixelsPerSecond));
  const from = Math.max(0, Math.min(page, seconds - span));
  useEffect(() => {
    let frame = 0;
    const follow = (): void => {
      frame = requestAnimationFrame(follow);
      const now = audio.current?.currentTime ?? 0;
      // A little of what was before stays in sight.
      if (now < from || now > from + span) setPage(Math.max(0, now - span * 0.1));
      if (head.current) head.current.style.left = `${((now - from) / span) * 100}%`;
    };
    frame = requestAnimationFrame(follow);
    return () => cancelAnimationFrame(frame);
  }, [audio, span, from]);
  return { view: { from, span }, lanes, head };
}

/** A word that was left out has no length: what is said around its place, seconds. */
const around = 0.4;

/** Goes to a stretch of the sound, and plays it alone where that is wanted. */
export function useStretchPlayer(audio: RefObject<HTMLAudioElement | null>): {
  goTo: (stretch: { start: number }) => void;
  play: (stretch: { start: number; end: number }) => void;
} {
  const playing = useRef<{ from: number; to: number } | null>(null);
  useEffect(() => {
    const player = audio.current;
    if (!player) return;
    let frame = 0;
    const stopAtEnd = (): void => {
      if (!playing.current || player.currentTime < playing.current.to) return;
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
      const { currentTime } = player;
      if (stretch && (currentTime < stretch.from - 0.05 || currentTime > stretch.to + 0.1)) {
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
  }, [audio]);
  return {
    goTo({ start }) {
      playing.current = null;
      if (audio.current) audio.current.currentTime = start;
    },
    play({ start, end }) {
      const player = audio.current;
      if (!player) return;
      const from = end > start ? start : Math.max(0, start - around);
      player.currentTime = from;
      playing.current = { from, to: end > start ? end : end + around };
      attempt(() => player.play());
    },
  };
}
