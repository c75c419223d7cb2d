import { z } from 'zod';
import { type EngineOptions, type RunningEngine, startEngine } from './engine.ts';
import type { MessageFromEngine, StartMessage } from './engine_messages.ts';
import { findParent } from './parent.ts';
import { UnusableFolder } from './unusable_folder.ts';

const external = z.object({ port: z.int().min(1).max(65_535), key: z.string().min(16) }).nullable();
const MessageToEngine = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('start'),
    version: z.string(),
    folder: z.string().min(1),
    pathWord: z.string().regex(/^[A-Za-z0-9._~-]+$/),
    accessToken: z.string().min(16),
    apiKey: z.string().min(16),
    external,
    limits: z.record(z.string(), z.number()),
  }),
  z.object({ kind: z.literal('external'), number: z.int(), external }),
  z.object({ kind: z.literal('yield'), isSpeaking: z.boolean() }),
  z.object({ kind: z.literal('ping') }),
  z.object({ kind: z.literal('stop') }),
]);

/**
 * Size of Node's pool for small buffers, bytes: disabled. A pooled 64 KB slab lives long enough to move to
 * V8's old generation. V8 doesn't collect that while the heap stays small: half an hour of fast sound grew by
 * 1.5 MB a minute.
 */
const bufferPool = 0;

/** The process exits after this, even if something hangs. Milliseconds. */
const exitGrace = 4000;

/**
 * Runs the engine as a separate process. The studio forks it (Node's child_process or Electron's
 * utilityProcess) and configures it with the first message. It ends with its parent.
 */
export function runEngineProcess(
  makers: Pick<EngineOptions, 'loadHeadMaker' | 'loadFaceMaker' | 'loadRecordingMaker'>,
): void {
  Buffer.poolSize = bufferPool;
  // Photos and heads are the person's: nobody else on the machine reads what is written here.
  process.umask(0o077);
  const parent = findParent();
  if (!parent) {
    process.stderr.write('The engine is started by Likeness Studio and can’t be started by hand.\n');
    process.exit(2);
  }
  const post = (message: MessageFromEngine): void => parent.post(message);
  let engine: RunningEngine | undefined;
  let starting = false;
  let leaving = false;

  function leave(code: number): void {
    if (leaving) return;
    leaving = true;
    setTimeout(() => process.exit(code), exitGrace).unref();
    // Gives the last messages a moment to reach the parent.
    const exit = (): void => void setTimeout(() => process.exit(code), 20);
    Promise.resolve(engine?.close()).then(exit, exit);
  }

  function fail(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    post({ kind: 'log', level: 'error', message: withCause('the engine stopped', error) });
    post({ kind: 'failed', message, text: error instanceof UnusableFolder ? error.text : null });
    leave(1);
  }

  async function start({ accessToken, apiKey, external: listener, ...options }: StartMessage): Promise<void> {
    engine = await startEngine({
      ...options,
      ...makers,
      keys: { accessToken, apiKey },
      clock: Date.now,
      onLoad: (load) => post({ kind: 'load', ...load }),
      log: (level, message, error) => post({ kind: 'log', level, message: withCause(message, error) }),
    });
    const state = await engine.setExternal(listener);
    post({ kind: 'ready', port: engine.port, external: state });
  }

  // The parent is gone; heads in progress are resumed by the next engine.
  parent.onGone(() => process.exit(0));
  process.on('SIGTERM', () => leave(0));
  // Ctrl-C in a terminal reaches every process of its group; the studio decides what it means.
  process.on('SIGINT', () => {});
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  process.title = 'likeness-engine';

  parent.onMessage((raw) => {
    const parsed = MessageToEngine.safeParse(raw);
    // The issues name fields, never values: a value may be a key.
    if (!parsed.success) {
      const fields = parsed.error.issues.map(({ path }) => path.join('.') || 'kind').join(', ');
      return fail(new Error(`the studio sent a message that can't be read: ${fields}`));
    }
    const message = parsed.data;
    if (message.kind === 'start' && !starting) {
      starting = true;
      start(message).catch(fail);
    }
    if (message.kind === 'stop') leave(0);
    if (message.kind === 'ping') post({ kind: 'pong' });
    if (message.kind === 'yield') engine?.yieldTo(message.isSpeaking);
    if (message.kind === 'external' && engine) {
      engine
        .setExternal(message.external)
        .then((state) => post({ kind: 'external', number: message.number, external: state }), fail);
    }
  });
}

function withCause(message: string, error: unknown): string {
  if (error === undefined) return message;
  return `${message}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
