import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLibraryThreads, type LibraryThreads } from '../../main/library_threads.ts';
import { realHead } from '../support/heads/heads.ts';
import { glbOf, nestedNodes, pointsOf } from '../support/heads/hostile_glb.ts';

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'likeness-threads-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function open(options: Parameters<typeof createLibraryThreads>[0]): LibraryThreads {
  const threads = createLibraryThreads(options);
  onTestFinished(() => threads.close());
  return threads;
}

test('a head that asks for more than there is is refused, and the next one is drawn', async () => {
  const folder = await temporaryFolder();
  const threads = open({ entry: new URL('../../main/library_thread.ts', import.meta.url), threads: 1 });
  const bomb = join(folder, 'bomb.glb');
  const deep = join(folder, 'deep.glb');
  const sound = join(folder, 'sound.glb');
  await writeFile(bomb, glbOf(pointsOf(140_000_000)));
  await writeFile(deep, glbOf(nestedNodes(8000)));
  await writeFile(sound, await realHead());
  const before = process.memoryUsage().rss;
  for (const path of [bomb, deep]) {
    await expect(threads.thumbnail(path)).rejects.toMatchObject({
      code: 'unsupported',
      message: /^The file has/,
    });
    await expect(threads.readiness(folder, path)).rejects.toMatchObject({ code: 'unsupported' });
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(600e6);
  expect(Buffer.from(await threads.thumbnail(sound)).toString('latin1', 8, 12)).toBe('WEBP');
  expect(await threads.readiness(folder, sound)).toMatchObject({ meshes: 1, tongue: true });
});

test('a thread that dies or takes for ever takes its own task with it, and others go on', async () => {
  const folder = await temporaryFolder();
  const entry = join(folder, 'thread.mjs');
  await writeFile(
    entry,
    `import { parentPort } from 'node:worker_threads';
     parentPort.on('message', ({ id, path }) => {
       if (path === 'dies') process.exit(3);
       if (path === 'fills') for (let all; ; ) all = { all };
       if (path === 'for ever') for (;;);
       parentPort.postMessage({ id, value: path });
     });`,
  );
  const threads = open({ entry, threads: 2, within: { thumbnail: 2000, readiness: 60_000 }, heap: 64 });
  const asked = [
    threads.thumbnail('for ever'),
    threads.thumbnail('for ever'),
    threads.readiness(folder, 'a head'),
    threads.thumbnail('dies'),
    threads.readiness(folder, 'another head'),
  ];
  const answers = await Promise.allSettled(asked);
  expect(answers.map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  const said = answers.map((answer) => ('reason' in answer ? String(answer.reason.message) : ''));
  expect(said[0]).toMatch(/^It took longer than/);
  expect(said[3]).toMatch(/ended/);
  await expect(threads.readiness(folder, 'fills')).rejects.toThrow(/memory/);
  await expect(threads.readiness(folder, 'a third head')).resolves.toBe('a third head');
});

test('who speaks is yielded to: pictures of heads wait', async () => {
  const folder = await temporaryFolder();
  const entry = join(folder, 'thread.mjs');
  await writeFile(
    entry,
    `import { parentPort } from 'node:worker_threads';
     parentPort.on('message', ({ id, path }) => parentPort.postMessage({ id, value: path }));`,
  );
  const threads = open({ entry, threads: 2 });
  const done: unknown[] = [];
  threads.yieldTo(true);
  void threads.thumbnail('picture').then((what) => done.push(what));
  void threads.readiness(folder, 'readiness').then((what) => done.push(what));
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(done).toEqual([]);
  threads.yieldTo(false);
  await vi.waitFor(() => expect(done.toSorted()).toEqual(['picture', 'readiness']));
});
