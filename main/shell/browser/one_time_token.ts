import { hashOf } from './sessions.ts';

export interface OneTimeTokenOptions {
  randomBytes: (count: number) => Uint8Array;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Milliseconds during which a token is valid. */
  validFor: number;
  /** The last token became invalid: used, expired, or replaced by another. */
  onEnd: (how: TokenEnd) => void;
}

export type TokenEnd = 'used' | 'expired' | 'replaced';

/** Number of invalid tokens to remember, so that the user learns why a link does not work. */
const remembered = 64;

/** The token of a link that opens one page, once, within a time limit. There is one at a time. */
export class OneTimeToken {
  readonly #options: OneTimeTokenOptions;
  readonly #ended = new Map<string, TokenEnd>();
  #current: { hash: string; until: number; timer: NodeJS.Timeout } | null = null;

  constructor(options: OneTimeTokenOptions) {
    this.#options = options;
  }

  /** Makes a new token; the previous one becomes invalid. */
  renew(): string {
    this.#end('replaced');
    const { randomBytes, clock, validFor } = this.#options;
    const token = Buffer.from(randomBytes(32)).toString('base64url');
    const timer = setTimeout(() => this.#end('expired'), validFor).unref();
    this.#current = { hash: hashOf(token), until: clock() + validFor, timer };
    return token;
  }

  /** Uses a token. @returns null if it was valid, otherwise why not */
  take(token: string): TokenEnd | 'unknown' | null {
    // Timers fire late after the machine has slept.
    if (this.#current && this.#options.clock() > this.#current.until) this.#end('expired');
    const hash = hashOf(token);
    if (this.#current?.hash !== hash) return this.#ended.get(hash) ?? 'unknown';
    this.#end('used');
    return null;
  }

  close(): void {
    clearTimeout(this.#current?.timer);
  }

  #end(how: TokenEnd): void {
    const current = this.#current;
    if (!current) return;
    this.#current = null;
    clearTimeout(current.timer);
    this.#ended.set(current.hash, how);
    for (const oldest of this.#ended.keys()) {
      if (this.#ended.size <= remembered) break;
      this.#ended.delete(oldest);
    }
    this.#options.onEnd(how);
  }
}
