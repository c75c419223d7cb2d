import type { IncomingMessage } from 'node:http';
import { pageHeader } from '@likeness/proto/page_session.ts';
import type { Session, Sessions } from './sessions.ts';

/** Identifies the session of a request by our address, its cookies and its secrets. */
export class RequestIdentity {
  readonly #sessions: Sessions;
  #origin = '';
  #host = '';
  #cookiePrefix = '';

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  /** No request is accepted before this. */
  listensOn(port: number): void {
    this.#host = `127.0.0.1:${port}`;
    this.#origin = `http://${this.#host}`;
    // Cookies ignore ports: two studios on one machine must not replace each other's.
    this.#cookiePrefix = `likeness-${port}-`;
  }

  get origin(): string {
    return this.#origin;
  }

  /** Whether it names our own Host, and our own Origin if it names one. */
  isOurs({ headers }: IncomingMessage): boolean {
    return headers.host === this.#host && (headers.origin === undefined || headers.origin === this.#origin);
  }

  /** Whether its headers prove that it comes from our page. */
  isFromPage({ headers }: IncomingMessage): boolean {
    return headers.origin === this.#origin;
  }

  /** Whether one of its cookies belongs to a session: enough for the studio's own code only. */
  hasCookie(request: IncomingMessage): boolean {
    return this.#sessions.knows(this.#cookiesOf(request));
  }

  /** Returns the session whose secret is in the page's header. */
  byHeader(request: IncomingMessage): Session | null {
    const secret = request.headers[pageHeader];
    return typeof secret === 'string' ? this.#sessions.bySecret(secret, this.#cookiesOf(request)) : null;
  }

  /** Returns the session whose secret a socket offers as a subprotocol. */
  byProtocol(request: IncomingMessage): Session | null {
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(/\s*,\s*/).slice(0, 8);
    const cookies = this.#cookiesOf(request);
    return offered.reduce<Session | null>(
      (found, secret) => found ?? this.#sessions.bySecret(secret, cookies),
      null,
    );
  }

  /** Returns the session whose assets this capability opens. */
  byCapability(request: IncomingMessage, capability: string): Session | null {
    return this.#sessions.byCapability(capability, this.#cookiesOf(request));
  }

  /** `set-cookie` headers: sets this session's cookie, and deletes those of ended sessions. */
  cookiesAfterEntry(request: IncomingMessage, id: string, cookie: string): string[] {
    const ended = this.#sessions.ended(this.#cookiesOf(request));
    return [this.#cookie(id, cookie), ...ended.map((one) => this.#cookie(one, '', '; Max-Age=0'))];
  }

  /**
   * Values of our cookies by session: each has its own, so that a second page keeps the first one's session.
   */
  #cookiesOf(request: IncomingMessage): Map<string, string> {
    const prefix = this.#cookiePrefix;
    return new Map(
      (request.headers.cookie ?? '').split(/;\s*/).flatMap((cookie) => {
        const [name = '', value = ''] = cookie.split('=', 2);
        return name.startsWith(prefix) ? [[name.slice(prefix.length), value] as const] : [];
      }),
    );
  }

  #cookie(id: string, value: string, rest = ''): string {
    return `${this.#cookiePrefix}${id}=${value}; Path=/; HttpOnly; SameSite=Strict${rest}`;
  }
}
