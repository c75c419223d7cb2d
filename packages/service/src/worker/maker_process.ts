import type { HeadMaker } from '@likeness/engine/models/head_maker.ts';
import type { MessageFromMaker, MessageToMaker } from './maker_messages.ts';

/**
 * Runs a maker of heads as a process of its own, forked by a worker: what kills it kills no worker. It ends when the
 * worker does.
 */
export async function runMakerProcess(load: () => Promise<HeadMaker>): Promise<void> {
  const post = (message: MessageFromMaker): void => void process.send?.(message);
  process.on('disconnect', () => process.exit(0));
  // A signal to the group is the worker's to answer: it lets what is being made come to its end.
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
