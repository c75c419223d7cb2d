import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { UsageMeter } from '../src/accounts/usage_meter.ts';

it('a disk that fails when a call ends neither ends the process nor loses usage', () => {
  const database = new DatabaseSync(':memory:');
  database.exec(
    'CREATE TABLE usage (month, profileId, currency, seconds, frames, models); ' +
      "INSERT INTO usage VALUES ('2026-11', 'key', '', 0, 0, 2)",
  );
  const sums = database.prepare(
    "SELECT seconds, frames, models FROM usage WHERE month = ? AND profileId = ? AND currency = ''",
  );
  let isBroken = true;
  const prepare = () => ({
    get: (month: string, key: string) => {
      if (isBroken) throw Object.assign(new Error('disk I/O error'), { errcode: 10 });
      return sums.get(month, key);
    },
  });
  const meter = new UsageMeter({
    journal: { database: { prepare } as unknown as DatabaseSync },
    clock: () => Date.UTC(2026, 10, 28),
    orderedModels: () => 0,
  });
  meter.use('key', { seconds: 0, frames: 0, models: 1 });
  // The call's entry went to the journal.
  database.exec('UPDATE usage SET models = models + 1');
  isBroken = false;
  const caps = { seconds: null, frames: null, models: 3 };
  const plan = { seconds: 0, frames: 0, models: 1 };
  expect(() => meter.reserve({ id: 'key', caps } as never, plan)).toThrow(/3/);
  database.close();
});
