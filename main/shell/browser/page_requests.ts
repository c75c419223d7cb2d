import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Pages, securityHeaders } from '../pages.ts';
import type { OneTimeToken } from './one_time_token.ts';
import type { RequestIdentity } from './request_identity.ts';
import type { Sessions } from './sessions.ts';
import { signInPage, signInScript } from './sign_in_page.ts';
import { receiveUpload, type UploadDestination } from './upload.ts';

export interface PageRequestsOptions {
  identity: RequestIdentity;
  sessions: Sessions;
  token: OneTimeToken;
  pages: Pages;
  uploads: UploadDestination;
  /** Milliseconds within which the token must have arrived completely. */
  enterWithin: number;
  /** This connection belongs to a session. */
  admit: (connection: Duplex) => void;
  /** The link has been used. */
  onEntered: () => void;
}

/** Maximum bytes of the sign-in's POST body; the token has 43 characters. */
const maxTokenBody = 1024;

/** Handles the browser's HTTP requests: sign-in, the page's code, its assets, uploads. */
export class PageRequests {
  readonly #options: PageRequestsOptions;

  constructor(options: PageRequestsOptions) {
    this.#options = options;
  }

  /** Rejects if the reader or the file disappears. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { identity } = this.#options;
    if (!identity.isOurs(request)) return refuse(response, 403, 'This address answers its own page only.');
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    if (request.method === 'POST' && path === '/enter') return this.#enter(request, response);
    if (request.method === 'POST' && path === '/upload') return this.#upload(request, response);
    if (path === '/sign-in') return send(response, 200, html, signInPage);
    if (path === '/enter.js') return send(response, 200, 'text/javascript; charset=utf-8', signInScript);
    if (path === '/session') return this.#confirmSession(request, response);
    if (path.startsWith('/s/')) return this.#sendAsset(request, response);
    if (identity.hasCookie(request)) {
      return this.#sendPage(request, response, { path: request.url ?? '/', from: 'page' });
    }
    if (path === '/') return send(response, 200, html, signInPage);
    return refuseUnauthenticated(response);
  }

  /** Exchanges the link's token for a session. */
  async #enter(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { identity, sessions, token, enterWithin, admit, onEntered } = this.#options;
    if (!identity.isFromPage(request)) return refuse(response, 403, 'Not from this page');
    const offered = await readBody(request, maxTokenBody, enterWithin);
    const fault = offered === null ? 'unknown' : token.take(offered);
    if (fault === 'expired') return refuse(response, 410, 'This link was not used in time.');
    if (fault !== null) {
      return refuse(
        response,
        403,
        'This link was used already, was replaced by a newer one, or is not from this run of the studio.',
      );
    }
    admit(request.socket);
    const { cookie, ...page } = sessions.open(request.headers['user-agent'] ?? '');
    response.writeHead(200, {
      ...securityHeaders,
      'set-cookie': identity.cookiesAfterEntry(request, page.id, cookie),
      'content-type': 'application/json',
      'cache-control': 'no-store',
    });
    response.end(JSON.stringify(page));
    onEntered();
  }

  async #upload(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { identity, sessions, uploads, admit } = this.#options;
    if (!identity.isFromPage(request)) return refuse(response, 403, 'Not from this page');
    const session = identity.byHeader(request);
    if (!session) return refuseUnauthenticated(response);
    admit(request.socket);
    const leave = sessions.attach(session, () => request.destroy());
    const name = new URL(`${identity.origin}${request.url ?? ''}`).searchParams.get('name') ?? '';
    const { status, ...answer } = await receiveUpload(request, name, uploads).finally(leave);
    send(response, status, 'application/json', JSON.stringify(answer));
  }

  /** A page that lost its socket asks whether the studio or only its session has ended. */
  async #confirmSession(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { identity, admit } = this.#options;
    if (!identity.byHeader(request)) return refuseUnauthenticated(response);
    admit(request.socket);
    send(response, 200, 'text/plain; charset=utf-8', '');
  }

  async #sendAsset(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { identity, sessions, admit } = this.#options;
    const [, capability = '', path = ''] = /^\/s\/([\w-]+)(\/asset\/.*)$/.exec(request.url ?? '') ?? [];
    const session = identity.byCapability(request, capability);
    if (!session) return refuseUnauthenticated(response);
    admit(request.socket);
    const leave = sessions.attach(session, () => response.destroy());
    await this.#sendPage(request, response, { path, from: 'both' }).finally(leave);
  }

  async #sendPage(
    request: IncomingMessage,
    response: ServerResponse,
    { path, from }: { path: string; from: 'page' | 'both' },
  ): Promise<void> {
    const { identity, pages } = this.#options;
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers))
      if (typeof value === 'string') headers.set(name, value);
    const wanted = new Request(`${identity.origin}${path}`, { method: request.method ?? 'GET', headers });
    const page = await pages(wanted, from);
    response.writeHead(page.status, Object.fromEntries(page.headers));
    if (page.body) await pipeline(page.body, response);
    else response.end();
  }
}

const html = 'text/html; charset=utf-8';

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, {
    ...securityHeaders,
    'content-type': type,
    'cache-control': 'no-store',
    // Close the connection of a refused client without reading the rest of its request.
    ...(status >= 400 && { connection: 'close' }),
  });
  response.end(text);
}

const refuse = (response: ServerResponse, status: number, text: string): void =>
  send(response, status, 'text/plain; charset=utf-8', text);

const refuseUnauthenticated = (response: ServerResponse): void =>
  refuse(response, 401, 'Open the studio with the link that its terminal shows.');

/** @returns null if there are more than `most` bytes. Rejects if the body does not arrive in time. */
async function readBody(request: IncomingMessage, max: number, within: number): Promise<string | null> {
  const late = setTimeout(() => request.destroy(), within);
  try {
    const parts: Buffer[] = [];
    let length = 0;
    for await (const part of request as AsyncIterable<Buffer>) {
      length += part.length;
      if (length > max) return null;
      parts.push(part);
    }
    return Buffer.concat(parts).toString('utf8');
  } finally {
    clearTimeout(late);
  }
}
