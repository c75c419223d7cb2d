/** A thread that looks photos and heads over and draws thumbnails, so that main is never held up. Started by `portrait_threads.ts`. */
import { readFile, stat } from 'node:fs/promises';
import sharp from 'sharp';
import { type Said, say } from '#sentences';
import { mostPicture } from './base/image_kind.ts';
import type { FoundOutline, OutlineOrder } from './batch/ports.ts';
import {
  checkPortrait,
  type Outliner,
  PortraitError,
  portraitFailMessage,
  prepareOutline,
  sureOutline,
  thumbnail,
} from './engine/portrait/index.ts';
import { Failure } from './failure.ts';
import { refuseUnboundedGlb } from './gltf/glb_bounds.ts';
import { readinessOfFile } from './library/model/readiness.ts';
import { findingsOf, suggestedCrop } from './portrait_findings.ts';
import { answerOrders } from './threads/thread_answers.ts';

/** Fractions 0..1 of the upright picture. */
interface Crop {
  x: number;
  y: number;
  width: number;
  height: number;
}

export type PortraitOrder =
  | { kind: 'check'; path: string; crop: Crop | null }
  | ({ kind: 'outline' } & OutlineOrder)
  | { kind: 'thumbnail'; path: string }
  | { kind: 'readiness'; folder: string; path: string };

/** Pixels a side of a thumbnail: twice what a card shows, for dense screens. */
const thumbnailSide = 384;

/** A photo of which a part may be taken, so more than a head is made of. @throws Failure `unsupported` */
async function photoOf(path: string): Promise<Uint8Array> {
  const { size } = await stat(path);
  if (size <= mostPicture.bytes) return readFile(path);
  throw new Failure(
    'unsupported',
    say('photo.too_many_megabytes', { size: Math.round(size / 1e6), limit: mostPicture.bytes / 2 ** 20 }),
  );
}

/** The engine's own sentence, which it has in both languages. */
const saidOfPortrait = (error: PortraitError): Said =>
  say('photo.engine_says', {
    words: { en: portraitFailMessage(error, 'en'), zh: portraitFailMessage(error, 'zh') },
  });

async function checkPhoto(path: string, crop: Crop | null): Promise<unknown> {
  const file = await photoOf(path);
  const whole = await sharp(file)
    .metadata()
    .then(({ autoOrient }) => autoOrient)
    .catch(() => ({ width: 0, height: 0 }));
  const photo = crop ? await cut(file, crop) : file;
  const findings = await checkPortrait(photo);
  const face = findings.face ? inWhole(findings.face, crop) : null;
  return {
    width: whole.width,
    height: whole.height,
    findings: findingsOf(findings, saidOfPortrait),
    face,
    suggestedCrop: crop || !face ? null : suggestedCrop(face, whole),
  };
}

/** The photo whose outline was asked for last: the next stroke is about the same one. */
let atHand: { name: string; draw: Outliner } | undefined;

async function findOutline({ path, crop, sex, corrections, again }: OutlineOrder): Promise<FoundOutline> {
  const name = JSON.stringify([path, crop, sex]);
  let draw = atHand?.name === name ? atHand.draw : undefined;
  if (!draw) {
    const file = await photoOf(path);
    draw = await prepareOutline(crop ? await cut(file, crop) : file, sex);
    if (again) atHand = { name, draw };
  }
  const { rings, score, cutOff } = draw(corrections ?? undefined);
  return { rings: rings.map((ring) => [...ring]), score, sure: score >= sureOutline, cutOff };
}

async function cut(file: Uint8Array, { x, y, width, height }: Crop): Promise<Uint8Array> {
  const { data, info } = await sharp(file, { limitInputPixels: mostPicture.pixels })
    .rotate()
    .toBuffer({ resolveWithObject: true });
  const left = Math.min(info.width - 1, Math.round(x * info.width));
  const top = Math.min(info.height - 1, Math.round(y * info.height));
  return sharp(data)
    .extract({
      left,
      top,
      width: Math.max(1, Math.min(info.width - left, Math.round(width * info.width))),
      height: Math.max(1, Math.min(info.height - top, Math.round(height * info.height))),
    })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** A box within a crop, as a box within the whole picture. */
function inWhole([x, y, width, height]: readonly [number, number, number, number], crop: Crop | null): Crop {
  const within = crop ?? { x: 0, y: 0, width: 1, height: 1 };
  const clamp = (value: number): number => Math.min(1, Math.max(0, value));
  const left = clamp(within.x + x * within.width);
  const top = clamp(within.y + y * within.height);
  return {
    x: left,
    y: top,
    width: clamp(Math.min(width * within.width, 1 - left)),
    height: clamp(Math.min(height * within.height, 1 - top)),
  };
}

async function drawThumbnail(path: string): Promise<Uint8Array> {
  const glb = await readFile(path);
  await refuseUnboundedGlb(glb);
  const { width, height, data } = await thumbnail(glb, thumbnailSide);
  return sharp(data, { raw: { width, height, channels: 4 } })
    .webp({ quality: 82 })
    .toBuffer();
}

async function begin(order: PortraitOrder): Promise<unknown> {
  switch (order.kind) {
    case 'check':
      return checkPhoto(order.path, order.crop);
    case 'outline':
      return findOutline(order);
    case 'thumbnail':
      return drawThumbnail(order.path);
    case 'readiness':
      return readinessOfFile(order.folder, order.path);
  }
}

answerOrders<PortraitOrder>(
  async (order) => ({ value: await begin(order) }),
  (error) => (error instanceof PortraitError ? saidOfPortrait(error) : undefined),
);
