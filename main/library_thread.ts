/**
 * A thread that checks heads of the library and renders their thumbnails, started by `library_threads.ts`.
 * The engine does not do this work: the files are local, may come from anyone, and may have hundreds of
 * megabytes; neither task needs a network.
 */
import { readFile } from 'node:fs/promises';
import { refuseUnboundedGlb } from '@likeness/gltf/glb_bounds.ts';
import { thumbnail } from '@likeness/head-renderer/thumbnail.ts';
import { answerOrders } from '@likeness/node-kit/threads/thread_answers.ts';
import { serializeFailure } from '@likeness/node-kit/threads/thread_failures.ts';
import sharp from 'sharp';
import { readinessOfFile } from './library/model/readiness.ts';

export type LibraryOrder =
  | { kind: 'thumbnail'; path: string }
  | { kind: 'readiness'; folder: string; path: string };

/** Side of a thumbnail, pixels: twice the size on a card, for dense screens. */
const thumbnailSide = 384;

// Each thread makes one picture at a time, so libvips's own threads and cache would only cost memory.
sharp.cache(false);
sharp.concurrency(1);

async function drawThumbnail(path: string): Promise<Uint8Array> {
  const glb = await readFile(path);
  await refuseUnboundedGlb(glb);
  const { width, height, data } = await thumbnail(glb, thumbnailSide);
  return sharp(data, { raw: { width, height, channels: 4 } })
    .webp({ quality: 82 })
    .toBuffer();
}

answerOrders<LibraryOrder>(async (order) => {
  const { kind, path } = order;
  return {
    value: kind === 'thumbnail' ? await drawThumbnail(path) : await readinessOfFile(order.folder, path),
  };
}, serializeFailure);
