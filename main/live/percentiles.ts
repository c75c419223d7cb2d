import type { LatencyFigures } from '#proto/live_message.ts';

/** P50 and P95 over the newest values. */
export function createPercentiles(most = 300) {
  const values: number[] = [];
  return {
    add(value: number): void {
      values.push(value);
      if (values.length > most) values.shift();
    },
    figures(): LatencyFigures | null {
      if (values.length === 0) return null;
      const sorted = values.toSorted((a, b) => a - b);
      const at = (share: number): number =>
        sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
      return { p50: at(0.5), p95: at(0.95) };
    },
  };
}
