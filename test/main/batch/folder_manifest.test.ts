import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { byNaturalOrder } from '@likeness/node-kit/natural_order.ts';
import { decodeText } from '@likeness/proto/text/text_encoding.ts';
import { describe, expect, it } from 'vitest';
import { contract, type PhotoImport } from '#contract';
import { type BatchRunOptions, type BatchRunResult, runBatch } from '../../../main/batch/batch_run.ts';
import { photoCalls } from '../../../main/batch/photos/photo_calls.ts';
import { photoBytes, putPhotos, type Stage, setStage } from './stage.ts';

const all = { filter: {} };
const said = (stage: Stage): Record<string, [string | null, string]> =>
  Object.fromEntries(
    stage.batch.importList.selected(all).map(({ fileName, sex, name }) => [fileName, [sex, name]]),
  );

async function takeIn(stage: Stage, ...paths: string[]): Promise<PhotoImport> {
  stage.importer.begin(paths.map((path) => ({ path, name: path, temporary: false })));
  await stage.importer.settled();
  return contract.batch.events.intakeChanged.parse(stage.importer.current);
}

/** Hands files over as a page does: under names of ours, with what the person calls them. */
async function upload(stage: Stage, files: Record<string, string | Uint8Array>): Promise<PhotoImport> {
  const folder = join(stage.folder, 'uploads');
  await mkdir(folder, { recursive: true });
  const given = Object.entries(files).map(async ([name, content], at) => {
    const path = join(folder, `${Date.now()}-${at}`);
    await writeFile(path, content);
    return { path, name, temporary: true };
  });
  stage.importer.begin(await Promise.all(given));
  await stage.importer.settled();
  return contract.batch.events.intakeChanged.parse(stage.importer.current);
}

describe('a manifest that lies beside the photos', () => {
  it('is applied as one step that can be taken back, and says what it set', async () => {
    const stage = await setStage();
    await putPhotos(stage.photos, 3);
    await writeFile(
      join(stage.photos, 'manifest.csv'),
      'file,sex,name\nphoto-000.jpg,female,Ada\nphoto-002.jpg,male,\n',
    );
    await writeFile(join(stage.photos, 'notes.txt'), 'nothing for the studio');
    const { added, skipped, manifests } = await takeIn(stage, stage.photos);
    expect({ added, skipped }).toEqual({ added: 3, skipped: [{ reason: 'sidecar', count: 1 }] });
    expect(manifests).toEqual([
      {
        fileName: 'manifest.csv',
        applied: 2,
        set: { sex: 2, eyelidType: 0, name: 1, tags: 0, options: 0, person: 0 },
        problems: [],
      },
    ]);
    const after = {
      'photo-000.jpg': ['female', 'Ada'],
      'photo-001.jpg': [null, 'photo-001'],
      'photo-002.jpg': ['male', 'photo-002'],
    };
    expect(said(stage)).toEqual(after);
    expect(stage.batch.importList.undo()).toMatchObject({ what: 'manifest (2)' });
    expect(said(stage)).toEqual(
      Object.fromEntries(Object.entries(after).map(([file]) => [file, [null, file.slice(0, -4)]])),
    );
  });

  it('says that nothing changed where the photos have its values already, and leaves no step to undo', async () => {
    const stage = await setStage();
    await putPhotos(stage.photos, 2);
    const text =
      'file,sex,tags,options,person\nphoto-000.jpg,female,a;b,smile=1,Ada\nphoto-001.jpg,male,,,Ada\n';
    await takeIn(stage, stage.photos);
    const { importManifest } = photoCalls(stage.batch, stage.importer);
    expect(importManifest({ text }).set).toMatchObject({ sex: 2, tags: 1, options: 1, person: 2 });
    const before = stage.batch.importList.selected({ filter: {} });
    const unchanged = { sex: 0, eyelidType: 0, name: 0, tags: 0, options: 0, person: 0 };
    const again = importManifest({ text });
    expect(again).toMatchObject({ applied: 2, set: unchanged });
    // Beside the photos of before as well.
    await writeFile(join(stage.photos, 'manifest.csv'), text);
    const { manifests } = await takeIn(stage, stage.photos);
    expect(manifests).toMatchObject([{ applied: 2, set: unchanged }]);
    expect(stage.batch.importList.selected({ filter: {} })).toEqual(before);
    stage.batch.importList.undo();
    expect(stage.batch.importList.undoable).toBe('');
  });

  it('is read in the encoding in which it lists the photos beside it', async () => {
    const stage = await setStage();
    await mkdir(stage.photos, { recursive: true });
    await writeFile(join(stage.photos, 'Uğur.jpg'), photoBytes(1));
    await writeFile(join(stage.photos, '髙橋.jpg'), photoBytes(2));
    const turkish = Buffer.from('66696c652c7365780a55f075722e6a70672c6d', 'hex');
    const japanese = Buffer.from('66696c652c7365780afbfc8bb42e6a70672c66', 'hex');
    await writeFile(join(stage.photos, 'a.csv'), turkish);
    await writeFile(join(stage.photos, 'b.csv'), japanese);
    const { manifests } = await takeIn(stage, stage.photos);
    expect(manifests).toMatchObject([
      { applied: 1, problems: [] },
      { applied: 1, problems: [] },
    ]);
    expect(said(stage)).toEqual({ 'Uğur.jpg': ['male', 'Uğur'], '髙橋.jpg': ['female', '髙橋'] });
  });

  it('of an upload too, for the photos of its own folder alone', async () => {
    const stage = await setStage();
    const { added, skipped, manifests } = await upload(stage, {
      'drop/a/1.jpg': photoBytes(1),
      'drop/b/1.jpg': photoBytes(2),
      'drop/b/people.csv': '\ufefffile;sex\r\n1.jpg;M\r\n2.jpg;F\r\n',
      'drop/notes.txt': 'x',
      'drop/.DS_Store': 'x',
    });
    expect(added).toBe(2);
    expect(skipped.map(({ reason }) => reason)).toEqual(['hidden', 'sidecar']);
    expect(manifests).toMatchObject([
      { fileName: 'drop/b/people.csv', applied: 1, problems: [{ fault: 'no_photo', value: '2.jpg' }] },
    ]);
    expect(stage.batch.importList.selected(all).map(({ folder, sex }) => [folder, sex])).toEqual([
      ['drop/a', null],
      ['drop/b', 'male'],
    ]);
  });

  it('holds for its own folder where two folders are given that name the same files', async () => {
    const stage = await setStage();
    for (const [at, sex] of ['female', 'male'].entries()) {
      const folder = join(stage.folder, `set ${at}`);
      await putPhotos(folder, 1, at);
      await writeFile(join(folder, 'one.jpg'), photoBytes(100 + at));
      await writeFile(join(folder, 'list.csv'), `file,sex\none.jpg,${sex}\n`);
    }
    await takeIn(stage, join(stage.folder, 'set 0'), join(stage.folder, 'set 1'));
    const ones = stage.batch.importList.selected(all).filter(({ fileName }) => fileName === 'one.jpg');
    expect(ones.map(({ path, sex }) => [path.includes('set 0'), sex])).toEqual([
      [true, 'female'],
      [false, 'male'],
    ]);
  });

  it('overwrites nothing that a person said of a photo that was here, unless it is given by itself', async () => {
    const stage = await setStage();
    await putPhotos(stage.photos, 2);
    await stage.takeIn(stage.photos, 'female');
    const manifest = join(stage.photos, 'manifest.csv');
    await writeFile(manifest, 'file,sex,name\nphoto-000.jpg,male,Bert\nphoto-001.jpg,male,\n');
    await takeIn(stage, stage.photos);
    expect(said(stage)).toEqual({
      'photo-000.jpg': ['female', 'Bert'],
      'photo-001.jpg': ['female', 'photo-001'],
    });
    await takeIn(stage, manifest);
    expect(said(stage)['photo-001.jpg']).toEqual(['male', 'photo-001']);
  });

  it('that names nothing here, or has no column “file”, is told of by name', async () => {
    const stage = await setStage();
    await putPhotos(stage.photos, 1);
    await writeFile(join(stage.photos, 'exposure.csv'), 'lens,iso\n50,100\n');
    await writeFile(join(stage.photos, 'other.csv'), 'file,sex\nx.jpg,male\ny.jpg,male\n');
    const { skipped, examples, manifests } = await takeIn(stage, stage.photos);
    expect(skipped).toEqual([{ reason: 'no_manifest', count: 1 }]);
    expect(examples).toMatchObject([
      { fileName: 'exposure.csv', detail: expect.stringContaining('no column “file”') },
    ]);
    expect(manifests).toMatchObject([
      { fileName: 'other.csv', applied: 0, problems: [{ value: 'x.jpg' }, { value: 'y.jpg' }] },
    ]);
    expect(stage.batch.overview().undo).toBe('');
  });
});

it.each([
  ['UTF-8 with a mark', Buffer.from('\ufefffile,name\n1.jpg,Zoë 李\n')],
  ['UTF-16, as Excel’s “Unicode text”', Buffer.from('\ufefffile\tname\n1.jpg\tZoë 李\n', 'utf16le')],
  ['UTF-16 without a mark', Buffer.from('file\tname\n1.jpg\tZoë 李\n', 'utf16le')],
  ['Windows-1252', Buffer.from('file,name\n1.jpg,Zoë Müller\n', 'latin1')],
  ['GB 18030', Buffer.from([...Buffer.from('file,name\n1.jpg,'), 0xc0, 0xee, 0xb0, 0xd7, 0x0a])],
])('reads a table in %s', (name, bytes) => {
  const text = decodeText(bytes).replace(/^\ufeff/, '');
  expect(text).toMatch(/^file[,\t]name\n1\.jpg[,\t]/);
  const expected = name === 'GB 18030' ? '李白' : name === 'Windows-1252' ? 'Zoë Müller' : 'Zoë 李';
  expect(
    text
      .trim()
      .split(/[,\t\n]/)
      .at(-1),
  ).toBe(expected);
});

describe('names in their order', () => {
  it('count numbers by their value, and case and accents for nothing', () => {
    const names = ['img10.jpg', 'Img2.jpg', 'img1.jpg', 'img02b.jpg', 'élan.jpg', 'zoo.jpg', 'Emil.jpg'];
    expect(names.sort(byNaturalOrder)).toEqual([
      'élan.jpg',
      'Emil.jpg',
      'img1.jpg',
      'Img2.jpg',
      'img02b.jpg',
      'img10.jpg',
      'zoo.jpg',
    ]);
  });

  it('hold in the tray, in its folders and in what is queued, also for photos of an older studio', async () => {
    const stage = await setStage();
    for (const [at, path] of ['set10/img10.jpg', 'set2/img2.jpg', 'set2/img1.jpg'].entries()) {
      await mkdir(join(stage.photos, path, '..'), { recursive: true });
      await writeFile(join(stage.photos, path), photoBytes(at));
    }
    await stage.takeIn(stage.photos, 'female');
    const database = new DatabaseSync(join(stage.folder, 'batch', 'batch.db'));
    database.exec('UPDATE photos SET nameKey = NULL');
    database.close();
    const after = await stage.restart();
    const { importList } = after.batch;
    expect(importList.selected(all).map(({ fileName }) => fileName)).toEqual([
      'img1.jpg',
      'img2.jpg',
      'img10.jpg',
    ]);
    expect(importList.folders().map(({ folder }) => folder)).toEqual(['set2', 'set10']);
  });
});

describe('on the command line', () => {
  const runOf = (stage: Stage, more: Partial<BatchRunOptions> = {}): Promise<BatchRunResult> =>
    runBatch(
      {
        batch: stage.batch,
        importer: stage.importer,
        paths: [stage.photos],
        profileId: 'p1',
        libraryId: stage.libraries.defaultId(),
        ...more,
      },
      () => {},
    );
  async function folder(stage: Stage): Promise<void> {
    await putPhotos(stage.photos, 2);
    await writeFile(
      join(stage.photos, 'manifest.csv'),
      'file,sex,age\nphoto-000.jpg,male,40\nphoto-001.jpg,female,30\ngone.jpg,male,1\n',
    );
  }

  it('a folder’s own manifest says the sexes, and a dry run shows it', async () => {
    const stage = await setStage();
    await folder(stage);
    const dry = await runOf(stage, { dryRun: true });
    expect(dry).toMatchObject({
      allDone: true,
      manifests: [{ file: join(stage.photos, 'manifest.csv'), applied: 2 }],
    });
    expect(dry.photos.map(({ sex }) => sex)).toEqual(['male', 'female']);
    expect(dry.manifestProblems.map(({ fault, value }) => [fault, value])).toEqual([
      ['unknown_column', 'age'],
      ['no_photo', 'gone.jpg'],
    ]);
    expect(await runOf(stage)).toMatchObject({ allDone: true, done: 2 });
    const models = [...stage.service.models.values()].map(({ fileName, sex }) => `${fileName} ${sex}`);
    expect(models.toSorted().map((model) => model.at(-1))).toEqual(['0', '1']);
  });

  it('is left out where that is said, and where another one is named', async () => {
    const stage = await setStage();
    await folder(stage);
    await expect(runOf(stage, { manifest: false })).rejects.toMatchObject({ code: 'invalid_input' });
    const other = join(stage.folder, 'other.csv');
    await writeFile(other, 'file,sex\nphoto-000.jpg,female\nphoto-001.jpg,female\n');
    const { photos, manifests } = await runOf(stage, { manifest: other, dryRun: true });
    expect(photos.map(({ sex }) => sex)).toEqual(['female', 'female']);
    expect(manifests).toEqual([{ file: other, applied: 2 }]);
  });
});
