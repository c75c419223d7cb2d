import { type Message, t } from '@likeness/messages';
import { shortestBlockMs } from '../../batch/blocked_time.ts';
import type { CommandContext } from '../command_context.ts';
import { jsonText } from './json_text.ts';

/**
 * Reports a blocked queue on standard error where there is no progress bar (a pipe, a log). One line comes when the
 * block begins, one when it ends, and one when the engine was started again.
 *
 * @param restartCount how often the built-in engine was started again
 * @param clock milliseconds since 1970
 * @returns a listener to be called many times a second with the reason; empty while the queue is not blocked
 */
export function queueNoticesOf(
  { terminal, asJson, isQuiet, words }: Pick<CommandContext, 'terminal' | 'asJson' | 'isQuiet' | 'words'>,
  restartCount: () => number,
  clock: () => number = Date.now,
): (reason: Message) => void {
  if (terminal.isTerminal === true && !isQuiet()) return () => {};
  const write = (notice: 'blocked' | 'continues' | 'engine_restarted', text: Message): void => {
    const message = words(text);
    terminal.error(asJson() ? `${jsonText({ notice, message })}\n` : `${message}\n`);
  };
  let blockedSince: number | null = null;
  let isReported = false;
  let knownRestarts = restartCount();
  return (reason) => {
    const restarts = restartCount();
    if (restarts > knownRestarts) write('engine_restarted', t('cli.engine_restarted'));
    knownRestarts = restarts;
    if (reason === '') {
      if (isReported) write('continues', t('cli.queue_continues'));
      blockedSince = null;
      isReported = false;
      return;
    }
    blockedSince ??= clock();
    if (isReported || clock() - blockedSince < shortestBlockMs) return;
    isReported = true;
    write('blocked', t('cli.queue_blocked', { reason }));
  };
}
