import { t } from '@likeness/messages';
import type { RawData, WebSocket } from 'ws';
import type { Result, StudioError } from '#contract';
import type { BinaryPort, Dispatcher, Sender } from '../../ipc/dispatcher.ts';

/**
 * One socket per page for calls and events, as JSON: `{id, name, input}` → `{id, result}`, and `{event,
 * payload}`.
 */
export function bindControlSocket(
  socket: WebSocket,
  dispatcher: Dispatcher,
  sender: Sender,
  onDefect: (where: string, error: unknown) => void,
): void {
  /** @throws RangeError if it exceeds the maximum string length, TypeError if it is not JSON */
  const send = (message: unknown): void => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
  };
  const unsubscribe = dispatcher.onEvent((event, payload) => {
    try {
      send({ event, payload });
    } catch (error) {
      onDefect(event, error);
    }
  });
  socket.on('close', unsubscribe);
  const answer = async (id: number, name: string, input: unknown): Promise<void> => {
    try {
      send({ id, result: await dispatcher.call(name, input, sender) });
    } catch (error) {
      onDefect(name, error);
      send({ id, result: { ok: false, error: unsent(name) } satisfies Result<never> });
    }
  };
  socket.on('message', (data, isBinary) => {
    const { id, name, input } = isBinary ? {} : parseRecord(textOf(data));
    if (typeof id !== 'number' || typeof name !== 'string') return socket.close(1003, 'not a call');
    answer(id, name, input).catch((error: unknown) => onDefect(name, error));
  });
}

const unsent = (name: string): StudioError => ({
  code: 'internal',
  message: t('ipc.answer_not_sent', { name: name.slice(0, 80) }),
  hint: t('ipc.report'),
  retryable: false,
});

function parseRecord(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** A separate socket for each duplex: the first text message names it, `{name, options}`. */
export function bindStreamSocket(socket: WebSocket, dispatcher: Dispatcher, sender: Sender): void {
  socket.once('message', (data, isBinary) => {
    const { name, options } = isBinary ? {} : parseRecord(textOf(data));
    if (typeof name !== 'string') return socket.close(1003, 'not an opening');
    dispatcher.openStream(name, options, portOver(socket), sender);
  });
}

function portOver(socket: WebSocket): BinaryPort {
  return {
    post(message) {
      if (socket.readyState === socket.OPEN) socket.send(message);
    },
    onMessage(listener) {
      socket.on('message', (data, isBinary) => listener(isBinary ? bytesOf(data) : textOf(data)));
    },
    onClose(listener) {
      socket.on('close', listener);
    },
    close() {
      socket.close();
    },
  };
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}

const textOf = (data: RawData): string => Buffer.from(bytesOf(data)).toString('utf8');
