import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FilmFileSink } from '../../../../main/takes/video/film_file_sink.ts';

test('what a killed studio left of a film goes with the next one, and what is being written stays', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'likeness-film-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [abandoned, growing] = ['.likeness-0000000000000000.part', '.likeness-1111111111111111.part'];
  for (const name of [abandoned, growing]) await writeFile(join(folder, name), 'part');
  await utimes(join(folder, abandoned), 1, 1);
  const sink = await FilmFileSink.create({
    path: join(folder, 'film.webm'),
    overwrite: false,
    isPrivate: false,
  });
  await sink.piece(0, Buffer.from('film'));
  expect((await readdir(folder)).includes('film.webm')).toBe(false);
  await sink.finish();
  expect((await readdir(folder)).toSorted()).toEqual([growing, 'film.webm']);
  expect(await readFile(join(folder, 'film.webm'), 'utf8')).toBe('film');
});
