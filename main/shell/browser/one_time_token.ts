import { hashOf } from './sessions.ts';

export interface OneTimeTokenOptions {
  randomBytes: (count: number) => Uint8Array;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Milliseconds in which a token must be used. */
  validFor: number;
  /** The token that was last made is of no use any more: used, over its time, or replaced by another. */
  onEnd: (how: TokenEnd) => void;
}

export type TokenEnd = 'used' | 'expired' | 'replaced';

/** Tokens whose end is remembered, so that a person learns what became of their link. */
const remembered = 64;

/** The token of a link that opens one page, once, within its time. There is one at a time. */
export class OneTimeToken {
  readonly #options: OneTimeTokenOptions;
  readonly #ended = new Map<string, TokenEnd>();
  #current: { hash: string; until: number; timer: NodeJS.Timeout } | null = null;

  constructor(options: OneTimeTokenOptions) {
    this.#options = options;
  }

  /** A fresh one; the one before ends. */
  renew(): string {
    this.#end('replaced');
    const { randomBytes, clock, validFor } = this.#options;
    const token = Buffer.from(randomBytes(32)).toString('base64url');
    const timer = setTimeout(() => this.#end('expired'), validFor).unref();
    this.#current = { hash: hashOf(token), until: clock() + validFor, timer };
    return token;
  }

  /** Uses a token up. @returns null where it was good, else what became of it */
  take(token: string): TokenEnd | 'unknown' | null {
    // A machine that slept wakes with timers that are late.
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
