import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectionLimits, limitUnauthenticated } from '@likeness/node-kit/network/connection_limits.ts';
import { listenOn } from '@likeness/node-kit/network/listen.ts';
import type { Dispatcher } from '../../ipc/dispatcher.ts';
import type { Pages } from '../pages.ts';
import { OneTimeToken, type TokenEnd } from './one_time_token.ts';
import { PageRequests } from './page_requests.ts';
import { PageSockets, refuseUpgrade } from './page_sockets.ts';
import { RequestIdentity } from './request_identity.ts';
import { Sessions } from './sessions.ts';
import type { UploadDestination } from './upload.ts';

export interface BrowserServerOptions {
  pages: Pages;
  dispatcher: Dispatcher;
  /** Folder for files dropped on the page. */
  uploads: UploadDestination;
  /** 0: any free port. */
  port: number;
  /** Random bytes, for tokens and the secrets of sessions. */
  randomBytes: (count: number) => Uint8Array;
  /** Called with a fresh one-time link at the start and whenever the last one was used. */
  onLink?: (link: string) => void;
  /** The last link from `onLink` has become invalid. */
  onLinkEnd?: (how: TokenEnd) => void;
  /** Manages the sessions. Default: sessions of this server alone. */
  sessions?: Sessions;
  /** Internal transport errors, which close nothing. */
  onDefect?: (where: string, error: unknown) => void;
  /** Milliseconds since 1970. Default: the system's clock. */
  clock?: () => number;
  limits?: Partial<BrowserServerLimits>;
}

/** Timeouts of the listener, all in milliseconds. */
export interface BrowserServerLimits extends ConnectionLimits {
  /** Lifetime of a link. */
  linkFor: number;
  /** For the complete token. */
  enterWithin: number;
  /** For a request's headers. */
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
  /** Makes a new one-time link; earlier ones become invalid. */
  newLink(): string;
  close(): Promise<void>;
}

/**
 * Serves the studio in a browser tab, on 127.0.0.1 only. The link's fragment, which browsers never send,
 * contains a one-time token. The page exchanges it for a session: an HttpOnly, SameSite=Strict cookie, and a
 * secret in the response that the page keeps in sessionStorage.
 *
 * - Every request and socket must name our Host, and our Origin if it names one. That keeps out other sites'
 * pages, also with DNS rebinding. It does not keep out programs, which can set any header.
 * - Cookie and secret together keep out programs and other users of the machine. The cookie alone is not
 * enough: browsers send it to every port of 127.0.0.1, also to another user's. So it opens only the studio's
 * own code and no user data. The secret is bound to our origin including the port. Sockets send it as a
 * subprotocol, uploads and requests as a header, assets as a capability in their address.
 */
export async function serveBrowser(options: BrowserServerOptions): Promise<BrowserServer> {
  const { pages, dispatcher, uploads, randomBytes, onLink, onLinkEnd } = options;
  const { clock = Date.now, onDefect = () => {} } = options;
  const sessions = options.sessions ?? new Sessions({ randomBytes, clock });
  const limits = { ...defaultLimits, ...options.limits };
  const identity = new RequestIdentity(sessions);
  const token = new OneTimeToken({
    randomBytes,
    clock,
    validFor: limits.linkFor,
    onEnd: (how) => onLinkEnd?.(how),
  });
  const newLink = (): string => `${identity.origin}/#token=${token.renew()}`;
  const offerLink = (): void => onLink?.(newLink());
  const admit = (connection: Duplex): void => unauthenticated.admit(connection);

  const requests = new PageRequests({
    identity,
    sessions,
    token,
    pages,
    uploads,
    enterWithin: limits.enterWithin,
    admit,
    onEntered: offerLink,
  });
  const sockets = new PageSockets({ identity, sessions, dispatcher, admit, onDefect });
  const server = createListener(requests, sockets, limits);
  const unauthenticated = limitUnauthenticated(server, limits);

  await listenOn(server, '127.0.0.1', options.port);
  identity.listensOn((server.address() as AddressInfo).port);
  sessions.offerLinksBy(offerLink);
  offerLink();
  const sweep = setInterval(() => sessions.sweep(), 60_000).unref();

  return {
    origin: identity.origin,
    newLink,
    async close() {
      clearInterval(sweep);
      unauthenticated.close();
      token.close();
      sockets.terminate();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function createListener(
  requests: PageRequests,
  sockets: PageSockets,
  { headersWithin }: Pick<BrowserServerLimits, 'headersWithin'>,
): Server {
  const server = createServer(
    { headersTimeout: headersWithin, connectionsCheckingInterval: 1000 },
    (request, response) => {
      requests.answer(request, response).catch(() => {
        // The reader or the file has disappeared: nothing receives the error.
        response.destroy();
      });
    },
  );
  // An upload may be large; the header timeout ends a silent connection.
  server.requestTimeout = 600_000;
  server.on('clientError', (_error, socket) => {
    if (socket.writable) refuseUpgrade(socket, '400 Bad Request');
    else socket.destroy();
  });
  server.on('upgrade', (request, socket, head) => sockets.upgrade(request, socket, head));
  return server;
}
