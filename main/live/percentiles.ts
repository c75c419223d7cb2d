import type { LatencyFigures } from '@likeness/proto/live/live_command.ts';
import { percentile } from '@likeness/proto/percentile.ts';

/** Computes P50 and P95 of the newest values. */
export function createPercentiles(max = 300) {
  const values: number[] = [];
  return {
    add(value: number): void {
      values.push(value);
      if (values.length > max) values.shift();
    },
    figures(): LatencyFigures | null {
      if (values.length === 0) return null;
      return { p50: percentile(values, 0.5), p95: percentile(values, 0.95) };
    },
  };
}
