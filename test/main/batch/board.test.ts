/** The board's tiles: each photo in one state, counted truly, and back where it was after an undo. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PhotoFinding } from '#contract';
import { batchCalls } from '../../../main/batch/batch_calls.ts';
import { envelope } from '../../fixtures/service/behaviours.ts';
import { fineCheck, putPhotos, type Stage, type StageOptions, setStage } from './stage.ts';

const blocked = (code: PhotoFinding['code']): PhotoFinding => ({
  code,
  severity: 'blocking',
  message: '',
  figure: null,
  limit: null,
  unit: '',
});
const callsOf = ({ batch, importer }: Stage) =>
  batchCalls({ batch, importer, choose: async () => null, takeDropped: () => [], onImages: () => {} });
const statesOf = ({ batch }: Stage): string[] =>
  batch.board
    .tiles(batch.board.ids({ sort: 'added' }))
    .map(({ state, reason }) => `${state} ${reason ?? ''}`.trim());
const withPhotos = async (count: number, options: StageOptions = {}): Promise<Stage> => {
  const stage = await setStage(options);
  await putPhotos(stage.photos, count);
  await stage.takeIn(stage.photos, 'female');
  await expect.poll(() => stage.batch.overview().checks.pending).toBe(0);
  return stage;
};

describe('a tile', () => {
  it('is in one state by its check, its settings and its newest job; counts agree', async () => {
    const findings = [[], [blocked('several_faces')], [blocked('no_face')], []];
    const stage = await withPhotos(4, {
      check: (path) => ({ ...fineCheck, findings: findings[Number(/(\d+)\.\w+$/.exec(path)?.[1])] ?? [] }),
    });
    const { batch } = stage;
    const [, , , last = ''] = batch.board.ids({ sort: 'added' });
    await callsOf(stage).tag({ selection: { ids: [last] }, set: { sex: null } });
    expect(statesOf(stage)).toEqual(['ready', 'needs several_faces', 'unusable no_face', 'needs no_sex']);
    expect(batch.overview().board).toEqual({
      needs: 2,
      ready: 1,
      making: 0,
      done: 0,
      unusable: 1,
      checking: 0,
    });
    expect(batch.board.reasons().map(({ state, reason, count }) => [state, reason, count])).toEqual(
      expect.arrayContaining([
        ['needs', 'no_sex', 1],
        ['needs', 'several_faces', 1],
        ['unusable', 'no_face', 1],
      ]),
    );
    batch.pause(true);
    await stage.order();
    expect(statesOf(stage)[0]).toBe('making');
    expect(batch.board.tiles(batch.board.ids({ state: 'making' }))[0]).toMatchObject({ line: 1 });
    expect(batch.board.ids({ editable: true })).toHaveLength(3);
  });

  it('is found by its sex and its folder, also once its head is made', async () => {
    const stage = await setStage();
    await putPhotos(stage.photos, 1);
    await putPhotos(join(stage.photos, 'men'), 1, 1);
    await stage.takeIn(stage.photos, 'female');
    const { board, importList } = stage.batch;
    const [man = ''] = board.ids({ folder: 'men' });
    await callsOf(stage).tag({ selection: { ids: [man] }, set: { sex: 'male' } });
    await stage.order();
    await stage.rest();
    expect(board.ids({ sex: 'male' })).toEqual([man]);
    expect(board.ids({ folder: 'men' })).toEqual([man]);
    expect(board.ids({ folder: '' })).not.toContain(man);
    expect(board.ids({ folder: 'men', sex: 'female' })).toEqual([]);
    expect(importList.folders().map(({ folder }) => folder)).toEqual(['', 'men']);
  });

  it('keeps its place from import to head, whatever happens in between', async () => {
    const stage = await withPhotos(3);
    const order = stage.batch.board.ids({});
    stage.service.script('generate_model', envelope(null, { code: 4001, message: 'not allowed' }));
    await stage.order();
    await stage.rest();
    expect(statesOf(stage).toSorted()).toEqual(['done', 'done', 'needs failed']);
    expect(stage.batch.board.ids({})).toEqual(order);
  });
});

describe('leaving the board', () => {
  it('archives what is done and brings it back', async () => {
    const stage = await withPhotos(2);
    const calls = callsOf(stage);
    await stage.order();
    await stage.rest();
    expect(await calls.archive({ ids: null })).toEqual({ archived: 2 });
    expect(stage.batch.board.ids({})).toEqual([]);
    expect(stage.batch.overview().board.done).toBe(0);
    expect(await calls.undo(undefined)).toEqual({ undone: 'archive (2)' });
    expect(statesOf(stage)).toEqual(['done', 'done']);
    expect(stage.batch.overview().jobs.done).toBe(2);
    expect(await calls.redo(undefined)).toEqual({ redone: 'archive (2)', refused: false });
    expect(stage.batch.board.ids({})).toEqual([]);
    await calls.undo(undefined);
    expect(statesOf(stage)).toEqual(['done', 'done']);
  });

  it('removes photos and failed jobs in one step, and nothing that is being made', async () => {
    const stage = await withPhotos(3);
    const calls = callsOf(stage);
    const [first = '', second = '', third = ''] = stage.batch.board.ids({ sort: 'added' });
    const { profile, batch } = stage;
    const libraryId = stage.libraries.defaultId();
    const order = { profileId: profile.id, libraryId, again: false };
    stage.service.script('generate_model', envelope(null, { code: 4001, message: 'not allowed' }));
    await batch.orders.start({ ids: [first] }, order);
    await stage.rest();
    batch.pause(true);
    await batch.orders.start({ ids: [second] }, order);
    expect(await calls.remove({ ids: [first, second, third] })).toEqual({ removed: 2, kept: 1 });
    expect(statesOf(stage)).toEqual(['making']);
    await calls.undo(undefined);
    expect(statesOf(stage)).toEqual(['needs failed', 'making', 'ready']);
    await calls.redo(undefined);
    expect(statesOf(stage)).toEqual(['making']);
  });

  it('takes a cancelled order back into the line when that is undone', async () => {
    const stage = await withPhotos(2);
    stage.batch.pause(true);
    await stage.order();
    expect(statesOf(stage)).toEqual(['making', 'making']);
    await stage.batch.orders.cancel(null);
    expect(statesOf(stage)).toEqual(['ready', 'ready']);
    expect(await callsOf(stage).undo(undefined)).toEqual({ undone: 'cancel (2)' });
    expect(statesOf(stage)).toEqual(['making', 'making']);
    expect(await callsOf(stage).redo(undefined)).toEqual({ redone: 'cancel (2)', refused: true });
    expect(statesOf(stage)).toEqual(['making', 'making']);
    expect(await stage.rest()).toMatchObject({ jobs: { done: 2 } });
  });
});
