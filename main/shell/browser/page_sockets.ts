import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { maxCallBytes, maxStreamBytes, pageProtocol } from '@likeness/proto/page_session.ts';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Dispatcher } from '../../ipc/dispatcher.ts';
import type { RequestIdentity } from './request_identity.ts';
import type { Session, Sessions } from './sessions.ts';
import { bindControlSocket, bindStreamSocket } from './sockets.ts';

export interface PageSocketsOptions {
  identity: RequestIdentity;
  sessions: Sessions;
  dispatcher: Dispatcher;
  /** This connection belongs to a session. */
  admit: (connection: Duplex) => void;
  /** Internal transport errors, which close nothing. */
  onDefect: (where: string, error: unknown) => void;
}

/** The open sockets of pages: one each for calls and events, and one for each stream. */
export class PageSockets {
  readonly #options: PageSocketsOptions;
  readonly #calls = socketServer(maxCallBytes);
  readonly #streams = socketServer(maxStreamBytes);
  readonly #open = new Set<WebSocket>();

  constructor(options: PageSocketsOptions) {
    this.#options = options;
  }

  /** Upgrades a connection to a socket, or refuses it. */
  upgrade(request: IncomingMessage, connection: Duplex, head: Buffer): void {
    const { identity, dispatcher, admit, onDefect } = this.#options;
    const path = (request.url ?? '').split('?')[0] ?? '';
    const session = identity.byProtocol(request);
    // A page can't forge its Origin: a socket without one is not from our page.
    if (!identity.isOurs(request) || !identity.isFromPage(request) || !session) {
      refuseUpgrade(connection, '403 Forbidden');
      return;
    }
    if (path !== '/socket' && path !== '/stream') {
      refuseUpgrade(connection, '404 Not Found');
      return;
    }
    admit(connection);
    const isForCalls = path === '/socket';
    const sockets = isForCalls ? this.#calls : this.#streams;
    sockets.handleUpgrade(request, connection, head, (socket) => {
      this.#keep(socket, session);
      const sender = { origin: identity.origin };
      if (isForCalls) bindControlSocket(socket, dispatcher, sender, onDefect);
      else bindStreamSocket(socket, dispatcher, sender);
    });
  }

  terminate(): void {
    for (const socket of this.#open) socket.terminate();
  }

  /** Counts as a connection until it closes or its session ends. */
  #keep(socket: WebSocket, session: Session): void {
    // A protocol or connection error closes only this socket: `close` follows.
    socket.on('error', () => socket.terminate());
    this.#open.add(socket);
    const leave = this.#options.sessions.attach(session, () => socket.terminate());
    socket.on('close', () => {
      this.#open.delete(socket);
      leave();
    });
  }
}

function socketServer(maxPayload: number): WebSocketServer {
  const sockets = new WebSocketServer({ noServer: true, maxPayload, handleProtocols });
  sockets.on('wsClientError', (_error, socket) => refuseUpgrade(socket, '400 Bad Request'));
  return sockets;
}

/** Never return the secret if the page also offers a protocol name; a program may offer only the secret. */
function handleProtocols(offered: Set<string>): string | false {
  return offered.has(pageProtocol) ? pageProtocol : ([...offered][0] ?? false);
}

/** Sends a raw HTTP response to a refused upgrade, and closes the connection. */
export function refuseUpgrade(socket: Duplex, status: string): void {
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
}
