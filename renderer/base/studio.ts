/**
 * The one instance of the bridge. Both shells put the same plain object on `window.studio` before the page
 * runs; this file gives it the contract's types: a refused call throws a `StudioFailure`, and a stream's port
 * becomes a `StudioStream`.
 */

import { joinMessages, type Message } from '@likeness/messages';
import type { ContractNames, Result, StudioApi, StudioError, StudioErrorCode, StudioStream } from '#contract';
import { worded } from './text/sentence-text.ts';

/** `contractNames`, put in by the build, so that the page loads no schemas. */
declare const __CONTRACT_NAMES__: ContractNames;

/** The API that the preload (Electron) or the bridge script (browser) exposes. */
export type RawBridge = Record<string, Record<string, (argument?: unknown) => unknown>>;

declare global {
  interface Window {
    studio?: RawBridge;
  }
}

/** A call that was refused or failed, with what to do about it. */
export class StudioFailure extends Error {
  readonly code: StudioErrorCode;
  readonly retryable: boolean;
  readonly field: string | undefined;

  /** As received: `message` and `hint` are its text in the current language. */
  readonly userMessage: Message;
  readonly advice: Message;

  constructor(error: StudioError) {
    super();
    // Translated when it is read: the language may have changed since.
    Object.defineProperty(this, 'message', { get: () => worded(error.message) });
    this.name = 'StudioFailure';
    this.code = error.code;
    this.userMessage = error.message;
    this.advice = error.hint;
    this.retryable = error.retryable;
    this.field = error.field;
  }

  get hint(): string {
    return worded(this.advice);
  }

  /** Message and hint, in whole sentences. */
  get text(): string {
    return worded(joinMessages(this.userMessage, this.advice));
  }
}

/** Turns anything thrown into a failure; other errors are defects of ours. */
export const asFailure = (thrown: unknown): StudioFailure =>
  thrown instanceof StudioFailure
    ? thrown
    : new StudioFailure({
        code: 'internal',
        message: thrown instanceof Error ? thrown.message : String(thrown),
        hint: '',
        retryable: false,
      });

const isResult = (value: unknown): value is Result<unknown> =>
  typeof value === 'object' && value !== null && 'ok' in value;

async function callThrough(raw: (argument?: unknown) => unknown, argument: unknown): Promise<unknown> {
  let result: unknown;
  try {
    result = await raw(argument);
  } catch (thrown) {
    throw asFailure(thrown);
  }
  if (!isResult(result)) return result;
  if (result.ok) return result.value;
  throw new StudioFailure(result.error);
}

// ── Streams ─────────────────────────────────────────────────────────────────────────────────────────────
// `contextBridge` can't carry a MessagePort, so the port comes by window.postMessage and is matched by its
// id; either may arrive first.

const arrived = new Map<string, MessagePort>();
const awaited = new Map<string, (port: MessagePort) => void>();

function receivePort(event: MessageEvent): void {
  if (event.source !== window) return;
  const data: unknown = event.data;
  if (typeof data !== 'object' || data === null) return;
  const { type, id } = data as { type?: unknown; id?: unknown };
  const port = event.ports[0];
  if (type !== 'likeness:stream' || typeof id !== 'string' || !port) return;
  const waiting = awaited.get(id);
  if (waiting) {
    awaited.delete(id);
    waiting(port);
  } else arrived.set(id, port);
}

function portFor(id: string): Promise<MessagePort> {
  const port = arrived.get(id);
  if (port) {
    arrived.delete(id);
    return Promise.resolve(port);
  }
  return new Promise((resolve) => awaited.set(id, resolve));
}

type Control = { open?: true; error?: StudioError; close?: true };

/** Resolves once main says the stream is open; rejects with main's reason if it was refused. */
function streamOver(port: MessagePort): Promise<StudioStream> {
  return new Promise((resolve, reject) => {
    let listener: ((message: Uint8Array) => void) | undefined;
    const early: Uint8Array[] = [];
    const closers: ((error?: StudioError) => void)[] = [];
    let opened = false;
    let ended: { error: StudioError | undefined } | undefined;

    const end = (error?: StudioError): void => {
      if (ended) return;
      ended = { error };
      port.close();
      for (const closer of closers) closer(error);
    };
    const stream: StudioStream = {
      send: (message) => {
        if (ended) return;
        // Without a transfer list: a buffer transferred to Electron's main process arrives empty.
        port.postMessage(message);
      },
      onMessage: (next) => {
        listener = next;
        for (const message of early.splice(0)) next(message);
      },
      onClose: (closer) => {
        if (ended) closer(ended.error);
        else closers.push(closer);
      },
      close: () => {
        if (!ended) port.postMessage(JSON.stringify({ close: true }));
        end();
      },
    };

    port.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (data instanceof Uint8Array || data instanceof ArrayBuffer) {
        const message = data instanceof Uint8Array ? data : new Uint8Array(data);
        if (listener) listener(message);
        else early.push(message);
        return;
      }
      if (typeof data !== 'string') return;
      const control = JSON.parse(data) as Control;
      if (control.open) {
        opened = true;
        resolve(stream);
      } else if (control.error) {
        if (!opened) reject(new StudioFailure(control.error));
        end(control.error);
      } else if (control.close) {
        if (!opened)
          reject(
            new StudioFailure({
              code: 'cancelled',
              message: 'The stream was closed before it opened.',
              hint: '',
              retryable: true,
            }),
          );
        end();
      }
    };
    port.start();
  });
}

// ── The typed studio ────────────────────────────────────────────────────────────────────────────────────

/** Gives a raw bridge the contract's types. */
function connect(raw: RawBridge): StudioApi {
  window.addEventListener('message', receivePort);
  const rooms = Object.entries(__CONTRACT_NAMES__).map(([room, { calls, events, streams }]) => {
    const rawRoom = raw[room];
    const member = (name: string): ((argument?: unknown) => unknown) => {
      const found = rawRoom?.[name];
      if (!found)
        throw new Error(`The shell's bridge has no ${room}.${name}: page and shell are of different builds.`);
      return found;
    };
    const members: Record<string, (argument?: unknown) => unknown> = {};
    for (const call of calls) members[call] = (input) => callThrough(member(call), input);
    for (const event of events) {
      const name = `on${event.charAt(0).toUpperCase()}${event.slice(1)}`;
      members[name] = (listener) => member(name)(listener);
    }
    for (const stream of streams)
      members[stream] = async (options) =>
        streamOver(await portFor((await callThrough(member(stream), options)) as string));
    return [room, members] as const;
  });
  return Object.fromEntries(rooms) as unknown as StudioApi;
}

let instance: { raw: RawBridge; api: StudioApi } | undefined;

/** The studio behind this page. A page that was opened without its shell has none, and says so. */
export const studio: StudioApi = new Proxy({} as StudioApi, {
  get: (_, room) => {
    const raw = window.studio;
    if (!raw)
      throw new StudioFailure({
        code: 'unsupported',
        message: 'This page was opened without its studio.',
        hint: 'Start Likeness Studio with `npm start` and use the window or the address it opens.',
        retryable: false,
      });
    if (instance?.raw !== raw) instance = { raw, api: connect(raw) };
    return instance.api[room as keyof StudioApi];
  },
});
