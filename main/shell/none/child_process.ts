import { fork } from 'node:child_process';
import { inheritable } from '../inheritable.ts';
import type { ChildProcess, Shell } from '../shell.ts';

/** Starts one of our processes under plain Node, for the shells without Electron. It shares our console. */
export const forkNode: Shell['fork'] = (entry, options): ChildProcess => {
  const child = fork(entry, [], {
    execArgv: [...process.execArgv, ...options.flags],
    env: { ...inheritable(process.env), ...options.env },
    // Typed arrays and buffers keep their types on the way.
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let ended = false;
  const onExit: ((code: number | null) => void)[] = [];
  const end = (code: number | null): void => {
    if (ended) return;
    ended = true;
    for (const listener of onExit) listener(code);
  };
  child.on('exit', end);
  child.on('error', () => end(null));
  return {
    get pid() {
      return child.pid;
    },
    postMessage(message) {
      // The channel closes slightly before the exit event: messages in between are dropped.
      if (child.connected) child.send(message as object, () => {});
    },
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => void onExit.push(listener),
    kill: () => void child.kill('SIGKILL'),
  };
};
