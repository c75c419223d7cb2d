/**
 * The browser shell's bridge: the same `window.studio` as from Electron's preload, over WebSockets on the
 * page's own origin. One socket carries calls and events; each stream has a separate one.
 */

import type { Message } from '@likeness/messages';
import { bare } from '@likeness/messages/bare.ts';
import {
  maxCallBytes,
  maxStreamBytes,
  type PageSession,
  pageHeader,
  pageProtocol,
  pageStorageKey,
} from '@likeness/proto/page_session.ts';
import { type BridgeTransport, createBridge, type PageAccess, type RegisterFiles } from './bridge.ts';
import type { ContractNames, Result, StudioError } from './contract.ts';

/** `contractNames`, inserted by the build. */
declare const __CONTRACT_NAMES__: ContractNames;

type Answer = (result: Result<unknown>) => void;

/**
 * The session data that the sign-in page stored for this page; null in a tab that was not opened by a link.
 * Windows that the page opens get a copy.
 */
const session = JSON.parse(sessionStorage.getItem(pageStorageKey) ?? 'null') as PageSession | null;

/** Navigates to the sign-in page, which uses a link or explains how to get one; the page's state is lost. */
function leave(hash: string): void {
  // Running calls no longer change the page.
  document.documentElement.hidden = true;
  window.location.replace(`/sign-in${hash}`);
}

const openSocket = (path: string): WebSocket =>
  new WebSocket(`${window.location.origin.replace(/^http/, 'ws')}${path}`, [
    pageProtocol,
    session?.secret ?? '',
  ]);
const headers = { [pageHeader]: session?.secret ?? '' };

/** The session was ended or the studio restarted, so the page has nothing to wait for. */
async function leaveIfEnded(): Promise<void> {
  const answer = await fetch('/session', { headers }).catch(() => null);
  if (answer?.status !== 401) return;
  sessionStorage.removeItem(pageStorageKey);
  leave('#ended');
}

/** Bytes of a text as UTF-8 if they may exceed `most`; otherwise some number that doesn't. */
const bytesBeyond = (text: string, max: number): number =>
  text.length * 3 <= max ? 0 : text.length > max ? text.length : new Blob([text]).size;
const megabytes = (bytes: number): number => Math.ceil(bytes / 1024 / 1024);
const tooMuch = (what: string, bytes: number, max: number): StudioError => ({
  code: 'invalid_input',
  message: bare('page.too_much', '{what} has {megabytes} MB; the page can send at most {most} MB at once.', {
    what,
    megabytes: megabytes(bytes),
    most: megabytes(max),
  }),
  hint: bare('page.smaller_parts', 'Send it in smaller parts.'),
  retryable: false,
});

const cutOff: StudioError = {
  code: 'unreachable',
  message: bare('page.cut_off', 'The connection between this page and the studio broke.'),
  hint: bare(
    'page.connects_again',
    'The page connects again by itself while the studio runs. If it has stopped, start it and open the link that its terminal shows.',
  ),
  retryable: true,
};

/** Called with whether the studio answers. */
const connectionListeners = new Set<(isOpen: boolean) => void>();
let isConnected = true;
function setConnected(isOpen: boolean): void {
  if (isOpen === isConnected) return;
  isConnected = isOpen;
  for (const listener of connectionListeners) listener(isOpen);
}

const listeners = new Map<string, Set<(payload: unknown) => void>>();
const waiting = new Map<number, Answer>();
let nextId = 1;
let control: Promise<WebSocket | null> = Promise.resolve(null);

/** Resolves once the socket is open, or with null if that fails. */
function connect(): Promise<WebSocket | null> {
  return new Promise((resolve) => {
    const socket = openSocket('/socket');
    socket.onopen = () => {
      setConnected(true);
      resolve(socket);
    };
    socket.onmessage = ({ data }: MessageEvent<string>) => receive(data);
    socket.onclose = () => {
      setConnected(false);
      resolve(null);
      for (const answer of waiting.values()) answer({ ok: false, error: cutOff });
      waiting.clear();
      void leaveIfEnded();
      // A laptop that slept closes sockets while the studio keeps running: retry in a second.
      setTimeout(() => {
        control = connect();
      }, 1000);
    };
  });
}

function receive(text: string): void {
  const message = JSON.parse(text) as
    | { id: number; result: Result<unknown> }
    | { event: string; payload: unknown };
  if ('event' in message) {
    for (const listener of listeners.get(message.event) ?? []) listener(message.payload);
    return;
  }
  const answer = waiting.get(message.id);
  waiting.delete(message.id);
  answer?.(message.result);
}

const transport: BridgeTransport = {
  async call(name, input) {
    const socket = await control;
    if (socket?.readyState !== WebSocket.OPEN) return { ok: false, error: cutOff };
    const id = nextId++;
    const message = JSON.stringify({ id, name, input });
    const bytes = bytesBeyond(message, maxCallBytes);
    // The studio would close the socket, and all other calls would fail with it.
    if (bytes > maxCallBytes) return { ok: false, error: tooMuch(name, bytes, maxCallBytes) };
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      socket.send(message);
    });
  },

  onEvent(name, listener) {
    const those = listeners.get(name) ?? new Set();
    listeners.set(name, those);
    // A separate wrapper for each subscription, so that two subscriptions of one function end independently.
    const own = (payload: unknown) => listener(payload);
    those.add(own);
    return () => {
      those.delete(own);
    };
  },

  openStream(name, options) {
    const { port1, port2 } = new MessageChannel();
    const socket = openSocket('/stream');
    socket.binaryType = 'arraybuffer';
    let opened = false;
    let ended = false;
    const early: (Uint8Array<ArrayBuffer> | string)[] = [];
    const end = (): void => {
      if (ended) return;
      ended = true;
      socket.close();
      port2.close();
    };
    socket.onopen = () => {
      opened = true;
      socket.send(JSON.stringify({ name, options }));
      for (const message of early.splice(0)) socket.send(message);
    };
    socket.onmessage = ({ data }: MessageEvent<ArrayBuffer | string>) => {
      port2.postMessage(typeof data === 'string' ? data : new Uint8Array(data));
    };
    socket.onclose = () => {
      if (!ended) port2.postMessage(JSON.stringify(opened ? { close: true } : { error: cutOff }));
      end();
    };
    port2.onmessage = ({ data }: MessageEvent<Uint8Array<ArrayBuffer> | string>) => {
      const bytes = typeof data === 'string' ? bytesBeyond(data, maxStreamBytes) : data.byteLength;
      if (bytes > maxStreamBytes) {
        port2.postMessage(JSON.stringify({ error: tooMuch(name, bytes, maxStreamBytes) }));
        end();
      } else if (socket.readyState === WebSocket.OPEN) socket.send(data);
      else if (socket.readyState === WebSocket.CONNECTING && early.length < 256) early.push(data);
    };
    return { id: crypto.randomUUID(), port: port1 };
  },
};

/** Defines a global `value` that the page can't replace. */
const give = (name: string, value: object): void => {
  Object.defineProperty(window, name, { value: Object.freeze(value) });
};

/** Most bytes in flight. */
const maxConcurrentUploads = 4;

/** Sends a file to main, which assigns an id. @throws Error with main's message */
async function upload(file: File): Promise<string> {
  // A dropped folder's files carry their path within it.
  const name = file.webkitRelativePath || file.name;
  const answer = await fetch(`/upload?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers,
    body: file,
  });
  const { id, message } = (await answer.json().catch(() => ({}))) as { id?: string; message?: Message };
  if (id === undefined)
    throw new Error(message === undefined ? `“${name}” could not be taken in.` : textOf(message));
  return id;
}

const registerFiles: RegisterFiles = async (files) => {
  const ids: string[] = new Array(files.length);
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < files.length; index = next++) {
      const file = files[index];
      if (file) ids[index] = await upload(file);
    }
  };
  await Promise.all(Array.from({ length: maxConcurrentUploads }, worker));
  return ids;
};

// Without a session there is no studio; the sign-in page handles a link in the address.
if (session && !window.location.hash.startsWith('#token=')) {
  control = connect();
  // The page finds the same frozen objects here as under Electron.
  give('studio', createBridge(__CONTRACT_NAMES__, transport));
  give('studioFiles', { register: registerFiles });
  give('studioPage', {
    id: session.id,
    assets: session.assets,
    onConnection(listener) {
      connectionListeners.add(listener);
      listener(isConnected);
      return () => {
        connectionListeners.delete(listener);
      };
    },
  } satisfies PageAccess);
} else leave(window.location.hash);

const textOf = (message: Message): string => (typeof message === 'string' ? message : message.text);
