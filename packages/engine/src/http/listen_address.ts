import type { IncomingMessage } from 'node:http';
import type { Text } from './language.ts';
import { loopbackNamesOnly } from './listener_refusals.ts';

/** Where a listener opens, and by which names it may be called. */
export interface ListenAddress {
  /** To listen on: an address of this machine. */
  host: string;
  /** 0: any free one. */
  port: number;
  /** Certificate chain and private key, PEM. Absent: plain HTTP. */
  tls?: TlsFiles;
  /**
   * How a request reached this listener, by the name it was called.
   *
   * @param port The one that is open.
   * @returns Such as `http://127.0.0.1:5000`; null where nobody may call it by that name.
   */
  originOf(request: IncomingMessage, port: number): string | null;
  /** What those are told who called it by another name. */
  wrongName: Text;
}

export interface TlsFiles {
  cert: string | Buffer;
  key: string | Buffer;
}

/** A port of 127.0.0.1 that answers to its own names only: no other name can be pointed at it. */
export const onLoopback = (port: number): ListenAddress => ({
  host: '127.0.0.1',
  port,
  wrongName: loopbackNamesOnly,
  originOf: ({ headers }, open) =>
    ['127.0.0.1', 'localhost'].some((name) => headers.host?.toLowerCase() === `${name}:${open}`)
      ? `http://127.0.0.1:${open}`
      : null,
});
