import { backoffPause } from '@likeness/node-kit/backoff.ts';

export interface RetryLimits {
  /** Attempts of one call, including the first. */
  attempts: number;
  /** Longest random pause before the second attempt, milliseconds; it doubles with each further one. */
  base: number;
  /** Longest random pause in all, milliseconds. */
  most: number;
  /** Longest accepted Retry-After, milliseconds; a longer one is returned to the caller. */
  longestRetryAfter: number;
}

export const defaultRetryLimits: RetryLimits = {
  attempts: 4,
  base: 500,
  most: 15_000,
  longestRetryAfter: 60_000,
};

/**
 * Longest pause that a server can ask for, milliseconds. A longer one (a mistake in the header, a date of
 * another century) would block a connection for ever, and timers are limited to 24 days.
 */
export const longestAskedPause = 3_600_000;

/** The properties of a failed attempt that decide on a retry. */
export interface FailedTry {
  /** GET: it can always be repeated. */
  idempotent: boolean;
  /** The server provably never got the whole request. */
  neverReceived: boolean;
  /** A transient error: a broken connection, an overloaded server. */
  transient: boolean;
  /** 429 or 503: the server says that it did not act. */
  turnedAway: boolean;
  /** Milliseconds of the answer's Retry-After; null if there was none. */
  retryAfter: number | null;
}

/**
 * Milliseconds to wait before the next attempt; null if there must be none.
 *
 * Repeating a POST may bill it twice. It is repeated only if the server never received it, or refused it and
 * said when to come back. Pauses are random from 0 to a doubling limit ("full jitter", AWS Architecture Blog,
 * "Exponential Backoff And Jitter", 2015), never shorter than Retry-After.
 *
 * @param attempt Attempts made so far, ≥ 1.
 * @param random 0 ≤ value < 1.
 */
export function pauseBeforeRetry(
  failed: FailedTry,
  attempt: number,
  random: () => number,
  limits: RetryLimits = defaultRetryLimits,
): number | null {
  if (attempt >= limits.attempts || !failed.transient) return null;
  const safe = failed.idempotent || failed.neverReceived || (failed.turnedAway && failed.retryAfter !== null);
  if (!safe) return null;
  if (failed.retryAfter !== null && failed.retryAfter > limits.longestRetryAfter) return null;
  const jitter = random() * backoffPause(attempt, { first: limits.base, longest: limits.most });
  return failed.retryAfter === null ? jitter : failed.retryAfter + jitter;
}

/**
 * Milliseconds of a Retry-After header, in seconds or as a date; null if there is none or it is unreadable.
 */
export function parseRetryAfter(header: string | string[] | undefined, now: number): number | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (!text) return null;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
