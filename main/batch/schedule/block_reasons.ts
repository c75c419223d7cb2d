import { inEnglish, type Message } from '@likeness/messages';
import { backoffPause } from '@likeness/node-kit/backoff.ts';
import type { Clock } from '@likeness/node-kit/clock.ts';
import type { StudioErrorCode } from '#contract';
import type { BlockReason, HoldReason } from '../jobs/job_context.ts';

/** Why something waits, and since when (monotonic clock). */
interface Waits {
  reason: BlockReason;
  since: number;
}

/** Milliseconds: first and longest pause of a profile whose orders fail. */
const shortestPause = 2000;
const longestPause = 60_000;
/** If only the user can help, frequent requests only burden the server. */
const longestPauseForPerson = 300_000;
/** Upper limit for a server's retry delay; timers support at most 24 days. */
const longestAskedPause = 3_600_000;
/** Milliseconds after a pause within which the next attempt has begun. */
const tryBeginsMs = 500;

/** The blocks of connections or of the whole queue. */
export class BlockReasons {
  readonly #options: { readonly clock: Pick<Clock, 'elapsed'> };
  readonly #onChanged: () => void;
  /** Profiles whose orders wait: start and end (monotonic clock), reason, and number of failures in a row. */
  readonly #blockedProfiles = new Map<string, Waits & { until: number; times: number }>();
  /** Why running jobs of a profile wait. */
  readonly #reasons = new Map<string, Waits>();
  /** The disk refuses writes: everything waits for it. */
  #disk: Waits | null = null;

  constructor(options: { readonly clock: Pick<Clock, 'elapsed'> }, onChanged: () => void) {
    this.#options = options;
    this.#onChanged = onChanged;
  }

  /** Profiles that take no orders now. */
  profilesBlocked(): Set<string> {
    const now = this.#now();
    const blocked = new Set(
      [...this.#blockedProfiles].filter(([, { until }]) => until > now).map(([id]) => id),
    );
    // If the key is refused for paid models, no further orders are sent.
    for (const [id, { reason }] of this.#reasons) if (reason.needsPerson) blocked.add(id);
    return blocked;
  }

  /**
   * Returns the one block to display: the disk first, then orders that can't be sent, then polling.
   *
   * @param isTrying - Whether a job of a connection is running: its block remains until a request succeeds
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
   * Returns the block at a connection that only the user can end (a key, an account, a cap); null if there is
   * none. With its start, and whether it also stops paid jobs.
   */
  waitsForPerson(profileId: string): { reason: Message; sinceMs: number; alsoPaid: boolean } | null {
    const asking = this.#reasons.get(profileId);
    const alsoPaid = asking?.reason.needsPerson === true;
    const waits = alsoPaid ? asking : this.#blockedProfiles.get(profileId);
    if (!waits?.reason.needsPerson) return null;
    return { reason: waits.reason.reason, sinceMs: this.#now() - waits.since, alsoPaid };
  }

  /** Milliseconds until the orders of a profile may continue; 0 if nothing blocks them. */
  pauseLeft(profileId: string): number {
    return Math.max(0, (this.#blockedProfiles.get(profileId)?.until ?? 0) - this.#now());
  }

  /** Pauses the orders of a profile. @returns Whether this is a new pause. */
  block(profileId: string, { pause, ...reason }: HoldReason): boolean {
    if (pause === 0) return false;
    const before = this.#blockedProfiles.get(profileId);
    const now = this.#now();
    // Several jobs that fail together count as one failure.
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

  /** Marks that paid jobs at a connection have to wait. */
  waitingFor(profileId: string, reason: BlockReason): void {
    const before = this.#reasons.get(profileId);
    this.#reasons.set(profileId, { reason, since: sinceOf(before, reason) ?? this.#now() });
    if (inEnglish(before?.reason.reason ?? '') !== inEnglish(reason.reason)) this.#onChanged();
  }

  /** Marks a successful request. @returns Whether anything was waiting for it. */
  wentThrough(profileId: string, what: 'order' | 'question'): boolean {
    const waited = this.#reasons.delete(profileId);
    // Successful polling does not prove that the key may order, or that the account has credit.
    if (what === 'order' || !this.#blockedProfiles.get(profileId)?.reason.needsPerson)
      this.#blockedProfiles.delete(profileId);
    if (waited) this.#onChanged();
    return waited;
  }

  /** No job of a profile is running any more: removes the block of its jobs. */
  forget(profileId: string): void {
    this.#reasons.delete(profileId);
  }

  diskRefuses(reason: BlockReason): void {
    this.#disk = { reason, since: this.#now() };
    this.#onChanged();
  }

  diskTakes(): void {
    if (this.#disk === null) return;
    this.#disk = null;
    this.#onChanged();
  }

  /** Ends all blocks except the disk's, so that everything is retried now. */
  clear(): void {
    this.#blockedProfiles.clear();
    this.#reasons.clear();
  }

  #now(): number {
    return this.#options.clock.elapsed();
  }
}

/** Keeps the start time of a block of the same kind. A block that needs the user is a different kind. */
const sinceOf = (before: Waits | undefined, { needsPerson }: BlockReason): number | undefined =>
  before?.reason.needsPerson === needsPerson ? before.since : undefined;
