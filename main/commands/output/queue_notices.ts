import { inEnglish, joinMessages, type Message, t } from '@likeness/messages';
import { shortestBlockMs } from '../../batch/blocked_time.ts';
import type { CommandContext } from '../command_context.ts';
import { jsonText } from './json_text.ts';

/** Milliseconds until a block is reported again: the first pause, doubled with each report up to the longest. */
const firstRepeatMs = 120_000;
const longestRepeatMs = 1_800_000;
/** Milliseconds between two reports of changing reasons. */
const shortestChangeMs = 10_000;

/**
 * Reports a blocked queue on standard error when there is no progress bar (a pipe, a log). Prints a line when
 * the block begins, when its reason changes, at intervals while it lasts, when it ends, and when the engine
 * was restarted.
 *
 * @param restartCount how often the built-in engine was restarted
 * @param clock milliseconds since 1970
 * @returns a listener to be called many times a second with the reason, empty while the queue is not blocked,
 * and the milliseconds until the next attempt
 */
export function queueNoticesOf(
  { terminal, asJson, isQuiet, words }: Pick<CommandContext, 'terminal' | 'asJson' | 'isQuiet' | 'words'>,
  restartCount: () => number,
  clock: () => number = Date.now,
): (reason: Message, nextAttemptMs?: number | null) => void {
  if (terminal.isTerminal === true && !isQuiet()) return () => {};
  const write = (notice: 'blocked' | 'continues' | 'engine_restarted', text: Message): void => {
    const message = words(text);
    terminal.error(asJson() ? `${jsonText({ notice, message })}\n` : `${message}\n`);
  };
  let reason = '';
  /** When this reason began. */
  let reasonSince = 0;
  let reported: { reason: string; at: number; repeatMs: number } | null = null;
  let knownRestarts = restartCount();

  const report = (blockReason: Message, nextAttemptMs: number | null): void => {
    const seconds = nextAttemptMs === null ? 0 : Math.ceil(nextAttemptMs / 1000);
    write(
      'blocked',
      t(reported === null ? 'cli.queue_blocked' : 'cli.still_blocked', {
        reason: joinMessages(blockReason, seconds > 0 ? t('cli.next_attempt', { seconds }) : ''),
      }),
    );
    const repeatMs = reported === null ? firstRepeatMs : Math.min(2 * reported.repeatMs, longestRepeatMs);
    reported = { reason, at: clock(), repeatMs };
  };

  return (blockReason, nextAttemptMs = null) => {
    const restarts = restartCount();
    if (restarts > knownRestarts) write('engine_restarted', t('cli.engine_restarted'));
    knownRestarts = restarts;
    if (blockReason === '') {
      if (reported !== null) write('continues', t('cli.queue_continues'));
      reported = null;
      reason = '';
      return;
    }
    const now = clock();
    if (reason === '' || (reported !== null && inEnglish(blockReason) !== reason)) reasonSince = now;
    reason = inEnglish(blockReason);
    if (now - reasonSince < shortestBlockMs) return;
    const isDue =
      reported === null ||
      now - reported.at >= reported.repeatMs ||
      (reason !== reported.reason && now - reported.at >= shortestChangeMs);
    if (isDue) report(blockReason, nextAttemptMs);
  };
}
