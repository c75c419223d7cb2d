/** The parent process, Electron's main process or Node, behind the same three functions. */
export interface Parent {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called when the parent has exited, for any reason. */
  onGone(listener: () => void): void;
}

/** The part of Electron's `process.parentPort` that is used here; named without importing `electron`. */
interface ParentPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
}

/** Returns the channel to the parent; null if this process was started by hand. */
export function findParent(): Parent | null {
  const port = (process as unknown as { parentPort?: ParentPort }).parentPort;
  if (port) {
    return {
      post: (message) => port.postMessage(message),
      onMessage: (listener) => void port.on('message', (event) => listener(event.data)),
      onGone: (listener) => void port.on('close', listener),
    };
  }
  if (!process.send) return null;
  return {
    post(message) {
      // A parent that exits closes the channel first; `onGone` reports it.
      if (process.connected) process.send?.(message, undefined, {}, () => {});
    },
    onMessage: (listener) => void process.on('message', listener),
    onGone: (listener) => void process.on('disconnect', listener),
  };
}
