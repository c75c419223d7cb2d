import { copyFile, mkdir, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { wholePicture } from '@likeness/proto/crop.ts';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { batchCalls, photoAsset, shownFile } from '../../../main/batch/batch_calls.ts';
import { FilmPictures } from '../../../main/takes/video/film_pictures.ts';
import { type Stage, setStage } from './stage.ts';

const heic = join(import.meta.dirname, '../../fixtures/photos/face_p3.heic');
/** The same before it was converted to Display P3. */
const original = join(import.meta.dirname, '../../fixtures/photos/face_srgb.jpg');
const face = join(import.meta.dirname, '../../../renderer/base/samples/face.jpg');
const all = { filter: {} };

/** A stage with one photo in its tray. */
async function stageWith(file: string, name: string): Promise<Stage & { id: string }> {
  const stage = await setStage();
  await mkdir(stage.photos, { recursive: true });
  await copyFile(file, join(stage.photos, name));
  await stage.takeIn(stage.photos, 'female');
  const [photo] = stage.batch.importList.selected(all);
  return Object.assign(stage, { id: photo?.id ?? '' });
}

const colourOf = async (file: string | Buffer): Promise<number[]> => [
  ...(await sharp(file).resize(1, 1).removeAlpha().raw().toBuffer()),
];

it('a HEIC photo is taken in, and shown as a WebP that a page can show', async () => {
  const stage = await stageWith(heic, 'IMG_0001.HEIC');
  const shown = {
    large: await photoAsset(stage.batch, 'photo', stage.id),
    small: await photoAsset(stage.batch, 'photo-small', stage.id),
  };
  expect(await sharp(shown.large ?? '').metadata()).toMatchObject({
    format: 'webp',
    width: 480,
    height: 600,
  });
  expect(await sharp(shown.small ?? '').metadata()).toMatchObject({
    format: 'webp',
    width: 256,
    height: 320,
  });
  const [pixel, expected] = [await colourOf(shown.small ?? ''), await colourOf(original)];
  for (const [i, value] of pixel.entries()) expect(Math.abs(value - expected[i]!)).toBeLessThan(4);
});

it('a server gets it as a JPEG, for a head and as an image', async () => {
  const stage = await stageWith(heic, 'IMG_0001.HEIC');
  const calls = batchCalls({
    batch: stage.batch,
    importer: stage.importer,
    choose: async () => null,
    takeDropped: () => [],
    onImages: () => {},
  });
  expect(await calls.submitImages({ selection: all, profileId: 'p1' })).toEqual({ submitted: 1, failed: 0 });
  expect((await sharp(stage.service.last('submit_image').file?.bytes).metadata()).format).toBe('jpeg');
  await stage.order();
  await stage.rest();
  const { file } = stage.service.last('generate_model');
  expect(file?.name).toBe('IMG_0001.jpg');
  expect(await sharp(file?.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 480, height: 600 });
});

it('the photo of a model is shown as a WebP where a page can’t show it, and else itself', async () => {
  const stage = await stageWith(face, 'a.jpg');
  expect(await shownFile(stage.batch, face)).toBe(face);
  expect((await sharp((await shownFile(stage.batch, heic)) ?? '').metadata()).format).toBe('webp');
  const text = join(stage.folder, 'text.jpg');
  await writeFile(text, 'no picture');
  expect(await shownFile(stage.batch, text)).toBeNull();
});

it.each([
  ['its end mark', 2],
  ['half of it', 16_000],
])('a JPEG that lacks %s is shown as far as it goes', async (_, bytes) => {
  const stage = await stageWith(face, 'a.jpg');
  await truncate(join(stage.photos, 'a.jpg'), (await stat(face)).size - bytes);
  const small = await photoAsset(stage.batch, 'photo-small', stage.id);
  expect((await sharp(small ?? '').metadata()).height).toBe(320);
});

it('HEIC stands behind the head of a film', async () => {
  const stage = await stageWith(heic, 'IMG_0001.HEIC');
  const decode = (photo: Uint8Array): Promise<Uint8Array> => stage.options.checker.crop(photo, wholePicture);
  const pictures = new FilmPictures(join(stage.folder, 'pictures'), decode);
  const added = await pictures.add({ path: heic, name: 'IMG_0001.HEIC', temporary: false });
  expect(added).toMatchObject({ name: 'IMG_0001.HEIC', width: 480, height: 600 });
  const area = { width: 24, height: 30, fit: 'cover', colour: '#000000' } as const;
  expect(await pictures.rgb(added.id, area)).toHaveLength(24 * 30 * 3);
});
