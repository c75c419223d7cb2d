import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import { maxCallBytes, maxStreamBytes, pageHeader, pageProtocol } from '#proto/page_session.ts';
import { type ConnectionLimits, limitUnauthenticated } from '../../base/connection_limits.ts';
import type { Dispatcher } from '../../ipc/dispatcher.ts';
import { type Pages, securityHeaders } from '../pages.ts';
import { OneTimeToken, type TokenEnd } from './one_time_token.ts';
import { type Session, Sessions } from './sessions.ts';
import { signInPage, signInScript } from './sign_in_page.ts';
import { bindControlSocket, bindStreamSocket } from './sockets.ts';
import { receiveUpload, type UploadPlace } from './upload.ts';

export interface BrowserServerOptions {
  pages: Pages;
  dispatcher: Dispatcher;
  /** Where files dropped on the page go. */
  uploads: UploadPlace;
  /** 0: any free port. */
  port: number;
  /** Random bytes, for tokens and the secrets of sessions. */
  randomBytes: (count: number) => Uint8Array;
  /** Called with a fresh one-time link at the start and whenever the last one was used. */
  onLink?: (link: string) => void;
  /** The link that `onLink` told last is of no use any more. */
  onLinkEnd?: (how: TokenEnd) => void;
  /** Who has the studio open. Default: sessions of this server's own. */
  sessions?: Sessions;
  /** Defects in carrying things over, which end nothing. */
  onDefect?: (where: string, error: unknown) => void;
  /** Milliseconds since 1970. Default: the system's clock. */
  clock?: () => number;
  limits?: Partial<BrowserServerLimits>;
}

/** What the listener bears; all times in milliseconds. */
export interface BrowserServerLimits extends ConnectionLimits {
  /** In which a link must be used. */
  linkFor: number;
  /** In which the token must have come whole. */
  enterWithin: number;
  /** In which a request's headers must have come. */
  headersWithin: number;
}

const defaultLimits: BrowserServerLimits = {
  linkFor: 10 * 60_000,
  enterWithin: 10_000,
  headersWithin: 10_000,
  silentFor: 5000,
  unauthenticated: 128,
  authenticated: 512,
};

export interface BrowserServer {
  origin: string;
  /** A fresh one-time link; earlier ones end. */
  newLink(): string;
  close(): Promise<void>;
}

/** Bytes of the entrance's POST body; the token is 43 characters. */
const maxTokenBody = 1024;

/**
 * The studio in a browser tab, on 127.0.0.1 only. A one-time token in the link's fragment (which browsers
 * send to nobody) is exchanged for a session: an HttpOnly, SameSite=Strict cookie, and a secret in the answer
 * that the page keeps in sessionStorage.
 *
 * - Every request and socket must name our own Host, and where it names an Origin, our own. That keeps out
 *   pages of other sites, also by DNS rebinding; it keeps out no program, which writes there what it likes.
 * - Programs and other users of the machine are kept out by cookie and secret together. The cookie alone is
 *   not enough, since browsers send it to every port of 127.0.0.1, also to one that somebody else listens on:
 *   it opens the studio's own code and nothing of the person's. The secret is bound to our origin, port and
 *   all; sockets want it as a subprotocol, uploads and questions as a header, and assets a capability in
 *   their address.
 */
export async function serveBrowser(options: BrowserServerOptions): Promise<BrowserServer> {
  const { pages, dispatcher, uploads, randomBytes, onLink, onLinkEnd } = options;
  const { clock = Date.now, onDefect = () => {} } = options;
  const sessions = options.sessions ?? new Sessions({ randomBytes, clock });
  const limits = { ...defaultLimits, ...options.limits };
  let origin = '';
  let host = '';
  let cookiePrefix = '';

  const token = new OneTimeToken({
    randomBytes,
    clock,
    validFor: limits.linkFor,
    onEnd: (how) => onLinkEnd?.(how),
  });
  const newLink = (): string => `${origin}/#token=${token.renew()}`;
  const isOurs = (request: IncomingMessage): boolean =>
    request.headers.host === host &&
    (request.headers.origin === undefined || request.headers.origin === origin);
  /**
   * Values of our own cookies by session: each has one of its own, so that a second page leaves the first its
   * session.
   */
  const cookiesOf = (request: IncomingMessage): Map<string, string> =>
    new Map(
      (request.headers.cookie ?? '').split(/;\s*/).flatMap((cookie) => {
        const [name = '', value = ''] = cookie.split('=', 2);
        return name.startsWith(cookiePrefix) ? [[name.slice(cookiePrefix.length), value] as const] : [];
      }),
    );
  const cookieFor = (id: string, value: string, rest = ''): string =>
    `${cookiePrefix}${id}=${value}; Path=/; HttpOnly; SameSite=Strict${rest}`;
  const sessionOf = (request: IncomingMessage): Session | null => {
    const secret = request.headers[pageHeader];
    return typeof secret === 'string' ? sessions.bySecret(secret, cookiesOf(request)) : null;
  };

  const send = (response: ServerResponse, status: number, type: string, text: string): void => {
    response.writeHead(status, {
      ...securityHeaders,
      'content-type': type,
      'cache-control': 'no-store',
      // Who is refused has no business with the connection, nor with the rest of what it was sending.
      ...(status >= 400 && { connection: 'close' }),
    });
    response.end(text);
  };
  const refuse = (response: ServerResponse, status: number, text: string): void =>
    send(response, status, 'text/plain; charset=utf-8', text);
  const refuseUnauthenticated = (response: ServerResponse): void =>
    refuse(response, 401, 'Open the studio with the link that its terminal shows.');

  const enter = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.headers.origin !== origin) return refuse(response, 403, 'Not from this page');
    const offered = await readBody(request, maxTokenBody, limits.enterWithin);
    const fault = offered === null ? 'unknown' : token.take(offered);
    if (fault === 'expired') return refuse(response, 410, 'This link was not used in time.');
    if (fault !== null) {
      return refuse(response, 403, 'This link was used already, or is not from this run of the studio.');
    }
    unauthenticated.admit(request.socket);
    const { cookie, ...page } = sessions.open(request.headers['user-agent'] ?? '');
    response.writeHead(200, {
      ...securityHeaders,
      'set-cookie': [
        cookieFor(page.id, cookie),
        ...sessions.ended(cookiesOf(request)).map((id) => cookieFor(id, '', '; Max-Age=0')),
      ],
      'content-type': 'application/json',
      'cache-control': 'no-store',
    });
    response.end(JSON.stringify(page));
    onLink?.(newLink());
  };

  const upload = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.headers.origin !== origin) return refuse(response, 403, 'Not from this page');
    const session = sessionOf(request);
    if (!session) return refuseUnauthenticated(response);
    unauthenticated.admit(request.socket);
    const leave = sessions.attach(session, () => request.destroy());
    const name = new URL(`${origin}${request.url ?? ''}`).searchParams.get('name') ?? '';
    const { status, ...answer } = await receiveUpload(request, name, uploads).finally(leave);
    send(response, status, 'application/json', JSON.stringify(answer));
  };

  const sendPage = async (
    request: IncomingMessage,
    response: ServerResponse,
    { path, from }: { path: string; from: 'page' | 'both' },
  ): Promise<void> => {
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers))
      if (typeof value === 'string') headers.set(name, value);
    const wanted = new Request(`${origin}${path}`, { method: request.method ?? 'GET', headers });
    const page = await pages(wanted, from);
    response.writeHead(page.status, Object.fromEntries(page.headers));
    if (page.body) await pipeline(page.body, response);
    else response.end();
  };

  const sendAsset = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, capability = '', path = ''] = /^\/s\/([\w-]+)(\/asset\/.*)$/.exec(request.url ?? '') ?? [];
    const session = sessions.byCapability(capability, cookiesOf(request));
    if (!session) return refuseUnauthenticated(response);
    unauthenticated.admit(request.socket);
    const leave = sessions.attach(session, () => response.destroy());
    await sendPage(request, response, { path, from: 'both' }).finally(leave);
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isOurs(request)) return refuse(response, 403, 'This address answers its own page only.');
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    if (request.method === 'POST' && path === '/enter') return enter(request, response);
    if (request.method === 'POST' && path === '/upload') return upload(request, response);
    if (path === '/sign-in') return send(response, 200, 'text/html; charset=utf-8', signInPage);
    if (path === '/enter.js') return send(response, 200, 'text/javascript; charset=utf-8', signInScript);
    // A page that lost its socket asks whether it is the studio that ended, or its session.
    if (path === '/session') {
      if (!sessionOf(request)) return refuseUnauthenticated(response);
      unauthenticated.admit(request.socket);
      return send(response, 200, 'text/plain; charset=utf-8', '');
    }
    if (path.startsWith('/s/')) return sendAsset(request, response);
    if (sessions.knows(cookiesOf(request)))
      return sendPage(request, response, { path: request.url ?? '/', from: 'page' });
    if (path === '/') return send(response, 200, 'text/html; charset=utf-8', signInPage);
    return refuseUnauthenticated(response);
  };

  const server = createServer(
    { headersTimeout: limits.headersWithin, connectionsCheckingInterval: 1000 },
    (request, response) => {
      answer(request, response).catch(() => {
        // The reader went away, or the file did: nobody is left to tell.
        response.destroy();
      });
    },
  );
  // An upload may be large; a connection that says nothing is ended by the header timeout.
  server.requestTimeout = 600_000;
  server.on('clientError', (_error, socket) => {
    if (socket.writable) refuseUpgrade(socket, '400 Bad Request');
    else socket.destroy();
  });

  const callSockets = new WebSocketServer({ noServer: true, maxPayload: maxCallBytes, handleProtocols });
  const streamSockets = new WebSocketServer({ noServer: true, maxPayload: maxStreamBytes, handleProtocols });
  for (const sockets of [callSockets, streamSockets])
    sockets.on('wsClientError', (_error, socket) => refuseUpgrade(socket, '400 Bad Request'));
  const open = new Set<WebSocket>();
  server.on('upgrade', (request, socket, head) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(/\s*,\s*/).slice(0, 8);
    const cookies = cookiesOf(request);
    const session = offered.reduce<Session | null>(
      (found, secret) => found ?? sessions.bySecret(secret, cookies),
      null,
    );
    // A page can't forge its Origin: a socket without one is no page of ours.
    if (!isOurs(request) || request.headers.origin !== origin || !session) {
      return refuseUpgrade(socket, '403 Forbidden');
    }
    if (path !== '/socket' && path !== '/stream') return refuseUpgrade(socket, '404 Not Found');
    unauthenticated.admit(socket);
    const sockets = path === '/socket' ? callSockets : streamSockets;
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      // What breaks the protocol or the connection ends the one socket: `close` follows.
      webSocket.on('error', () => webSocket.terminate());
      open.add(webSocket);
      const leave = sessions.attach(session, () => webSocket.terminate());
      webSocket.on('close', () => {
        open.delete(webSocket);
        leave();
      });
      const sender = { origin: request.headers.origin ?? null };
      if (path === '/socket') bindControlSocket(webSocket, dispatcher, sender, onDefect);
      else bindStreamSocket(webSocket, dispatcher, sender);
    });
  });
  const unauthenticated = limitUnauthenticated(server, limits);

  await listen(server, options.port);
  const { port } = server.address() as AddressInfo;
  host = `127.0.0.1:${port}`;
  origin = `http://${host}`;
  // Cookies know no ports: two studios on one machine must not take each other's.
  cookiePrefix = `likeness-${port}-`;
  const offerLink = (): void => onLink?.(newLink());
  sessions.offerLinksBy(offerLink);
  offerLink();
  const sweep = setInterval(() => sessions.sweep(), 60_000).unref();

  return {
    get origin() {
      return origin;
    },
    newLink,
    async close() {
      clearInterval(sweep);
      unauthenticated.close();
      token.close();
      for (const webSocket of open) webSocket.terminate();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/**
 * The secret is never answered where the page offers a name for what it speaks; a program may offer it alone.
 */
function handleProtocols(offered: Set<string>): string | false {
  return offered.has(pageProtocol) ? pageProtocol : ([...offered][0] ?? false);
}

/** Answers in the raw what is not to become a socket, and waits for nothing more of it. */
function refuseUpgrade(socket: Duplex, status: string): void {
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/**
 * @returns null where there is more than `most` bytes. Rejects where it did not come within so many
 *   milliseconds.
 */
async function readBody(request: IncomingMessage, most: number, within: number): Promise<string | null> {
  const late = setTimeout(() => request.destroy(), within);
  try {
    const parts: Buffer[] = [];
    let length = 0;
    for await (const part of request as AsyncIterable<Buffer>) {
      length += part.length;
      if (length > most) return null;
      parts.push(part);
    }
    return Buffer.concat(parts).toString('utf8');
  } finally {
    clearTimeout(late);
  }
}
