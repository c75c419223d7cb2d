import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync, type SQLInputValue, StatementSync } from 'node:sqlite';
import { inEnglish, t, translate } from '@likeness/messages';
import { createScrub } from '@likeness/node-kit/storage/scrub.ts';
import { afterEach, beforeEach, describe, expect, it, type Mock, vi } from 'vitest';
import { journalCalls } from '../../../main/journal_calls.ts';
import { contract, type JournalEntry } from '../../../preload/contract.ts';
import { Journal } from '../src/journal.ts';
import { journalMigrations } from '../src/journal_schema.ts';
import type { CallRecord } from '../src/metered_call.ts';

const start = Date.UTC(2026, 10, 3, 12);

const call = (changes: Partial<CallRecord> = {}): CallRecord => ({
  profileId: 'p1',
  profileName: 'Cloud',
  operation: 'generate_model',
  subject: 'model-1',
  outcome: 'ok',
  httpStatus: 200,
  envelopeCode: 200,
  message: '',
  bytesSent: 1000,
  bytesReceived: 200,
  firstByteMs: 120.5,
  totalMs: 130.25,
  billedSeconds: 0,
  billedFrames: 0,
  billedModels: 1,
  cost: 0.5,
  currency: 'USD',
  ...changes,
});

describe('the journal', () => {
  let folder: string;
  let now: number;
  let open: Journal[];
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'likeness-journal-')), 'journal');
    now = start;
    open = [];
  });
  afterEach(() => {
    for (const journal of open) journal.close();
    rmSync(join(folder, '..'), { recursive: true, force: true });
  });

  const openJournal = (options: Partial<ConstructorParameters<typeof Journal>[0]> = {}): Journal => {
    const journal = new Journal({
      folder,
      clock: () => now,
      scrub: (text) => text,
      onAppended: () => undefined,
      processId: 100,
      run: `run-${open.length}`,
      isProcessAlive: () => false,
      ...options,
    });
    open.push(journal);
    return journal;
  };
  const closeAll = (): void => {
    for (const journal of open) journal.close();
    open = [];
  };
  /** Changes the file behind the journal's back, as somebody with an editor for SQLite would. */
  const tamper = (sql: string): void => {
    const db = new DatabaseSync(join(folder, 'journal.db'));
    const triggers = db.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all();
    for (const { name } of triggers) db.exec(`DROP TRIGGER ${String(name)}`);
    db.exec(sql);
    for (const { sql: trigger } of triggers) db.exec(String(trigger));
    db.close();
  };
  const fill = (journal: Journal, count: number): void => {
    for (let i = 0; i < count; i += 1) journal.append(call({ subject: `model-${i + 1}` }));
  };

  it('keeps what was appended, chained, and tells about it', async () => {
    const told: JournalEntry[] = [];
    const journal = openJournal({ onAppended: (entry) => told.push(entry) });
    const first = journal.append(call());
    const second = journal.appendEvent({
      operation: 'erase',
      subject: 'head-7',
      message: 'Erased on request.',
    });
    expect(told).toEqual([first, second]);
    expect(contract.journal.events.appended.parse(second)).toEqual(second);
    expect(second).toMatchObject({ sequence: 2, kind: 'event', at: start });
    // The rule of the chain, worked out here without the studio's code.
    const { hash, ...fields } = second;
    const inOrder = [
      fields.sequence,
      fields.at,
      fields.kind,
      fields.profileId,
      fields.profileName,
      fields.operation,
      fields.subject,
      fields.outcome,
      fields.httpStatus,
      fields.envelopeCode,
      fields.message,
      fields.bytesSent,
      fields.bytesReceived,
      fields.firstByteMs,
      fields.totalMs,
      fields.billedSeconds,
      fields.billedFrames,
      fields.billedModels,
      fields.cost,
      fields.currency,
    ];
    const text = JSON.stringify([first.hash, ...inOrder]);
    expect(hash).toBe(createHash('sha256').update(text).digest('hex'));
    closeAll();
    const { entries, total } = await openJournal().entries({ limit: 10, filter: {} });
    expect(entries).toEqual([second, first]);
    expect(total).toBe(2);
  });

  it('comes back from disk as it went there, whatever the texts and numbers', async () => {
    const journal = openJournal();
    journal.append(
      call({
        message: 'half a pair \ud83d, a \u0000 byte, 王小明, “quotes”, ünïcödé',
        envelopeCode: -7.5,
        totalMs: 1e-7,
        bytesSent: Number.NaN,
        cost: -3,
        firstByteMs: Number.POSITIVE_INFINITY,
        httpStatus: null,
      }),
    );
    closeAll();
    const again = openJournal();
    expect(await again.verify()).toMatchObject({ ok: true, entries: 1 });
    const [entry] = (await again.entries({ limit: 1, filter: {} })).entries;
    expect(entry).toMatchObject({ envelopeCode: -7.5, totalMs: 1e-7, bytesSent: 0, cost: 0, firstByteMs: 0 });
    expect(inEnglish(entry?.message ?? '')).toBe('half a pair \ufffd, a byte, 王小明, “quotes”, ünïcödé');
  });

  it('holds no secret, no photo and no body', () => {
    const scrub = createScrub();
    scrub.know('planted-key-123456');
    const journal = openJournal({ scrub });
    const photo = Buffer.alloc(900, 7).toString('base64');
    const { message, subject } = journal.append(
      call({
        message: `Bearer planted-key-123456 was refused; got data:image/png;base64,${photo} ${'word '.repeat(300)}`,
        subject: 'planted-key-123456',
      }),
    );
    expect(inEnglish(message)).toContain('was refused; got data:image/png;base64,[1200 characters of data]');
    expect(inEnglish(message)).toHaveLength(500);
    expect(subject).toBe('[secret]');
  });

  it('can’t be changed or thinned out through SQL', () => {
    const journal = openJournal();
    fill(journal, 2);
    for (const sql of [
      'UPDATE entries SET cost = 0',
      'DELETE FROM entries',
      'INSERT OR REPLACE INTO entries SELECT * FROM entries WHERE sequence = 1',
      'INSERT INTO entries SELECT 9, at, kind, profileId, profileName, operation, subject, outcome, httpStatus, envelopeCode, message, bytesSent, bytesReceived, firstByteMs, totalMs, billedSeconds, billedFrames, billedModels, cost, currency, hash, NULL FROM entries LIMIT 1',
    ]) {
      expect(() => journal.database.exec(sql), sql).toThrow(/append-only|no gaps/);
    }
  });

  it('is for its owner only', () => {
    fill(openJournal(), 1);
    for (const name of readdirSync(folder))
      expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  describe('verified', () => {
    const cases: [what: string, sql: string, firstBroken: number | null, detail: RegExp][] = [
      ['an altered field', 'UPDATE entries SET cost = 0 WHERE sequence = 3', 3, /Entry 3 was altered/],
      [
        'an altered hash',
        "UPDATE entries SET hash = replace(hash, 'a', 'b') WHERE sequence = 3",
        3,
        /Entry 3 was altered/,
      ],
      ['a removed entry', 'DELETE FROM entries WHERE sequence = 2', 2, /Entry 2 is missing/],
      [
        'a removed entry with the rest moved up',
        'DELETE FROM entries WHERE sequence = 2; UPDATE entries SET sequence = sequence - 1 WHERE sequence > 2',
        2,
        /Entry 2 was altered/,
      ],
      [
        'two entries swapped',
        'UPDATE entries SET sequence = 99 WHERE sequence = 2; UPDATE entries SET sequence = 2 WHERE sequence = 3; UPDATE entries SET sequence = 3 WHERE sequence = 99',
        2,
        /Entry 2 was altered/,
      ],
      [
        'a cut-off end',
        'DELETE FROM entries WHERE sequence > 3',
        4,
        /Entries 4 to 5 are missing from the end/,
      ],
      ['an emptied journal', 'DELETE FROM entries', 1, /Entries 1 to 5 are missing/],
      ['lowered sums', 'UPDATE usage SET cost = 0', null, /sums of 2026-11 for “p1” are lower/],
      ['removed sums', 'DELETE FROM usage', null, /sums of a month are missing/],
    ];
    for (const [what, sql, firstBroken, detail] of cases) {
      it(`finds ${what}`, async () => {
        const journal = openJournal();
        fill(journal, 5);
        expect(await journal.verify()).toMatchObject({ ok: true, entries: 5, firstBroken: null });
        tamper(sql);
        const result = await journal.verify();
        expect(result).toMatchObject({ ok: false, firstBroken });
        expect(inEnglish(result.detail)).toMatch(detail);
        expect(inEnglish(result.detail)).toContain('does not detect a rewrite');
      });
    }

    it('remembers a cut-off end though the journal went on', async () => {
      fill(openJournal(), 5);
      closeAll();
      tamper('DELETE FROM entries WHERE sequence > 3');
      const journal = openJournal();
      fill(journal, 4);
      expect(await journal.verify()).toMatchObject({ ok: false, firstBroken: 4 });
      const { entries } = await journal.entries({ limit: 500, filter: { operation: 'journal' } });
      expect(entries).toHaveLength(1);
      expect(entries[0]).toMatchObject({ kind: 'event', sequence: 4, outcome: 'failed' });
      expect(inEnglish(entries[0]?.message ?? '')).toContain('Entries 4 to 5 are missing');
      closeAll();
      expect(await openJournal().verify()).toMatchObject({ ok: false, firstBroken: 4 });
    });

    it('finds an end that was replaced while the studio was closed', async () => {
      fill(openJournal(), 3);
      closeAll();
      for (const name of readdirSync(folder)) copyFileSync(join(folder, name), join(folder, '..', name));
      fill(openJournal(), 3);
      closeAll();
      // An older copy of the journal, extended differently, beside the newer memory of its end.
      copyFileSync(join(folder, '..', 'journal.db'), join(folder, 'journal.db'));
      const other = mkdtempSync(join(folder, 'other-'));
      copyFileSync(join(folder, 'journal.db'), join(other, 'journal.db'));
      const forged = openJournal({ folder: other });
      for (let i = 0; i < 9; i += 1) forged.append(call({ subject: `forged-${i}` }));
      closeAll();
      copyFileSync(join(other, 'journal.db'), join(folder, 'journal.db'));
      expect(await openJournal().verify()).toMatchObject({ ok: false, firstBroken: 6 });
    });

    it('says so where the memory of the end is gone', async () => {
      fill(openJournal(), 3);
      closeAll();
      rmSync(join(folder, 'journal-head.db'));
      const result = await openJournal().verify();
      expect(result.ok).toBe(false);
      expect(inEnglish(result.detail)).toContain('entries after the present 3 may have been removed');
    });

    it('is not alarmed by a second place that is behind, as after a power cut', async () => {
      fill(openJournal(), 2);
      closeAll();
      copyFileSync(join(folder, 'journal-head.db'), join(folder, '..', 'head'));
      fill(openJournal(), 3);
      closeAll();
      copyFileSync(join(folder, '..', 'head'), join(folder, 'journal-head.db'));
      expect(await openJournal().verify()).toMatchObject({ ok: true, entries: 5 });
    });

    it('keeps a damaged file aside, starts a new one and says so', async () => {
      fill(openJournal(), 3);
      closeAll();
      writeFileSync(
        join(folder, 'journal.db'),
        'not a database at all, and long enough to be read as one '.repeat(99),
      );
      const journal = openJournal();
      expect(journal.quarantined).toBe(join(folder, 'journal.damaged-20261103T120000Z.db'));
      expect(existsSync(journal.quarantined ?? '')).toBe(true);
      const result = await journal.verify();
      expect(result).toMatchObject({ ok: false, firstBroken: 1 });
      expect(inEnglish(result.detail)).toContain('was damaged and has been kept aside');
    });
  });

  it('survives being killed at any moment: what was acknowledged is there, and verifies', async () => {
    const module = `file://${resolve(import.meta.dirname, '../src/journal.ts')}`;
    let acknowledged = 0;
    for (const pause of [30, 55, 90]) {
      const child = spawn(
        process.execPath,
        [
          '--input-type=module',
          '-e',
          `const { Journal } = await import(${JSON.stringify(module)});
           const journal = new Journal({ folder: ${JSON.stringify(folder)}, clock: Date.now, scrub: (t) => t, onAppended: (e) => process.stdout.write(e.sequence + '\\n'), processId: process.pid, run: String(process.pid) });
           const record = ${JSON.stringify(call())};
           for (;;) { journal.append(record); await new Promise((r) => setImmediate(r)); }`,
        ],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      let said = '';
      child.stdout.on('data', (data) => {
        said += String(data);
      });
      await new Promise((ready) => child.stdout.once('data', ready));
      await new Promise((next) => setTimeout(next, pause));
      child.kill('SIGKILL');
      await new Promise((gone) => child.once('close', gone));
      acknowledged = Number(said.slice(0, said.lastIndexOf('\n')).split('\n').at(-1));
    }
    const journal = openJournal();
    expect(journal.size).toBeGreaterThanOrEqual(acknowledged);
    expect(await journal.verify()).toMatchObject({ ok: true });
  });

  it('is continued by two processes at once without a gap', async () => {
    const [one, two] = [openJournal(), openJournal()];
    for (let i = 0; i < 20; i += 1) (i % 3 === 0 ? one : two).append(call());
    expect(await two.verify()).toMatchObject({ ok: true, entries: 20 });
  });

  it('of schema 1 opens and verifies, and one of a newer schema is refused', async () => {
    // Frozen: the file as schema 1 made it, with one entry and its hash.
    const columns =
      'sequence,at,kind,profileId,profileName,operation,subject,outcome,httpStatus,envelopeCode,message,bytesSent,bytesReceived,firstByteMs,totalMs,billedSeconds,billedFrames,billedModels,cost,currency,hash';
    openJournal();
    closeAll();
    const path = join(folder, 'journal.db');
    const db = new DatabaseSync(path);
    db.exec(
      'DROP INDEX entries_of_made_models; ALTER TABLE entries DROP COLUMN messageSaid; PRAGMA user_version = 1',
    );
    const found = db.prepare("SELECT name FROM pragma_table_info('entries')").all();
    expect(found.map(({ name }) => name).join()).toBe(columns);
    db.exec(`INSERT INTO entries (${columns}) VALUES (1, 1793707200000, 'call', 'p1', '云端', 'get_model', 'm-1', 'ok', 200, 200,
      '', 10, 20, 12.5, 13, 0, 0, 1, 0.5, 'USD', 'fa70d392c33c662a161159b80f697ebe458d443853851d5887d28ca48ae57da4');
      INSERT INTO usage VALUES ('2026-11', 'p1', 'USD', '云端', 1, 0, 0, 0, 1, 0.5)`);
    db.close();
    const journal = openJournal();
    expect(await journal.verify()).toMatchObject({ ok: true, entries: 1 });
    closeAll();
    const newer = new DatabaseSync(path);
    newer.exec(`PRAGMA user_version = ${journalMigrations.length + 1}`);
    newer.close();
    expect(() => openJournal()).toThrow(/newer Likeness Studio/);
  });

  describe('read', () => {
    it('by page and by every filter', async () => {
      const journal = openJournal();
      for (let i = 1; i <= 30; i += 1) {
        now = start + i;
        journal.append(
          call({
            subject: `model-${i}`,
            operation: i % 2 === 0 ? 'get_model' : 'generate_model',
            outcome: i % 10 === 0 ? 'failed' : 'ok',
            message: i === 7 ? '100% wrong_path' : '',
            profileId: i > 20 ? 'p2' : 'p1',
            profileName: i > 20 ? '云端' : 'Cloud',
          }),
        );
      }
      const sequences = async (query: Parameters<Journal['entries']>[0]) => {
        const { entries, total } = await journal.entries(query);
        return [entries.map(({ sequence }) => sequence), total];
      };
      expect(await sequences({ limit: 3, filter: {} })).toEqual([[30, 29, 28], 30]);
      expect(await sequences({ limit: 3, before: 28, filter: {} })).toEqual([[27, 26, 25], 30]);
      expect(await sequences({ limit: 9, filter: { outcome: 'failed' } })).toEqual([[30, 20, 10], 3]);
      expect(
        await sequences({ limit: 2, before: 21, filter: { profileId: 'p1', operation: 'get_model' } }),
      ).toEqual([[20, 18], 10]);
      expect(await sequences({ limit: 9, filter: { text: '0% wrong_' } })).toEqual([[7], 1]);
      expect(await sequences({ limit: 9, filter: { text: '%' } })).toEqual([[7], 1]);
      expect((await sequences({ limit: 1, filter: { text: '云' } }))[1]).toBe(10);
      expect(await sequences({ limit: 9, filter: { from: start + 5, to: start + 6 } })).toEqual([[6, 5], 2]);
      journal.append(call({ outcome: 'failed' }));
      expect((await sequences({ limit: 1, filter: { outcome: 'failed' } }))[1]).toBe(4);
    });

    it('by the words that a person reads, in either language', async () => {
      const journal = openJournal();
      const busy = t('upstream.busy', { host: 'api.example.com', http: 'HTTP 503' });
      const operation = t('operation.generate_model');
      journal.append(call({ outcome: 'failed', message: t('upstream.of', { operation, text: busy }) }));
      journal.append(call({ outcome: 'failed', message: 'a sentence of an earlier studio: 100% 云' }));
      journal.append(call());
      const found = async (text: string) =>
        (await journal.entries({ limit: 9, filter: { text } })).entries.map(({ sequence }) => sequence);
      const chinese = translate(busy, 'zh-CN');
      expect(chinese).not.toBe(busy.text);
      expect(await found(busy.text)).toEqual([1]);
      expect(await found(chinese)).toEqual([1]);
      expect(await found(translate(operation, 'zh-CN'))).toEqual([1]);
      expect((await journal.entries({ limit: 1, filter: { text: chinese } })).total).toBe(1);
      expect(await found('100% 云')).toEqual([2]);
      expect(await found('没有这样的话')).toEqual([]);
    });

    it('as CSV that no spreadsheet runs, and as JSON lines that verify', async () => {
      const journal = openJournal();
      journal.append(call({ message: '=HYPERLINK("http://evil")', profileName: '+cmd|calc', subject: '@x' }));
      journal.append(call({ message: 'says "no", then\nstops', profileName: '-1', subject: '＝1+1' }));
      const calls = journalCalls({ journal, profiles: () => [], nameOf: () => null, clock: () => now });
      const csv = await calls.export({ format: 'csv', filter: {} });
      expect(csv.fileName).toBe('likeness-journal-2026-11-03.csv');
      const lines = csv.text.split('\r\n');
      expect(lines[0]).toMatch(/^\ufeffsequence,at,kind,/);
      expect(lines[1]).toContain('2026-11-03T12:00:00.000Z');
      expect(lines[1]).toContain(`"'=HYPERLINK(""http://evil"")"`);
      expect(lines[1]).toContain(`,"'+cmd|calc",`);
      expect(lines[1]).toContain(`,"'@x",`);
      expect(lines[2]).toContain(`"'-1"`);
      expect(lines[2]).toContain(`"says ""no"", then stops"`);
      expect(lines[2]).toContain(`"'＝1+1"`);

      const jsonl = await calls.export({ format: 'jsonl', filter: { text: 'hyperlink' } });
      expect(JSON.parse(jsonl.text)).toMatchObject({ sequence: 1, message: '=HYPERLINK("http://evil")' });
    });

    it('as usage of a month with the caps of today', async () => {
      const journal = openJournal();
      journal.append(call({ cost: 0.1 }));
      journal.append(call({ cost: 0.2, outcome: 'failed', billedSeconds: 1.5, billedFrames: 90 }));
      journal.append(call({ cost: 7, currency: 'EUR' }));
      journal.append(call({ cost: 99, at: Date.UTC(2026, 9, 31, 23, 59, 59, 999) }));
      journal.appendEvent({ operation: 'erase' });
      const profiles = [{ id: 'p1', name: 'Cloud (renamed)', monthlyCap: 10, prices: { currency: 'USD' } }];
      const calls = journalCalls({ journal, profiles: () => profiles, nameOf: () => null, clock: () => now });
      const usage = await calls.usage({ month: '2026-11' });
      expect(contract.journal.calls.usage.out.parse(usage)).toEqual(usage);
      expect(usage.profiles).toEqual([
        expect.objectContaining({ currency: 'EUR', calls: 1, cost: 7, monthlyCap: null }),
        {
          profileId: 'p1',
          profileName: 'Cloud (renamed)',
          calls: 2,
          failed: 1,
          seconds: 1.5,
          frames: 90,
          models: 2,
          cost: expect.closeTo(0.3, 12),
          currency: 'USD',
          monthlyCap: 10,
        },
      ]);
    });

    it('as latency per operation against the target', async () => {
      const journal = openJournal();
      for (let i = 1; i <= 100; i += 1) {
        journal.append(call({ operation: 'get_model', firstByteMs: 101 - i, at: start - i }));
      }
      for (const firstByteMs of [100, 2000])
        journal.append(call({ operation: 'audio_to_face', firstByteMs }));
      journal.append(call({ firstByteMs: null, outcome: 'failed' }));
      journal.append(call({ operation: 'get_model', firstByteMs: 9999, at: start - 40 * 86_400_000 }));
      const calls = journalCalls({ journal, profiles: () => [], nameOf: () => null, clock: () => now });
      const latency = await calls.latency({ days: 30 });
      expect(contract.journal.calls.latency.out.parse(latency)).toEqual(latency);
      expect(latency.operations).toEqual([
        { operation: 'audio_to_face', count: 2, p50: 100, p95: 2000, withinTarget: false },
        { operation: 'get_model', count: 100, p50: 50, p95: 95, withinTarget: true },
      ]);
      expect(latency.recent).toHaveLength(102);
      expect(latency.recent.map(({ at }) => at)).toEqual(latency.recent.map(({ at }) => at).sort());
    });
  });

  describe('spending cap', () => {
    const plan = {
      profileId: 'p1',
      profileName: 'Cloud',
      operation: 'generate_model',
      subject: 'photo-1',
      monthlyCap: 1,
      currency: 'USD',
      plannedCost: 0.4,
    };

    it('refuses a call that would pass it, before it is sent, with the sums', () => {
      const journal = openJournal();
      journal.append(call({ cost: 0.7 }));
      const tried = (changes: Partial<Parameters<Journal['reserve']>[0]> = {}) => {
        return () => journal.reserve({ ...plan, ...changes }).release();
      };
      expect(tried()).toThrow('This call would cost up to 0.40 USD: 0.70 of 1.00 USD are spent this month.');
      expect(tried({ plannedCost: 0.3 })).not.toThrow();
      expect(tried({ plannedCost: 0 })).not.toThrow();
      expect(tried({ monthlyCap: null, plannedCost: 99 })).not.toThrow();
      expect(tried({ profileId: 'p2' })).not.toThrow();
      now = Date.UTC(2026, 11, 1);
      expect(tried()).not.toThrow();
    });

    it('is not passed by calls that run side by side, in one process or two', () => {
      const journal = openJournal();
      const other = openJournal({ isProcessAlive: () => true });
      const first = journal.reserve(plan);
      const second = other.reserve(plan);
      expect(() => journal.reserve(plan)).toThrow('0.80 are reserved for running calls');
      first.release();
      first.release();
      const third = journal.reserve(plan);
      second.settle(call({ cost: 0.1 }));
      expect(journal.spending('p1', 'USD')).toEqual({ spent: 0.1, reserved: 0.4 });
      third.raise(0.9);
      expect(() => third.raise(0.91)).toThrow(/cap|cost/);
      expect(journal.spending('p1', 'USD')).toEqual({ spent: 0.1, reserved: 0.9 });
      third.settle(call({ cost: 0.5 }));
      third.release();
      expect(journal.spending('p1', 'USD')).toEqual({ spent: 0.6, reserved: 0 });
    });

    it('counts a call during which the studio died, once, and leaves those of the living alone', async () => {
      const journal = openJournal({ processId: 7, run: 'crashed' });
      journal.reserve(plan);
      openJournal({ processId: 8, run: 'alive' }).reserve({ ...plan, plannedCost: 0.2 });
      // A crash: nothing is settled or released.
      now += 60_000;
      const next = openJournal({ processId: 9, isProcessAlive: (id) => id === 8 });
      expect(next.spending('p1', 'USD')).toEqual({ spent: 0.4, reserved: 0.2 });
      const { entries } = await next.entries({ limit: 5, filter: {} });
      expect(entries).toHaveLength(1);
      expect(entries[0]).toMatchObject({ at: start, outcome: 'failed', cost: 0.4, subject: 'photo-1' });
      expect(inEnglish(entries[0]?.message ?? '')).toContain('may have been billed');
      now += 25 * 60 * 60 * 1000;
      openJournal({ processId: 10, isProcessAlive: () => true });
      expect(next.spending('p1', 'USD')).toEqual({ spent: expect.closeTo(0.6, 12), reserved: 0 });
    });
  });

  /** What `work` asks the journal's file for: how SQLite finds the rows, and the entries that may be examined. */
  const queriesOf = async (journal: Journal, work: () => unknown) => {
    const spies = (['all', 'get', 'run'] as const).map(
      (name) => vi.spyOn(StatementSync.prototype, name) as Mock<StatementSync['all']>,
    );
    await work();
    const queries = spies.flatMap(({ mock }) =>
      mock.contexts.map((statement, at) => ({
        sql: (statement as StatementSync).sourceSQL,
        values: mock.calls[at] as SQLInputValue[],
      })),
    );
    for (const spy of spies) spy.mockRestore();
    return queries
      .filter(({ sql }) => /(FROM|INTO) entries\b|FROM usage\b/.test(sql))
      .map(({ sql, values }) => ({
        sql,
        plan: journal.database
          .prepare(`EXPLAIN QUERY PLAN ${sql}`)
          .all(...values)
          .map(({ detail }) => String(detail)),
        examined: sql.includes('sequence BETWEEN') ? Number(values[1]) - Number(values[0]) + 1 : 0,
      }));
  };

  it('reads no more of many entries than it must, and never many at once', async () => {
    const journal = openJournal();
    fill(journal, 1);
    closeAll();
    // Hashes of such a bulk load are not chained; this is about reading.
    tamper(`
      WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
      INSERT INTO entries SELECT i, at + i * 1000, kind, profileId, profileName,
        CASE i % 4 WHEN 0 THEN 'generate_model' ELSE 'get_model' END, 'model-' || i,
        CASE WHEN i % 5000 = 0 THEN 'refused' ELSE 'ok' END, httpStatus, envelopeCode, message, bytesSent,
        bytesReceived, i % 1000, totalMs, billedSeconds, billedFrames, billedModels, cost, currency, hash, NULL
      FROM n, entries WHERE sequence = 1`);
    now = start + 50_000_000;
    const large = openJournal();
    const calls = journalCalls({ journal: large, profiles: () => [], nameOf: () => null, clock: () => now });
    const page = (query: { before?: number; filter: Parameters<Journal['matching']>[0] }) =>
      queriesOf(large, () => large.entries({ limit: 100, ...query }));
    const done = {
      firstPage: await page({ filter: {} }),
      deepPage: await page({ before: 5000, filter: {} }),
      rare: await page({ filter: { outcome: 'refused' } }),
      rareAgain: await page({ filter: { outcome: 'refused' } }),
      text: await page({ filter: { text: 'nowhere' } }),
      usage: await queriesOf(large, () => large.usage('2026-11')),
      latency: await queriesOf(large, () => calls.latency({ days: 30 })),
      append: await queriesOf(large, () => large.append(call())),
    };
    const examined = (queries: { examined: number }[]): number =>
      queries.reduce((sum, query) => sum + query.examined, 0);
    expect(examined(done.firstPage)).toBeLessThanOrEqual(20_000);
    expect(examined(done.deepPage)).toBeLessThan(5000);
    // What fits is looked for and counted; the count is remembered.
    expect(examined(done.rare)).toBe(100_000);
    expect(examined(done.rareAgain)).toBe(50_000);
    expect(examined(done.text)).toBe(100_000);
    // What fits rarely is found by its index.
    expect(
      done.rare.filter((query) => query.examined > 0 && !query.plan.join().includes('outcome=?')),
    ).toEqual([]);
    const queries = Object.values(done).flat();
    expect(Math.max(...queries.map((query) => query.examined))).toBe(20_000);
    // A few, however many entries there are; of latency three for each operation.
    expect([done.usage, done.latency, done.append].map(({ length }) => length)).toEqual([1, 8, 4]);
    // Nothing goes through the whole table, but for its last row.
    const scans = queries.filter(
      ({ sql, plan }) =>
        plan.some((step) => /^SCAN entries/.test(step)) && !/ORDER BY sequence DESC LIMIT 1$/.test(sql),
    );
    expect(scans).toEqual([]);
    expect(queries.filter(({ plan }) => plan.includes('USE TEMP B-TREE FOR ORDER BY'))).toEqual(done.usage);
  });
});
