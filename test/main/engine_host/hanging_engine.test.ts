import { inEnglish } from '@likeness/messages';
import { afterEach, expect, it, vi } from 'vitest';
import type { EngineSupervisor } from '../../../main/engine_host/engine_supervisor.ts';
import { forkNode } from '../../../main/shell/none/child_process.ts';
import { temporaryFolder } from '../../support/service/engine_harness.ts';
import { superviseEngine } from './supervised_engine.ts';

const folder = temporaryFolder();
let engine: EngineSupervisor;
afterEach(async () => {
  await engine.close();
  folder.remove();
});

it('ends an engine that hangs and starts another one', async () => {
  const pids: number[] = [];
  let answers = 0;
  const reasons: unknown[] = [];
  engine = superviseEngine({
    folder: folder.path,
    fork(entry, options) {
      const child = forkNode(entry, options);
      pids.push(child.pid!);
      child.onMessage((message) => {
        if ((message as { kind: string }).kind === 'pong') answers += 1;
      });
      return child;
    },
    watch: { askEveryMs: 50, maxSilenceMs: 1500 },
    log: (level, message) => level === 'error' && reasons.push(message),
  });
  const before = await engine.connect();
  // It answers what it is asked, so it runs for longer than it may be silent.
  await vi.waitFor(() => expect(answers).toBeGreaterThan(40), 10_000);
  expect(pids).toHaveLength(1);
  process.kill(pids[0]!, 'SIGSTOP');
  await vi.waitFor(() => expect(engine.status()).toMatchObject({ state: 'running', restarts: 1 }), 10_000);
  expect(reasons).toEqual([expect.stringContaining('did not respond for 1.5 s')]);
  expect((await engine.connect()).url).not.toBe(before.url);
});

it('says that an engine does not answer, until it answers again', async () => {
  const states: string[] = [];
  let pid = 0;
  engine = superviseEngine({
    folder: folder.path,
    onForked: (forked) => {
      pid = forked;
    },
    watch: { askEveryMs: 100, maxSilenceMs: 10_000_000 },
    onChanged: ({ state }) => states.push(state),
  });
  await engine.connect();
  process.kill(pid, 'SIGSTOP');
  await vi.waitFor(() => expect(engine.status().state).toBe('unresponsive'), 10_000);
  expect(inEnglish(engine.status().message)).toContain('If it stays silent for 10000 s');
  expect(states.at(-1)).toBe('unresponsive');
  process.kill(pid, 'SIGCONT');
  await vi.waitFor(() => expect(engine.status().state).toBe('running'), 10_000);
  expect(engine.status()).toMatchObject({ message: '', restarts: 0 });
  expect(states.at(-1)).toBe('running');
});

it('gives no address of an engine that is being ended for a restart', async () => {
  engine = superviseEngine({ folder: folder.path });
  const before = await engine.connect();
  const restarted = engine.restart();
  // The old process is still there: it takes longer to end than this.
  await new Promise(setImmediate);
  expect((await engine.connect()).apiKey).not.toBe(before.apiKey);
  await restarted;
});
