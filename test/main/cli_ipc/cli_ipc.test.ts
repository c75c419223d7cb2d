/** A command line hands its command to the studio that is open: over a real socket, in one process. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ForwardOptions, forwardCommand } from '../../../main/cli_ipc/command_client.ts';
import {
  acceptCommands,
  type CommandServer,
  type CommandServerOptions,
} from '../../../main/cli_ipc/command_server.ts';
import { createLineReader } from '../../../main/cli_ipc/line_reader.ts';
import { type HandedCommand, ipcLimits } from '../../../main/cli_ipc/messages.ts';

const posix = process.platform !== 'win32';
let folder: string;
const closing: (() => Promise<void> | void)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'likeness-hand-'));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  rmSync(folder, { recursive: true, force: true });
});

type Run = CommandServerOptions['run'];
/** A studio of version 1.0.0. */
async function open(run: Run, change: Partial<CommandServerOptions> = {}): Promise<CommandServer> {
  const server = await acceptCommands({
    folder,
    version: '1.0.0',
    processId: process.pid,
    run,
    report(error) {
      throw error;
    },
    ...change,
  });
  closing.push(() => server.close());
  return server;
}

const command = (...args: string[]): HandedCommand => ({
  args,
  cwd: folder,
  isTerminal: false,
  language: {},
});

/** A command line of version 1.0.0, and all that it says. */
function hand(change: Partial<ForwardOptions> = {}) {
  const said = { out: '', error: '', forwarded: false };
  const ended = forwardCommand({
    folder,
    version: '1.0.0',
    command: command('library', 'list'),
    hasKeys: false,
    // As a stream writes it: half a character is none.
    out: (text) => {
      said.out += Buffer.from(text).toString();
    },
    error: (text) => {
      said.error += text;
    },
    onForwarded: () => {
      said.forwarded = true;
    },
    signal: new AbortController().signal,
    ...change,
  });
  return { said, ended };
}

interface Point {
  address: string;
  token: string;
}
const pointFile = (): string => join(folder, 'instance.commands');
const point = (): Point => JSON.parse(readFileSync(pointFile(), 'utf8')) as Point;

/** Says lines to the studio; what it answers until it hangs up, or half a second is over. */
function sayRaw(...lines: string[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(point().address);
    let heard = '';
    socket.on('data', (text) => {
      heard += text;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(heard));
    for (const line of lines) socket.write(`${line}\n`);
    setTimeout(() => socket.destroy(), 500);
  });
}

/** Stands at the address of a studio and does what a studio wouldn't. */
async function impostor(
  onCommand: (line: string, answer: (text: string) => void, hangUp: () => void) => void,
) {
  const server: Server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on(
      'data',
      createLineReader(
        () => 1e6,
        (line) =>
          onCommand(
            line,
            (text) => socket.write(text),
            () => socket.destroy(),
          ),
        () => {},
      ),
    );
    closing.push(() => void socket.destroy());
  });
  const address = posix ? join(folder, 'instance.socket') : `\\\\.\\pipe\\likeness-test-${process.pid}`;
  await new Promise<void>((resolve) => server.listen(address, resolve));
  closing.push(() => void server.close());
  if (posix) chmodSync(address, 0o600);
  const token = 'a token of more than thirty-two characters';
  writeFileSync(pointFile(), JSON.stringify({ protocol: 1, version: '1.0.0', pid: 1, address, token }), {
    mode: 0o600,
  });
}

describe('a command is forwarded to the open studio', () => {
  it('and its output, its faults and its exit code come back, whole', async () => {
    const long = '头'.repeat(ipcLimits.text - 1) + '🙂'.repeat(ipcLimits.text);
    let seen: HandedCommand | null = null;
    await open(async (given, { out, error }) => {
      seen = given;
      out(long);
      error('a fault\n');
      return 3;
    });
    const { said, ended } = hand({ command: { ...command('library', 'list'), language: { LANG: 'zh_CN' } } });
    expect(await ended).toEqual({ forwarded: true, code: 3 });
    expect(said).toEqual({ out: long, error: 'a fault\n', forwarded: true });
    expect(seen).toEqual({ ...command('library', 'list'), language: { LANG: 'zh_CN' } });
  });

  it('and several run at once, each with its own output', async () => {
    await open(async ({ args }, { out }) => {
      await new Promise((resolve) => setTimeout(resolve, args[0] === '0' ? 100 : 10));
      out(`${args[0]}`);
      return Number(args[0]);
    });
    const all = Array.from({ length: 5 }, (_, i) => hand({ command: command(String(i)) }));
    const ends = await Promise.all(all.map(({ ended }) => ended));
    expect(ends).toEqual([0, 1, 2, 3, 4].map((code) => ({ forwarded: true, code })));
    expect(all.map(({ said }) => said.out)).toEqual(['0', '1', '2', '3', '4']);
  });

  it('unless it runs as many as it may', async () => {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await open(async () => {
      await released;
      return 0;
    });
    const all = Array.from({ length: ipcLimits.commands }, () => hand());
    await expect.poll(() => all.every(({ said }) => said.forwarded)).toBe(true);
    await expect
      .poll(async () => hand().ended)
      .toMatchObject({ forwarded: false, why: expect.stringContaining('16 commands already') });
    release();
    await Promise.all(all.map(({ ended }) => ended));
  });

  it.each([
    ['Ctrl-C', 'person', (abort: AbortController) => abort.abort()],
    ['a studio that is quit', 'closing', (_: AbortController, studio: CommandServer) => studio.close()],
  ] as const)('%s ends it in order', async (_, why, end) => {
    let told = '';
    const studio = await open(
      (__, { onInterruption }) =>
        new Promise((resolve) => {
          onInterruption((reason) => {
            told = reason;
            resolve(1);
          });
        }),
    );
    const abort = new AbortController();
    const { said, ended } = hand({ signal: abort.signal });
    await expect.poll(() => said.forwarded).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await end(abort, studio);
    expect(await ended).toEqual({ forwarded: true, code: 1 });
    expect(told).toBe(why);
  });

  it('and when the command line is gone, the studio ends the command as by Ctrl-C', async () => {
    let told = '';
    await open(
      (_, { onInterruption }) =>
        new Promise((resolve) => {
          onInterruption((reason) => {
            told = reason;
            resolve(1);
          });
        }),
    );
    const { token } = point();
    await sayRaw(
      JSON.stringify({ protocol: 1, version: '1.0.0', token }),
      JSON.stringify(command('library', 'list')),
    );
    await expect.poll(() => told).toBe('person');
  });

  it('and a studio that ends midway is told, with what to do', async () => {
    await impostor((line, answer, hangUp) => {
      if (line.includes('token')) answer('{"kind":"ready"}\n');
      else {
        answer('{"kind":"out","text":"begun"}\n');
        setTimeout(hangUp, 20);
      }
    });
    const { said, ended } = hand();
    await expect(ended).rejects.toMatchObject({
      code: 'unreachable',
      message: 'The open studio closed the connection before the command had ended.',
      hint: expect.stringMatching(
        /^Check the results in the studio .* orders nothing twice; other commands .* may be billed again/,
      ),
    });
    expect(said.out).toBe('begun');
  });

  it('and a studio that falls silent is told of, while the command goes on', async () => {
    await impostor((line, answer) => {
      if (line.includes('token')) answer('{"kind":"ready"}\n');
      else setTimeout(() => answer('{"kind":"end","code":0}\n'), 400);
    });
    const { said, ended } = hand({ limits: { firstWord: 5000, missed: 100 } });
    expect(await ended).toEqual({ forwarded: true, code: 0 });
    expect(said.error).toContain('Ctrl-C twice');
  });
});

describe('nothing is forwarded', () => {
  const none = { forwarded: false, why: '', hint: '' };

  it('where no studio is open, or one was killed; the next one takes its place', async () => {
    expect(await hand().ended).toEqual(none);
    const studio = await open(async () => 0);
    const left = readFileSync(pointFile());
    await studio.close();
    expect(existsSync(pointFile())).toBe(false);
    expect(existsSync(join(folder, 'instance.socket'))).toBe(false);
    writeFileSync(pointFile(), left, { mode: 0o600 });
    if (posix) writeFileSync(join(folder, 'instance.socket'), '', { mode: 0o600 });
    expect(await hand().ended).toEqual(none);
    await open(async () => 7);
    expect(await hand().ended).toEqual({ forwarded: true, code: 7 });
  });

  it('to a studio of another version: both are named', async () => {
    await open(async () => 0, { version: '0.9.0' });
    expect(await hand().ended).toMatchObject({
      forwarded: false,
      why: expect.stringMatching(/version 0\.9\.0, this command line 1\.0\.0/),
      hint: expect.stringContaining('came with it'),
    });
    const { token } = point();
    expect(await sayRaw(JSON.stringify({ protocol: 1, version: '1.0.0', token }))).toContain('"version"');
    expect(await sayRaw(JSON.stringify({ protocol: 2, version: '0.9.0', token, more: 1 }))).toContain(
      '"version":"0.9.0"',
    );
  });

  it('to a studio that hangs: the command never leaves, so it can’t be done twice', async () => {
    const heard: string[] = [];
    await impostor((line) => heard.push(line));
    expect(await hand({ limits: { firstWord: 100, missed: 1000 } }).ended).toMatchObject({
      forwarded: false,
      why: expect.stringContaining('does not answer'),
      hint: expect.stringContaining('close it'),
    });
    expect(heard).toHaveLength(1);
    expect(heard[0]).not.toContain('library');
  });

  it('where the terminal’s own keys would have paid', async () => {
    let ran = false;
    await open(async () => {
      ran = true;
      return 0;
    });
    expect(await hand({ hasKeys: true }).ended).toMatchObject({
      forwarded: false,
      why: expect.stringContaining('never receives keys'),
    });
    expect(ran).toBe(false);
  });

  it('that is longer than a studio reads', async () => {
    await open(async () => 0);
    const args = Array.from({ length: 40 }, () => 'x'.repeat(60_000));
    expect(await hand({ command: command(...args) }).ended).toMatchObject({
      forwarded: false,
      why: expect.stringContaining('too long'),
    });
  });
});

describe('nobody else gives commands', () => {
  it.runIf(posix)('for the socket and the token are the owner’s alone', async () => {
    await open(async () => 0);
    expect(statSync(pointFile()).mode & 0o777).toBe(0o600);
    expect(statSync(point().address).mode & 0o777).toBe(0o600);
  });

  it.runIf(posix).each(['instance.commands', 'instance.socket'])(
    'and where others could read or write %s, nothing is said to whoever listens',
    async (name) => {
      let ran = false;
      await open(async () => {
        ran = true;
        return 0;
      });
      chmodSync(join(folder, name), 0o666);
      const { said, ended } = hand();
      expect(await ended).toMatchObject({ forwarded: false, why: expect.stringContaining('another user') });
      expect(said.forwarded || ran).toBe(false);
    },
  );

  it('without the token, with words that are none, or with too many', async () => {
    let ran = false;
    await open(async () => {
      ran = true;
      return 0;
    });
    const wanted = JSON.stringify(command('library', 'list'));
    const wrong = JSON.stringify({ protocol: 1, version: '1.0.0', token: 'x'.repeat(43) });
    expect(await sayRaw(wrong, wanted)).toContain('"token"');
    expect(await sayRaw('GET / HTTP/1.1', '', wanted)).toContain('"malformed"');
    expect(await sayRaw(wanted)).toContain('"malformed"');
    expect(await sayRaw('x'.repeat(ipcLimits.line + 1))).toContain('"malformed"');
    const { token } = point();
    const right = JSON.stringify({ protocol: 1, version: '1.0.0', token });
    expect(await sayRaw(right, JSON.stringify({ ...command(), args: 'rm' }))).toContain('"malformed"');
    expect(ran).toBe(false);
  });

  it.runIf(posix)('and a folder of a long path has its socket in a private one elsewhere', async () => {
    const long = join(folder, 'a'.repeat(120));
    mkdirSync(long);
    folder = long;
    const studio = await open(async () => 5);
    const { address } = point();
    expect(statSync(join(address, '..')).mode & 0o777).toBe(0o700);
    expect(await hand().ended).toEqual({ forwarded: true, code: 5 });
    await studio.close();
    expect(existsSync(join(address, '..'))).toBe(false);
    folder = join(long, '..');
  });
});
