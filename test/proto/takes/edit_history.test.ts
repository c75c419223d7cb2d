import { seededRandom } from '@likeness/proto/seeded_random.ts';
import { applyOperation, EditError, noEdits } from '@likeness/proto/takes/edits/apply_operation.ts';
import { EditHistory, type EditStep } from '@likeness/proto/takes/edits/edit_history.ts';
import { EditOperation, TakeEdits } from '@likeness/proto/takes/edits/take_edits.ts';
import { describe, expect, it } from 'vitest';
import { anyOperation } from './any_operation.ts';

/** A person at work: mostly edits, now and then undo, redo, a name, a version. */
function anyStep(random: () => number, history: EditHistory): EditStep {
  const dice = random();
  if (dice < 0.2 && history.canUndo) return { do: 'undo' };
  if (dice < 0.35 && history.canRedo) return { do: 'redo' };
  if (dice < 0.4) return { do: 'name', name: `version ${history.revision}` };
  if (dice < 0.5) return { do: 'open', revision: Math.floor(random() * (history.revision + 1)) };
  const operations = Array.from({ length: 1 + Math.floor(random() * 3) }, () => anyOperation(random));
  return { do: 'apply', operations };
}

/** Steps that make sense, one after the other. */
function lived(seed: number, count: number): { history: EditHistory; steps: EditStep[] } {
  const random = seededRandom(seed);
  const history = new EditHistory();
  const steps: EditStep[] = [];
  while (steps.length < count) {
    const step = anyStep(random, history);
    try {
      history.add(step, steps.length);
      steps.push(step);
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
    }
  }
  return { history, steps };
}

const seeds = Array.from({ length: 40 }, (_, seed) => seed);

describe('a history of edits', () => {
  it.each(seeds)('read again is what it was while it was made (%d)', (seed) => {
    const { history, steps } = lived(seed, 120);
    const again = new EditHistory();
    // As it comes from a file.
    for (const [at, step] of (JSON.parse(JSON.stringify(steps)) as EditStep[]).entries()) again.add(step, at);
    expect(again.edits).toEqual(history.edits);
    expect(again.versions).toEqual(history.versions);
    expect([again.revision, again.canUndo, again.canRedo]).toEqual([
      history.revision,
      history.canUndo,
      history.canRedo,
    ]);
    expect(TakeEdits.parse(history.edits)).toEqual(history.edits);
  });

  it.each(seeds)('undone and redone is as it was (%d)', (seed) => {
    const { history } = lived(seed, 60);
    const random = seededRandom(seed + 1000);
    const before = history.edits;
    let applied = 0;
    for (let tries = 0; tries < 20; tries++) {
      try {
        history.add({ do: 'apply', operations: [anyOperation(random)] }, 0);
        applied++;
      } catch (error) {
        if (!(error instanceof EditError)) throw error;
      }
    }
    const after = history.edits;
    expect(applied).toBeGreaterThan(0);
    for (let at = 0; at < applied; at++) history.add({ do: 'undo' }, 0);
    expect(history.edits).toBe(before);
    for (let at = 0; at < applied; at++) history.add({ do: 'redo' }, 0);
    expect(history.edits).toBe(after);
  });

  it('goes back to a version and on again', () => {
    const history = new EditHistory();
    const marker = (id: string): EditStep => ({
      do: 'apply',
      operations: [{ kind: 'marker', id, marker: { time: 1, note: id } }],
    });
    history.add(marker('a'), 1);
    history.add({ do: 'name', name: 'first' }, 2);
    history.add(marker('b'), 3);
    history.add(marker('c'), 4);
    expect(history.versions).toEqual([{ name: 'first', revision: 1, at: 2 }]);
    history.add({ do: 'open', revision: 1 }, 5);
    expect(history.edits.markers.map(({ id }) => id)).toEqual(['a']);
    history.add({ do: 'redo' }, 6);
    history.add({ do: 'redo' }, 7);
    expect(history.edits.markers.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(history.canRedo).toBe(false);
    for (let at = 0; at < 3; at++) history.add({ do: 'undo' }, 8);
    expect(history.edits).toBe(noEdits);
  });

  it('takes all operations of a step, or none', () => {
    const history = new EditHistory();
    const operations = [
      { kind: 'region', region: 'jaw', changes: { gain: 2 } },
      { kind: 'region', region: 'mouth', changes: { source: 'generated' } },
    ] satisfies EditOperation[];
    expect(() => history.add({ do: 'apply', operations }, 0)).toThrow(EditError);
    expect(history.edits).toBe(noEdits);
    expect(history.revision).toBe(0);
  });
});

describe('an operation', () => {
  const key = (time: number, value: number) => ({ time, value, to: 'linear' as const });

  it('that resets the middle of a curve leaves its course on both sides', () => {
    const drawn = applyOperation(noEdits, {
      kind: 'draw',
      channel: 'jawOpen',
      from: 0,
      to: 4,
      keys: [key(0, 0), key(4, 1)],
    });
    const { drawn: left } = applyOperation(drawn, { kind: 'reset', channels: ['jawOpen'], from: 1, to: 2 });
    expect(left.jawOpen).toEqual([
      { from: 0, to: 1, keys: [key(0, 0), key(1, 0.25)] },
      { from: 2, to: 4, keys: [key(2, 0.5), key(4, 1)] },
    ]);
    expect(applyOperation(drawn, { kind: 'reset', channels: ['jawOpen'], from: 0, to: 9 })).toEqual(noEdits);
  });

  it.each([
    ['a stretch that ends before it starts', { kind: 'draw', channel: 'x', from: 2, to: 1, keys: [] }],
    ['a key outside', { kind: 'draw', channel: 'x', from: 0, to: 1, keys: [key(2, 0)] }],
    ['keys out of order', { kind: 'draw', channel: 'x', from: 0, to: 9, keys: [key(2, 0), key(1, 0)] }],
    ['pieces that overlap', { kind: 'pieces', pieces: [piece(0, 2), piece(1, 3)] }],
    ['an expression that is not there', { kind: 'expressions', keys: [expression('nobody')] }],
    ['a preset with a built-in name', { kind: 'preset', name: 'joy', weights: {} }],
    ['bounds the wrong way round', { kind: 'region', region: 'jaw', changes: { least: 0.5, most: 0.2 } }],
  ] as const)('refuses %s', (_, operation) => {
    expect(() => applyOperation(noEdits, operation as unknown as EditOperation)).toThrow(EditError);
  });

  it('keeps a preset that a key uses', () => {
    const made = applyOperation(noEdits, { kind: 'preset', name: 'smirk', weights: { mouthSmileLeft: 0.5 } });
    const used = applyOperation(made, { kind: 'expressions', keys: [expression('smirk')] });
    expect(() => applyOperation(used, { kind: 'preset', name: 'smirk', weights: null })).toThrow(
      /used by a key/,
    );
    expect(applyOperation(made, { kind: 'preset', name: 'smirk', weights: null })).toEqual(noEdits);
  });

  it('is bounded', () => {
    const keys = Array.from({ length: 10_001 }, (_, at) => key(at / 100, 0));
    const tooMany = { kind: 'draw', channel: 'jawOpen', from: 0, to: 200, keys };
    expect(EditOperation.safeParse(tooMany).success).toBe(false);
    expect(EditOperation.safeParse({ ...tooMany, keys: keys.slice(1) }).success).toBe(true);
  });
});

function piece(from: number, to: number) {
  return { from, to, speed: 1 };
}

function expression(preset: string) {
  return { time: 0, preset, weight: 1, to: 'linear' as const };
}
