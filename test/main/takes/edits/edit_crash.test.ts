/** A process that edits is killed at any moment: what it said was done is there, and nothing is half. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '@likeness/proto/seeded_random.ts';
import { expect, onTestFinished, test } from 'vitest';
import { readEditList } from '../../../../main/takes/edits/edit_list.ts';

const kills = Number(process.env.LIKENESS_KILLS ?? 8);

/** @returns the last revision that the process said was done */
async function editAndKill(folder: string, steps: number, pause: number): Promise<number> {
  const child = spawn(
    process.execPath,
    ['--no-warnings', join(import.meta.dirname, 'editing_process.ts'), folder],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const gone = new Promise((resolve) => child.once('exit', resolve));
  let done = 0;
  await new Promise<void>((resolve) => {
    let lines = 0;
    child.stdout.on('data', (text: Buffer) => {
      const said = String(text).trim().split('\n');
      lines += said.length;
      done = Number(said.at(-1));
      if (lines >= steps) resolve();
    });
  });
  await new Promise((resolve) => setTimeout(resolve, pause));
  child.kill('SIGKILL');
  await gone;
  return done;
}

test('killed again and again, a list of edits loses nothing that was done', {
  timeout: 600_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-edit-crash-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const take = join(folder, 'one');
  mkdirSync(take);
  const random = seededRandom(11);
  let before = 0;
  for (let kill = 0; kill < kills; kill++) {
    const done = await editAndKill(folder, 1 + Math.floor(random() * 6), random() * 4);
    const { history, wholeBytes } = await readEditList(take);
    expect(history.revision).toBeGreaterThanOrEqual(done);
    // Everything of the runs before is there still, each line where it was.
    expect(history.revision).toBeGreaterThan(before);
    before = history.revision;
    const lines = readFileSync(join(take, 'edits.jsonl'))
      .subarray(0, wholeBytes)
      .toString()
      .trim()
      .split('\n');
    expect(lines).toHaveLength(history.revision + 1);
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
    const named = readdirSync(take).filter((name) => !name.startsWith('.'));
    expect(named).toEqual(['edits.jsonl']);
  }
});
