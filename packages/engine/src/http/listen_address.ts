import type { IncomingMessage } from 'node:http';
import type { KeyedMessage } from '@likeness/messages';
import { loopbackNamesOnly } from './listener_refusals.ts';

/** Where a listener opens, and the host names that it answers to. */
export interface ListenAddress {
  /** An address of this machine. */
  host: string;
  /** 0: any free port. */
  port: number;
  /** Certificate chain and private key, PEM. Absent: plain HTTP. */
  tls?: TlsFiles;
  /**
   * Returns the origin by which a request reached this listener.
   *
   * @param port The open port.
   * @returns Such as `http://127.0.0.1:5000`; null if the listener doesn't answer to that name.
   */
  originOf(request: IncomingMessage, port: number): string | null;
  /** The message for requests that use another name. */
  wrongName: KeyedMessage;
}

export interface TlsFiles {
  cert: string | Buffer;
  key: string | Buffer;
}

/** A port of 127.0.0.1 that answers to its own names only, which prevents DNS rebinding. */
export const onLoopback = (port: number): ListenAddress => ({
  host: '127.0.0.1',
  port,
  wrongName: loopbackNamesOnly,
  originOf: ({ headers }, open) =>
    ['127.0.0.1', 'localhost'].some((name) => headers.host?.toLowerCase() === `${name}:${open}`)
      ? `http://127.0.0.1:${open}`
      : null,
});
