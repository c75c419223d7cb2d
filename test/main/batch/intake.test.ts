import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inEnglish } from '@likeness/messages';
import { openInside } from '@likeness/node-kit/storage/inside_folder.ts';
import sharp from 'sharp';
import { describe, expect, it, vi } from 'vitest';
import { type CallOutput, contract, type Handlers } from '#contract';
import { Batch } from '../../../main/batch/batch.ts';
import { batchCalls, createImporter, photoAsset } from '../../../main/batch/batch_calls.ts';
import { runBatch } from '../../../main/batch/batch_run.ts';
import { walkFiles } from '../../../main/batch/photos/file_walk.ts';
import { parseManifest, sexByFolder, writeManifest } from '../../../main/batch/photos/manifest.ts';
import { createDroppedFiles, type DroppedFiles } from '../../../main/dropped_files.ts';
import { sized } from '../../support/sizes.ts';
import { fineCheck, photoBytes, putPhotos, type Stage, setStage, temporaryFolder } from './stage.ts';

function callsOf(
  stage: Stage,
  chosen: string[] | null = null,
): { calls: ReturnType<typeof batchCalls>; drops: DroppedFiles } {
  const drops = createDroppedFiles(() => crypto.randomUUID());
  const calls = batchCalls({
    batch: stage.batch,
    importer: stage.importer,
    choose: async () => chosen,
    takeDropped: drops.take,
    onImages: () => {},
  });
  return { calls, drops };
}
const all = { filter: {} };
const photosOf = async (
  calls: Pick<Handlers['batch'], 'photos'>,
): Promise<CallOutput<'batch', 'photos'>['photos']> =>
  contract.batch.calls.photos.out.parse(await calls.photos({ offset: 0, limit: 500, filter: {} })).photos;

describe('the photos of the tray', () => {
  it('lie in the order of their names, and in that of their coming where asked', async () => {
    const stage = await setStage();
    const { calls } = callsOf(stage);
    for (const [at, name] of ['debbie.jpg', 'Ben.jpg', 'jeff.jpg', 'anna.jpg'].entries()) {
      await mkdir(stage.photos, { recursive: true });
      await writeFile(join(stage.photos, name), photoBytes(at));
      stage.importer.begin([{ path: join(stage.photos, name), name, temporary: false }]);
      await stage.importer.settled();
    }
    const named = async (filter: { sort?: 'newest' | 'added' }): Promise<string[]> =>
      (await calls.photos({ offset: 0, limit: 10, filter })).photos.map(({ fileName }) => fileName);
    expect(await named({})).toEqual(['anna.jpg', 'Ben.jpg', 'debbie.jpg', 'jeff.jpg']);
    expect(await named({ sort: 'newest' })).toEqual(['anna.jpg', 'jeff.jpg', 'Ben.jpg', 'debbie.jpg']);
    expect(await named({ sort: 'added' })).toEqual(['debbie.jpg', 'Ben.jpg', 'jeff.jpg', 'anna.jpg']);
  });
});

describe('taking photos in', () => {
  it('follows links within what was given, and none that lead out of it', async () => {
    const stage = await setStage();
    const elsewhere = join(stage.folder, 'private');
    const drop = join(stage.folder, 'drop');
    await putPhotos(elsewhere, 2);
    await putPhotos(join(drop, 'album'), 1, 10);
    await symlink(elsewhere, join(drop, 'holiday'));
    await symlink(join(elsewhere, 'photo-000.jpg'), join(drop, 'passport.jpg'));
    await symlink(join('album', 'photo-010.jpg'), join(drop, 'best.jpg'));
    // A link that was given itself is what the person means.
    await symlink(drop, join(stage.folder, 'shortcut'));
    stage.importer.begin([{ path: join(stage.folder, 'shortcut'), name: '', temporary: false }]);
    await stage.importer.settled();
    const { added, skipped, examples } = contract.batch.events.intakeChanged.parse(stage.importer.current);
    expect(added).toBe(1);
    expect(skipped).toEqual([
      { reason: 'duplicate', count: 1 },
      { reason: 'link_outside', count: 2 },
    ]);
    expect(inEnglish(examples.find(({ fileName }) => fileName === 'holiday')?.detail ?? '')).toContain(
      elsewhere,
    );
    const { photos } = contract.batch.calls.photos.out.parse(
      await callsOf(stage).calls.photos({ offset: 0, limit: 10, filter: {} }),
    );
    expect(photos.map(({ fileName }) => fileName)).toEqual(['photo-010.jpg']);
    // Given together, either may lead into the other.
    stage.importer.begin([
      { path: drop, name: '', temporary: false },
      { path: elsewhere, name: '', temporary: false },
    ]);
    await stage.importer.settled();
    expect(stage.importer.current?.added).toBe(2);
    expect(stage.importer.current?.skipped.map(({ reason }) => reason)).not.toContain('link_outside');
  });

  it('reads no file that took the place of the one it looked at', async () => {
    const stage = await setStage();
    const elsewhere = join(stage.folder, 'private');
    const drop = join(stage.folder, 'drop');
    await putPhotos(elsewhere, 1);
    await putPhotos(drop, 1, 10);
    for await (const walked of walkFiles([drop])) {
      if (walked.kind !== 'photo') continue;
      await rm(walked.path);
      await symlink(join(elsewhere, 'photo-000.jpg'), walked.path);
      await expect(openInside(walked.within ?? '', walked.path)).rejects.toMatchObject({ code: 'storage' });
    }
    expect.assertions(1);
  });

  it('tells photos by their content from everything that lies beside them', async () => {
    const stage = await setStage();
    const folder = join(stage.folder, 'drop');
    await putPhotos(join(folder, 'women'), 2);
    await putPhotos(join(folder, 'men', 'deep'), 1, 10);
    await writeFile(join(folder, 'women', 'copy of 0.jpg'), photoBytes(0));
    await writeFile(join(folder, 'no-extension'), photoBytes(20));
    await writeFile(join(folder, 'note.jpg'), 'a text with a wrong name');
    await writeFile(join(folder, 'photo.xmp'), '<xmp/>');
    await writeFile(join(folder, '._photo-000.jpg'), photoBytes(21));
    await writeFile(join(folder, '.DS_Store'), 'x');
    await writeFile(join(folder, 'empty.png'), '');
    await writeFile(join(folder, 'a.gif'), 'GIF89a....................................');
    await writeFile(
      join(folder, 'x.heic'),
      Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic and no more than that', 'latin1'),
    );
    await writeFile(join(folder, 'x.nef'), Buffer.from('MM\0*................................', 'latin1'));
    await symlink(folder, join(folder, 'men', 'loop'));
    await symlink(join(folder, 'gone'), join(folder, 'dangling.jpg'));
    // It leads somewhere that the system does not look.
    await symlink('x'.repeat(300), join(folder, 'far.jpg'));
    stage.importer.begin([{ path: folder, name: '', temporary: false }]);
    await stage.importer.settled();
    const { state, added, skipped, examples } = contract.batch.events.intakeChanged.parse(
      stage.importer.current,
    );
    expect({ state, added }).toEqual({ state: 'done', added: 5 });
    expect(Object.fromEntries(skipped.map(({ reason, count }) => [reason, count]))).toEqual({
      not_an_image: 1,
      unreadable: 2,
      undecodable: 2,
      duplicate: 1,
      hidden: 2,
      sidecar: 1,
      link_loop: 1,
      empty: 1,
    });
    expect(examples).toContainEqual(
      expect.objectContaining({ fileName: 'x.nef', detail: expect.stringMatching(/JPEG/) }),
    );
    const detailOf = (name: string) =>
      inEnglish(examples.find(({ fileName }) => fileName === name)?.detail ?? '');
    expect([detailOf('dangling.jpg'), detailOf('far.jpg')]).toEqual([
      'The link leads nowhere.',
      'The file can’t be read.',
    ]);
    expect(stage.batch.importList.folders()).toEqual([
      { folder: '', photos: 2 },
      { folder: 'men/deep', photos: 1 },
      { folder: 'women', photos: 2 },
    ]);
  });

  it('keeps uploads in its own folder, under a name of its own', async () => {
    const stage = await setStage();
    const { calls, drops } = callsOf(stage);
    const uploads = await temporaryFolder();
    await writeFile(join(uploads, 'u1'), photoBytes(1));
    await writeFile(join(uploads, 'u2'), 'no picture');
    const dropIds = [
      drops.register({ path: join(uploads, 'u1'), name: '../../women/Ada.jpg', temporary: true }),
      drops.register({ path: join(uploads, 'u2'), name: 'notes.docx', temporary: true }),
    ];
    await calls.addDropped({ dropIds });
    await stage.importer.settled();
    expect(await photosOf(calls)).toMatchObject([{ fileName: 'Ada.jpg', folder: 'women', name: 'Ada' }]);
    expect(await readdir(uploads)).toEqual([]);
    expect((await readdir(join(stage.folder, 'batch', 'photos')))[0]).toMatch(/^[0-9a-f]{64}\.jpeg$/);
  });

  it('shows every format small and upright', async () => {
    const stage = await setStage();
    await mkdir(stage.photos, { recursive: true });
    const picture = sharp({ create: { width: 800, height: 400, channels: 3, background: '#a08070' } });
    await picture.clone().withMetadata({ orientation: 6 }).jpeg().toFile(join(stage.photos, 'turned.jpg'));
    await picture.clone().tiff().toFile(join(stage.photos, 'scan.tif'));
    stage.importer.begin([{ path: stage.photos, name: '', temporary: false }]);
    await stage.importer.settled();
    const { calls } = callsOf(stage);
    const [scan, turned] = await photosOf(calls);
    const small = await photoAsset(stage.batch, 'photo-small', turned?.id ?? '');
    expect(await sharp(small ?? '').metadata()).toMatchObject({ format: 'webp', width: 160, height: 320 });
    expect(
      await sharp((await photoAsset(stage.batch, 'photo', scan?.id ?? '')) ?? '').metadata(),
    ).toMatchObject({
      format: 'webp',
      width: 800,
    });
    expect(await photoAsset(stage.batch, 'photo', turned?.id ?? '')).toBe(join(stage.photos, 'turned.jpg'));
    expect(await photoAsset(stage.batch, 'photo', 'nobody')).toBeNull();
  });

  it('takes hundreds without holding anything up', async () => {
    const stage = await setStage();
    const count = sized(300, 1200);
    await putPhotos(stage.photos, count);
    // Photos that came into the tray between two turns of the event loop.
    const between: number[] = [];
    let isOver = false;
    let last = 0;
    const look = (): void => {
      const { photos } = stage.batch.importList.sums();
      between.push(photos - last);
      last = photos;
    };
    const turn = (): void => {
      if (isOver) return;
      look();
      setImmediate(turn);
    };
    turn();
    stage.importer.begin([{ path: stage.photos, name: '', temporary: false }]);
    await stage.importer.settled();
    isOver = true;
    look();
    expect(stage.batch.overview().photos).toBe(count);
    // Each photo is read while others have their turn, and a transaction takes in a hundred.
    expect(between.length).toBeGreaterThan(count);
    expect(Math.max(...between)).toBeLessThanOrEqual(100);
  });
});

describe('tagging', () => {
  it('by selection, by folder and by manifest, each taken back as one step', async () => {
    const stage = await setStage();
    await putPhotos(join(stage.photos, 'Women', 'set 1'), 2);
    await putPhotos(join(stage.photos, 'm'), 2, 10);
    await putPhotos(join(stage.photos, 'misc'), 1, 20);
    stage.importer.begin([{ path: stage.photos, name: '', temporary: false }]);
    await stage.importer.settled();
    const { calls } = callsOf(stage);
    expect(await calls.tagByFolder({ selection: all })).toEqual({
      female: 2,
      male: 2,
      unclear: 1,
      changed: 4,
    });
    expect(await calls.tagByFolder({ selection: all })).toMatchObject({ changed: 0 });
    const { applied, problems } = await calls.importManifest({
      text: 'file;sex;tags;name\r\nmisc/photo-020.jpg;F;"a;b";Ada\r\nnobody.jpg;male;;\r\nphoto-010.jpg;neither;;\r\n',
    });
    expect(applied).toBe(1);
    expect(problems).toEqual([
      expect.objectContaining({ line: 3, column: 1, fault: 'no_photo', value: 'nobody.jpg' }),
      expect.objectContaining({ line: 4, column: 15, fault: 'no_sex', value: 'neither' }),
    ]);
    const sexes = async (): Promise<(string | null)[]> => (await photosOf(calls)).map(({ sex }) => sex);
    const before = await sexes();
    expect(before.filter((sex) => sex === null)).toEqual([]);
    expect(await calls.tag({ selection: all, set: { sex: 'male', eyelidType: 'double' } })).toEqual({
      changed: 5,
    });
    expect((await stage.batch.overview()).undo).toBe('tag (5)');
    await calls.undo(undefined);
    expect(await sexes()).toEqual(before);
    await calls.removePhotos({ selection: { filter: { folder: 'm' } } });
    expect(stage.batch.overview().photos).toBe(3);
    expect(await calls.undo(undefined)).toEqual({ undone: 'remove (2)' });
    expect(stage.batch.overview().photos).toBe(5);
  });

  it('never guesses: what no folder names stays open', () => {
    expect(sexByFolder('set/Female/studio')).toBe('female');
    expect(sexByFolder('female/men')).toBe('male');
    expect(sexByFolder('女')).toBe('female');
    for (const folder of ['', 'Mary', 'portraits', '1', 'mf']) expect(sexByFolder(folder)).toBeNull();
  });

  it('queues only what has a sex and is not blocked, and says what stays', async () => {
    const blocking = {
      code: 'no_face',
      severity: 'blocking',
      message: 'x',
      figure: null,
      limit: null,
      unit: '',
    } as const;
    const stage = await setStage({
      check: (path) => (path.endsWith('1.jpg') ? { ...fineCheck, findings: [blocking] } : fineCheck),
    });
    await putPhotos(stage.photos, 3);
    stage.importer.begin([{ path: stage.photos, name: '', temporary: false }]);
    await stage.importer.settled();
    await vi.waitFor(() =>
      expect(stage.batch.overview().checks).toMatchObject({ ok: 2, blocked: 1, pending: 0 }),
    );
    const { calls } = callsOf(stage);
    const [first] = await photosOf(calls);
    await calls.tag({ selection: { ids: [first?.id ?? ''] }, set: { sex: 'female' } });
    // The blocked one has no sex either, and counts once: under what a sex would not mend.
    const left = [
      { reason: 'no_sex', count: 1 },
      { reason: 'blocked', count: 1 },
    ];
    const order = { selection: all, profileId: 'p1', again: false };
    expect(await calls.forecast(order)).toEqual({ heads: 1, several: 0, left });
    const asked = { sex: 'unset', check: 'usable' } as const;
    expect(await calls.photos({ offset: 0, limit: 10, filter: asked })).toMatchObject({ total: 1 });
    expect(await calls.start(order)).toEqual({ queued: 1, left });
    await stage.rest();
    expect((await photosOf(calls)).map(({ fileName }) => fileName)).toEqual([
      'photo-001.jpg',
      'photo-002.jpg',
    ]);
    const report = await calls.report(undefined);
    expect(report.text).toMatch(/^file,name,state,.*\r\nphoto-000\.jpg,photo-000,done,/);
    expect(contract.batch.calls.overview.out.parse(await calls.overview(undefined)).jobs.done).toBe(1);
  });

  it('sends the part that the person chose', async () => {
    const stage = await setStage();
    await mkdir(stage.photos, { recursive: true });
    const picture = sharp({ create: { width: 800, height: 400, channels: 3, background: '#a08070' } });
    await picture.withMetadata({ orientation: 6 }).jpeg().toFile(join(stage.photos, 'turned.jpg'));
    const crop = { x: 0.25, y: 0.5, width: 0.5, height: 0.25 };
    stage.importer.begin([{ path: stage.photos, name: '', temporary: false }]);
    await stage.importer.settled();
    const { calls } = callsOf(stage);
    await calls.tag({ selection: all, set: { sex: 'male', crop } });
    await calls.start({ selection: all, profileId: 'p1', again: false });
    await stage.rest();
    const { file } = stage.service.last('generate_model');
    expect(await sharp(file?.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 200, height: 200 });
  });

  it('submits images and keeps the ids, which is all the interface gives', async () => {
    const stage = await setStage();
    await putPhotos(stage.photos, 2);
    stage.importer.begin([{ path: stage.photos, name: '', temporary: false }]);
    await stage.importer.settled();
    const { calls } = callsOf(stage);
    expect(await calls.submitImages({ selection: all, profileId: 'p1' })).toEqual({
      submitted: 2,
      failed: 0,
    });
    expect(await calls.imageTasks({ offset: 0, limit: 10 })).toMatchObject({
      total: 2,
      tasks: [{ taskId: 'task-2' }, { taskId: 'task-1' }],
    });
  });
});

describe('a manifest', () => {
  const entries = [
    {
      file: 'a/ü "x".jpg',
      sex: 'female',
      eyelidType: 'single',
      name: 'Ä, B\nC',
      tags: ['x', 'y z'],
      options: { smile: 0.5, eyeColour: '#5a7fa0' },
    },
    { file: 'b.jpg', sex: null, eyelidType: null, name: '王', tags: [], options: null },
  ];

  it('comes back as it was written', () => {
    const { rows, problems } = parseManifest(writeManifest(entries));
    expect(problems).toEqual([]);
    expect(rows).toEqual([
      {
        line: 2,
        file: 'a/ü "x".jpg',
        sex: 'female',
        eyelidType: 'single',
        name: 'Ä, B\nC',
        tags: ['x', 'y z'],
        options: { smile: 0.5, eyeColour: '#5a7fa0' },
      },
      { line: 4, file: 'b.jpg', name: '王' },
    ]);
    expect(
      writeManifest(
        rows.map((row) => ({ sex: null, eyelidType: null, name: '', tags: [], options: null, ...row })),
      ),
    ).toBe(writeManifest(entries));
  });

  it('runs nothing in a spreadsheet, and comes back with the same names and tags', () => {
    const risky = [
      "=cmd|' /C calc'!A0",
      ' =1+1',
      '＝1+1',
      '@x',
      '-x',
      '+x',
      '\tx',
      "'=1",
      "''@",
      "'Abd",
      '\u00a0=1',
    ];
    const tagged = [
      ...risky.map((text) => ({
        file: `${text}.jpg`,
        name: text.trim(),
        tags: [text.trim(), 'a;b', 'c|d\\', '\\'],
      })),
    ].map((entry) => ({ ...entry, sex: null, eyelidType: null, options: null }));
    const text = writeManifest(tagged);
    const { rows, problems } = parseManifest(text);
    expect(problems).toEqual([]);
    expect(rows.map(({ file, name, tags }) => ({ file, name, tags }))).toEqual(
      tagged.map(({ file, name, tags }) => ({ file, name, tags: [...new Set(tags)] })),
    );
    // A spreadsheet takes quotes off before it looks at a cell.
    expect(text).not.toMatch(/(^|[,\n])"?[\s\u00a0]*[=+\-@＝＋－＠]/mu);
  });

  it.each([
    ['', 1, 1, /empty/],
    ['name,sex\nx,f', 1, 1, /“file” is missing/],
    ['file,sex\na.jpg,x', 2, 7, /not a sex/],
    ['file,sex\na.jpg,f,more', 2, 9, /more than the 2 columns/],
    ['file,sex\n,f', 2, 1, /file is missing/],
    ['file,eyelidType\n"a.jpg",3', 2, 9, /not an eyelid type/],
    ['file,sex\n"a.jpg,f', 2, 1, /not closed/],
    ['file,colour\na.jpg,red', 1, 6, /no column “colour”/],
  ])('with a fault says where: %j', (text, line, column, problem) => {
    expect(parseManifest(text).problems).toContainEqual(
      expect.objectContaining({ line, column, problem: expect.stringMatching(problem) }),
    );
  });

  it('of spreadsheets is read too: a mark at the front, tabs, numbers of the interface', () => {
    expect(parseManifest('\ufeffFile\tSex\tEyelidType\na.jpg\t1\t2\n').rows).toEqual([
      { line: 2, file: 'a.jpg', sex: 'female', eyelidType: 'double' },
    ]);
  });
});

describe('the command line’s run', () => {
  const runOf = (stage: Stage, more: Partial<Parameters<typeof runBatch>[0]> = {}) =>
    runBatch(
      {
        batch: stage.batch,
        importer: stage.importer,
        paths: [stage.photos],
        sex: 'female',
        profileId: 'p1',
        libraryId: stage.libraries.defaultId(),
        ...more,
      },
      () => {},
    );

  it('makes heads of a folder, and repeated makes only what is missing', async () => {
    const stage = await setStage({ service: { failure: (index) => (index === 1 ? 'no face' : null) } });
    await putPhotos(stage.photos, 4);
    const first = await runOf(stage);
    expect(first).toMatchObject({ allDone: false, done: 3, failed: 1, alreadyThere: 0 });
    const second = await runOf(stage);
    expect(second).toMatchObject({ allDone: true, done: 1, failed: 0, alreadyThere: 3 });
    expect(stage.service.models.size).toBe(5);
    expect(await runOf(stage)).toMatchObject({ allDone: true, done: 0, alreadyThere: 4 });
  });

  it.each([
    [
      'interrupted in an open studio takes back what was not sent',
      true,
      ['cancelled', 'cancelled', 'cancelled'],
    ],
    ['interrupted by itself leaves it for the next run', false, ['queued', 'queued', 'queued']],
  ])('%s; what was ordered is fetched', async (_, cancelsUnsent, unsent) => {
    // Models that are never ready, one at a time.
    const stage = await setStage({ service: { waitTime: 3600 }, batch: { concurrentJobs: () => 1 } });
    await putPhotos(stage.photos, 4);
    const interrupted = new AbortController();
    const run = runOf(stage, { signal: interrupted.signal, cancelsUnsent: () => cancelsUnsent });
    await vi.waitFor(() => expect(stage.batch.jobs.counts().waiting).toBe(1), { timeout: 20_000 });
    interrupted.abort(new Error('Ctrl-C'));
    await expect(run).rejects.toThrow('Ctrl-C');
    const states = stage.batch.jobs
      .inState(['queued', 'cancelled', 'waiting', 'checking', 'submitting'])
      .map(({ state }) => state);
    expect(states.sort()).toEqual([...unsent, 'waiting']);
    expect(stage.service.models.size).toBe(1);
  });

  it('beside another one: each takes its own photos for its own', async () => {
    const stage = await setStage();
    await putPhotos(stage.photos, 2);
    const other = join(stage.folder, 'other');
    await putPhotos(other, 3, 2);
    const [one, two] = await Promise.all([runOf(stage), runOf(stage, { paths: [other] })]);
    expect([one.intake?.found, two.intake?.found]).toEqual([2, 3]);
    expect([one.done, two.done]).toEqual([2, 3]);
  });

  it('on a dry run sends nothing and leaves nothing in the tray', async () => {
    const stage = await setStage();
    await putPhotos(stage.photos, 2);
    const result = await runOf(stage, { dryRun: true });
    expect(result).toMatchObject({ allDone: true, photos: [{ check: 'ok' }, { check: 'ok' }] });
    expect(stage.service.requests).toEqual([]);
    expect(stage.batch.overview().photos).toBe(0);
  });

  /** Photos that an earlier intake brought, tagged by hand. */
  async function trayAtHand(stage: Stage): Promise<string> {
    await putPhotos(stage.photos, 3);
    await stage.takeIn(stage.photos, 'male');
    const { importList } = stage.batch;
    const [first] = importList.selected(all);
    if (first) importList.tag('tag', [{ photo: first, set: { name: 'By hand', tags: ['senate'] } }]);
    return JSON.stringify(importList.selected(all));
  }

  it('on a dry run touches nothing of the tray, and takes no photo for a duplicate of itself', async () => {
    const stage = await setStage();
    const before = await trayAtHand(stage);
    await putPhotos(stage.photos, 1, 3);
    const manifest = join(stage.folder, 'm.csv');
    await writeFile(manifest, 'file,sex\nphoto-001.jpg,male\n');
    const result = await runOf(stage, { dryRun: true, manifest });
    expect(result.photos.map(({ fileName, sex }) => [fileName, sex])).toEqual([
      ['photo-000.jpg', 'female'],
      ['photo-001.jpg', 'male'],
      ['photo-002.jpg', 'female'],
      ['photo-003.jpg', 'female'],
    ]);
    expect(result.intake?.examples).toEqual([]);
    expect(JSON.stringify(stage.batch.importList.selected(all))).toBe(before);
    expect(stage.batch.overview()).toMatchObject({ photos: 3, undo: expect.not.stringContaining('remove') });
  });

  it('tags and removes none of the photos that an earlier intake brought', async () => {
    const stage = await setStage();
    const before = await trayAtHand(stage);
    await putPhotos(stage.photos, 1, 3);
    const result = await runOf(stage);
    expect(result).toMatchObject({ allDone: true, found: 4, done: 4 });
    expect(result.intake?.examples).toEqual([]);
    // The run’s own word held for what it ordered, and the rest of what was said by hand too.
    expect([...stage.service.models.values()].map(({ sex }) => sex)).toEqual(['1', '1', '1', '1']);
    expect(stage.libraries.search({}, 0, 10).models.map(({ name }) => name)).toContain('By hand');
    expect(JSON.stringify(stage.batch.importList.selected(all))).toBe(before);
    expect(await runOf(stage)).toMatchObject({ allDone: true, alreadyThere: 4 });
    expect(JSON.stringify(stage.batch.importList.selected(all))).toBe(before);
  });

  it('that can’t begin leaves nothing behind, and touches nothing while another studio has the queue', async () => {
    const stage = await setStage();
    await putPhotos(stage.photos, 2);
    await expect(runOf(stage, { manifest: join(stage.folder, 'no.csv') })).rejects.toMatchObject({
      code: 'storage',
    });
    expect(stage.batch.overview().photos).toBe(0);
    const second = new Batch(stage.options);
    const importer = createImporter(second, () => {});
    await expect(runOf(stage, { batch: second, importer })).rejects.toMatchObject({ code: 'conflict' });
    expect(stage.batch.overview().photos).toBe(0);
    await second.close();
  });

  it('takes sexes from a manifest, and refuses to guess those it does not name', async () => {
    const stage = await setStage();
    await putPhotos(stage.photos, 2);
    const manifest = join(stage.folder, 'm.csv');
    await writeFile(manifest, 'file,sex\nphoto-000.jpg,male\n');
    const { sex: _none, ...without } = { sex: 'female' as const, manifest };
    await expect(
      runBatch(
        {
          batch: stage.batch,
          importer: stage.importer,
          paths: [stage.photos],
          profileId: 'p1',
          libraryId: stage.libraries.defaultId(),
          ...without,
        },
        () => {},
      ),
    ).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringContaining('photo-001.jpg') });
    expect(await runOf(stage, { manifest })).toMatchObject({ allDone: true, done: 2 });
    expect([...stage.service.models.values()].map(({ sex }) => sex).sort()).toEqual(['0', '1']);
  });
});
