import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** What a listener bears of connections, and of those that have shown no key. */
export interface ConnectionLimits {
  /** Connections at once that have shown no key. One more ends the one that was silent for longest. */
  unauthenticated: number;
  /** Connections at once that have; one more is refused. */
  authenticated: number;
  /** Milliseconds in which a connection must have said anything at all. */
  silentFor: number;
}

export interface UnauthenticatedConnections {
  /** This connection has shown a key. */
  admit(connection: Duplex): void;
  close(): void;
}

/**
 * Call it when the server has its listeners. Keeps connections without a key from using up those that a
 * listener bears: whoever has a key shows it with the first words, so the one that was silent for longest
 * gives way. Every connection also gets a listener for its errors here, before anything else is done with it:
 * Node takes its own away at an upgrade, and an error that nobody hears ends the process.
 */
export function limitUnauthenticated(
  server: Server,
  { unauthenticated, authenticated, silentFor }: ConnectionLimits,
): UnauthenticatedConnections {
  /** Nothing is under way; by when they began to be silent, oldest first. */
  const silent = new Map<Duplex, number>();
  /** A request is under way; oldest first. */
  const asking = new Set<Duplex>();

  server.on('connection', (connection: Duplex) => {
    connection.on('error', () => connection.destroy());
    connection.on('close', () => {
      silent.delete(connection);
      asking.delete(connection);
    });
    silent.set(connection, performance.now());
    if (silent.size + asking.size <= unauthenticated) return;
    // Who has just come is about to speak; the last of the silent is never that one unless they all ask.
    const [oldest] = silent.size > 1 ? silent.keys() : asking;
    oldest?.destroy();
  });
  const hear = ({ socket }: IncomingMessage, answer: ServerResponse | Duplex): void => {
    if (!silent.delete(socket)) return;
    asking.add(socket);
    answer.once('close', () => {
      if (asking.delete(socket) && !socket.destroyed) silent.set(socket, performance.now());
    });
  };
  // In front of what answers, which may know the connection at once; where nobody listens Node answers by
  // itself.
  for (const event of ['request', 'checkContinue', 'upgrade'])
    if (server.listenerCount(event) > 0)
      server.prependListener(event, (request: IncomingMessage, answer: ServerResponse | Duplex) =>
        hear(request, answer),
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
