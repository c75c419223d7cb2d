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
