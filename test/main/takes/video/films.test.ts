import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { facesOf, readArrivals } from '@likeness/proto/take_stream.ts';
import {
  decodeToPage,
  encodeToMain,
  type FilmJob,
  type FilmToPage,
} from '@likeness/proto/takes/film_message.ts';
import { encodeWav, readWav } from '@likeness/proto/wav.ts';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StudioStream } from '#contract';
import { ExportedTakes } from '../../../../main/takes/export/exported_takes.ts';
import type { FinishedTake } from '../../../../main/takes/finished_take.ts';
import type { TakeRecord } from '../../../../main/takes/take_record.ts';
import type { FilmDestination, FilmHead } from '../../../../main/takes/video/film_order.ts';
import { FilmPictures } from '../../../../main/takes/video/film_pictures.ts';
import { Films, type FilmsOptions } from '../../../../main/takes/video/films.ts';
import { videoCalls } from '../../../../main/takes/video/video_calls.ts';
import { waveTake } from '../../../support/wave_take.ts';

const take = {
  record: { name: 'A/B take', createdAt: 0 },
  face: waveTake(60, 61),
  seconds: 1.01,
  words: null,
} as unknown as FinishedTake;
const sound = encodeWav({ sampleRate: 48_000, samples: new Float32Array(48_480).fill(0.5) });

const options = {
  format: 'webm',
  width: 64,
  height: 48,
  rate: '30',
  framing: 'bust',
  camera: 'front',
  background: 'transparent',
  picture: null,
  detail: 'auto',
  subtitles: false,
} as const;

let folder: string;
let films: Films;
let exports: ExportedTakes;
let ids = 0;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'likeness-films-'));
  await writeFile(join(folder, 'audio.wav'), sound);
  exports = new ExportedTakes(join(folder, 'temporary'), () => `export${ids++}`);
  films = new Films(filmsOptions());
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const record = { id: 't', name: 'A/B take', createdAt: 0, frameRate: 60 } as TakeRecord;

const filmsOptions = (): FilmsOptions => ({
  takes: {
    record: () => record,
    list: () => [record, { ...record, id: 'u', createdAt: 1 }],
  },
  finished: async () => ({ ...take, audio: { path: join(folder, 'audio.wav') } }),
  exports,
  folder: join(folder, 'temporary/films'),
  defaultHead: () => 'default',
  drives: async () => [],
  randomId: () => `film${ids++}`,
  pictures: new FilmPictures(join(folder, 'temporary/pictures'), async (photo) => photo),
  clock: () => 1_795_000_000_000,
});

/** The page's end of a film, without a page. */
function page() {
  const got: FilmToPage[] = [];
  let onMessage: (bytes: Uint8Array) => void = () => {};
  let onClose: () => void = () => {};
  const stream: StudioStream = {
    send: (bytes) => void got.push(decodeToPage(bytes)!),
    onMessage: (listener) => {
      onMessage = listener;
    },
    onClose: (listener) => {
      onClose = listener;
    },
    close: () => {},
  };
  return {
    got,
    stream,
    job: (): FilmJob => got.flatMap((message) => (message.kind === 'job' ? [message.job] : []))[0]!,
    send: (message: Parameters<typeof encodeToMain>[0]) => onMessage(encodeToMain(message)),
    leave: () => onClose(),
  };
}

const startFilm = (destination: FilmDestination, changes: object = {}) =>
  films.start({ takeId: 't', head: { modelId: null }, options: { ...options, ...changes }, destination });

const png = (width = 64, height = 48): Uint8Array => {
  const file = Buffer.alloc(60);
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(file);
  file.writeUInt32BE(width, 16);
  file.writeUInt32BE(height, 20);
  Buffer.from('0000000049454e44ae426082', 'hex').copy(file, 48);
  return file;
};

describe('a film', () => {
  test('is prepared with a face and a sound of just its frames', async () => {
    const { filmId } = await startFilm({ kind: 'fetched' });
    const viewer = page();
    const done = films.open(filmId, viewer.stream);
    const job = viewer.job();
    // 1.01 s at 30 frames a second: the last frame holds the rest.
    expect(job.frames).toBe(31);
    expect(job.background).toBeNull();
    const [face] = facesOf(readArrivals(await readFile(films.source(job.face)!)).arrivals);
    expect(face!.frames.map(({ timeCode }) => timeCode)).toEqual(
      Array.from({ length: 31 }, (_, at) => expect.closeTo(at / 30, 6)),
    );
    const { format, bytes } = readWav(await readFile(films.source(job.sound)!));
    expect(bytes.length / 2 / format.sampleRate).toBeCloseTo(31 / 30, 4);
    viewer.leave();
    await expect(done).rejects.toMatchObject({ code: 'cancelled' });
    expect(films.source(job.face)).toBeNull();
  });

  test('shows the head that the person chose, moved as they set it', async () => {
    const seen: FilmHead[] = [];
    const row = { shape: 'A', parts: [{ channel: 'jawOpen', weight: 1 }], gain: 2, curve: 1 };
    films = new Films({
      ...filmsOptions(),
      defaultHead: () => 'man',
      drives: async (head) => {
        seen.push(head);
        return [row];
      },
    });
    const heads: [FilmHead, FilmJob['head']][] = [
      [{ modelId: null }, { kind: 'default-head', id: 'man' }],
      [{ own: 'stylised' }, { kind: 'default-head', id: 'stylised' }],
      [{ modelId: 'm1' }, { kind: 'model', id: 'm1' }],
    ];
    for (const [head, shown] of heads) {
      const { filmId } = await films.start({ takeId: 't', head, options, destination: { kind: 'fetched' } });
      const viewer = page();
      const done = films.open(filmId, viewer.stream);
      expect(viewer.job()).toMatchObject({ head: shown, drives: [row] });
      viewer.leave();
      await expect(done).rejects.toMatchObject({ code: 'cancelled' });
    }
    expect(seen).toEqual(heads.map(([head]) => head));
  });

  test('has the take’s words as subtitles where they are wanted and known', async () => {
    const word = { from: 0, to: 5, start: 0.2, end: 0.6, flag: null, confidence: 1, phones: [] };
    const words = { script: 'Hello.', alignment: { words: [word] } };
    const finished = async () =>
      ({ ...take, words, audio: { path: join(folder, 'audio.wav') } }) as unknown as FinishedTake;
    const subtitlesOf = async (): Promise<FilmJob['subtitles']> => {
      const { filmId } = await startFilm({ kind: 'fetched' }, { subtitles: true });
      const viewer = page();
      const done = films.open(filmId, viewer.stream);
      const { subtitles } = viewer.job();
      viewer.leave();
      await expect(done).rejects.toMatchObject({ code: 'cancelled' });
      return subtitles;
    };
    expect(await subtitlesOf()).toEqual([]);
    films = new Films({ ...filmsOptions(), finished });
    expect(await subtitlesOf()).toEqual([{ start: 0.2, end: expect.closeTo(1), lines: ['Hello.'] }]);
  });

  test('has a chosen picture behind the head, fitted to its size', async () => {
    const file = join(folder, 'half.png');
    const red = { r: 200, g: 10, b: 20 };
    await sharp({ create: { width: 40, height: 10, channels: 3, background: red } })
      .png()
      .toFile(file);
    const pictures = new FilmPictures(join(folder, 'temporary/pictures'), async (photo) => photo);
    films = new Films({ ...filmsOptions(), pictures });
    const { id, ...said } = await pictures.add({ path: file, name: 'a/half.png', temporary: false });
    expect(said).toEqual({ name: 'half.png', width: 40, height: 10 });
    const rgbOf = async (fit: 'cover' | 'contain'): Promise<Buffer> => {
      const changes = { background: '#0000ff', picture: { id, fit } };
      const { filmId } = await startFilm({ kind: 'fetched' }, changes);
      const viewer = page();
      const done = films.open(filmId, viewer.stream);
      const bytes = await readFile(films.source(viewer.job().picture!)!);
      viewer.leave();
      await expect(done).rejects.toMatchObject({ code: 'cancelled' });
      return bytes;
    };
    const at = (bytes: Buffer, x: number, y: number): number[] => [
      ...bytes.subarray((y * 64 + x) * 3, (y * 64 + x) * 3 + 3),
    ];
    const cut = await rgbOf('cover');
    expect(cut).toHaveLength(64 * 48 * 3);
    expect(at(cut, 0, 0)).toEqual([200, 10, 20]);
    const whole = await rgbOf('contain');
    expect(at(whole, 32, 0)).toEqual([0, 0, 255]);
    expect(at(whole, 32, 24)).toEqual([200, 10, 20]);
    await expect(
      startFilm({ kind: 'fetched' }, { background: '#0000ff', picture: { id: 'gone', fit: 'cover' } }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  test.each([
    ['words', Buffer.from('these are words, however the file is called')],
    ['a picture that is cut off', Buffer.from('ffd8ffe000104a464946000101', 'hex')],
    ['nothing', Buffer.alloc(0)],
  ])('has no picture that is %s', async (_name, bytes) => {
    const file = join(folder, 'photo.jpg');
    await writeFile(file, bytes);
    const pictures = new FilmPictures(join(folder, 'temporary/pictures'), async (photo) => photo);
    await expect(pictures.add({ path: file, name: 'photo.jpg', temporary: true })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('photo.jpg'),
    });
    // An upload goes in any case.
    expect(existsSync(file)).toBe(false);
  });

  test('has its name only when it is whole', async () => {
    const path = join(folder, 'out/film.webm');
    const { filmId, end } = await startFilm({ kind: 'path', path, overwrite: false });
    const viewer = page();
    const done = films.open(filmId, viewer.stream);
    viewer.send({ kind: 'piece', position: 0, bytes: Buffer.from('hello w....') });
    viewer.send({ kind: 'piece', position: 7, bytes: Buffer.from('orld') });
    await expect.poll(() => viewer.got.at(-1)).toEqual({ kind: 'written', bytes: 15 });
    expect(existsSync(path)).toBe(false);
    viewer.send({ kind: 'end' });
    await done;
    expect(await readFile(path, 'utf8')).toBe('hello world');
    expect(await end).toMatchObject({ at: path });
    expect(await readdir(join(folder, 'out'))).toEqual(['film.webm']);
    await expect(startFilm({ kind: 'path', path, overwrite: false })).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  test.each([
    ['the page goes', (viewer: ReturnType<typeof page>) => viewer.leave()],
    ['it is cancelled', (_: unknown, filmId: string) => films.cancel(filmId)],
    [
      'the page sends what is none of it',
      (viewer: ReturnType<typeof page>) => viewer.send({ kind: 'frame', index: 0, bytes: png() }),
    ],
  ])('leaves nothing where %s', async (_name, stop) => {
    const { filmId } = await startFilm({
      kind: 'path',
      path: join(folder, 'out/film.webm'),
      overwrite: false,
    });
    const viewer = page();
    const done = films.open(filmId, viewer.stream);
    viewer.send({ kind: 'piece', position: 0, bytes: Buffer.from('half') });
    await expect.poll(() => viewer.got.at(-1)).toMatchObject({ kind: 'written' });
    stop(viewer, filmId);
    await expect(done).rejects.toThrow();
    expect(await readdir(join(folder, 'out'))).toEqual([]);
    expect(await readdir(join(folder, 'temporary/films'))).toEqual([]);
  });

  test('says what the page lacks', async () => {
    const { filmId } = await startFilm({ kind: 'fetched' }, { format: 'mp4', background: '#000000' });
    const viewer = page();
    const done = films.open(filmId, viewer.stream);
    viewer.send({ kind: 'failed', why: 'no_h264', message: '' });
    await expect(done).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('H.264'),
    });
  });

  test('is drawn by one page', async () => {
    const { filmId } = await startFilm({ kind: 'fetched' });
    const viewer = page();
    const done = films.open(filmId, viewer.stream);
    await expect(films.open(filmId, page().stream)).rejects.toMatchObject({ code: 'not_found' });
    viewer.leave();
    await expect(done).rejects.toThrow();
  });

  test('goes when its take is erased', async () => {
    const { end } = await startFilm({ kind: 'fetched' });
    await films.erase({ takes: new Set(['t']), models: new Set() });
    await expect(end).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('films of several takes', () => {
  const chosen: string[] = [];
  const calls = () =>
    videoCalls({
      films,
      pictures: new FilmPictures(join(folder, 'temporary/pictures'), async (photo) => photo),
      takeDropped: () => [],
      subtitles: async () => [],
      async chooseFolder() {
        chosen.push('asked');
        return join(folder, 'out');
      },
      words: () => '',
    });
  const order = { modelId: null, options, fileName: '{number:2} {name} {take} {rate}', number: 1 };
  const drawn = async (filmId: string): Promise<void> => {
    const viewer = page();
    const done = films.open(filmId, viewer.stream);
    viewer.send({ kind: 'end' });
    await done;
  };

  test('go to one folder, which is asked for once, under names of a pattern', async () => {
    chosen.length = 0;
    const room = calls();
    const first = await room.start({ ...order, takeId: 't' });
    await drawn(first!.filmId);
    const second = await room.start({ ...order, takeId: 'u', number: 2, beside: first!.filmId });
    await drawn(second!.filmId);
    expect(chosen).toEqual(['asked']);
    const names = await readdir(join(folder, 'out'));
    expect(names.toSorted()).toEqual(['01 A_B take 1 30.webm', '02 A_B take 2 30.webm']);
  });

  test('of one run have names that differ on every disk', () => {
    expect([...films.namesOf(['t', 'u', 't'], '{name}', '30')]).toEqual([
      ['t', 'A_B take'],
      ['u', 'A_B take (2)'],
    ]);
  });

  test('are not begun under a name of fields that there are not', async () => {
    await expect(calls().start({ ...order, takeId: 't', fileName: '{nose}' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  test('have the name of the pattern where the page fetches them', async () => {
    const pictures = new FilmPictures(join(folder, 'temporary/pictures'), async (photo) => photo);
    const room = videoCalls({
      films,
      pictures,
      takeDropped: () => [],
      subtitles: async () => [],
      words: () => '',
    });
    const { filmId } = (await room.start({ ...order, takeId: 'u', number: 7 }))!;
    const viewer = page();
    const done = films.open(filmId, viewer.stream);
    viewer.send({ kind: 'end' });
    await done;
    const [saved] = viewer.got.flatMap((message) => (message.kind === 'saved' ? message.saved.files : []));
    expect(saved).toMatchObject({ fileName: '07 A_B take 2 30.webm' });
  });
});

test('a film of 120 frames a second has a frame for each of them', async () => {
  const { filmId } = await startFilm({ kind: 'fetched' }, { rate: '120' });
  const viewer = page();
  const done = films.open(filmId, viewer.stream);
  expect(viewer.job().frames).toBe(122);
  viewer.leave();
  await expect(done).rejects.toMatchObject({ code: 'cancelled' });
});

describe('a sequence', () => {
  const path = (): string => join(folder, 'frames');
  const begin = async (changes: object = {}) => {
    const { filmId } = await startFilm(
      { kind: 'path', path: path(), overwrite: false },
      { format: 'png', ...changes },
    );
    const viewer = page();
    const done = films.open(filmId, viewer.stream);
    done.catch(() => undefined);
    return { viewer, done };
  };

  test('goes on where it was ended, and makes a half frame again', async () => {
    const first = await begin();
    for (const index of [0, 1, 2, 3]) first.viewer.send({ kind: 'frame', index, bytes: png() });
    await expect.poll(() => first.viewer.got.at(-1)).toEqual({ kind: 'written', bytes: 240 });
    first.viewer.leave();
    await expect(first.done).rejects.toMatchObject({ code: 'cancelled' });
    await truncate(join(path(), 'A_B take_000002.png'), 40);

    const second = await begin();
    expect(second.viewer.job().there).toEqual([
      [0, 1],
      [3, 3],
    ]);
    second.viewer.send({ kind: 'frame', index: 2, bytes: png() });
    second.viewer.send({ kind: 'end' });
    await second.done;
    const files = await readdir(path());
    expect(files.toSorted()).toEqual([
      'A_B take.wav',
      ...[0, 1, 2, 3].map((index) => `A_B take_00000${index}.png`),
      'film.json',
    ]);
  });

  test('does not mix with another film, nor with what else is in the folder', async () => {
    const first = await begin();
    first.viewer.send({ kind: 'frame', index: 0, bytes: png() });
    await expect.poll(() => first.viewer.got.at(-1)).toMatchObject({ kind: 'written' });
    first.viewer.leave();
    await first.done.catch(() => undefined);
    await expect(begin({ framing: 'close' })).rejects.toMatchObject({ code: 'conflict' });
    await rm(path(), { recursive: true });
    await expect(begin()).resolves.toBeDefined();
    await films.close();
    await rm(path(), { recursive: true });
    await writeFile(path(), 'a file');
    await expect(begin()).rejects.toThrow();
  });

  test('is an archive where the page fetches it', async () => {
    const { filmId } = await startFilm({ kind: 'fetched' }, { format: 'png' });
    const viewer = page();
    const done = films.open(filmId, viewer.stream);
    for (let index = 0; index < 31; index++) viewer.send({ kind: 'frame', index, bytes: png() });
    viewer.send({ kind: 'end' });
    await done;
    const [saved] = viewer.got.flatMap((message) => (message.kind === 'saved' ? message.saved.files : []));
    expect(saved).toMatchObject({ fileName: 'A_B take.zip' });
    const archive = await readFile(exports.file(saved!.exportId)!);
    expect(archive.toString('latin1').match(/A_B take_\d{6}\.png/g)).toHaveLength(62);
    expect(archive.includes('A_B take.wav')).toBe(true);
  });

  test('takes no picture of another size', async () => {
    const { viewer, done } = await begin();
    viewer.send({ kind: 'frame', index: 0, bytes: png(32, 32) });
    await expect(done).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
