import { type UtilityProcess, utilityProcess } from 'electron';
import { inheritable } from '../inheritable.ts';
import type { ChildProcess, Shell } from '../shell.ts';

/** Electron ends a utility process whose object was collected. */
const running = new Set<UtilityProcess>();

/**
 * Starts one of our modules as a utility process: Node without a window, inside the asar, with the RunAsNode
 * fuse off. It exits with the app. Only after the app is ready.
 */
export const forkUtility: Shell['fork'] = (entry, { name, env }): ChildProcess => {
  const child = utilityProcess.fork(entry, [], {
    serviceName: name,
    env: { ...inheritable(process.env), ...env },
    stdio: 'inherit',
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return {
    get pid() {
      return child.pid;
    },
    postMessage: (message) => child.postMessage(message),
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => void child.once('exit', listener),
    kill() {
      // Electron's `kill` sends SIGTERM, which a hanging process does not handle.
      if (process.platform === 'win32' || child.pid === undefined) child.kill();
      else process.kill(child.pid, 'SIGKILL');
    },
  };
};
