import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { t } from '@likeness/messages';
import { createMutex } from '@likeness/node-kit/async/mutex.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { imageHeadBytes, imageKind, isHeic } from '@likeness/node-kit/image_kind.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import sharp from 'sharp';
import { type FilmPictureFit, videoLimits } from '#contract/video_options.ts';
import type { GivenFile } from '../../base/given_file.ts';

/** A background picture for a film. Its id is a hash of its content. */
export interface FilmPicture {
  id: string;
  name: string;
  /** Pixels, upright after EXIF orientation. */
  width: number;
  height: number;
}

/** How a picture fills a film's frame, and the colour of the rest. */
export interface PictureArea {
  width: number;
  height: number;
  fit: FilmPictureFit;
  /** `#rrggbb` */
  colour: string;
}

const input = { limitInputPixels: videoLimits.picture.pixels };

/** Background pictures, kept until the studio exits; beyond the limit the oldest are deleted. */
export class FilmPictures {
  readonly #folder: string;
  readonly #decodeHeic: (photo: Uint8Array) => Promise<Uint8Array>;
  readonly #inTurn = createMutex();
  /** By id, newest last. */
  readonly #pictures = new Map<string, FilmPicture>();

  /**
   * @param folder emptied when the studio starts
   * @param decodeHeic converts formats that sharp can't read to JPEG. @throws Failure
   */
  constructor(folder: string, decodeHeic: (photo: Uint8Array) => Promise<Uint8Array>) {
    this.#folder = folder;
    this.#decodeHeic = decodeHeic;
  }

  /** Copies a picture; detects its format by its bytes. @throws Failure `invalid_input`, `storage` */
  add({ path, name, temporary }: GivenFile): Promise<FilmPicture> {
    return this.#inTurn(async () => {
      try {
        const fileName = basename(name);
        const file = await pictureBytes(path, fileName);
        const bytes = isHeic(file) ? await this.#decodeHeic(file) : file;
        const { width, height } = await measured(bytes, fileName);
        const id = createHash('sha256').update(bytes).digest('base64url').slice(0, 32);
        await mkdir(this.#folder, { recursive: true, mode: 0o700 });
        await writeFile(this.#file(id), bytes, { mode: 0o600 });
        const picture = { id, name: fileName, width, height };
        this.#pictures.delete(id);
        this.#pictures.set(id, picture);
        for (const oldest of [...this.#pictures.keys()].slice(0, -videoLimits.picture.kept)) {
          this.#pictures.delete(oldest);
          await rm(this.#file(oldest), { force: true });
        }
        return picture;
      } catch (error) {
        throw storageFailure(error, path);
      } finally {
        if (temporary) await rm(path, { force: true });
      }
    });
  }

  /** @returns red, green and blue of each pixel, the top row first @throws Failure `not_found`, `storage` */
  async rgb(id: string, { width, height, fit, colour }: PictureArea): Promise<Buffer> {
    if (!this.#pictures.has(id))
      throw new Failure('not_found', t('film.picture_gone'), { hint: t('film.picture_again') });
    const file = this.#file(id);
    try {
      return await sharp(await readFile(file), input)
        .autoOrient()
        .toColourspace('srgb')
        .resize(width, height, { fit, background: colour })
        .flatten({ background: colour })
        .raw({ depth: 'uchar' })
        .toBuffer();
    } catch (error) {
      throw storageFailure(error, file);
    }
  }

  #file(id: string): string {
    return join(this.#folder, id);
  }
}

async function pictureBytes(path: string, file: string): Promise<Buffer> {
  const { bytes: max } = videoLimits.picture;
  if ((await stat(path)).size > max)
    throw new Failure('invalid_input', t('film.picture_large', { file, most: max / 2 ** 20 }), {
      hint: t('film.picture_smaller'),
    });
  const bytes = await readFile(path);
  if (imageKind(bytes.subarray(0, imageHeadBytes)) === null)
    throw new Failure('invalid_input', t('film.no_picture', { file }), { hint: t('film.picture_kinds') });
  return bytes;
}

/** Decodes it, so that a truncated picture fails here and not during a film. */
async function measured(bytes: Uint8Array, file: string): Promise<{ width: number; height: number }> {
  try {
    const { autoOrient } = await sharp(bytes, input).metadata();
    await sharp(bytes, input).resize(8).raw().toBuffer();
    return autoOrient;
  } catch (error) {
    throw new Failure('invalid_input', t('film.picture_unreadable', { file }), {
      hint: t('film.picture_kinds'),
      cause: error,
    });
  }
}
