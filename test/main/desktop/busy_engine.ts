/** Passes for the built-in engine with one head under way and two waiting. */
import type { MessageFromEngine, MessageToEngine } from '@likeness/engine/engine_messages.ts';

interface ParentPort {
  postMessage(message: MessageFromEngine): void;
  on(event: 'message', listener: (event: { data: MessageToEngine }) => void): void;
}
const { parentPort } = process as unknown as { parentPort: ParentPort };
parentPort.on('message', ({ data }) => {
  if (data.kind === 'stop') process.exit(0);
  if (data.kind !== 'start') return;
  parentPort.postMessage({ kind: 'ready', port: 1, external: { port: null, problem: '' } });
  parentPort.postMessage({ kind: 'load', queued: 2, running: 1 });
});
