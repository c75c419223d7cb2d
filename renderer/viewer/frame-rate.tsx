/**
 * No more pictures a second than the person wants: a laptop stays cool,
 * and what captures the window gets its rate.
 */
import { useThree } from '@react-three/fiber';
import { useEffect } from 'react';
import type { Settings } from '#contract';

/**
 * Share of a picture's time by which one may come early: displays do not keep their rate to the microsecond.
 */
const early = 0.15;

/**
 * Says at each picture of the display whether this one is to be
 * drawn, so that on the whole `rate` a second are.
 *
 * @param rate pictures a second
 * @returns asked with the display's time, milliseconds
 */
export function createPacer(rate: number): (now: number) => boolean {
  const interval = 1000 / rate;
  let next = Number.NEGATIVE_INFINITY;
  return (now) => {
    if (now < next - interval * early) return false;
    // After a pause it begins anew: what was missed is not made up for.
    next = now - next > interval ? now + interval : next + interval;
    return true;
  };
}

/** As react-three-fiber's `frameloop` has it, for a canvas in which `Paced` stands. */
export const frameLoopOf = (rate: Settings['frameRate']): 'always' | 'never' =>
  rate === 'display' ? 'always' : 'never';

/** Draws a canvas whose `frameloop` is `never`, so many times a second. */
export function Paced({ rate }: { rate: Settings['frameRate'] }) {
  const advance = useThree((state) => state.advance);
  useEffect(() => {
    if (rate === 'display') return;
    const isDue = createPacer(Number(rate));
    let frame = requestAnimationFrame(function draw(now) {
      frame = requestAnimationFrame(draw);
      if (isDue(now)) advance(now / 1000);
    });
    return () => cancelAnimationFrame(frame);
  }, [rate, advance]);
  return null;
}
