/**
 * No more pictures a second than the person wants: a laptop stays cool,
 * and what captures the window gets its rate.
 */
import { useThree } from '@react-three/fiber';
import { useEffect } from 'react';
import type { Settings } from '#contract';
import { createPacer } from '../ui/frame-pacer.ts';

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
