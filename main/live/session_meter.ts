import type { CallRecord, PricedCall } from '@likeness/journal/metered_call.ts';
import type { SessionReservation } from './session_journal.ts';

/** A session's usage of one connection so far. */
export interface SessionUsage {
  seconds: number;
  frames: number;
  cost: number;
  currency: string;
}

interface CostRecord {
  reservation: SessionReservation;
  reserved: number;
  cost: number;
  /** All calls so far as one; null before the first. */
  sum: CallRecord | null;
}

/** Number of calls whose cost is reserved ahead, so that the journal is not written fifty times a second. */
const callsAhead = 100;
/** Label of a session's entry. */
const operation = 'audio_to_face';

/**
 * The journal interface for the clients of one live session. Fifty requests a second become one entry,
 * written when the session ends; money is reserved as the session continues. If the studio crashes, the
 * reserved amount is recorded.
 */
export function createSessionMeter({
  journal,
  subject,
}: {
  journal: { reserve(session: PricedCall): SessionReservation };
  /** The entry's subject: the session's id. */
  subject: string;
}) {
  const costs = new Map<string, CostRecord>();

  const createCostRecord = (call: PricedCall): CostRecord => {
    const plannedCost = call.plannedCost;
    // One reservation per session: at a price of 0, fifty requests a second write nothing more.
    const reservation = journal.reserve({ ...call, operation, subject, plannedCost, entrusted: true });
    const cost: CostRecord = { reservation, reserved: plannedCost, cost: 0, sum: null };
    costs.set(call.profileId, cost);
    return cost;
  };

  const raiseReservation = (cost: CostRecord, plannedCost: number): void => {
    const needed = cost.cost + plannedCost;
    if (needed <= cost.reserved) return;
    const ahead = needed + plannedCost * callsAhead;
    try {
      cost.reservation.raise(ahead);
      cost.reserved = ahead;
    } catch {
      // The amount left under the cap may suffice for this call.
      cost.reservation.raise(needed);
      cost.reserved = needed;
    }
  };

  const add = (cost: CostRecord, call: CallRecord): void => {
    cost.cost += call.cost;
    // A capabilities request does not belong to the stream.
    if (call.operation !== operation) return;
    if (!cost.sum) {
      cost.sum = { ...call, subject };
      return;
    }
    const { sum } = cost;
    cost.sum = {
      ...sum,
      // The result of the session covers its calls; the message names one that failed.
      outcome: sum.outcome === 'ok' || call.outcome === 'ok' ? 'ok' : call.outcome,
      httpStatus: call.httpStatus ?? sum.httpStatus,
      message: call.outcome === 'ok' ? sum.message : call.message,
      bytesSent: sum.bytesSent + call.bytesSent,
      bytesReceived: sum.bytesReceived + call.bytesReceived,
      firstByteMs: Math.max(sum.firstByteMs ?? 0, call.firstByteMs ?? 0),
      totalMs: sum.totalMs + call.totalMs,
      billedSeconds: sum.billedSeconds + call.billedSeconds,
      billedFrames: sum.billedFrames + call.billedFrames,
      cost: sum.cost + call.cost,
    };
  };

  return {
    /** @throws Failure `cap_reached` */
    reserve(call: PricedCall) {
      const known = costs.get(call.profileId);
      if (known) raiseReservation(known, call.plannedCost);
      const cost = known ?? createCostRecord(call);
      return { settle: (record: CallRecord): void => add(cost, record), release: (): void => {} };
    },

    append(record: CallRecord): void {
      const cost = costs.get(record.profileId);
      if (cost) add(cost, record);
    },

    usage(profileId: string): SessionUsage | null {
      const sum = costs.get(profileId)?.sum;
      if (!sum) return null;
      const { billedSeconds: seconds, billedFrames: frames, cost, currency } = sum;
      return { seconds, frames, cost, currency };
    },

    /** Writes one entry per connection. */
    close(): void {
      for (const { reservation, sum } of costs.values()) {
        if (sum) reservation.settle(sum);
        else reservation.release();
      }
      costs.clear();
    },
  };
}
