import { createHash, timingSafeEqual } from 'node:crypto';
import type { PageSession } from '@likeness/proto/page_session.ts';
import type { OpenPage } from '#contract';
import type { OpenPages } from '../shell.ts';
import { browserName } from './browser_name.ts';

export interface SessionsOptions {
  randomBytes: (count: number) => Uint8Array;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Maximum number of sessions; a further one ends the session that was inactive for longest. */
  most?: number;
  /** Milliseconds without a connection after which a session expires. */
  idleFor?: number;
}

/** A page that was opened by a link. */
export interface Session {
  readonly id: string;
}

interface Kept extends Session {
  readonly cookie: string;
  readonly secret: string;
  readonly capability: string;
  readonly browser: string;
  readonly openedAt: number;
  seenAt: number;
  /** Functions that close its open connections. */
  readonly connections: Set<() => void>;
}

const hour = 3_600_000;

/**
 * The browser sessions of the studio. A session is one page (with the windows that it opens itself) and has
 * three secrets. The browser hides the cookie from scripts but sends it to every port of this machine. The
 * page's secret goes to no other port, but any script of the page could read it. The capability in the
 * addresses of assets ends up in lists of downloads. User data requires the cookie and one of the others.
 */
export class Sessions implements OpenPages {
  readonly #options: Required<SessionsOptions>;
  readonly #sessions = new Map<string, Kept>();
  /** By the hash of secret or capability: the time of a look-up reveals nothing about them. */
  readonly #byHash = new Map<string, Kept>();
  readonly #listeners = new Set<(pages: OpenPage[]) => void>();
  #offer: () => void = () => {};

  constructor(options: SessionsOptions) {
    this.#options = { most: 32, idleFor: 12 * hour, ...options };
  }

  /** Starts a session. `cookie` is the value of the cookie `cookieName(id)`. */
  open(userAgent: string): PageSession & { cookie: string } {
    this.sweep();
    if (this.#sessions.size >= this.#options.most) {
      const [first] = [...this.#sessions.values()].sort(
        (a, b) => Math.sign(a.connections.size) - Math.sign(b.connections.size) || a.seenAt - b.seenAt,
      );
      if (first) this.#end(first);
    }
    const now = this.#options.clock();
    const session: Kept = {
      id: this.#random(9),
      cookie: this.#random(32),
      secret: this.#random(32),
      capability: this.#random(32),
      browser: browserName(userAgent),
      openedAt: now,
      seenAt: now,
      connections: new Set(),
    };
    this.#sessions.set(session.id, session);
    for (const secret of [session.secret, session.capability]) this.#byHash.set(hashOf(secret), session);
    this.#changed();
    const { id, cookie, secret, capability } = session;
    return { id, cookie, secret, assets: `/s/${capability}` };
  }

  /** Returns the session that a page's secret opens together with its cookie. */
  bySecret(secret: string, cookies: ReadonlyMap<string, string>): Session | null {
    const session = this.#found(secret, cookies);
    return session && sameText(session.secret, secret) ? session : null;
  }

  /** Returns the session whose assets this capability opens together with its cookie. */
  byCapability(capability: string, cookies: ReadonlyMap<string, string>): Session | null {
    const session = this.#found(capability, cookies);
    return session && sameText(session.capability, capability) ? session : null;
  }

  /**
   * Whether one of the cookies (session id to value) belongs to a session: enough for the studio's own code
   * only.
   */
  knows(cookies: ReadonlyMap<string, string>): boolean {
    this.sweep();
    return [...cookies].some(([id, value]) => {
      const session = this.#sessions.get(id);
      return session !== undefined && sameText(session.cookie, value);
    });
  }

  /** Returns the cookies whose sessions have ended. */
  ended(cookies: ReadonlyMap<string, string>): string[] {
    return [...cookies.keys()].filter((id) => !this.#sessions.has(id));
  }

  /**
   * Keeps a session alive until the returned function is called.
   *
   * @param cut closes the connection when the session ends
   */
  attach({ id }: Session, cut: () => void): () => void {
    const session = this.#sessions.get(id);
    if (!session) {
      cut();
      return () => {};
    }
    session.connections.add(cut);
    session.seenAt = this.#options.clock();
    if (session.connections.size === 1) this.#changed();
    return () => {
      if (!session.connections.delete(cut)) return;
      session.seenAt = this.#options.clock();
      if (session.connections.size === 0) this.#changed();
    };
  }

  /** Ends expired sessions. */
  sweep(): void {
    const since = this.#options.clock() - this.#options.idleFor;
    for (const session of this.#sessions.values())
      if (session.connections.size === 0 && session.seenAt < since) this.#end(session);
  }

  list(): OpenPage[] {
    this.sweep();
    const now = this.#options.clock();
    return [...this.#sessions.values()].map(({ id, browser, openedAt, seenAt, connections }) => ({
      id,
      browser,
      openedAt,
      seenAt: connections.size > 0 ? now : seenAt,
      connected: connections.size > 0,
    }));
  }

  end(ids: readonly string[]): void {
    for (const id of ids) {
      const session = this.#sessions.get(id);
      if (session) this.#end(session);
    }
  }

  onChanged(listener: (pages: OpenPage[]) => void): void {
    this.#listeners.add(listener);
  }

  offerLink(): void {
    this.#offer();
  }

  /** Implements `offerLink`: set by the server, which has the links. */
  offerLinksBy(offer: () => void): void {
    this.#offer = offer;
  }

  #found(secret: string, cookies: ReadonlyMap<string, string>): Kept | null {
    this.sweep();
    const session = this.#byHash.get(hashOf(secret));
    if (!session || !sameText(session.cookie, cookies.get(session.id) ?? '')) return null;
    session.seenAt = this.#options.clock();
    return session;
  }

  #end(session: Kept): void {
    this.#sessions.delete(session.id);
    for (const secret of [session.secret, session.capability]) this.#byHash.delete(hashOf(secret));
    const connections = [...session.connections];
    session.connections.clear();
    for (const cut of connections) cut();
    this.#changed();
  }

  #changed(): void {
    const pages = this.list();
    for (const listener of this.#listeners) listener(pages);
  }

  #random(bytes: number): string {
    return Buffer.from(this.#options.randomBytes(bytes)).toString('base64url');
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
/** Hashes a secret for storage and comparison. */
export const hashOf = (secret: string): string => digest(secret).toString('base64');

/** Compares in constant time; hashing first makes the lengths equal. */
const sameText = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));
