import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '@likeness/node-kit/failure.ts';
import { cropped } from '@likeness/portrait/photo/photo.ts';
import sharp from 'sharp';
import { describe, expect, it, vi } from 'vitest';
import { builtInProfileId, type HeadCorrections } from '#contract';
import { batchCalls } from '../../../main/batch/batch_calls.ts';
import { type BatchRunOptions, type BatchRunResult, runBatch } from '../../../main/batch/batch_run.ts';
import type { FoundOutline, OutlineOrder, PortraitChecker } from '../../../main/batch/ports.ts';
import { fineCheck, putPhotos, type Stage, setStage } from './stage.ts';

const corrections: HeadCorrections = {
  strokes: [{ kind: 'background', radius: 0.02, points: [0.5, 0.5, 0.75, 0.5] }],
  crown: 0.1,
};
const clear: FoundOutline = { rings: [[0.5, 0, 1, 0.5, 0, 1]], score: 0.98, sure: true, cutOff: false };
const unclear: FoundOutline = { ...clear, score: 0.6, sure: false };

/** A checker that answers with this outline, and remembers what it was asked. */
function drawing(
  outline: (order: OutlineOrder) => FoundOutline,
): PortraitChecker & { asked: OutlineOrder[] } {
  const asked: OutlineOrder[] = [];
  return {
    parallel: 2,
    asked,
    check: async () => fineCheck,
    crop: cropped,
    async outline(order) {
      asked.push(order);
      return outline(order);
    },
  };
}

async function takeIn(stage: Stage, name = 'ada.png'): Promise<string> {
  const folder = join(stage.folder, 'photos');
  await mkdir(folder, { recursive: true });
  const path = join(folder, name);
  await writeFile(
    path,
    await sharp({ create: { width: 200, height: 100, channels: 3, background: '#8a6' } })
      .png()
      .toBuffer(),
  );
  stage.importer.begin([{ path, name: '', temporary: false }]);
  await stage.importer.settled();
  return stage.batch.importList.selected({ filter: {} })[0]?.id ?? '';
}

const callsOf = ({ batch, importer }: Stage) =>
  batchCalls({ batch, importer, choose: async () => null, takeDropped: () => [], onImages: () => {} });

describe('the outline of a photo', () => {
  it('that is unclear is a finding, until somebody has corrected it', async () => {
    const stage = await setStage({ batch: { checker: drawing(() => unclear) } });
    const id = await takeIn(stage);
    const found = () => stage.batch.photo(id);
    await vi.waitFor(() => expect(found()?.findings.map(({ code }) => code)).toEqual(['uncertain_outline']));
    expect(found()?.check).toBe('warning');
    const calls = callsOf(stage);
    await calls.tag({ selection: { ids: [id] }, set: { corrections } });
    expect(found()).toMatchObject({ findings: [], check: 'ok', corrections });
    expect((await calls.overview(undefined)).corrected).toBe(1);
    await calls.undo(undefined);
    expect(found()?.corrections).toBeNull();
    await vi.waitFor(() => expect(found()?.check).toBe('warning'));
  });

  it('is looked for after the check, and stands in no photo’s way where it can’t be found', async () => {
    const checker = drawing(() => {
      throw new Failure('unsupported', 'There is no face.');
    });
    const stage = await setStage({ batch: { checker } });
    const id = await takeIn(stage);
    await vi.waitFor(() => expect(checker.asked).toHaveLength(1));
    expect(stage.batch.photo(id)).toMatchObject({ check: 'ok', findings: [] });
    await expect(callsOf(stage).outline({ id, corrections: null })).rejects.toMatchObject({
      message: 'There is no face.',
    });
  });

  it('is in parts of the whole photo for the page, and of the crop for the engine', async () => {
    const checker = drawing(() => clear);
    const stage = await setStage({ batch: { checker } });
    const id = await takeIn(stage);
    const calls = callsOf(stage);
    const crop = { x: 0.5, y: 0.25, width: 0.5, height: 0.5 };
    await calls.tag({ selection: { ids: [id] }, set: { crop } });
    const outline = await calls.outline({ id, corrections });
    expect(outline.rings).toEqual([[0.75, 0.25, 1, 0.5, 0.5, 0.75]]);
    expect(checker.asked.find(({ again }) => again)).toMatchObject({
      crop,
      corrections: {
        strokes: [{ kind: 'background', radius: 0.04, points: [0, 0.5, 0.5, 0.5] }],
        crown: 0.1,
      },
    });
  });
});

describe('a head that is wanted although a rule speaks against the photo', () => {
  const turned = {
    code: 'turned_too_far' as const,
    severity: 'blocking' as const,
    anyway: ['soft_left' as const],
    message: 'Turned.',
    figure: 23,
    limit: 17,
    unit: '°',
  };
  const start = (stage: Stage) =>
    stage.batch.orders.start(
      { filter: {} },
      { profileId: stage.profile.id, libraryId: stage.libraries.defaultId(), again: false },
    );
  async function refused(options: { profile?: string; anyway?: false } = {}): Promise<Stage> {
    const stage = await setStage({
      service: { announce: ['head-anyway'] },
      profile: { id: options.profile ?? builtInProfileId },
      check: () => ({
        ...fineCheck,
        findings: [options.anyway === false ? { ...turned, anyway: undefined } : turned],
      }),
    });
    const id = await takeIn(stage);
    await callsOf(stage).tag({ selection: { ids: [id] }, set: { sex: 'female' } });
    expect(stage.batch.photo(id)?.check).toBe('blocked');
    await callsOf(stage).tag({ selection: { ids: [id] }, set: { anyway: true } });
    return stage;
  }

  it('is ordered so, the model says what was passed over, and undo takes the word back', async () => {
    const stage = await refused();
    const [photo] = stage.batch.importList.selected({ filter: {} });
    expect(photo?.check).toBe('warning');
    expect(callsOf(stage).undo(undefined)).toEqual({ undone: 'tag (1)' });
    expect(stage.batch.importList.selected({ filter: {} })[0]?.check).toBe('blocked');
    await callsOf(stage).tag({ selection: { ids: [photo?.id ?? ''] }, set: { anyway: true } });
    await start(stage);
    await stage.rest();
    expect(stage.service.last('generate_model').fields.anyway).toBe('1');
    const [model] = stage.libraries.search({}, 0, 1).models;
    expect((await stage.libraries.model(model?.id ?? '')).overridden).toEqual(['turned_too_far']);
  });

  it('is ordered of no other server, and not where none can be made', async () => {
    for (const stage of [await refused({ profile: 'p1' }), await refused({ anyway: false })]) {
      const selection = { filter: {} };
      const profileId = stage.profile.id;
      expect(stage.batch.orders.forecast(selection, { profileId, again: false })).toEqual({
        heads: 0,
        several: 0,
        left: [{ reason: 'blocked', count: 1 }],
      });
      expect((await start(stage)).queued).toEqual([]);
    }
  });

  it('is made by the command line too, and a dry run says so', async () => {
    const stage = await setStage({
      service: { announce: ['head-anyway'] },
      profile: { id: builtInProfileId },
      check: () => ({ ...fineCheck, findings: [turned] }),
    });
    await putPhotos(stage.photos, 1);
    const run = (more: Partial<BatchRunOptions>): Promise<BatchRunResult> =>
      runBatch(
        {
          batch: stage.batch,
          importer: stage.importer,
          paths: [stage.photos],
          sex: 'male',
          profileId: stage.profile.id,
          libraryId: stage.libraries.defaultId(),
          ...more,
        },
        () => {},
      );
    expect((await run({ dryRun: true })).photos[0]?.check).toBe('blocked');
    expect((await run({ dryRun: true, anyway: true })).photos[0]?.check).toBe('warning');
    expect(await run({})).toMatchObject({ done: 0, allDone: false });
    expect(await run({ anyway: true })).toMatchObject({ done: 1, allDone: true });
    expect(stage.service.last('generate_model').fields.anyway).toBe('1');
  });
});

describe('corrections', () => {
  const order = async (stage: Stage, set: object): Promise<void> => {
    const id = await takeIn(stage);
    await callsOf(stage).tag({ selection: { ids: [id] }, set: { sex: 'female', ...set } });
    await stage.batch.orders.start(
      { ids: [id] },
      { profileId: stage.profile.id, libraryId: stage.libraries.defaultId(), again: false },
    );
    await stage.rest();
  };
  const sent = (stage: Stage): string | undefined => stage.service.last('generate_model').fields.corrections;

  it('go to the built-in engine as parts of what is sent, and are kept with the model', async () => {
    const stage = await setStage({
      service: { announce: ['head-corrections'] },
      profile: { id: builtInProfileId },
    });
    await order(stage, { corrections, crop: { x: 0.5, y: 0, width: 0.5, height: 1 } });
    expect(JSON.parse(sent(stage) ?? '')).toEqual({
      strokes: [{ kind: 'background', radius: 0.04, points: [0, 0.5, 0.5, 0.5] }],
      crown: 0.1,
    });
    const [model] = stage.libraries.search({}, 0, 1).models;
    const calls = callsOf(stage);
    // The head's photo comes back with all that was said of it, and is known to be made already.
    const { photoId } = await calls.reopen({ modelId: model?.id ?? '' });
    expect(stage.batch.photo(photoId)).toMatchObject({
      sex: 'female',
      corrections,
      crop: { x: 0.5, y: 0, width: 0.5, height: 1 },
      inLibrary: model?.id,
    });
    // Other corrections are another head.
    await calls.tag({ selection: { ids: [photoId] }, set: { corrections: { ...corrections, crown: 0 } } });
    expect(stage.batch.photo(photoId)?.inLibrary).toBeNull();
  });

  it('are left out for every other server, which then has made what it always would', async () => {
    const stage = await setStage({ service: { announce: ['head-corrections'] } });
    await order(stage, { corrections });
    expect(sent(stage)).toBeUndefined();
    await order(stage, { corrections: null });
    expect(stage.service.count('generate_model')).toBe(1);
  });

  it('of a model whose original is gone start from the copy in the library', async () => {
    const stage = await setStage({ profile: { id: builtInProfileId } });
    await order(stage, {});
    await rm(join(stage.folder, 'photos'), { recursive: true });
    const [model] = stage.libraries.search({}, 0, 1).models;
    const { photoId } = await callsOf(stage).reopen({ modelId: model?.id ?? '' });
    const again = stage.batch.importList.get(photoId);
    expect(again).toMatchObject({ fileName: 'ada.png', sex: 'female' });
    expect(again?.path.startsWith(stage.options.folder)).toBe(true);
  });
});
