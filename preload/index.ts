/**
 * Electron's preload: the bridge over IPC. Sandboxed, one CommonJS file, requires only `electron`. The page
 * gets only `window.studio`: Electron's `ipcRenderer`, event objects and channel names stay hidden.
 */

import { bare } from '@likeness/messages/bare.ts';
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { type BridgeTransport, createBridge, type RegisterFiles } from './bridge.ts';
import type { ContractNames, Result, StudioError } from './contract.ts';

/** `contractNames`, inserted by the build, so that the script does not bundle zod. */
declare const __CONTRACT_NAMES__: ContractNames;

const listeners = new Map<string, Set<(payload: unknown) => void>>();

ipcRenderer.on('studio:event', (_event, name: string, payload: unknown) => {
  for (const listener of listeners.get(name) ?? []) listener(payload);
});

const transport: BridgeTransport = {
  async call(name, input) {
    try {
      return (await ipcRenderer.invoke('studio:call', name, input)) as Result<unknown>;
    } catch (cause) {
      return { ok: false, error: notSent(name, cause) };
    }
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
    const id = crypto.randomUUID();
    const { port1, port2 } = new MessageChannel();
    try {
      ipcRenderer.postMessage('studio:stream', { id, name, options }, [port2]);
    } catch (cause) {
      port2.postMessage(JSON.stringify({ error: notSent(name, cause) }));
      port2.close();
    }
    return { id, port: port1 };
  },
};

/**
 * `invoke` itself fails only if a value can't be cloned or main has no such handler, which is an internal
 * error.
 */
function notSent(name: string, cause: unknown): StudioError {
  return {
    code: 'internal',
    message: bare('page.not_sent', '{name} could not be sent: {problem}.', {
      name,
      problem: cause instanceof Error ? cause.message : String(cause),
    }),
    hint: bare('page.restart', 'Restart Likeness Studio. If it happens again, report it with the log.'),
    retryable: false,
  };
}

contextBridge.exposeInMainWorld('studio', createBridge(__CONTRACT_NAMES__, transport));

/**
 * Only the preload knows a file's path: a File that the page creates has none, so the page can't make main
 * read arbitrary files.
 */
const registerFiles: RegisterFiles = async (files) => {
  const paths = files.map((file) => webUtils.getPathForFile(file));
  if (paths.some((path) => path === '')) throw new Error('Only files from the disk can be taken in.');
  const result = (await ipcRenderer.invoke('studio:files', paths)) as Result<string[]>;
  if (!result.ok) {
    const { message } = result.error;
    throw new Error(typeof message === 'string' ? message : message.text);
  }
  return result.value;
};

contextBridge.exposeInMainWorld('studioFiles', Object.freeze({ register: registerFiles }));
