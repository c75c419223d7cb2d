import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Dispatcher } from '../../ipc/dispatcher.ts';
import { type Pages, securityHeaders } from '../pages.ts';
import { entrance, entranceScript } from './entrance.ts';
import { bindControlSocket, bindStreamSocket } from './sockets.ts';
import { receiveUpload, type UploadPlace } from './upload.ts';

export interface BrowserServerOptions {
  pages: Pages;
  dispatcher: Dispatcher;
  /** Where files dropped on the page go. */
  uploads: UploadPlace;
  /** 0: any free port. */
  port: number;
  /** Random bytes, for tokens and the session cookie. */
  randomBytes: (count: number) => Uint8Array;
  /** Called with a fresh one-time link at the start and whenever the last one was used. */
  onLink?: (link: string) => void;
}

export interface BrowserServer {
  origin: string;
  /** A fresh one-time link; earlier ones end. */
  newLink(): string;
  close(): Promise<void>;
}

/** Bytes of the entrance's POST body; the token is 43 characters. */
const maxTokenBody = 1024;
const maxMessageBytes = 16 * 1024 * 1024;

/**
 * The studio in a browser tab, on 127.0.0.1 only. A one-time token in the link's fragment (which browsers send
 * to nobody) is exchanged for an HttpOnly, SameSite=Strict cookie. Every request and socket must name our own
 * Host, and where it names an Origin, our own: that keeps out other sites (also by DNS rebinding) and, with the
 * cookie, other users of the machine.
 */
export async function serveBrowser(options: BrowserServerOptions): Promise<BrowserServer> {
  const { pages, dispatcher, uploads, randomBytes, onLink } = options;
  const secret = (): string => Buffer.from(randomBytes(32)).toString('base64url');
  const session = secret();
  let token: string | null = null;
  let origin = '';
  let host = '';
  let cookieName = '';

  const newLink = (): string => {
    token = secret();
    return `${origin}/#token=${token}`;
  };
  const isOurs = (request: IncomingMessage): boolean =>
    request.headers.host === host &&
    (request.headers.origin === undefined || request.headers.origin === origin);
  const hasSession = (request: IncomingMessage): boolean => {
    const cookies = (request.headers.cookie ?? '').split(/;\s*/);
    const value = cookies.find((cookie) => cookie.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1);
    return value !== undefined && sameText(value, session);
  };

  const refuse = (response: ServerResponse, status: number, text: string): void => {
    response.writeHead(status, {
      ...securityHeaders,
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
    });
    response.end(text);
  };

  const enter = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.headers.origin !== origin) return refuse(response, 403, 'Not from this page');
    const offered = await readBody(request, maxTokenBody);
    if (token === null || offered === null || !sameText(offered, token)) {
      return refuse(response, 403, 'This link was used already, or is not from this run of the studio.');
    }
    token = null;
    response.writeHead(204, {
      ...securityHeaders,
      'set-cookie': `${cookieName}=${session}; Path=/; HttpOnly; SameSite=Strict`,
      'cache-control': 'no-store',
    });
    response.end();
    onLink?.(newLink());
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isOurs(request)) return refuse(response, 403, 'This address answers its own page only.');
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    if (request.method === 'POST' && path === '/enter') return enter(request, response);
    if (!hasSession(request)) {
      if (path === '/') return sendText(response, 'text/html; charset=utf-8', entrance);
      if (path === '/enter.js') return sendText(response, 'text/javascript; charset=utf-8', entranceScript);
      return refuse(response, 401, 'Open the studio with the link that its terminal shows.');
    }
    if (request.method === 'POST' && path === '/upload') {
      if (request.headers.origin !== origin) return refuse(response, 403, 'Not from this page');
      const name = new URL(`${origin}${request.url ?? ''}`).searchParams.get('name') ?? '';
      const { status, ...answer } = await receiveUpload(request, name, uploads);
      response.writeHead(status, {
        ...securityHeaders,
        'content-type': 'application/json',
        'cache-control': 'no-store',
      });
      response.end(JSON.stringify(answer));
      return;
    }
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers))
      if (typeof value === 'string') headers.set(name, value);
    const page = await pages(
      new Request(`${origin}${request.url ?? '/'}`, { method: request.method ?? 'GET', headers }),
    );
    response.writeHead(page.status, Object.fromEntries(page.headers));
    if (page.body) await pipeline(page.body, response);
    else response.end();
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => {
      // The reader went away, or the file did: nobody is left to tell.
      response.destroy();
    });
  });
  server.headersTimeout = 10_000;
  // An upload may be large; a connection that says nothing is ended by the header timeout.
  server.requestTimeout = 600_000;

  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes });
  const open = new Set<WebSocket>();
  server.on('upgrade', (request, socket, head) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    // A page can't forge its Origin: a socket without one is no page of ours.
    if (!isOurs(request) || request.headers.origin !== origin || !hasSession(request)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    if (path !== '/socket' && path !== '/stream') {
      socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      open.add(webSocket);
      webSocket.on('close', () => open.delete(webSocket));
      const sender = { origin: request.headers.origin ?? null };
      if (path === '/socket') bindControlSocket(webSocket, dispatcher, sender);
      else bindStreamSocket(webSocket, dispatcher, sender);
    });
  });

  await listen(server, options.port);
  const { port } = server.address() as AddressInfo;
  host = `127.0.0.1:${port}`;
  origin = `http://${host}`;
  // Cookies know no ports: two studios on one machine must not take each other's.
  cookieName = `likeness-${port}`;
  onLink?.(newLink());

  return {
    get origin() {
      return origin;
    },
    newLink,
    async close() {
      for (const webSocket of open) webSocket.terminate();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
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

function sendText(response: ServerResponse, type: string, text: string): void {
  response.writeHead(200, { ...securityHeaders, 'content-type': type, 'cache-control': 'no-store' });
  response.end(text);
}

async function readBody(request: IncomingMessage, most: number): Promise<string | null> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > most) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Compares in constant time; hashing first makes the lengths equal. */
function sameText(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
