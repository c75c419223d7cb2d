/** Latency of each stage from sound to face, measured when a frame is first shown. */
import type { LatencyFigures } from '@likeness/proto/live/live_command.ts';
import { percentile } from '@likeness/proto/percentile.ts';

export const stages = ['capture', 'send', 'solve', 'return', 'render'] as const;
export type Stage = (typeof stages)[number];

/**
 * ITU-R BT.1359-1: milliseconds by which a face may be later than its sound until people notice it, and until
 * they mind. Speakers hear themselves at once, so the whole path counts.
 */
export const soundEarly = { noticed: 45, acceptable: 90 } as const;

/** Kinds of advice against latency that measurements can justify. */
const advices = ['lookahead', 'device', 'busy', 'drawing'] as const;
export type Advice = (typeof advices)[number];

/**
 * Limits for advice: a stage's P95 in milliseconds, and the frame rate below which drawing is the problem.
 */
const long = { capture: 60, work: 25, wait: 45 } as const;
const fewFrames = 45;

/**
 * Advice if faces are later than acceptable; empty otherwise.
 *
 * @param lookahead milliseconds that the session's faces wait for @param rate frames drawn a second
 */
export function adviceOf(
  figures: Record<Stage | 'total', LatencyFigures>,
  { lookahead, rate }: { lookahead: number; rate: number },
): Advice[] {
  if (figures.total.p95 <= soundEarly.acceptable) return [];
  const found: Advice[] = [];
  if (lookahead > 0) found.push('lookahead');
  if (figures.capture.p95 > long.capture) found.push('device');
  const { send, solve, render, return: back } = figures;
  if (Math.max(solve.p95, back.p95) > long.work || Math.max(send.p95, render.p95) > long.wait)
    found.push('busy');
  if (rate > 0 && rate < fewFrames) found.push('drawing');
  return found.length > 0 ? found : ['busy'];
}

const kept = 600;
/**
 * Frames of a session's first second, which are skipped: microphone, engine and buffers are starting up.
 */
const settling = 60;

export class LatencyStats {
  readonly #rows: Record<Stage, number>[] = [];
  #shown = 0;

  add(row: Record<Stage, number>): void {
    this.#shown += 1;
    if (this.#shown <= settling) return;
    this.#rows.push(row);
    if (this.#rows.length > kept) this.#rows.shift();
  }

  /** Figures of the newest faces; null until the session has settled. */
  figures(): (Record<Stage, LatencyFigures> & { total: LatencyFigures }) | null {
    const rows = this.#rows;
    if (rows.length === 0) return null;
    const of = (value: (row: Record<Stage, number>) => number): LatencyFigures => {
      const values = rows.map(value);
      return { p50: percentile(values, 0.5), p95: percentile(values, 0.95) };
    };
    return {
      capture: of((row) => row.capture),
      send: of((row) => row.send),
      solve: of((row) => row.solve),
      return: of((row) => row.return),
      render: of((row) => row.render),
      total: of((row) => stages.reduce((sum, stage) => sum + row[stage], 0)),
    };
  }
}
