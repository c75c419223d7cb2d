/** Positions of peaks: where a curve turns down by at least {@link leastPeak} after it rose as far. */
export function peaksOf(values: ArrayLike<number>): number[] {
  const peaks: number[] = [];
  let isRising = true;
  let [high, low] = [0, 0];
  for (let at = 0; at < values.length; at++) {
    const value = values[at]!;
    if (value > values[high]!) high = at;
    if (value < values[low]!) low = at;
    if (isRising && values[high]! - value >= leastPeak) {
      // The take may begin in the middle of a fall: that is no peak.
      if (values[high]! - values[low]! >= leastPeak && low < high) peaks.push(high);
      isRising = false;
      low = at;
    } else if (!isRising && value - values[low]! >= leastPeak) {
      isRising = true;
      high = at;
    }
  }
  return peaks;
}

/** A peak stands out by at least this weight. */
const leastPeak = 0.15;
