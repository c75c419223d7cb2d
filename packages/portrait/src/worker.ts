import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { answerOrders, type Handed } from '@likeness/node-kit/threads/thread_answers.ts';
import type { Crop } from '@likeness/proto/crop.ts';
import type { HeadRequest } from './contract/head_request.ts';
import type { OutlineReport, OutlineRequest } from './contract/photo_report.ts';
import { PortraitError, type PortraitErrorCode } from './contract/portrait_error.ts';
import { loadFaceNetworks } from './landmarks/face_networks.ts';
import { makeHead } from './make_head.ts';
import { cropped } from './photo/photo.ts';
import { type Outliner, prepareOutline } from './preflight/outline.ts';
import { reportPhoto } from './preflight/photo_report.ts';
import { StageCache } from './stage_cache.ts';

/** A worker's tasks, one at a time. `photo` is a path or a file's bytes. */
export type PortraitTask =
  | { readonly kind: 'head'; readonly request: Omit<HeadRequest, 'signal' | 'onStage'> }
  | { readonly kind: 'check'; readonly photo: string; readonly crop: Crop | null }
  | { readonly kind: 'crop'; readonly photo: string; readonly crop: Crop }
  | {
      readonly kind: 'outline';
      readonly request: Omit<OutlineRequest, 'signal' | 'isBackground' | 'name'>;
      /** Names the photo with what it is cut and drawn by. */
      readonly key: string;
    };

/** A worker's progress message. */
export interface HeadStage {
  readonly stage: string;
  readonly fraction: number;
}

/** A worker's error message. */
export interface SerializedError {
  readonly code: PortraitErrorCode | null;
  readonly params: PortraitError['params'];
  readonly message: string;
}

const stages = new StageCache();

const digest = (files: readonly (Uint8Array | string)[]): string =>
  files.map((file) => createHash('sha256').update(file).digest('hex')).join();

async function work(
  task: PortraitTask,
  report: (stage: HeadStage) => void,
  isCancelled: () => boolean,
): Promise<Handed> {
  // Networks are loaded while the photo is still being read.
  if (task.kind !== 'crop') loadFaceNetworks().catch(() => {});
  switch (task.kind) {
    case 'head': {
      const { request } = task;
      stages.begin(digest([request.photo, ...(request.others ?? [])]), request.preview);
      const onStage = (stage: string, fraction: number): void => {
        if (isCancelled()) throw new PortraitError('cancelled');
        report({ stage, fraction });
      };
      const value = await makeHead({ ...request, onStage }, stages);
      return { value, transfer: [value.glb.buffer as ArrayBuffer] };
    }
    case 'check':
      return { value: await reportPhoto(await readFile(task.photo), task.crop) };
    case 'crop':
      return { value: Uint8Array.from(await cropped(await readFile(task.photo), task.crop)) };
    case 'outline':
      return { value: await findOutline(task) };
  }
}

/** The photo of the last outline: the next stroke is on the same one. */
let atHand: { key: string; draw: Outliner } | undefined;

async function findOutline({
  key,
  request,
}: Extract<PortraitTask, { kind: 'outline' }>): Promise<OutlineReport> {
  const { photo, crop, corrections, keep } = request;
  let draw = atHand?.key === key ? atHand.draw : undefined;
  if (!draw) {
    if (photo === null) throw new PortraitError('photo_not_kept');
    const file = await readFile(photo);
    draw = await prepareOutline(crop ? await cropped(file, crop) : file);
    if (keep) atHand = { key, draw };
  }
  return draw(corrections);
}

answerOrders(work, (error): SerializedError => {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return error instanceof PortraitError
    ? { code: error.code, params: error.params, message }
    : { code: null, params: {}, message };
});
