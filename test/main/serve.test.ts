/** The built browser shell, in a process of its own, as a person starts it. */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const built = (entry: string): string => join(import.meta.dirname, '../../out/main', entry);
let home: string;
const started: ChildProcess[] = [];
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'likeness-serve-'));
});
afterEach(async () => {
  await Promise.all(
    started.splice(0).map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await exited;
    }),
  );
  rmSync(home, { recursive: true, force: true });
});

async function start(args: string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, LIKENESS_HOME: join(home, 'data'), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  const links = (): string[] => [...output.matchAll(/(http:\S+#token=\S+)/g)].map(([link]) => link);
  await expect.poll(() => links().length, { timeout: 20_000 }).toBeGreaterThan(0);
  return { child, links, output: () => output };
}

async function enter(link = ''): Promise<number> {
  const { origin, hash } = new URL(link);
  const answer = await fetch(`${origin}/enter`, {
    method: 'POST',
    headers: { origin },
    body: hash.slice('#token='.length),
  });
  return answer.status;
}

const isThere = async (link = ''): Promise<boolean> => (await fetch(new URL(link).origin)).ok;

it.runIf(process.platform === 'linux')(
  'opens the browser by a file of the person’s own: no argument of any program holds the token',
  async () => {
    // Stands for the browser: takes its time, as they do, and says what it was given.
    const bin = join(home, 'bin');
    mkdirSync(bin);
    const told = join(home, 'told');
    writeFileSync(
      join(bin, 'xdg-open'),
      `#!/bin/sh\ntr '\\0' '\\n' < /proc/$$/environ > '${told}.environment'\necho "$@" > '${told}'\nsleep 3\n`,
    );
    chmodSync(join(bin, 'xdg-open'), 0o755);
    const { links } = await start([built('serve.js'), '--open'], {
      PATH: `${bin}:${process.env.PATH}`,
      LIKENESS_API_KEY: 'sk-planted-key-0123456789',
    });
    const [link = ''] = links();
    const token = link.split('#token=')[1] ?? '';
    await expect.poll(() => existsSync(told) && readFileSync(told, 'utf8')).toMatch(/\.html\n$/);
    const file = readFileSync(told, 'utf8').trim();
    for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      let held = '';
      try {
        held = readFileSync(`/proc/${id}/cmdline`, 'latin1');
      } catch {
        continue; // it ended meanwhile
      }
      expect(held).not.toContain(token);
    }
    expect(readFileSync(`${told}.environment`, 'utf8')).not.toMatch(/LIKENESS_|planted/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    expect(readFileSync(file, 'utf8')).toContain(`url=${link}"`);
    expect(await enter(link)).toBe(200);
    expect(existsSync(file)).toBe(false);
  },
);

it.each([
  ['serve.js', []],
  ['cli.js', ['serve']],
])('%s goes on when nobody reads its terminal any more', async (entry, args) => {
  const { child, links } = await start([built(entry), ...args]);
  const [link = ''] = links();
  child.stdout?.destroy();
  child.stderr?.destroy();
  expect(await enter(link)).toBe(200);
  for (let i = 0; i < 20; i++) expect(await isThere(link)).toBe(true);
  expect(child.exitCode).toBe(null);
});

it.runIf(process.platform !== 'win32')(
  'shows a new link when it is asked for one by a signal, and the one before ends',
  async () => {
    const { child, links } = await start([built('serve.js')]);
    child.kill('SIGUSR1');
    await expect.poll(() => links().length).toBe(2);
    expect(await enter(links()[0])).toBe(403);
    expect(await enter(links()[1])).toBe(200);
  },
);
