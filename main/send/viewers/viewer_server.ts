import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { limitUnauthenticated } from '@likeness/node-kit/network/connection_limits.ts';
import { listenOn } from '@likeness/node-kit/network/listen.ts';
import { WebSocketServer } from 'ws';
import type { ViewerFeed } from './viewer_feed.ts';

export interface ViewerServerOptions {
  /** 0: any free port. */
  port: number;
  /** Tokens in the paths of the page, its files and its socket. */
  pageToken: string;
  /** Opens the socket for scripts. */
  socketToken: string;
  feed: ViewerFeed;
  /** Returns the page's files and heads, by the path after its token. */
  pages: (request: Request) => Promise<Response>;
}

export interface ViewerServer {
  pageUrl: string;
  socketUrl: string;
  close(): Promise<void>;
}

/** Viewers have nothing to send: a longer message closes the connection. */
const maxReceivedBytes = 1024;
const limits = { unauthenticated: 32, authenticated: 64, silentFor: 5000 };

/**
 * Serves the page for OBS and other browser sources, and the WebSocket for scripts, on 127.0.0.1 only. The
 * address contains a token, one for the page and another for scripts. Every request must name this address as
 * its host, which keeps out other sites' names.
 */
export async function serveViewers(options: ViewerServerOptions): Promise<ViewerServer> {
  const { feed, pages } = options;
  const isPage = sameAs(options.pageToken);
  const isScript = sameAs(options.socketToken);
  let port = options.port;
  const isOurs = ({ headers }: IncomingMessage): boolean =>
    headers.host === `127.0.0.1:${port}` || headers.host === `localhost:${port}`;
  const server = createServer(
    { headersTimeout: 10_000, connectionsCheckingInterval: 1000 },
    (request, response) => {
      answer(request, response).catch(() => response.destroy()); // the client disconnected
    },
  );

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { kind, token, path } = addressOf(request);
    if (!isOurs(request) || kind !== 'obs' || !isPage(token)) return refuse(response, 404);
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405);
    guard.admit(request.socket);
    const headers = new Headers();
    for (const name of ['range', 'if-range', 'if-none-match'])
      if (typeof request.headers[name] === 'string') headers.set(name, request.headers[name]);
    const page = await pages(
      new Request(`http://127.0.0.1:${port}${path}`, { method: request.method, headers }),
    );
    const isHtml = page.headers.get('content-type')?.startsWith('text/html');
    response.writeHead(page.status, {
      ...Object.fromEntries(page.headers),
      ...(isHtml && { 'content-security-policy': policyOf(port) }),
    });
    if (page.body) await pipeline(page.body, response);
    else response.end();
  };

  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxReceivedBytes,
    perMessageDeflate: false,
  });
  sockets.on('wsClientError', (_error, socket) => socket.destroy());
  server.on('upgrade', (request: IncomingMessage, connection: Duplex, head: Buffer) => {
    const { kind, token, path, query } = addressOf(request);
    const isPageSocket = kind === 'obs' && path === '/frames' && isPage(token) && isFromPage(request, port);
    const isScriptSocket = kind === 'frames' && path === '/' && isScript(token) && !isFromWebsite(request);
    if (!isOurs(request) || !(isPageSocket || isScriptSocket)) {
      connection.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    guard.admit(connection);
    sockets.handleUpgrade(request, connection, head, (socket) => {
      socket.on('error', () => socket.terminate());
      const leave = feed.add(socket, sinceOf(query));
      if (!leave) return socket.close(1013, 'too many viewers');
      socket.on('close', leave);
    });
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  const guard = limitUnauthenticated(server, limits);

  await listenOn(server, '127.0.0.1', options.port);
  port = (server.address() as AddressInfo).port;
  return {
    pageUrl: `http://127.0.0.1:${port}/obs/${options.pageToken}/`,
    socketUrl: `ws://127.0.0.1:${port}/frames/${options.socketToken}`,
    async close() {
      guard.close();
      feed.close();
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** `/obs/<token>/assets/x.js?…`, `/frames/<token>`. */
function addressOf({ url = '/' }: IncomingMessage): {
  kind: string;
  token: string;
  path: string;
  query: URLSearchParams;
} {
  const [address = '', query = ''] = url.split('?', 2);
  const [, kind = '', token = '', ...path] = address.split('/');
  return { kind, token, path: `/${path.join('/')}`, query: new URLSearchParams(query) };
}

/** Compares in constant time. */
function sameAs(token: string): (offered: string) => boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  const wanted = hash(token);
  return (offered) => timingSafeEqual(hash(offered), wanted);
}

/** A page can't forge its origin; a program can, but needs the token anyway. */
const isFromPage = ({ headers: { origin } }: IncomingMessage, port: number): boolean =>
  origin === undefined || origin === `http://127.0.0.1:${port}` || origin === `http://localhost:${port}`;

/** Scripts send no origin; pages of a person's own come from a file (`null`) or from this machine. */
function isFromWebsite({ headers: { origin } }: IncomingMessage): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  return /^https?:$/.test(protocol) && !['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
}

function sinceOf(query: URLSearchParams): { run: string; revision: number } | null {
  const revision = Number(query.get('since') ?? Number.NaN);
  return Number.isInteger(revision) ? { run: query.get('run') ?? '', revision } : null;
}

/**
 * The page's policy: only this address. The socket is listed because `'self'` meant only HTTP in older
 * browsers; `wasm-unsafe-eval` is for the decoder of compressed heads.
 */
const policyOf = (port: number): string =>
  [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self' blob:",
    `connect-src 'self' blob: ws://127.0.0.1:${port} ws://localhost:${port}`,
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  });
  response.end(status === 404 ? 'Take the address from Likeness Studio: Live, Send.' : 'GET only');
}
