import { randomUUID } from 'node:crypto';
import { Failure } from '@likeness/node-kit/failure.ts';
import { chosenOptions } from '@likeness/proto/heads/head_options.ts';
import { againLeft, builtInProfileId, type CallInput } from '#contract';
import type { MadeModel } from '../base/model_store.ts';
import type { Batch } from './batch.ts';
import type { NewJob } from './jobs/job_row.ts';
import { correctionsFor } from './photos/corrections.ts';
import { optionsFor } from './photos/head_choices.ts';
import type { Importer } from './photos/importer.ts';

type Left = (typeof againLeft)[number];

/** Maximum number of heads to name whose photos are missing, partly or completely. */
const maxNames = 20;

/**
 * Orders heads of the library again; `jobs` are the ids of the queued jobs. A photo that is not in the list
 * is imported for the job alone.
 *
 * @throws Failure `key_missing`: then nothing is queued
 */
export async function makeAgain(
  batch: Batch,
  importer: Pick<Importer, 'takeOne'>,
  { selection, profileId, options, asNew }: CallInput<'batch', 'makeAgain'>,
): Promise<{
  jobs: string[];
  /** Unfinished jobs of an earlier order that already make these heads. */
  inProgress: string[];
  left: { reason: Left; count: number }[];
  withoutPhoto: string[];
  fewerPhotos: string[];
}> {
  const left: Record<Left, number> = { no_photo: 0, no_sex: 0, in_queue: 0 };
  const inProgress: string[] = [];
  const withoutPhoto: string[] = [];
  const fewerPhotos: string[] = [];
  const jobs: Omit<NewJob, 'profileId' | 'profileName' | 'queuedAt'>[] = [];
  for (const id of new Set(batch.modelStore.selected(selection))) {
    const replacing = asNew ? null : batch.jobs.replacing(id);
    if (replacing !== null) {
      inProgress.push(replacing);
      left.in_queue += 1;
      continue;
    }
    let made: Awaited<ReturnType<typeof batch.modelStore.portraitOf>>;
    try {
      made = await batch.modelStore.portraitOf(id);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'not_found') throw error;
      left.no_photo += 1;
      withoutPhoto.push(batch.modelStore.nameOf(id) ?? id);
      continue;
    }
    const { sex, eyelidType, crop } = made.parameters;
    if (sex === null) {
      left.no_sex += 1;
      continue;
    }
    if (made.othersGone > 0) fewerPhotos.push(made.name);
    const wanted = options === undefined ? made.parameters.options : chosenOptions(options);
    jobs.push({
      id: randomUUID(),
      photoId: await takenAside(batch, importer, made.photo, made.fileName),
      others: await othersAside(batch, importer, made.others),
      fileName: made.fileName,
      name: made.name,
      sex,
      eyelidType,
      crop,
      corrections: correctionsFor(profileId, made.parameters.corrections),
      options: optionsFor(profileId, wanted),
      anyway: profileId === builtInProfileId && made.overridden.length > 0,
      tags: made.tags,
      libraryId: made.libraryId,
      modelId: randomUUID(),
      replaces: asNew ? null : id,
      fromList: false,
      idempotencyKey: randomUUID(),
    });
  }
  await batch.orders.add(jobs, profileId);
  return {
    jobs: jobs.map(({ id }) => id),
    inProgress,
    left: againLeft.map((reason) => ({ reason, count: left[reason] })).filter(({ count }) => count > 0),
    withoutPhoto: withoutPhoto.slice(0, maxNames),
    fewerPhotos: fewerPhotos.slice(0, maxNames),
  };
}

/** Returns the additional photos of a head's person as fields of a job. */
async function othersAside(
  batch: Pick<Batch, 'importList'>,
  importer: Pick<Importer, 'takeOne'>,
  others: MadeModel['others'],
): Promise<NewJob['others']> {
  const aside: NewJob['others'] = [];
  for (const { crop, fileName, ...photo } of others)
    aside.push({ photoId: await takenAside(batch, importer, photo, fileName), fileName, crop });
  return aside;
}

/** Returns the queue's id for a head's photo. The photo appears in the list only if it was there before. */
async function takenAside(
  { importList }: Pick<Batch, 'importList'>,
  importer: Pick<Importer, 'takeOne'>,
  photo: MadeModel['photo'],
  fileName: string,
): Promise<string> {
  const known = importList.find(photo.sha256);
  const lay = known !== null && importList.isIn(known.id);
  const id = await importer.takeOne(photo.path, fileName);
  if (!lay) importList.leave([id]);
  return id;
}
