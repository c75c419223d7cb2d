import { type ChildProcess, fork } from 'node:child_process';
import type { HeadOrder, MadeHead } from '@likeness/engine/models/head_maker.ts';
import type { Both } from '@likeness/messages';
import type { MessageFromMaker, MessageToMaker } from './maker_messages.ts';

/** The process that was making this died; the cause may be any photo in progress. */
export class MakerDied extends Error {
  override readonly name = 'MakerDied';
}

/** The maker could not make a head, and gave a reason. */
export class NotMade extends Error {
  override readonly name = 'NotMade';
  /** Null if the photo isn't the cause. */
  readonly reason: Both | null;

  constructor(reason: Both | null, message: string) {
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

/** Milliseconds before restarting a maker that can't start. */
const pauseAfterFailure = 2000;

/** Starts the maker's process, restarts it after each crash, and sends it orders. */
export class MakerHost {
  readonly #entry: string;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #pending = new Map<number, Pending>();
  #maker: Promise<RunningMaker> | null = null;
  #number = 0;
  #isClosing = false;

  /** @param entry the process's entry file, which calls `runMakerProcess` */
  constructor(entry: string, environment: Readonly<Record<string, string>> = {}) {
    this.#entry = entry;
    this.#environment = environment;
  }

  /** Returns the maker's version: other code makes other heads. Starts the maker. */
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

  /** Ends the process and its work in progress. */
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
          // Avoids an endless loop of restarts if it dies at its start.
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

  /** If the process is gone, its exit handler reports that. */
  #post(child: ChildProcess, message: MessageToMaker): void {
    if (child.connected) child.send(message, () => {});
  }
}
