import { createMutex } from '@likeness/node-kit/async/mutex.ts';
import type { ExternalListener, ExternalState } from './engine_messages.ts';
import { accessByKeys } from './http/access.ts';
import { onLoopback } from './http/listen_address.ts';
import { type EngineServer, type EngineServerOptions, startEngineServer } from './http/server.ts';

/** The service on a fixed port for other programs, beside the studio's own. */
export class ExternalServer {
  readonly #options: Omit<EngineServerOptions, 'access'>;
  readonly #inTurn = createMutex();
  #server: EngineServer | null = null;

  /** Closed until `set`. */
  constructor(options: Omit<EngineServerOptions, 'access'>) {
    this.#options = options;
  }

  /** Opens it, moves it, or closes it (null). */
  set(wanted: ExternalListener | null): Promise<ExternalState> {
    return this.#inTurn(() => this.#change(wanted));
  }

  async close(milliseconds: number): Promise<void> {
    await this.#server?.close(milliseconds);
  }

  async #change(wanted: ExternalListener | null): Promise<ExternalState> {
    // A replaced key must stop working at once, so requests in progress are cut off.
    await this.#server?.close(0);
    this.#server = null;
    if (!wanted) return { port: null, problem: '' };
    const { port, key } = wanted;
    try {
      const access = accessByKeys({ accessToken: key, apiKey: key }, 'external');
      this.#server = await startEngineServer({ ...this.#options, access }, onLoopback(port));
      return { port: this.#server.port, problem: '' };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EADDRINUSE') this.#options.log('warning', `port ${port} could not be opened`, error);
      return {
        port: null,
        problem: code === 'EADDRINUSE' ? 'in_use' : code === 'EACCES' ? 'not_allowed' : 'failed',
      };
    }
  }
}
