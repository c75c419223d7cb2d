/** Returns positions of peaks: where a curve falls by at least {@link minPeak} after a rise by as much. */
export function peaksOf(values: ArrayLike<number>): number[] {
  const peaks: number[] = [];
  let isRising = true;
  let [high, low] = [0, 0];
  for (let at = 0; at < values.length; at++) {
    const value = values[at]!;
    if (value > values[high]!) high = at;
    if (value < values[low]!) low = at;
    if (isRising && values[high]! - value >= minPeak) {
      // The take may begin during a fall, which is not a peak.
      if (values[high]! - values[low]! >= minPeak && low < high) peaks.push(high);
      isRising = false;
      low = at;
    } else if (!isRising && value - values[low]! >= minPeak) {
      isRising = true;
      high = at;
    }
  }
  return peaks;
}

/** Minimum prominence of a peak, as a weight. */
const minPeak = 0.15;
