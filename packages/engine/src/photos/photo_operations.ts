import type { IncomingMessage } from 'node:http';
import { t } from '@likeness/messages';
import { z } from 'zod';
import type { FairShares } from '../http/fair_shares.ts';
import { flag, jsonField, missing, readChoice, readJson, textFields } from '../http/form_fields.ts';
import { type Upload, withUpload } from '../http/image_upload.ts';
import type { EngineLimits } from '../http/limits.ts';
import { Refusal } from '../http/refusal.ts';
import { type RequestContext, sendJson } from '../http/request_context.ts';
import { headCorrectionsSchema } from '../models/head_corrections.ts';
import type { HeadMaker } from '../models/head_maker.ts';
import { correctionsField, sexField } from '../models/model_bodies.ts';
import { cropSchema } from './photo_answers.ts';
import type { PhotoReader } from './photo_reader.ts';

export interface PhotoOptions {
  /** Null: this engine has no portrait part. */
  loadHeadMaker: (() => Promise<HeadMaker>) | null;
  /** Folder for uploads while they are needed. */
  folder: string;
  limits: Pick<EngineLimits, 'wholePhotoBytes' | 'slowUploadBytes' | 'slowUploadWindow'>;
  /** Requests under way, over all connections. */
  inFlight: FairShares;
}

const file = z.file().describe('A photo; only a crop of it may be sent later');
const crop = jsonField(cropSchema).describe('JSON');

export const photoCheckForm = z.strictObject({ file, crop: crop.optional() });
export const photoCropForm = z.strictObject({ file, crop });
export const photoOutlineForm = z.strictObject({
  file: file.optional(),
  photo: z
    .string()
    .optional()
    .describe('Instead of `file`: the name from the last answer with `keep`, with the same crop and sex'),
  crop: crop.optional(),
  sex: sexField.optional(),
  corrections: correctionsField.optional(),
  keep: flag
    .optional()
    .describe('1 = keep the photo in memory for the next request, until another photo replaces it'),
  background: flag.optional().describe('1 = low priority: nobody waits for the answer'),
});

/** Extension `photo-check`: problems of a photo, or a part of it, before a head is ordered. */
export async function checkPhoto(context: RequestContext, options: PhotoOptions): Promise<void> {
  const report = await withPhoto(context, options, photoCheckForm, (reader, { file, fields }, signal) => {
    if (!file) throw missing('file');
    return reader.check(file.path, readJson(fields, 'crop', cropSchema), signal);
  });
  sendJson(context.response, 200, report);
}

/**
 * Extension `photo-outline`: the outline of head and hair, as a head with these corrections would use it.
 * With `keep` the photo stays in memory. Later requests name it instead of sending the file, so that brush
 * strokes are answered at once.
 */
export async function outlinePhoto(context: RequestContext, options: PhotoOptions): Promise<void> {
  const answer = await withPhoto(context, options, photoOutlineForm, async (reader, upload, signal) => {
    const { file, fields } = upload;
    const name = file?.sha256 ?? fields.get('photo');
    if (name === undefined) throw missing('file');
    const sex = readChoice(fields, 'sex', sexField);
    const report = await reader.outline({
      photo: file?.path ?? null,
      name,
      crop: readJson(fields, 'crop', cropSchema),
      sex: sex === null ? null : sex === 1 ? 'female' : 'male',
      corrections: readJson(fields, 'corrections', headCorrectionsSchema),
      keep: readChoice(fields, 'keep', flag) === 1,
      isBackground: readChoice(fields, 'background', flag) === 1,
      signal,
    });
    return { ...report, photo: name };
  });
  sendJson(context.response, 200, answer);
}

/** Extension `photo-crop`: crops a photo as it was checked. */
export async function cropPhoto(context: RequestContext, options: PhotoOptions): Promise<void> {
  const jpeg = await withPhoto(context, options, photoCropForm, (reader, { file, fields }, signal) => {
    const crop = readJson(fields, 'crop', cropSchema);
    if (!file) throw missing('file');
    if (crop === null) throw missing('crop');
    return reader.crop(file.path, crop, signal);
  });
  context.response.writeHead(200, {
    'content-type': 'image/jpeg',
    'content-length': jpeg.byteLength,
    'cache-control': 'no-store',
  });
  context.response.end(jpeg);
}

/** Receives a photo and has it checked while the caller waits. */
async function withPhoto<T>(
  { request, response, caller }: Pick<RequestContext, 'request' | 'response' | 'caller'>,
  { loadHeadMaker, folder, limits, inFlight }: PhotoOptions,
  form: z.ZodObject,
  read: (reader: PhotoReader, upload: Upload, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (!loadHeadMaker) throw noReader();
  const { owner } = caller;
  inFlight.takeForRequest(owner, 'photos', t('refusal.photos_busy', { max: inFlight.max }));
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    const receiving = {
      folder,
      fieldNames: textFields(form),
      bytes: limits.wholePhotoBytes,
      fileIsOptional: true,
      durable: false,
      limits,
    };
    return await withUpload(request, receiving, async (upload) => {
      mayBeSilent(request);
      const { photos } = await loadHeadMaker();
      return read(photos, upload, gone.signal);
    });
  } finally {
    inFlight.give(owner);
  }
}

/**
 * Disables the socket's timeout: while somebody is speaking, a photo may wait longer than a connection may be
 * idle. The work has a separate time limit.
 */
const mayBeSilent = (request: IncomingMessage): void => void request.socket.setTimeout(0);

function noReader(): Refusal {
  return new Refusal(501, 'portrait_missing', t('refusal.portrait_missing'));
}
