import type { Clock } from '@likeness/node-kit/clock.ts';
import type { FinishedCall, PlannedCall } from './call_record.ts';
import type { Endpoint } from './transport/endpoint.ts';
import type { Pace } from './transport/pace.ts';
import type { RetryLimits } from './transport/retry.ts';
import type { Transport } from './transport/transport.ts';
import type { CollectedAnswer, PhaseTimeouts } from './transport/wire.ts';

/** Shared by all calls of one client. */
export interface ClientContext {
  endpoint: Endpoint;
  transport: Transport;
  pace: Pace;
  /** Downloads have a separate pace, so that a large one does not block a voice. */
  downloadPace: Pace;
  clock: Pick<Clock, 'now' | 'wait'>;
  random: () => number;
  retry: RetryLimits;
  /** Timeouts that the client's owner set; they take precedence over the operation's own. */
  timeouts: Partial<PhaseTimeouts>;
  /** Aborted when the client is closed. */
  closing: AbortSignal;
  beforeCall: ((call: PlannedCall) => Promise<void>) | undefined;
  onExchange: ((exchange: FinishedCall, planned: PlannedCall | null) => void) | undefined;
  /**
   * Called for every Group B answer, because their headers announce extensions.
   *
   * @returns Whether this answer shows the server's capabilities (see `speaksForServer`).
   */
  onGroupBAnswer(answer: CollectedAnswer): boolean;
}

/** An operation's timeouts, overridden by those that the client's owner set. */
export function timeoutsFor(context: ClientContext, own: PhaseTimeouts): PhaseTimeouts {
  return { ...own, ...context.timeouts };
}
