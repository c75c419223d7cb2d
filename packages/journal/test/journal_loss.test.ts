/** What a lost journal does to caps: nothing. And who learns of the loss. */
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Journal } from '../src/journal.ts';
import type { PricedCall } from '../src/metered_call.ts';

let folder: string;
let run = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'likeness-journal-loss-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (): Journal =>
  new Journal({
    folder,
    clock: () => Date.UTC(2026, 10, 3),
    scrub: (text) => text,
    onAppended: () => {},
    processId: process.pid,
    run: `run-${run++}`,
  });
const head: PricedCall = {
  profileId: 'cloud',
  profileName: 'Cloud',
  operation: 'generate_model',
  subject: '',
  monthlyCap: 2,
  currency: 'USD',
  plannedCost: 1,
  entrusted: true,
};
const spend = (journal: Journal): void =>
  void journal.reserve(head).settle({
    ...head,
    outcome: 'ok',
    httpStatus: 200,
    envelopeCode: 200,
    message: '',
    bytesSent: 1,
    bytesReceived: 1,
    firstByteMs: 1,
    totalMs: 1,
    billedSeconds: 0,
    billedFrames: 0,
    billedModels: 1,
    cost: 1,
  });

const file = (): string => join(folder, 'journal.db');
const removeWithLog = (path: string): void => {
  for (const part of ['', '-wal', '-shm']) rmSync(path + part, { force: true });
};

test.each<[string, RegExp, () => void]>([
  ['full of zeros', /1 to 2/, () => writeFileSync(file(), Buffer.alloc(statSync(file()).size))],
  ['removed', /1 to 2/, () => removeWithLog(file())],
  [
    'cut off by one entry',
    /2 to 2|entry 2/i,
    () => {
      const database = new DatabaseSync(file());
      database.exec(
        'DROP TRIGGER entries_never_go; DELETE FROM entries WHERE sequence = 2; DELETE FROM usage',
      );
      database.close();
    },
  ],
  ['without its second place', /\d/, () => removeWithLog(join(folder, 'journal-head.db'))],
])(
  'a journal that is %s: the cap is still reached, and the loss is told until it is accepted',
  (_, says, damage) => {
    const before = open();
    spend(before);
    spend(before);
    expect(() => before.reserve(head)).toThrow(expect.objectContaining({ code: 'cap_reached' }));
    expect(before.openLosses).toEqual([]);
    before.close();
    damage();

    const after = open();
    expect(after.openLosses).toEqual([expect.stringMatching(says)]);
    expect(after.spending('cloud', 'USD')).toEqual({ spent: 2, reserved: 0 });
    expect(() => after.reserve(head)).toThrow(expect.objectContaining({ code: 'cap_reached' }));
    const [detail] = after.openLosses;
    after.close();

    // Nobody has accepted it: the next start tells it again.
    const again = open();
    expect(again.openLosses).toEqual([detail]);
    const { size } = again;
    again.acceptLosses();
    expect(again.size).toBe(size + 1);
    expect(again.openLosses).toEqual([]);
    again.close();
    const accepted = open();
    expect(accepted.openLosses).toEqual([]);
    expect(accepted.spending('cloud', 'USD')).toEqual({ spent: 2, reserved: 0 });
    accepted.close();
    expect(existsSync(file())).toBe(true);
  },
);
