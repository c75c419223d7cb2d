/**
 * Connections that break in every way that we know of, against a studio that is served, and what they leave
 * behind.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { maxCallBytes, maxStreamBytes, type PageSession } from '@likeness/proto/page_session.ts';
import { WebSocket } from 'ws';
import { mainFlags } from '../../../../scripts/main_flags.ts';

const root = join(import.meta.dirname, '../../../..');

export interface ServedStudio {
  origin: string;
  port: number;
  process: ChildProcess;
  /** A page that came in. */
  page: PageSession & { cookie: string };
  output(): string;
  /** Lines of the log that tell of a defect. */
  defects(): string[];
  stop(): Promise<void>;
}

/** Serves the built studio in a process of its own and lets one page in. */
export async function serveStudio(home: string): Promise<ServedStudio> {
  const child = spawn(process.execPath, [...mainFlags, join(root, 'out/main/serve.js')], {
    env: { ...process.env, LIKENESS_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const link = await new Promise<string>((resolve, reject) => {
    const take = (text: Buffer): void => {
      output += text;
      const found = /Likeness Studio: (\S+)\n/.exec(output)?.[1];
      if (found) resolve(found);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('exit', (code) => reject(new Error(`the studio ended with ${code}: ${output}`)));
  });
  const { origin, port, hash } = new URL(link);
  const answer = await fetch(`${origin}/enter`, {
    method: 'POST',
    headers: { origin },
    body: hash.slice('#token='.length),
  });
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  return {
    origin,
    port: Number(port),
    process: child,
    page: { ...((await answer.json()) as PageSession), cookie },
    output: () => output,
    defects: () =>
      readFileSync(join(home, 'logs/studio.log'), 'utf8')
        .split('\n')
        .filter((line) => line.includes('a defect')),
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** A page's socket to a served studio, which is open, and the results of its calls by their ids. */
export async function openCalls({ origin, page }: ServedStudio) {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/socket`, ['likeness', page.secret], {
    headers: { origin, cookie: page.cookie },
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const results = new Map<number, { ok: boolean; error?: { code: string; field?: string } }>();
  socket.on('message', (data) => {
    const { id, result } = JSON.parse(String(data));
    if (id !== undefined) results.set(id, result);
  });
  return { socket, results };
}

const textFrame = (bytes: Uint8Array, { mask = true, opcode = 1 } = {}): Buffer =>
  // A mask of zeros leaves the bytes as they are.
  Buffer.from([0x80 | opcode, (mask ? 0x80 : 0) | bytes.length, ...(mask ? [0, 0, 0, 0] : []), ...bytes]);
const announced = (bytes: number): Buffer => {
  const head = Buffer.alloc(14);
  head[0] = 0x82;
  head[1] = 0xff;
  head.writeBigUInt64BE(BigInt(bytes), 2);
  return head;
};

interface Way {
  /** What is said first. */
  say: string;
  /** What is sent once the studio took the socket. */
  next?: Uint8Array;
  /** Reset at once; else the studio's answer is awaited. */
  reset: boolean;
}

function waysOf({ port, origin, page }: Pick<ServedStudio, 'port' | 'origin' | 'page'>): Record<string, Way> {
  const host = `host: 127.0.0.1:${port}\r\n`;
  const upgrade = (path: string, from: string, credentials: boolean): string =>
    `GET ${path} HTTP/1.1\r\n${host}origin: ${from}\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n${
      credentials ? `cookie: ${page.cookie}\r\nsec-websocket-protocol: likeness, ${page.secret}\r\n` : ''
    }\r\n`;
  const own = (path: string): string => upgrade(path, origin, true);
  const credentials = `origin: ${origin}\r\ncookie: ${page.cookie}\r\nlikeness-session: ${page.secret}\r\n`;
  const ping = Buffer.from(JSON.stringify({ id: 1, name: 'app.info' }));
  return {
    'reset after an upgrade without session': { say: upgrade('/socket', origin, false), reset: true },
    'another origin’s socket, opened and closed': {
      say: upgrade('/socket', 'http://evil.example', true),
      reset: false,
    },
    'another origin’s socket, reset': { say: upgrade('/socket', 'http://evil.example', false), reset: true },
    'half a request': { say: `GET / HTTP/1.1\r\n${host}x: `, reset: true },
    'half a token': {
      say: `POST /enter HTTP/1.1\r\n${host}origin: ${origin}\r\ncontent-length: 43\r\n\r\nhalf`,
      reset: true,
    },
    'no HTTP': { say: '\x16\x03\x01\x02 hello\r\n\r\n', reset: false },
    'nothing at all': { say: '', reset: true },
    'a page’s socket reset in its handshake': { say: own('/socket'), reset: true },
    'a handshake that is none': { say: own('/socket').replace('version: 13', 'version: 7'), reset: false },
    'reset in a call': { say: own('/socket'), next: textFrame(ping), reset: true },
    'an unmasked frame': { say: own('/socket'), next: textFrame(ping, { mask: false }), reset: false },
    'a reserved opcode': { say: own('/socket'), next: textFrame(ping, { opcode: 5 }), reset: false },
    'invalid UTF-8': { say: own('/socket'), next: textFrame(Uint8Array.of(0xff, 0xfe, 0xc3)), reset: false },
    'a call that is too large': { say: own('/socket'), next: announced(maxCallBytes + 1), reset: false },
    'a message of a stream that is too large': {
      say: own('/stream'),
      next: announced(maxStreamBytes + 1),
      reset: false,
    },
    'half a frame': { say: own('/stream'), next: announced(1000), reset: true },
    'a stream reset as it opens': {
      say: own('/stream'),
      next: textFrame(Buffer.from('{"name":"live.open","options":{}}')),
      reset: true,
    },
    'half an upload': {
      say: `POST /upload?name=a.jpg HTTP/1.1\r\n${host}${credentials}content-length: 1000\r\n\r\nhalf`,
      reset: true,
    },
    'an asset that nobody reads': {
      say: `GET ${page.assets}/asset/default-head/default HTTP/1.1\r\n${host}${credentials}\r\n`,
      reset: true,
    },
  };
}

/** Milliseconds that one may take, whatever it waits for. */
const patience = 10_000;

async function breakOne(port: number, { say, next, reset }: Way): Promise<void> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const over = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {});
  socket.setTimeout(patience, () => socket.destroy());
  const heard = new Promise<void>((resolve) => {
    socket.once('data', () => resolve());
    socket.once('close', () => resolve());
  });
  await new Promise<void>((resolve) => socket.once('connect', resolve).once('close', resolve));
  socket.write(say, 'latin1');
  if (next) {
    await heard;
    socket.write(next);
  }
  // Half of the resets meet a studio that has read nothing yet, half one that is answering.
  if (reset && Math.random() < 0.5) await new Promise((resolve) => setTimeout(resolve, 2));
  if (!reset) await (next ? over : heard);
  socket.resetAndDestroy();
  await over;
}

/** Breaks so many connections, some at once, each kind as often. @returns how often each kind was tried */
export async function breakConnections(
  studio: Pick<ServedStudio, 'port' | 'origin' | 'page'>,
  { count, atOnce }: { count: number; atOnce: number },
  onProgress: (done: number) => Promise<void> | void = () => {},
): Promise<Record<string, number>> {
  const ways = Object.entries(waysOf(studio));
  const tried: Record<string, number> = {};
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++) {
      const [name, way] = ways[at % ways.length]!;
      await breakOne(studio.port, way);
      tried[name] = (tried[name] ?? 0) + 1;
      await onProgress(at + 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return tried;
}

export interface Footprint {
  megabytes: number;
  descriptors: number;
}

/** What a process holds, by /proc: Linux only. */
export function footprintOf({ pid }: ChildProcess): Footprint {
  const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { megabytes: Number(resident) / 1024, descriptors: readdirSync(`/proc/${pid}/fd`).length };
}
