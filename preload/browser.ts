/**
 * The browser shell's bridge: the same `window.studio` as Electron's preload makes, over WebSockets on the
 * page's own origin. One socket carries calls and events; each stream has one of its own.
 */
import { type BridgeTransport, createBridge, type RegisterFiles } from './bridge.ts';
import type { ContractNames, Result, StudioError } from './contract.ts';

/** `contractNames`, put in by the build. */
declare const __CONTRACT_NAMES__: ContractNames;

type Answer = (result: Result<unknown>) => void;

const socketUrl = (path: string): string => `${window.location.origin.replace(/^http/, 'ws')}${path}`;

const stopped: StudioError = {
  code: 'unreachable',
  message: 'The studio behind this page has stopped.',
  hint: 'Start it again and open the link that its terminal shows.',
  retryable: true,
};

const listeners = new Map<string, Set<(payload: unknown) => void>>();
const waiting = new Map<number, Answer>();
let nextId = 1;
let control = connect();

/** Resolves once the socket is open, with null where it can't be. */
function connect(): Promise<WebSocket | null> {
  return new Promise((resolve) => {
    const socket = new WebSocket(socketUrl('/socket'));
    socket.onopen = () => resolve(socket);
    socket.onmessage = ({ data }: MessageEvent<string>) => receive(data);
    socket.onclose = () => {
      resolve(null);
      for (const answer of waiting.values()) answer({ ok: false, error: stopped });
      waiting.clear();
      // A laptop that slept closes sockets while the studio lives on: the next second tells.
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
    if (socket?.readyState !== WebSocket.OPEN) return { ok: false, error: stopped };
    return new Promise((resolve) => {
      const id = nextId++;
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, name, input }));
    });
  },

  onEvent(name, listener) {
    const those = listeners.get(name) ?? new Set();
    listeners.set(name, those);
    // A wrapper of its own for each subscription, so that subscribing one function twice gives two that end apart.
    const own = (payload: unknown) => listener(payload);
    those.add(own);
    return () => {
      those.delete(own);
    };
  },

  openStream(name, options) {
    const { port1, port2 } = new MessageChannel();
    const socket = new WebSocket(socketUrl('/stream'));
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
      if (!ended) port2.postMessage(JSON.stringify(opened ? { close: true } : { error: stopped }));
      end();
    };
    port2.onmessage = ({ data }: MessageEvent<Uint8Array<ArrayBuffer> | string>) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(data);
      else if (socket.readyState === WebSocket.CONNECTING && early.length < 256) early.push(data);
    };
    return { id: crypto.randomUUID(), port: port1 };
  },
};

// The page finds the same frozen object here as under Electron, and can't replace it.
Object.defineProperty(window, 'studio', { value: createBridge(__CONTRACT_NAMES__, transport) });

/** Bytes on their way at once. */
const uploadsAtOnce = 4;

/** Sends a file to main, which gives it an id. @throws Error with what to do, in main's words */
async function upload(file: File): Promise<string> {
  // A dropped folder's files carry their path within it.
  const name = file.webkitRelativePath || file.name;
  const answer = await fetch(`/upload?name=${encodeURIComponent(name)}`, { method: 'POST', body: file });
  const { id, message } = (await answer.json()) as { id?: string; message?: string };
  if (id === undefined) throw new Error(message ?? `“${name}” could not be taken in.`);
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
  await Promise.all(Array.from({ length: uploadsAtOnce }, worker));
  return ids;
};

Object.defineProperty(window, 'studioFiles', { value: Object.freeze({ register: registerFiles }) });
