import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OverdubTarget } from '@likeness/proto/takes/overdub_target.ts';
import { expect, onTestFinished, test } from 'vitest';
import { editsCalls } from '../../../../main/takes/edits/edits_calls.ts';
import type { TakeAnalysis } from '../../../../main/takes/take_analysis.ts';
import type { Takes } from '../../../../main/takes/takes.ts';
import { openTakes, takeBeginning } from '../../../support/recorded_takes.ts';

const hearings = { stop: async () => undefined } as unknown as TakeAnalysis;
const rate = 48_000;

const begin = (takes: Takes, name: string, attempt?: OverdubTarget) =>
  takes.start({ ...takeBeginning, name, attempt });

async function studio() {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-tries-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const takes = await openTakes(folder);
  const first = await begin(takes, 'Interview');
  first.sound(new Float32Array(4 * rate));
  await first.finish({ latency: null });
  return { folder, takes, calls: editsCalls(takes, hearings), id: first.id };
}

const place = (of: string): OverdubTarget => ({ of, startsAt: 1.4, regions: ['mouth', 'jaw'] });

test('what is recorded as a try of a take lies in the take, where it was measured to begin', async () => {
  const { takes, calls, id, folder } = await studio();
  const recorder = await begin(takes, 'Try 1', place(id));
  recorder.sound(new Float32Array(2 * rate));
  expect(takes.list().map((take) => take.id)).toEqual([id]);
  await recorder.finish({ latency: null, startsAt: 1.25 });
  expect(takes.list().map((take) => take.id)).toEqual([id]);
  expect(await calls.overdubs({ id })).toMatchObject([
    {
      id: recorder.id,
      name: 'Try 1',
      seconds: 2,
      startsAt: 1.25,
      regions: ['mouth', 'jaw'],
      recovered: false,
    },
  ]);
  expect(existsSync(join(folder, recorder.id))).toBe(false);

  const changed = await calls.changeOverdub({
    id,
    attempt: recorder.id,
    changes: { name: 'Calmer', startsAt: -0.5 },
  });
  expect(changed).toMatchObject([{ name: 'Calmer', startsAt: -0.5, regions: ['mouth', 'jaw'] }]);
  await expect(calls.changeOverdub({ id, attempt: 'nobody', changes: {} })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('a studio that ends in the middle of a try finds it in its take again', async () => {
  const { takes, id, folder } = await studio();
  const recorder = await begin(takes, 'Try 1', place(id));
  recorder.sound(new Float32Array(3 * rate));
  const sound = join(folder, recorder.id, 'audio.wav');
  await expect.poll(() => statSync(sound).size).toBeGreaterThan(3 * rate * 4);

  const again = await openTakes(folder);
  expect(again.list().map((take) => take.id)).toEqual([id]);
  const found = await editsCalls(again, hearings).overdubs({ id });
  expect(found).toMatchObject([{ id: recorder.id, startsAt: 1.4, recovered: true }]);
  expect(found[0]!.seconds).toBeGreaterThan(2);
});

test('a try goes into the trash and comes back to its take; without it, it is a take', async () => {
  const { takes, calls, id } = await studio();
  const recorder = await begin(takes, 'Try 1', place(id));
  recorder.sound(new Float32Array(rate));
  await recorder.finish({ latency: null });
  const attempt = recorder.id;
  expect(await calls.trashOverdub({ id, attempt })).toEqual([]);
  expect((await takes.trashed()).map((take) => take.id)).toEqual([attempt]);
  expect((await takes.restore(attempt)).id).toBe(id);
  expect(await calls.overdubs({ id })).toMatchObject([{ id: attempt, startsAt: 1.4 }]);
  await calls.trashOverdub({ id, attempt });
  await takes.erase([id]);
  expect((await takes.restore(attempt)).id).toBe(attempt);
  expect(takes.list().map((take) => take.id)).toEqual([attempt]);
});
