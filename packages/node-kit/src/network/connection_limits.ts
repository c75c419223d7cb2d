import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';

/** How many connections a listener accepts, and how many of them without a key. */
export interface ConnectionLimits {
  /**
   * Most connections at once that have not sent a key. One more closes the one that has been idle longest.
   */
  unauthenticated: number;
  /** Most connections at once that have; one more is refused. */
  authenticated: number;
  /** Milliseconds within which a connection must send something. */
  silentFor: number;
}

export interface UnauthenticatedConnections {
  /** Marks a connection as having sent a key. */
  admit(connection: Duplex): void;
  close(): void;
}

/**
 * Prevents connections without a key from using up a listener's connections. A client with a key sends it
 * with its first bytes, so the connection that has been idle longest is closed. Call it once the server has
 * its listeners.
 *
 * Every connection gets an error listener here first: Node removes its own at an upgrade, and an unhandled
 * error ends the process.
 */
export function limitUnauthenticated(
  server: Server,
  { unauthenticated, authenticated, silentFor }: ConnectionLimits,
): UnauthenticatedConnections {
  /** No request is under way; in the order in which they became idle, oldest first. */
  const silent = new Map<Duplex, number>();
  /** A request is under way; oldest first. */
  const asking = new Set<Duplex>();

  const watch = (connection: Duplex): void => {
    connection.on('error', () => connection.destroy());
    connection.on('close', () => {
      silent.delete(connection);
      asking.delete(connection);
    });
    silent.set(connection, performance.now());
  };

  /** By who is at the other end: with TLS, requests come on another socket than the one that was connected. */
  const handshaking = new Map<string, Duplex>();
  server.on('connection', (connection: Socket) => {
    watch(connection);
    const peer = peerOf(connection);
    handshaking.set(peer, connection);
    connection.on('close', () => {
      if (handshaking.get(peer) === connection) handshaking.delete(peer);
    });
    if (silent.size + asking.size <= unauthenticated) return;
    // The newest connection is about to send; it is closed only if every idle one is.
    const [oldest] = silent.size > 1 ? silent.keys() : asking;
    oldest?.destroy();
  });
  server.on('secureConnection', (connection: TLSSocket) => {
    silent.delete(handshaking.get(peerOf(connection)) ?? connection);
    watch(connection);
  });
  const onRequest = ({ socket }: IncomingMessage, answer: ServerResponse | Duplex): void => {
    if (!silent.delete(socket)) return;
    asking.add(socket);
    answer.once('close', () => {
      if (asking.delete(socket) && !socket.destroyed) silent.set(socket, performance.now());
    });
  };
  // Before the request handler, which may accept the connection at once; without a handler Node answers by
  // itself.
  for (const event of ['request', 'checkContinue', 'upgrade'])
    if (server.listenerCount(event) > 0)
      server.prependListener(event, (request: IncomingMessage, answer: ServerResponse | Duplex) =>
        onRequest(request, answer),
      );
  server.maxConnections = authenticated + 2 * unauthenticated;

  const patience = setInterval(
    () => {
      for (const [connection, since] of silent) {
        if (performance.now() - since < silentFor) return;
        connection.destroy();
      }
    },
    Math.min(1000, silentFor),
  ).unref();

  return {
    admit(connection) {
      silent.delete(connection);
      asking.delete(connection);
    },
    close: () => clearInterval(patience),
  };
}

/** No two connections at once have the same. */
const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
