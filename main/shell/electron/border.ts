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
 * Carries the contract over Electron's IPC with only four channels: `studio:call`, `studio:stream`,
 * `studio:files` and `studio:event`. The dispatcher decides about permissions and validity; this only passes
 * on the sender.
 */
export function bindBorder(
  dispatcher: Dispatcher,
  page: () => WebContents | null,
  register: (file: { path: string; name: string; temporary: boolean }) => string,
): void {
  ipcMain.handle('studio:call', (event, name: unknown, input: unknown) =>
    dispatcher.call(asName(name), input, senderOf(event)),
  );

  // The preload sends here the paths that Chromium reports for dropped or picked files. A page's script can't
  // reach the channel, and a File that it creates has no path. There is no further proof: an attacker who
  // controls the page's whole process can send any path, and neither Electron nor Chromium tells main which
  // files were dropped. Such a path opens little: only pictures and GLB files are read, recognized by their
  // bytes.
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

/** More files than a user drops at once. */
const maxPaths = 50_000;

/** Whether it can be a file's path, not a Windows device (`\\.\…`, `\\?\…`), which nobody can drop. */
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
 * Returns the origin of the frame that sent a message; null for a frame within a page, and for one that no
 * longer exists (`senderFrame` is null then). Read it at once: after an await the frame may show another
 * page.
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
 * Copies bytes into a separate buffer. Cloning a view clones the whole buffer under it, and a small Node
 * `Buffer` is a view of a shared pool, which may contain keys.
 */
function alone(message: Uint8Array): Uint8Array {
  const tight = message.constructor === Uint8Array && message.byteLength === message.buffer.byteLength;
  return tight ? message : new Uint8Array(message);
}
