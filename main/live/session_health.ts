import { type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { LatencyFigures } from '@likeness/proto/live/live_command.ts';
import type { LiveReport, Tier } from '@likeness/proto/live/live_message.ts';
import { createPercentiles } from './percentiles.ts';

/** Failures of a server that trying again can't mend. */
const finalCodes = ['cap_reached', 'key_missing', 'locked', 'invalid_input'];

/** How a session fares: where its server is, how long answers take, and what went wrong last. */
export class SessionHealth {
  readonly #answers = createPercentiles();
  /** The built-in engine answers beside a server: what fails in it alone is not told. */
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

  /** The service that the session is about has answered, after so many milliseconds. */
  answered(milliseconds: number): void {
    this.#answers.add(milliseconds);
    this.#trouble = '';
    this.#hint = '';
  }

  serverIs(state: 'late' | 'live'): void {
    this.#server = state;
  }

  /** A voice's service failed. @returns whether the person is told, and whether it may be tried again */
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

  /** What the next report says, until an answer comes. */
  wentWrong(error: unknown): void {
    if (!(error instanceof Failure)) this.#onDefect(error);
    this.#trouble = error instanceof Failure ? error.userMessage : t('live.defect');
    this.#hint = error instanceof Failure ? error.advice : '';
  }
}
