/** Positions of peaks: where a curve turns down by at least {@link minPeak} after it rose as far. */
export function peaksOf(values: ArrayLike<number>): number[] {
  const peaks: number[] = [];
  let isRising = true;
  let [high, low] = [0, 0];
  for (let at = 0; at < values.length; at++) {
    const value = values[at]!;
    if (value > values[high]!) high = at;
    if (value < values[low]!) low = at;
    if (isRising && values[high]! - value >= minPeak) {
      // The take may begin in the middle of a fall: that is no peak.
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

/** A peak stands out by at least this weight. */
const minPeak = 0.15;
