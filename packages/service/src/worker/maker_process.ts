import type { HeadMaker } from '@likeness/engine/models/head_maker.ts';
import type { MessageFromMaker, MessageToMaker } from './maker_messages.ts';

/**
 * Runs a head maker as a separate process, forked by a worker, so that a crash doesn't kill the worker. It
 * ends with the worker.
 */
export async function runMakerProcess(load: () => Promise<HeadMaker>): Promise<void> {
  const post = (message: MessageFromMaker): void => void process.send?.(message);
  process.on('disconnect', () => process.exit(0));
  // The worker answers signals to the group: it lets the work in progress finish.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  process.title = 'likeness-maker';
  const maker = await load();
  const cancels = new Map<number, AbortController>();

  process.on('message', async (message: MessageToMaker) => {
    const { number } = message;
    if (message.kind === 'cancel') {
      cancels.get(number)?.abort();
      return;
    }
    const cancel = new AbortController();
    cancels.set(number, cancel);
    try {
      const made = await maker.makeHead({
        ...message.order,
        onStage: (name, progress) => post({ kind: 'stage', number, name, progress }),
        signal: cancel.signal,
      });
      post({ kind: 'made', number, made });
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      post({ kind: 'failed', number, reason: maker.explain(error), message: text });
    } finally {
      cancels.delete(number);
    }
  });
  post({ kind: 'ready', version: maker.version, parallel: maker.parallel });
}
