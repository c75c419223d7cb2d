import { inEnglish, type Message } from '@likeness/messages';
import { backoffPause } from '@likeness/node-kit/backoff.ts';
import type { Clock } from '@likeness/node-kit/clock.ts';
import type { StudioErrorCode } from '#contract';
import type { BlockReason, HoldReason } from '../jobs/job_context.ts';

/** Why something waits, and since when on the forward clock. */
interface Waits {
  reason: BlockReason;
  since: number;
}

/** Milliseconds: the first pause of a profile whose orders fail, and the longest. */
const shortestPause = 2000;
const longestPause = 60_000;
/** If a person must act, frequent requests only burden the server. */
const longestPauseForPerson = 300_000;
/** No server can ask for more; a timer knows no more than 24 days. */
const longestAskedPause = 3_600_000;
/** Milliseconds after a pause within which the next try has begun. */
const tryBeginsMs = 500;

/** What blocks connections, or the whole queue. */
export class BlockReasons {
  readonly #options: { readonly clock: Pick<Clock, 'elapsed'> };
  readonly #onChanged: () => void;
  /** Profiles whose orders wait: since and until when on the forward clock, why, and how often in a row. */
  readonly #blockedProfiles = new Map<string, Waits & { until: number; times: number }>();
  /** Why jobs of a profile that are under way wait. */
  readonly #reasons = new Map<string, Waits>();
  /** The disk refuses: everything waits for it. */
  #disk: Waits | null = null;

  constructor(options: { readonly clock: Pick<Clock, 'elapsed'> }, onChanged: () => void) {
    this.#options = options;
    this.#onChanged = onChanged;
  }

  /** Profiles of which nothing is ordered now. */
  profilesBlocked(): Set<string> {
    const now = this.#now();
    const blocked = new Set(
      [...this.#blockedProfiles].filter(([, { until }]) => until > now).map(([id]) => id),
    );
    // Where the key is refused for what is paid for, nothing more is ordered.
    for (const [id, { reason }] of this.#reasons) if (reason.needsPerson) blocked.add(id);
    return blocked;
  }

  /**
   * What is shown of all that waits: the disk first, then orders that can't be sent, then what is asked for.
   *
   * @param isTrying - Whether a job of a connection is under way: until it goes through, what held it is not over
   */
  first(
    isTrying: (profileId: string) => boolean,
  ): { reason: Message; code: StudioErrorCode; profileId: string | null } | null {
    if (this.#disk) return { ...this.#disk.reason, profileId: null };
    const now = this.#now();
    const blockedProfiles = [...this.#blockedProfiles].filter(
      ([id, { until, reason }]) => until + tryBeginsMs > now || reason.needsPerson || isTrying(id),
    );
    const [first] = [...blockedProfiles, ...this.#reasons];
    return first ? { ...first[1].reason, profileId: first[0] } : null;
  }

  /**
   * What of a connection waits for a person (a key, an account, a cap), since when, and whether that holds up
   * also what is paid for; null where nothing does.
   */
  waitsForPerson(profileId: string): { reason: Message; sinceMs: number; alsoPaid: boolean } | null {
    const asking = this.#reasons.get(profileId);
    const alsoPaid = asking?.reason.needsPerson === true;
    const waits = alsoPaid ? asking : this.#blockedProfiles.get(profileId);
    if (!waits?.reason.needsPerson) return null;
    return { reason: waits.reason.reason, sinceMs: this.#now() - waits.since, alsoPaid };
  }

  /** Milliseconds until the orders of a profile may go on; 0 where nothing holds them. */
  pauseLeft(profileId: string): number {
    return Math.max(0, (this.#blockedProfiles.get(profileId)?.until ?? 0) - this.#now());
  }

  /** Pauses the orders of a profile. @returns Whether this is a new pause. */
  block(profileId: string, { pause, ...reason }: HoldReason): boolean {
    if (pause === 0) return false;
    const before = this.#blockedProfiles.get(profileId);
    const now = this.#now();
    // Several jobs that fail together are one failure.
    if ((before?.until ?? 0) > now) return false;
    const times = (before?.times ?? 0) + 1;
    const longest = reason.needsPerson ? longestPauseForPerson : longestPause;
    const milliseconds = Math.min(
      pause ?? backoffPause(times, { first: shortestPause, longest }),
      longestAskedPause,
    );
    const since = sinceOf(before, reason) ?? now;
    this.#blockedProfiles.set(profileId, { until: now + milliseconds, reason, since, times });
    this.#onChanged();
    return true;
  }

  /** What is paid for at a connection has to wait. */
  waitingFor(profileId: string, reason: BlockReason): void {
    const before = this.#reasons.get(profileId);
    this.#reasons.set(profileId, { reason, since: sinceOf(before, reason) ?? this.#now() });
    if (inEnglish(before?.reason.reason ?? '') !== inEnglish(reason.reason)) this.#onChanged();
  }

  /** A call has gone through. @returns Whether something was waiting for that. */
  wentThrough(profileId: string, what: 'order' | 'question'): boolean {
    const waited = this.#reasons.delete(profileId);
    // That questions are answered says nothing of a key that may not order, or of an account that is empty.
    if (what === 'order' || !this.#blockedProfiles.get(profileId)?.reason.needsPerson)
      this.#blockedProfiles.delete(profileId);
    if (waited) this.#onChanged();
    return waited;
  }

  /** No job of a profile is under way any more: what they waited for holds nothing up. */
  forget(profileId: string): void {
    this.#reasons.delete(profileId);
  }

  diskRefuses(reason: BlockReason): void {
    this.#disk = { reason, since: this.#now() };
    this.#onChanged();
  }

  diskTakes(): void {
    this.#disk = null;
  }

  /** Everything but the disk is to be tried now. */
  clear(): void {
    this.#blockedProfiles.clear();
    this.#reasons.clear();
  }

  #now(): number {
    return this.#options.clock.elapsed();
  }
}

/** What is of the same kind goes on; whether a person must act makes another kind. */
const sinceOf = (before: Waits | undefined, { needsPerson }: BlockReason): number | undefined =>
  before?.reason.needsPerson === needsPerson ? before.since : undefined;
