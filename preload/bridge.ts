/**
 * Builds the page's `window.studio` from the contract's names: plain functions that only pass values on.
 * Electron's preload and the browser shell's script differ only in their transport.
 *
 * It contains names and no schemas: main checks all input, out of the page's reach.
 */
import type { ContractNames, Result } from './contract.ts';

/** A shell's transport to main. Names are `room.name`. */
export interface BridgeTransport {
  /** Never rejects: even a call that can't be sent returns an error as a value. */
  call(name: string, input: unknown): Promise<Result<unknown>>;
  /** Returns a function that unsubscribes. */
  onEvent(name: string, listener: (payload: unknown) => void): () => void;
  /** Opens a stream; `port` is the page's end of it. Errors arrive through the port as `{"error":…}`. */
  openStream(name: string, options: unknown): { id: string; port: MessagePort };
}

export type BridgeCall = (input?: unknown) => Promise<Result<unknown>>;
/**
 * Returns a function that unsubscribes: contextBridge changes a listener's identity, so it can't be passed
 * again.
 */
export type BridgeSubscription = (listener: (payload: unknown) => void) => () => void;
/** Returns the id under which the port arrives. */
export type BridgeStream = (options?: unknown) => Promise<string>;

/** `window.studio`. Frozen, as by contextBridge, so that both shells give the page the same object. */
export type Bridge = Readonly<
  Record<string, Readonly<Record<string, BridgeCall | BridgeSubscription | BridgeStream>>>
>;

/** The message that brings a stream's port to the page; `event.ports[0]` is the port. */
export interface StreamArrival {
  type: 'likeness:stream';
  id: string;
}

/**
 * `bridge[room][call](input)`, `bridge[room].on<Event>(listener)`, `bridge[room][stream](options)`.
 *
 * contextBridge can't carry a MessagePort, so a stream's port comes as a `message` event on the window
 * (`StreamArrival`, `event.source === window`). It may arrive before or after the promise with its id
 * settles: listen before you open.
 *
 * Messages on the port: `Uint8Array` (the stream's messages) and strings (control, JSON). Send them
 * without a transfer list: a buffer transferred to Electron's main process arrives empty (electron#34905).
 */
export function createBridge(names: ContractNames, transport: BridgeTransport): Bridge {
  const rooms = Object.entries(names).map(([room, { calls, events, streams }]) => {
    const functions: [string, BridgeCall | BridgeSubscription | BridgeStream][] = [];
    for (const call of calls) {
      functions.push([call, (input?: unknown) => transport.call(`${room}.${call}`, input)]);
    }
    for (const event of events) {
      functions.push([
        `on${event.charAt(0).toUpperCase()}${event.slice(1)}`,
        (listener: (payload: unknown) => void) => transport.onEvent(`${room}.${event}`, listener),
      ]);
    }
    for (const stream of streams) {
      functions.push([stream, async (options?: unknown) => open(transport, `${room}.${stream}`, options)]);
    }
    return [room, Object.freeze(Object.fromEntries(functions))] as const;
  });
  return Object.freeze(Object.fromEntries(rooms));
}

function open(transport: BridgeTransport, name: string, options: unknown): string {
  const { id, port } = transport.openStream(name, options);
  const arrival: StreamArrival = { type: 'likeness:stream', id };
  window.postMessage(arrival, window.location.origin, [port]);
  return id;
}

/**
 * `window.studioFiles.register(files)`: gives main the files that the user dropped or picked, and returns an
 * id for each, in the same order. The page names files by these ids and never by a path. Rejects with an
 * Error whose message suggests a solution.
 */
export type RegisterFiles = (files: readonly File[]) => Promise<string[]>;

/** `window.studioPage`: a browser page's identity; absent under Electron. */
export interface PageAccess {
  /** Id of the page's session, among `app.openPages`. */
  id: string;
  /** Prefix of every asset's path: a capability, which ends with the session. */
  assets: string;
  /**
   * Reports, at once and after each change, whether the studio answers. Returns a function that unsubscribes.
   */
  onConnection(listener: (isOpen: boolean) => void): () => void;
}
