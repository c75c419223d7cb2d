import type { IncomingMessage } from 'node:http';
import { pageHeader } from '@likeness/proto/page_session.ts';
import type { Session, Sessions } from './sessions.ts';

/** Whose page a request comes from: by our address, the cookies and the secrets that it shows. */
export class RequestIdentity {
  readonly #sessions: Sessions;
  #origin = '';
  #host = '';
  #cookiePrefix = '';

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  /** Nobody is ours before this. */
  listensOn(port: number): void {
    this.#host = `127.0.0.1:${port}`;
    this.#origin = `http://${this.#host}`;
    // Cookies know no ports: two studios on one machine must not take each other's.
    this.#cookiePrefix = `likeness-${port}-`;
  }

  get origin(): string {
    return this.#origin;
  }

  /** Whether it names our own Host, and our own Origin where it names one. */
  isOurs({ headers }: IncomingMessage): boolean {
    return headers.host === this.#host && (headers.origin === undefined || headers.origin === this.#origin);
  }

  /** Whether it says that it comes from our page, which no other page can. */
  isFromPage({ headers }: IncomingMessage): boolean {
    return headers.origin === this.#origin;
  }

  /** Whether one of its cookies is of a session: enough for the studio's own code, and no more. */
  hasCookie(request: IncomingMessage): boolean {
    return this.#sessions.knows(this.#cookiesOf(request));
  }

  /** The session whose secret stands in the page's own header. */
  byHeader(request: IncomingMessage): Session | null {
    const secret = request.headers[pageHeader];
    return typeof secret === 'string' ? this.#sessions.bySecret(secret, this.#cookiesOf(request)) : null;
  }

  /** The session whose secret a socket offers as a subprotocol. */
  byProtocol(request: IncomingMessage): Session | null {
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(/\s*,\s*/).slice(0, 8);
    const cookies = this.#cookiesOf(request);
    return offered.reduce<Session | null>(
      (found, secret) => found ?? this.#sessions.bySecret(secret, cookies),
      null,
    );
  }

  /** The session whose assets this capability opens. */
  byCapability(request: IncomingMessage, capability: string): Session | null {
    return this.#sessions.byCapability(capability, this.#cookiesOf(request));
  }

  /** `set-cookie` headers: this session's cookie, and an end to those of sessions that are over. */
  cookiesAfterEntry(request: IncomingMessage, id: string, cookie: string): string[] {
    const ended = this.#sessions.ended(this.#cookiesOf(request));
    return [this.#cookie(id, cookie), ...ended.map((one) => this.#cookie(one, '', '; Max-Age=0'))];
  }

  /**
   * Values of our own cookies by session: each has one of its own, so that a second page leaves the first its
   * session.
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
