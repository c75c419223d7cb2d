import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '@likeness/proto/seeded_random.ts';
import type { EditStep } from '@likeness/proto/takes/edits/edit_history.ts';
import { expect, it, onTestFinished } from 'vitest';
import { TakeEditStore } from '../../../../main/takes/edits/take_edit_store.ts';
import type { TakeRecord } from '../../../../main/takes/take_record.ts';
import type { EditState } from '../../../../preload/contract.ts';
import { anyOperation } from '../../../proto/takes/any_operation.ts';

const id = 'one';

/** A folder with one take of ten seconds, and windows on it. */
function oneTake() {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-edits-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, id));
  const told: EditState[] = [];
  const studio = () =>
    new TakeEditStore({
      folderOf: () => join(folder, id),
      record: () => ({ seconds: 10 }) as TakeRecord,
      clock: () => 1_795_000_000_000,
      renderSound: undefined,
      onChanged: (state) => told.push(state),
    });
  return { file: join(folder, id, 'edits.jsonl'), studio, told };
}

const marker = (name: string): EditStep => ({
  do: 'apply',
  operations: [{ kind: 'marker', id: name, marker: { time: 1, note: name } }],
});
const names = ({ edits }: EditState): string[] => edits.markers.map((each) => each.id);

it('takes no step that changes nothing: there is nothing to undo', async () => {
  const { studio, told } = oneTake();
  const store = studio();
  expect(
    await store.step(id, 0, { do: 'apply', operations: [{ kind: 'pieces', pieces: [] }] }),
  ).toMatchObject({
    revision: 0,
    canUndo: false,
  });
  await store.step(id, 0, marker('a'));
  expect(await store.step(id, 1, marker('a'))).toMatchObject({ revision: 1 });
  expect(await store.step(id, 1, { do: 'undo' })).toMatchObject({ canUndo: false });
  expect(told).toHaveLength(2);
});

it('edits, undoes and redoes, also after the studio was started again', async () => {
  const { studio, file, told } = oneTake();
  const store = studio();
  expect(await store.open(id)).toMatchObject({ revision: 0, canUndo: false, canRedo: false, seconds: 10 });
  expect(existsSync(file)).toBe(false);
  await store.step(id, 0, marker('a'));
  await store.step(id, 1, marker('b'));
  await store.step(id, 2, { do: 'undo' });
  expect(told.map(({ revision }) => revision)).toEqual([1, 2, 3]);

  const again = studio();
  const opened = await again.open(id);
  expect(opened).toEqual(told.at(-1));
  expect(names(opened)).toEqual(['a']);
  expect(names(await again.step(id, 3, { do: 'redo' }))).toEqual(['a', 'b']);
  await again.step(id, 4, { do: 'undo' });
  const { canUndo, revision } = await again.step(id, 5, { do: 'undo' });
  expect([canUndo, revision]).toEqual([false, 6]);
  await expect(again.step(id, 6, { do: 'undo' })).rejects.toMatchObject({ code: 'invalid_input' });
});

it('names versions and opens them', async () => {
  const { studio } = oneTake();
  await studio().step(id, 0, marker('a'));
  await studio().step(id, 1, { do: 'name', name: 'For the client' });
  await studio().step(id, 2, marker('b'));
  const { versions } = await studio().open(id);
  expect(versions).toEqual([{ name: 'For the client', revision: 1, at: 1_795_000_000_000 }]);
  expect(names(await studio().step(id, 3, { do: 'open', revision: 1 }))).toEqual(['a']);
  expect(names(await studio().step(id, 4, { do: 'redo' }))).toEqual(['a', 'b']);
  await expect(studio().step(id, 5, { do: 'open', revision: 99 })).rejects.toMatchObject({
    code: 'invalid_input',
  });
});

it('tells the second of two windows that the first was quicker', async () => {
  const { studio } = oneTake();
  const store = studio();
  await store.open(id);
  const [first, second] = await Promise.allSettled([
    store.step(id, 0, marker('a')),
    store.step(id, 0, marker('b')),
  ]);
  expect(first.status).toBe('fulfilled');
  expect(second).toMatchObject({ status: 'rejected', reason: { code: 'conflict' } });
  // Another process on the same folder: its edit is seen, and nothing of it is written over.
  const other = studio();
  await other.step(id, 1, marker('c'));
  await expect(store.step(id, 1, marker('d'))).rejects.toMatchObject({ code: 'conflict' });
  expect(names(await store.open(id))).toEqual(['a', 'c']);
});

it('drops half a line that a crash left, and goes on behind the whole ones', async () => {
  const { studio, file } = oneTake();
  await studio().step(id, 0, marker('a'));
  const whole = readFileSync(file, 'utf8');
  appendFileSync(file, '{"revision":2,"at":1,"step":{"do":"ap');
  expect(names(await studio().open(id))).toEqual(['a']);
  expect(names(await studio().step(id, 1, marker('b')))).toEqual(['a', 'b']);
  expect(readFileSync(file, 'utf8').startsWith(whole)).toBe(true);
  expect(names(await studio().open(id))).toEqual(['a', 'b']);
  // Cut off anywhere, it is what it was up to there.
  const bytes = readFileSync(file);
  for (let length = 0; length < bytes.length; length++) {
    writeFileSync(file, bytes.subarray(0, length));
    const { problem, edits } = await studio().open(id);
    expect(problem).toBe('');
    expect(edits.markers.length).toBeLessThanOrEqual(2);
  }
});

it.each([
  ['a newer version', '{"schemaVersion":2}\n{"anything":true}\n', /newer version/, 'unsupported'],
  ['a line that is no JSON', '{"schemaVersion":1}\nnonsense\n', /Line 2/, 'storage'],
  [
    'a line out of turn',
    '{"schemaVersion":1}\n{"revision":7,"at":1,"step":{"do":"undo"}}\n',
    /Line 2/,
    'storage',
  ],
  [
    'an undo of nothing',
    '{"schemaVersion":1}\n{"revision":1,"at":1,"step":{"do":"undo"}}\n',
    /Line 2/,
    'storage',
  ],
  ['no header', '{"revision":1}\n', /Line 1/, 'storage'],
])('tells %s, plays the recording and leaves the list as it is', async (_, content, problem, code) => {
  const { studio, file } = oneTake();
  writeFileSync(file, content);
  const store = studio();
  const opened = await store.open(id);
  expect(JSON.stringify(opened.problem)).toMatch(problem);
  expect(opened).toMatchObject({ revision: 0, canUndo: false, edits: { pieces: [], markers: [] } });
  await expect(store.step(id, 0, marker('a'))).rejects.toMatchObject({ code });
  await expect(store.edits(id)).rejects.toMatchObject({ code });
  expect(readFileSync(file, 'utf8')).toBe(content);
});

it('is read again as it was made, whatever was done', async () => {
  const { studio } = oneTake();
  const random = seededRandom(5);
  const store = studio();
  let state = await store.open(id);
  for (let at = 0; at < 150; at++) {
    const step: EditStep =
      state.canUndo && random() < 0.3 ? { do: 'undo' } : { do: 'apply', operations: [anyOperation(random)] };
    state = await store.step(id, state.revision, step).catch(() => state);
  }
  expect(state.revision).toBeGreaterThan(100);
  expect(await studio().open(id)).toEqual(state);
  expect(await store.edits(id)).toEqual(state.edits);
});
