/**
 * How early a frame may come, as a share of the interval: displays don't keep their rate exactly.
 */
const early = 0.15;

/**
 * Decides for each frame of the display whether to draw it, so that on average `rate` per second are drawn.
 *
 * @param rate pictures a second
 * @returns a function of the display's time, milliseconds
 */
export function createPacer(rate: number): (now: number) => boolean {
  const interval = 1000 / rate;
  let next = Number.NEGATIVE_INFINITY;
  return (now) => {
    if (now < next - interval * early) return false;
    // After a pause it starts again, without catching up on missed frames.
    next = now - next > interval ? now + interval : next + interval;
    return true;
  };
}
