import { type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { LatencyFigures } from '@likeness/proto/live/live_command.ts';
import type { LiveReport, Tier } from '@likeness/proto/live/live_message.ts';
import { percentile } from '@likeness/proto/percentile.ts';

/** Server errors that a retry can't fix. */
const finalCodes = ['cap_reached', 'key_missing', 'locked', 'invalid_input'];

/** State of a session: its server's state, latency, and the last error. */
export class SessionHealth {
  readonly #answers = createPercentiles();
  /** The built-in engine runs beside a server: errors of the engine alone are not reported. */
  readonly #hasServer: boolean;
  readonly #onDefect: (error: unknown) => void;
  #server: LiveReport['server'];
  #trouble: Message = '';
  #hint: Message = '';

  constructor({ hasServer, onDefect }: { hasServer: boolean; onDefect: (error: unknown) => void }) {
    this.#hasServer = hasServer;
    this.#onDefect = onDefect;
    this.#server = hasServer ? 'waiting' : 'none';
  }

  get server(): LiveReport['server'] {
    return this.#server;
  }

  get trouble(): { trouble: Message; hint: Message } {
    return { trouble: this.#trouble, hint: this.#hint };
  }

  answerTimes(): LatencyFigures | null {
    return this.#answers.figures();
  }

  /** The session's service has answered, after this many milliseconds. */
  answered(milliseconds: number): void {
    this.#answers.add(milliseconds);
    this.#trouble = '';
    this.#hint = '';
  }

  serverIs(state: 'late' | 'live'): void {
    this.#server = state;
  }

  /** A stream's service failed. @returns whether the user is notified, and whether to retry */
  failed(tier: Tier, failure: unknown): { shouldReport: boolean; mayGoOn: boolean } {
    if (tier === 'local' && this.#hasServer) {
      if (!(failure instanceof Failure)) this.#onDefect(failure);
      return { shouldReport: false, mayGoOn: true };
    }
    this.wentWrong(failure);
    const isFinal = failure instanceof Failure && finalCodes.includes(failure.code);
    if (tier === 'server') this.#server = isFinal ? 'stopped' : 'gone';
    return { shouldReport: true, mayGoOn: !isFinal };
  }

  /** State for the next report, until a response arrives. */
  wentWrong(error: unknown): void {
    if (!(error instanceof Failure)) this.#onDefect(error);
    this.#trouble = error instanceof Failure ? error.userMessage : t('live.defect');
    this.#hint = error instanceof Failure ? error.advice : '';
  }
}

/** Computes P50 and P95 of the newest values. */
function createPercentiles(max = 300) {
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
