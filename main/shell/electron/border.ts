import { basename, isAbsolute } from 'node:path';
import { t } from '@likeness/messages';
import {
  type IpcMainEvent,
  type IpcMainInvokeEvent,
  ipcMain,
  type MessagePortMain,
  type WebContents,
} from 'electron';
import type { Result, StudioError } from '#contract';
import type { BinaryPort, Dispatcher, Sender } from '../../ipc/dispatcher.ts';
import { pageOrigin } from './page_scheme.ts';

const notFiles: StudioError = {
  code: 'invalid_input',
  message: t('ipc.no_files'),
  hint: '',
  retryable: false,
};

/**
 * Carries the contract over Electron's IPC: four channels, `studio:call`, `studio:stream`, `studio:files` and
 * `studio:event`, and no other. What is allowed and what is well formed is the dispatcher's to say; this only
 * tells it who asks.
 */
export function bindBorder(
  dispatcher: Dispatcher,
  page: () => WebContents | null,
  register: (file: { path: string; name: string; temporary: boolean }) => string,
): void {
  ipcMain.handle('studio:call', (event, name: unknown, input: unknown) =>
    dispatcher.call(asName(name), input, senderOf(event)),
  );

  // The preload sends here what Chromium says of files that a person let go over the page or picked; a script
  // of the page's can't reach the channel, and a File that it made up has no path. That is all there is to go
  // by: who has taken over the page's whole process can send any path, and neither Electron nor Chromium
  // tells main which files were let go. What such a path opens is narrow: pictures and GLB files are read,
  // and what they are is looked up in their bytes.
  ipcMain.handle('studio:files', (event, paths: unknown): Result<string[]> => {
    const refused = dispatcher.refusal(senderOf(event));
    if (refused) return { ok: false, error: refused };
    if (!Array.isArray(paths) || paths.length > maxPaths || !paths.every(isFilePath)) {
      return { ok: false, error: notFiles };
    }
    return {
      ok: true,
      value: paths.map((path: string) => register({ path, name: basename(path), temporary: false })),
    };
  });

  ipcMain.on('studio:stream', (event, opening: unknown) => {
    const [port] = event.ports;
    if (!port) return;
    const { name, options } = asOpening(opening);
    dispatcher.openStream(name, options, binaryPort(port), senderOf(event));
    port.start();
  });

  dispatcher.onEvent((name, payload) => {
    const contents = page();
    if (contents && !contents.isDestroyed() && contents.mainFrame.origin === pageOrigin) {
      contents.send('studio:event', name, payload);
    }
  });
}

/** More files than anybody lets go at once. */
const maxPaths = 50_000;

/**
 * Whether it can be a file's path, and not a device's of Windows (`\\.\…`, `\\?\…`), which nobody can let go.
 */
function isFilePath(path: unknown): path is string {
  return (
    typeof path === 'string' &&
    path.length <= 32_767 &&
    isAbsolute(path) &&
    !path.includes('\0') &&
    !/^[\\/]{2}[.?][\\/]/.test(path)
  );
}

/**
 * The origin of the frame that sent a message; null for a frame within a page, and for one that has gone
 * since (`senderFrame` is null then). Read at once: after an await it may have become another's.
 */
function senderOf(event: IpcMainInvokeEvent | IpcMainEvent): Sender {
  const frame = event.senderFrame;
  return { origin: frame && frame.parent === null ? frame.origin : null };
}

const asName = (name: unknown): string => (typeof name === 'string' ? name : '');

function asOpening(opening: unknown): { name: string; options: unknown } {
  if (typeof opening !== 'object' || opening === null) return { name: '', options: undefined };
  const { name, options } = opening as { name?: unknown; options?: unknown };
  return { name: asName(name), options };
}

function binaryPort(port: MessagePortMain): BinaryPort {
  return {
    post: (message) => port.postMessage(typeof message === 'string' ? message : alone(message)),
    onMessage(listener) {
      port.on('message', ({ data }) => {
        if (typeof data === 'string' || data instanceof Uint8Array) listener(data);
        else if (data instanceof ArrayBuffer) listener(new Uint8Array(data));
      });
    },
    onClose: (listener) => void port.once('close', listener),
    close: () => port.close(),
  };
}

/**
 * Bytes in a buffer of their own. Cloning a view clones the whole buffer under it, and a small `Buffer` of
 * Node's is a view of a pool in which anything may lie, keys too.
 */
function alone(message: Uint8Array): Uint8Array {
  const tight = message.constructor === Uint8Array && message.byteLength === message.buffer.byteLength;
  return tight ? message : new Uint8Array(message);
}
