import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { outlineAnswerSchema, photoReportSchema } from '@likeness/engine/photos/photo_answers.ts';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import { maxConcurrentPhotos } from '@likeness/portrait/worker_count.ts';
import type { Crop } from '@likeness/proto/crop.ts';
import { maxPicture } from '@likeness/proto/picture_limits.ts';
import { Agent, FormData, fetch } from 'undici';
import type { HeadCorrections, PhotoFinding, PhotoOutline } from '#contract';
import { askEngine, EngineRefusal, jsonOf, refusalSchema } from './engine_request.ts';
import type { EngineConnection } from './engine_run.ts';
import { findingsOf, suggestedCrop } from './photo_findings.ts';

interface PhotoOrder {
  path: string;
  crop: Crop | null;
}

interface OutlineOrder extends PhotoOrder {
  sex: 'female' | 'male' | null;
  corrections: HeadCorrections | null;
  /** Whether more requests for the same photo will follow, one per stroke. */
  again: boolean;
}

/** Sends photos to the engine for checks. */
export interface PhotoClient {
  /** Maximum concurrent checks. */
  readonly parallel: number;
  /** @throws Failure `unreachable` if the engine is not available, else about this photo */
  check(
    path: string,
    crop: Crop | null,
    signal?: AbortSignal,
  ): Promise<{
    width: number;
    height: number;
    findings: PhotoFinding[];
    face: Crop | null;
    suggestedCrop: Crop | null;
    /** Degrees, positive when the subject turns to its left; null if the engine doesn't report it. */
    yaw: number | null;
  }>;
  /** @throws Failure as `check`; `unsupported` if no head can be made from the photo */
  outline(order: OutlineOrder, signal?: AbortSignal): Promise<PhotoOutline & { cutOff: boolean }>;
  /** The part of a photo that is sent: the same bytes that are checked. @throws Failure as `check` */
  crop(photo: Uint8Array, crop: Crop, signal?: AbortSignal): Promise<Uint8Array>;
  close(): Promise<void>;
}

interface Answer {
  status: number;
  bytes: Buffer;
}

/** The engine no longer has the photo of an outline. */
const notKept = 'photo_not_kept';

/**
 * Client of the engine's photo routes. It uses only the engine on this machine, whichever connection makes
 * the head, so photos never leave the machine this way.
 *
 * @param connect - Returns the engine's address; starts it if it isn't running, waits while it restarts.
 */
export function createPhotoClient(connect: () => Promise<EngineConnection>): PhotoClient {
  // No timeout: a photo may wait during a live session, and the engine ends work that takes too long.
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

  const ask = (route: string, body: FormData, signal?: AbortSignal): Promise<Answer> =>
    askEngine({
      connect,
      signal,
      ended: (times) => t('photo.engine_ended', { times }),
      async attempt({ url, apiKey }) {
        const headers = { auth_ak: apiKey };
        const init = { method: 'POST', headers, body, dispatcher, ...(signal && { signal }) };
        const response = await fetch(`${url}/v1/photos/${route}`, init);
        const bytes = Buffer.from(await response.arrayBuffer());
        return response.status === 503 ? null : { status: response.status, bytes };
      },
    });

  async function answerOf(route: string, body: FormData, signal?: AbortSignal): Promise<Buffer> {
    const { status, bytes } = await ask(route, body, signal);
    if (status === 200) return bytes;
    throw refusalOf(status, bytes);
  }

  /** The engine's id of the photo whose outline was last requested. */
  let kept: { of: string; photo: string } | null = null;

  async function outline(
    order: OutlineOrder,
    photo: string | null,
    signal: AbortSignal | undefined,
  ): Promise<Buffer> {
    const { path, crop, sex, corrections, again } = order;
    const body = photo === null ? await formWith(path) : new FormData();
    if (photo !== null) body.set('photo', photo);
    if (crop) body.set('crop', JSON.stringify(crop));
    if (sex) body.set('sex', sex === 'female' ? '1' : '0');
    if (corrections) body.set('corrections', JSON.stringify(corrections));
    body.set(again ? 'keep' : 'background', '1');
    return answerOf('outline', body, signal);
  }

  return {
    parallel: maxConcurrentPhotos,
    async check(path, crop, signal) {
      const body = await formWith(path);
      if (crop) body.set('crop', JSON.stringify(crop));
      const answer = await answerOf('check', body, signal);
      const { width, height, face, findings, yaw = null } = photoReportSchema.parse(jsonOf(answer));
      return {
        width,
        height,
        face,
        findings: findingsOf(findings),
        suggestedCrop: crop || !face ? null : suggestedCrop(face, { width, height }),
        yaw,
      };
    },
    async outline(order, signal) {
      const of = JSON.stringify([order.path, order.crop, order.sex]);
      const known = kept?.of === of ? kept.photo : null;
      const answer = await outline(order, known, signal).catch((error: unknown) => {
        if (known === null || !(error instanceof EngineRefusal) || error.reason !== notKept) throw error;
        return outline(order, null, signal);
      });
      const { photo, ...found } = outlineAnswerSchema.parse(jsonOf(answer));
      if (order.again) kept = { of, photo };
      return found;
    },
    async crop(photo, crop, signal) {
      const body = new FormData();
      body.set('file', new Blob([Uint8Array.from(photo)]), 'photo');
      body.set('crop', JSON.stringify(crop));
      return answerOf('crop', body, signal);
    },
    close: () => dispatcher.destroy(),
  };
}

function refusalOf(status: number, bytes: Buffer): Failure {
  const { data } = refusalSchema.safeParse(jsonOf(bytes));
  return data
    ? new EngineRefusal(data)
    : new Failure('unsupported', t('photo.engine_unreadable', { status }));
}

/** @throws Failure `unsupported` if it is too large, `storage` if it can't be read */
async function formWith(path: string): Promise<FormData> {
  try {
    const { size } = await stat(path);
    if (size > maxPicture.bytes) {
      const limit = maxPicture.bytes / 2 ** 20;
      throw new Failure(
        'unsupported',
        t('photo.too_many_megabytes', { size: Math.round(size / 1e6), limit }),
      );
    }
    const body = new FormData();
    body.set('file', await openAsBlob(path), 'photo');
    return body;
  } catch (error) {
    throw error instanceof Failure ? error : storageFailure(error, path);
  }
}
