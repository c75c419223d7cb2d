import { createHash, timingSafeEqual } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import {
  announceCommandSocket,
  type CommandSocket,
  newCommandSocket,
  removeCommandSocket,
} from './command_socket.ts';
import { createLineReader, parseLine } from './line_reader.ts';
import {
  Greeting,
  HandedCommand,
  Interruption,
  ipcLimits,
  ipcProtocol,
  type ReasonToRefuse,
  type StudioLine,
} from './messages.ts';

/** Output and interruption of a forwarded command. */
export interface CommandEnds {
  out(text: string): void;
  error(text: string): void;
  /**
   * Aborted by Ctrl-C, when the client disconnects or no longer reads the output, and when the studio closes.
   */
  onInterruption(listener: (why: 'person' | 'unread' | 'closing') => void): void;
}

export interface CommandServerOptions {
  /** The data folder, whose instance lock the caller holds. */
  folder: string;
  version: string;
  processId: number;
  /** Runs one command and returns its exit code. */
  run(command: HandedCommand, ends: CommandEnds): Promise<number>;
  /** Called with an internal error, or when commands can't be accepted here (a disk without sockets). */
  report(error: unknown): void;
}

export interface CommandServer {
  /** Accepts no more commands, ends running ones, and removes the announced address. */
  close(): Promise<void>;
}

/**
 * Accepts commands from this user's command lines. Does nothing if the system does not support the socket.
 */
export async function acceptCommands(options: CommandServerOptions): Promise<CommandServer> {
  const { folder, version, processId, report } = options;
  const point = newCommandSocket(folder, { protocol: ipcProtocol, version, pid: processId });
  const running = new Set<Promise<void>>();
  const ending = new AbortController();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serveOne(socket, point, options, running, ending.signal);
  });
  server.maxConnections = 4 * ipcLimits.commands;
  try {
    await listen(server, point.address);
    if (process.platform !== 'win32') chmodSync(point.address, 0o600);
    await announceCommandSocket(folder, point);
  } catch (error) {
    report(error);
    server.close();
    removeCommandSocket(folder, point.address);
    return { close: async () => {} };
  }
  server.on('error', report);
  return {
    async close() {
      // Remove the announcement first: a new client must find no studio.
      removeCommandSocket(folder, point.address);
      server.close();
      ending.abort();
      await Promise.race([Promise.allSettled(running), pause(ipcLimits.closing, undefined, { ref: false })]);
      for (const socket of sockets) socket.destroy();
    },
  };
}

function listen(server: Server, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function serveOne(
  socket: Socket,
  point: CommandSocket,
  { run, report, version }: CommandServerOptions,
  running: Set<Promise<void>>,
  studioEnds: AbortSignal,
): void {
  const interruption = new AbortController();
  const interrupt = (why: 'person' | 'unread' | 'closing'): void => interruption.abort(why);
  studioEnds.addEventListener('abort', () => interrupt('closing'), { signal: interruption.signal });
  let known = false;
  let begun = false;
  const send = (line: StudioLine): void => {
    if (socket.destroyed || socket.writableEnded) return;
    socket.write(`${JSON.stringify(line)}\n`);
    // A client that doesn't read must not fill the studio's memory.
    if (socket.writableLength > ipcLimits.unread) socket.destroy();
  };
  const refuse = (reason: ReasonToRefuse): void => {
    send({ kind: 'refused', reason, version });
    socket.end();
  };
  const tooLate = setTimeout(() => socket.destroy(), ipcLimits.firstWord);
  /**
   * Returns why a greeting is refused; null if it comes from this user's command line of the same version.
   */
  const reasonToRefuse = (line: string): ReasonToRefuse | null => {
    const { data } = Greeting.safeParse(parseLine(line));
    if (!data) return 'malformed';
    if (!isSame(data.token, point.token)) return 'token';
    if (data.protocol !== ipcProtocol || data.version !== version) return 'version';
    return running.size >= ipcLimits.commands ? 'busy' : null;
  };
  const greet = (line: string): void => {
    const reason = reasonToRefuse(line);
    known = reason === null;
    if (reason) refuse(reason);
    else send({ kind: 'ready' });
  };
  const begin = (line: string): void => {
    clearTimeout(tooLate);
    const { data } = HandedCommand.safeParse(parseLine(line));
    if (!data || studioEnds.aborted) {
      refuse(data ? 'closing' : 'malformed');
      return;
    }
    begun = true;
    const done = runOne(data).finally(() => running.delete(done));
    running.add(done);
  };
  const runOne = async (command: HandedCommand): Promise<void> => {
    const alive = setInterval(() => send({ kind: 'alive' }), ipcLimits.alive);
    const write =
      (kind: 'out' | 'error') =>
      (text: string): void => {
        for (let from = 0, to = 0; from < text.length; from = to) {
          to = from + ipcLimits.text;
          // Keeps surrogate pairs whole.
          if (/[\ud800-\udbff]/.test(text[to - 1] ?? '')) to -= 1;
          send({ kind, text: text.slice(from, to) });
        }
      };
    const ends: CommandEnds = {
      out: write('out'),
      error: write('error'),
      onInterruption: (listener) =>
        interruption.signal.addEventListener('abort', () => listener(interruption.signal.reason)),
    };
    try {
      send({ kind: 'end', code: await run(command, ends) });
    } catch (error) {
      report(error);
      ends.error('The open studio met a fault of its own; its log has more.\n');
      send({ kind: 'end', code: 1 });
    } finally {
      clearInterval(alive);
      socket.end();
    }
  };
  const handleLine = (line: string): void => {
    if (!known) greet(line);
    else if (!begun) begin(line);
    else {
      const { data } = Interruption.safeParse(parseLine(line));
      if (data) interrupt(data.why);
    }
  };
  socket.on(
    'data',
    createLineReader(
      () => (known && !begun ? ipcLimits.command : ipcLimits.line),
      handleLine,
      () => (begun ? socket.destroy() : refuse('malformed')),
    ),
  );
  // A broken connection does not affect the others.
  socket.on('error', () => {});
  socket.on('close', () => {
    clearTimeout(tooLate);
    interrupt('person');
  });
}

const isSame = (one: string, other: string): boolean => {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
};
