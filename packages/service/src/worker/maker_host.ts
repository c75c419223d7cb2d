import { type ChildProcess, fork } from 'node:child_process';
import type { Text } from '@likeness/engine/http/language.ts';
import type { HeadOrder, MadeHead } from '@likeness/engine/models/head_maker.ts';
import type { MessageFromMaker, MessageToMaker } from './maker_messages.ts';

/** The process that was making this died: a photo of those in the making may be why. */
export class MakerDied extends Error {
  override readonly name = 'MakerDied';
}

/** No head was made, and the maker said why. */
export class NotMade extends Error {
  override readonly name = 'NotMade';
  /** Null where it isn't the photo's fault. */
  readonly reason: Text | null;

  constructor(reason: Text | null, message: string) {
    super(message);
    this.reason = reason;
  }
}

interface Pending {
  onStage: HeadOrder['onStage'];
  resolve: (made: MadeHead) => void;
  reject: (error: Error) => void;
}

interface RunningMaker {
  process: ChildProcess;
  version: string;
}

/** Milliseconds before a maker that can't start is started again. */
const pauseAfterFailure = 2000;

/** Starts the maker's process, again whenever it has died, and hands it orders. */
export class MakerHost {
  readonly #entry: string;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #pending = new Map<number, Pending>();
  #maker: Promise<RunningMaker> | null = null;
  #number = 0;
  #isClosing = false;

  /** @param entry the process's file, which calls `runMakerProcess` */
  constructor(entry: string, environment: Readonly<Record<string, string>> = {}) {
    this.#entry = entry;
    this.#environment = environment;
  }

  /** Of the maker: other code, other heads. Starts it. */
  async version(): Promise<string> {
    return (await this.#running()).version;
  }

  /** @throws {NotMade} or {MakerDied} */
  async make({ onStage, signal, ...order }: HeadOrder): Promise<MadeHead> {
    const { process } = await this.#running();
    const number = ++this.#number;
    const cancel = (): void => void this.#post(process, { kind: 'cancel', number });
    try {
      return await new Promise((resolve, reject) => {
        if (!process.connected) throw new MakerDied('the process that makes heads has ended');
        this.#pending.set(number, { onStage, resolve, reject });
        signal.addEventListener('abort', cancel, { once: true });
        this.#post(process, { kind: 'make', number, order });
      });
    } finally {
      signal.removeEventListener('abort', cancel);
      this.#pending.delete(number);
    }
  }

  /** Ends the process, with what it is making. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const maker = await this.#maker?.catch(() => null);
    if (maker?.process.connected) maker.process.disconnect();
  }

  #running(): Promise<RunningMaker> {
    this.#maker ??= this.#start();
    return this.#maker;
  }

  #start(): Promise<RunningMaker> {
    return new Promise((resolve, reject) => {
      let isReady = false;
      const child = fork(this.#entry, [], {
        serialization: 'advanced',
        env: { ...process.env, ...this.#environment },
        execArgv: process.execArgv.filter((flag) => !flag.startsWith('--inspect')),
      });
      child.on('message', (message: MessageFromMaker) => {
        if (message.kind === 'ready') {
          isReady = true;
          resolve({ process: child, version: message.version });
        } else this.#take(message);
      });
      child.on('error', () => {});
      child.once('exit', (code, signal) => {
        const how = signal ?? `code ${code}`;
        if (!isReady) {
          // One that dies at its start is not started in a circle.
          const pause = this.#isClosing ? 0 : pauseAfterFailure;
          setTimeout(() => {
            this.#maker = null;
            reject(new Error(`the process that makes heads did not start (${how})`));
          }, pause);
          return;
        }
        this.#maker = null;
        const error = new MakerDied(`the process that makes heads ended (${how})`);
        for (const pending of [...this.#pending.values()]) pending.reject(error);
        this.#pending.clear();
      });
    });
  }

  #take(message: Exclude<MessageFromMaker, { kind: 'ready' }>): void {
    const pending = this.#pending.get(message.number);
    if (!pending) return;
    if (message.kind === 'stage') pending.onStage?.(message.name, message.progress);
    else if (message.kind === 'made') pending.resolve(message.made);
    else pending.reject(new NotMade(message.reason, message.message));
  }

  /** A process that has gone is told of by its exit. */
  #post(child: ChildProcess, message: MessageToMaker): void {
    if (child.connected) child.send(message, () => {});
  }
}
