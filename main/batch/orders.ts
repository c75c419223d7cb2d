import { randomUUID } from 'node:crypto';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { builtInProfileId, startLeft } from '#contract';
import { personKey } from '../base/person_key.ts';
import type { BatchFeed } from './batch_feed.ts';
import type { BatchOptions } from './batch_options.ts';
import { openOf } from './batch_view.ts';
import type { JobRow, NewJob } from './jobs/job_row.ts';
import { activeStates, finishedStates, owedStates } from './jobs/job_state.ts';
import type { JobStore } from './jobs/job_store.ts';
import { orderWords } from './jobs/order_words.ts';
import { correctionsFor } from './photos/corrections.ts';
import { optionsFor } from './photos/head_choices.ts';
import type { ImportList } from './photos/import_list.ts';
import type { PhotoChecks } from './photos/photo_checks.ts';
import { checkOf } from './photos/photo_findings.ts';
import type { PhotoRow, PhotoSelection, PhotoTags } from './photos/photo_row.ts';
import type { BatchProfile } from './ports.ts';
import type { Scheduler } from './schedule/scheduler.ts';

/** Settings of one order. */
export interface StartOrder {
  profileId: string;
  libraryId: string;
  /** Also orders photos whose heads are in the library, or whose model the server no longer knows. */
  again: boolean;
  /** Settings by photo for this order alone; the photo in the list stays unchanged. */
  tagsByPhoto?: ReadonlyMap<string, PhotoTags>;
  /** Photos that stay in the list although they are queued. */
  stay?: ReadonlySet<string>;
}

type Left = (typeof startLeft)[number];

/** A photo with the settings of its order. */
type WantedHead = Pick<
  NewJob,
  | 'photoId'
  | 'fileName'
  | 'name'
  | 'sex'
  | 'eyelidType'
  | 'crop'
  | 'others'
  | 'corrections'
  | 'options'
  | 'anyway'
  | 'tags'
>;

export interface OrdersOptions {
  /** Changes of the batch. */
  options: BatchOptions;
  importList: ImportList;
  jobs: JobStore;
  feed: BatchFeed;
  scheduler: Scheduler;
  checks: Pick<PhotoChecks, 'wake'>;
  /** @throws Failure `conflict` if another studio works on the queue */
  mustBeOurs: () => void;
}

/** The user's actions on photos and jobs: order, retry, cancel, resolve. */
export class Orders {
  readonly #options: BatchOptions;
  readonly #importList: ImportList;
  readonly #jobs: JobStore;
  readonly #feed: BatchFeed;
  readonly #scheduler: Scheduler;
  readonly #checks: OrdersOptions['checks'];
  readonly #mustBeOurs: () => void;

  constructor({ options, importList, jobs, feed, scheduler, checks, mustBeOurs }: OrdersOptions) {
    this.#options = options;
    this.#importList = importList;
    this.#jobs = jobs;
    this.#feed = feed;
    this.#scheduler = scheduler;
    this.#checks = checks;
    this.#mustBeOurs = mustBeOurs;
  }

  /**
   * Queues photos with their current settings. Paid heads are downloaded, not ordered again. Orders that may
   * be paid for become `uncertain` again: only the user can send them a second time.
   *
   * @returns Ids of the jobs that continue and of those that need the user's decision.
   * @throws Failure `key_missing`: then nothing is queued
   */
  async start(
    selection: PhotoSelection,
    { profileId, libraryId, again, tagsByPhoto, stay }: StartOrder,
  ): Promise<{ queued: string[]; asked: string[]; left: { reason: Left; count: number }[] }> {
    this.#mustBeOurs();
    const profile = await this.#options.profiles.profile(profileId);
    await this.#options.profiles.mustHaveKey?.(profileId, 'apiKey');
    const { wanted, owed, left } = this.#sortOut(selection, profileId, again, tagsByPhoto);
    const now = this.#options.clock.now();
    const wasIdle = this.#openJobs() === 0;
    const jobs: NewJob[] = wanted.map((one) => ({
      ...one,
      ...newIds(),
      ...ofProfile(profile),
      libraryId,
      replaces: null,
      fromList: true,
      queuedAt: now,
    }));
    const leaving = jobs.map(({ photoId }) => photoId).filter((id) => !stay?.has(id));
    if (jobs.length > 0) {
      this.#jobs.add(jobs, () => {
        this.#importList.queued(leaving);
        if (wasIdle) this.#scheduler.beginBatch(now);
      });
    }
    const owedIds = new Set(owed.map(({ id }) => id));
    const superseded = this.#jobs.supersede(
      jobs.map(({ photoId }) => photoId),
      (job) => owedIds.has(job.id) || isOwed(job),
    );
    await this.#tryAgain(owed, {}, stay);
    const asked = owed.filter(({ id }) => this.#jobs.stateOf(id) === 'uncertain');
    left.uncertain = asked.length;
    const resumed = owed.filter((job) => !asked.includes(job));
    leaving.push(...resumed.map(({ photoId }) => photoId).filter((id) => !stay?.has(id)));
    this.#importList.queued(leaving);
    this.#feed.removedPhotos(leaving);
    this.#feed.removedJobs(superseded);
    this.#feed.jobs(jobs.map(({ id }) => id));
    this.#scheduler.pump();
    return {
      queued: [...jobs, ...resumed].map(({ id }) => id),
      asked: asked.map(({ id }) => id),
      left: counted(left),
    };
  }

  /** Queues complete job rows. @throws Failure `key_missing`: then nothing is queued */
  async add(
    wanted: readonly Omit<NewJob, 'profileId' | 'profileName' | 'queuedAt'>[],
    profileId: string,
  ): Promise<void> {
    this.#mustBeOurs();
    const profile = await this.#options.profiles.profile(profileId);
    await this.#options.profiles.mustHaveKey?.(profileId, 'apiKey');
    if (wanted.length === 0) return;
    const now = this.#options.clock.now();
    const wasIdle = this.#openJobs() === 0;
    const jobs = wanted.map((one) => ({ ...one, ...ofProfile(profile), queuedAt: now }));
    this.#jobs.add(jobs, () => {
      if (wasIdle) this.#scheduler.beginBatch(now);
    });
    this.#feed.jobs(jobs.map(({ id }) => id));
    this.#scheduler.pump();
  }

  /**
   * Returns what `start` would do with these photos: heads to make or download, and photos that would stay.
   */
  forecast(
    selection: PhotoSelection,
    { profileId, again }: Pick<StartOrder, 'profileId' | 'again'>,
  ): { heads: number; several: number; left: { reason: Left; count: number }[] } {
    const { wanted, owed, left } = this.#sortOut(selection, profileId, again);
    left.uncertain = owed.filter(asksPerson).length;
    const several = [...wanted, ...owed.filter((job) => !asksPerson(job))].filter(
      ({ others }) => others.length > 0,
    ).length;
    return { heads: wanted.length + owed.length - left.uncertain, several, left: counted(left) };
  }

  /**
   * Sorts photos into those to order, those with a paid head to download, and those that stay, with the
   * reason.
   */
  #sortOut(
    selection: PhotoSelection,
    profileId: string,
    again: boolean,
    tagsByPhoto?: StartOrder['tagsByPhoto'],
  ): { wanted: WantedHead[]; owed: JobRow[]; left: Record<Left, number> } {
    const left: Record<Left, number> = { no_sex: 0, blocked: 0, in_library: 0, in_queue: 0, uncertain: 0 };
    const wanted: WantedHead[] = [];
    const owed: JobRow[] = [];
    for (const listedPhoto of this.#importList.selected(selection)) {
      // The photo belongs to its person's front photo.
      if (listedPhoto.frontId !== null) continue;
      const photo = { ...listedPhoto, ...tagsByPhoto?.get(listedPhoto.id) };
      const { id: photoId, fileName, name, tags, sex, eyelidType, crop } = photo;
      const corrections = correctionsFor(profileId, photo.corrections);
      const options = optionsFor(profileId, photo.options);
      const parameters = { sex, eyelidType, crop, corrections, options };
      const beside = this.#importList.people.othersOf(photoId);
      const others = beside.map((other) => ({
        photoId: other.id,
        fileName: other.fileName,
        crop: other.crop,
      }));
      const key = personKey(
        photo.sha256,
        beside.map(({ sha256 }) => sha256),
      );
      // Ask for the sex only if the answer would unblock the photo.
      const anyway = photo.anyway && profileId === builtInProfileId;
      if (photo.check !== 'pending' && checkOf(photo.findings, anyway) === 'blocked') left.blocked += 1;
      else if (sex === null) left.no_sex += 1;
      else if (this.#jobs.openOfPhoto(photoId)) left.in_queue += 1;
      else if (!again && this.#options.modelStore.madeBefore(key, parameters, profileId) !== null) {
        left.in_library += 1;
      } else {
        const before = this.#jobs
          .owedFor(photoId, profileId)
          .find((job) => isOrderOf(job, { ...parameters, others }) && !(again && job.orderState === 'gone'));
        if (before) owed.push(before);
        else wanted.push({ photoId, fileName, name, tags, ...parameters, others, sex, anyway });
      }
    }
    return { wanted, owed, left };
  }

  /**
   * Cancels jobs. Photos return to the list unchanged if nothing was sent, or if the engine costs nothing.
   *
   * @param ids - Null: all unfinished ones.
   * @returns How many were cancelled, and how many photos returned.
   */
  async cancel(ids: readonly string[] | null): Promise<{ cancelled: number; back: number }> {
    this.#mustBeOurs();
    const jobs = ids
      ? ids.map((id) => this.#jobs.get(id)).filter((job) => job !== null)
      : this.#jobs.inState([...activeStates, 'queued', 'uncertain']);
    const ending: Promise<void>[] = [];
    let cancelled = 0;
    for (const job of jobs) {
      const ended = this.#scheduler.cancel(job.id);
      if (ended !== null) {
        ending.push(ended);
        cancelled += 1;
      } else if (!finishedStates.includes(job.state)) {
        const message = job.orderState === 'unknown' ? orderWords(job).cancelledUnanswered : '';
        this.#jobs.move(job, 'cancelled', { code: 'cancelled', message, hint: '' });
        cancelled += 1;
      }
    }
    await Promise.all(ending);
    const over = jobs.flatMap(({ id }) => this.#jobs.get(id) ?? []);
    const back = this.#bringToList(
      over.filter((job) => job.state === 'cancelled' && job.fromList && !isOwed(job)),
    );
    this.#feed.jobs(jobs.map(({ id }) => id));
    this.#scheduler.notifyIfFinished();
    if (back.length > 0) {
      const isBack = new Set(back);
      const ended = over.filter(({ photoId }) => isBack.has(photoId)).map(({ id }) => id);
      const takeBack = (): string[] => {
        this.#tryAgain(
          ended.flatMap((id) => this.#jobs.get(id) ?? []),
          {},
        );
        return back;
      };
      this.#importList.remember({ what: `cancel (${back.length})`, ids: back, takeBack, again: null });
    }
    return { cancelled, back: back.length };
  }

  /**
   * Returns the photos of failed or cancelled jobs to the list, to be corrected and queued again. Deletes
   * their jobs except paid ones: queueing the same photo again downloads the paid head.
   *
   * @returns Ids of the photos.
   */
  bringBack(ids: readonly string[]): string[] {
    this.#mustBeOurs();
    const jobs = ids
      .flatMap((id) => this.#jobs.get(id) ?? [])
      .filter(({ state }) => state === 'failed' || state === 'cancelled');
    const photoIds = this.#bringToList(jobs);
    this.#feed.removedJobs(this.#jobs.supersede(photoIds, isOwed));
    return photoIds;
  }

  /** @returns Ids of the photos that are now in the list. */
  #bringToList(jobs: readonly JobRow[]): string[] {
    const back = jobs.filter(
      ({ photoId }) => this.#importList.get(photoId) !== null && !this.#jobs.openOfPhoto(photoId),
    );
    const ids = [...new Set(back.map(({ photoId }) => photoId))];
    this.#importList.enter(ids);
    for (const { photoId, fromList, sex, eyelidType, name, tags, crop, corrections, options } of back) {
      const photo = this.#importList.get(photoId);
      // A photo that was imported for the job alone has no settings.
      if (!fromList && photo?.sex === null)
        this.#importList.tag('reopen', [
          { photo, set: { sex, eyelidType, name, tags, crop, corrections, options } },
        ]);
    }
    this.#feed.photos(ids);
    this.#checks.wake();
    return ids;
  }

  /** Moves waiting jobs in the queue, as one undo step. @param before - Null: to the end. */
  reorder(ids: readonly string[], before: string | null): void {
    this.#mustBeOurs();
    const feedFirst = (): string[] => {
      this.#feed.jobs(this.#jobs.page(['queued'], 0, 200).jobs.map(({ id }) => id));
      return [];
    };
    let previous: ReturnType<JobStore['reorder']> = [];
    const again = (): string[] => {
      previous = this.#jobs.reorder(ids, before);
      return feedFirst();
    };
    const takeBack = (): string[] => {
      this.#jobs.setPositions(previous);
      return feedFirst();
    };
    again();
    if (previous.length > 0) this.#importList.remember({ what: 'reorder', ids: [], takeBack, again });
  }

  /**
   * Retries failed or cancelled jobs. Paid heads are downloaded. Orders that may be paid for need the user's
   * decision, unless an idempotency key makes a repetition safe. The rest is ordered.
   *
   * @param ids - Null: all that failed.
   * @param to.profileId - Orders at another connection; a paid order at the old one stays unchanged.
   * @param to.anew - Orders models again that the server does not know; otherwise they are polled once more.
   * @returns How many.
   * @throws Failure `key_missing` if that connection has none
   */
  async retry(
    ids: readonly string[] | null,
    to: { profileId?: string | undefined; anew?: boolean | undefined } = {},
  ): Promise<number> {
    this.#mustBeOurs();
    const profile = to.profileId === undefined ? null : await this.#options.profiles.profile(to.profileId);
    if (profile) await this.#options.profiles.mustHaveKey?.(profile.id, 'apiKey');
    const jobs = ids
      ? ids.map((id) => this.#jobs.get(id)).filter((job) => job !== null)
      : this.#jobs.inState(['failed']);
    return this.#tryAgain(jobs, { profile, anew: to.anew ?? false });
  }

  /** @param stay - Photos that stay in the list although they are queued. */
  #tryAgain(
    jobs: readonly JobRow[],
    { profile = null, anew = false }: { profile?: BatchProfile | null; anew?: boolean },
    stay?: ReadonlySet<string>,
  ): number {
    const retried = jobs.filter(
      (job) =>
        (job.state === 'failed' || job.state === 'cancelled') &&
        // Another job already processes this photo: it isn't ordered twice.
        (owedStates.includes(job.orderState) || !this.#jobs.openOfPhoto(job.photoId)),
    );
    const leaving = retried
      .map(({ photoId }) => photoId)
      .filter((id) => this.#importList.isIn(id) && !stay?.has(id));
    this.#importList.queued(leaving);
    this.#feed.removedPhotos(leaving);
    const now = this.#options.clock.now();
    if (retried.length > 0 && this.#openJobs() === 0) this.#scheduler.beginBatch(now);
    const elsewhere: NewJob[] = [];
    for (const job of retried) {
      const { orderState } = job;
      const away = profile !== null && profile.id !== job.profileId ? profile : null;
      const { modelStore } = this.#options;
      // A paid head is stored even if its library no longer exists.
      const libraryId = modelStore.knows(job.libraryId) ? job.libraryId : modelStore.defaultLibraryId();
      // Queued now, so it counts to the batch that it runs with.
      const cleared = {
        libraryId,
        queuedAt: now,
        message: '',
        hint: '',
        code: null,
        pollSeconds: 0,
        nextPollAt: null,
      };
      const again = { ...cleared, attempts: 0, remoteModelId: '', orderState: 'none' } as const;
      if (away && owedStates.includes(orderState)) elsewhere.push(copyFor(away, job, now));
      else if (away) {
        this.#jobs.move(job, 'queued', {
          ...again,
          ...ofProfile(away),
          photoUses: null,
          idempotencyKey: randomUUID(),
        });
      } else if (orderState === 'made' || (orderState === 'gone' && !anew)) {
        this.#jobs.move(job, 'waiting', { ...cleared, orderState: 'made' });
      } else if (asksPerson(job)) {
        this.#jobs.move(job, 'uncertain', {
          queuedAt: now,
          code: 'upstream_broken',
          message: t('batch.sent_without_answer'),
          hint: t('batch.look_in_account'),
        });
      } else if (orderState === 'unknown') this.#jobs.move(job, 'queued', cleared);
      else this.#jobs.move(job, 'queued', { ...again, idempotencyKey: randomUUID() });
    }
    if (elsewhere.length > 0) this.#jobs.add(elsewhere, () => {});
    this.#feed.jobs([...retried, ...elsewhere].map(({ id }) => id));
    this.#scheduler.pump();
    return retried.length;
  }

  /** Applies the user's decision to jobs that the server may or may not have received. */
  resolveUncertain(
    ids: readonly string[],
    answer: 'resend' | 'give_up' | 'found',
    remoteModelId: string | undefined,
  ): void {
    this.#mustBeOurs();
    if (answer === 'found' && (remoteModelId === undefined || ids.length !== 1)) {
      throw new Failure('invalid_input', t('batch.one_id_one_photo'), {
        field: 'remoteModelId',
        hint: t('batch.settle_one_by_one'),
      });
    }
    for (const id of ids) {
      const job = this.#jobs.get(id);
      if (job?.state !== 'uncertain') continue;
      if (answer === 'give_up') this.#jobs.move(job, 'failed', { message: t('batch.given_up'), hint: '' });
      else if (answer === 'resend')
        this.#jobs.move(job, 'queued', { orderState: 'none', message: '', hint: '', code: null });
      else {
        this.#jobs.move(job, 'waiting', {
          remoteModelId: remoteModelId ?? '',
          orderState: 'made',
          message: '',
          hint: '',
          code: null,
          nextPollAt: null,
        });
      }
    }
    this.#feed.jobs(ids);
    this.#scheduler.pump();
    this.#scheduler.notifyIfFinished();
  }

  /** @param owed - Also removes jobs that are or may be paid for and whose head is not downloaded. */
  clearFinished(owed: boolean): { cleared: number; kept: number; back: number } {
    this.#mustBeOurs();
    const { gone, kept } = this.#jobs.clearFinished(owed);
    // Without its last job, the photo would be neither in the list nor in the queue.
    const back = this.#bringToList(
      gone.filter(
        ({ state, fromList, photoId }) =>
          state !== 'done' && fromList && this.#jobs.newestStateOf(photoId) === null,
      ),
    );
    this.#feed.removedJobs(gone.map(({ id }) => id));
    return { cleared: gone.length, kept, back: back.length };
  }

  #openJobs(): number {
    return openOf(this.#jobs.counts());
  }
}

const ofProfile = ({ id, name }: BatchProfile): Pick<NewJob, 'profileId' | 'profileName'> => ({
  profileId: id,
  profileName: name,
});

const counted = (left: Record<Left, number>): { reason: Left; count: number }[] =>
  startLeft.map((reason) => ({ reason, count: left[reason] })).filter(({ count }) => count > 0);

/** A server was or may be paid for a head that is not downloaded. The built-in engine costs nothing. */
const isOwed = ({ orderState, profileId }: JobRow): boolean =>
  profileId !== builtInProfileId && owedStates.includes(orderState);

/** The server may have received it, and no key makes it safe to send again. */
const asksPerson = ({ orderState, protected: isProtected }: JobRow): boolean =>
  orderState === 'unknown' && !isProtected;

const newIds = (): Pick<NewJob, 'id' | 'modelId' | 'idempotencyKey'> => ({
  id: randomUUID(),
  modelId: randomUUID(),
  idempotencyKey: randomUUID(),
});

/** Returns the same order for another connection. */
function copyFor(profile: BatchProfile, job: JobRow, queuedAt: number): NewJob {
  const { photoId, fileName, name, sex, eyelidType, crop, others, corrections, options, anyway } = job;
  const { tags, libraryId, replaces, fromList } = job;
  const parameters = { sex, eyelidType, crop, corrections, options };
  const wanted = {
    photoId,
    fileName,
    name,
    ...parameters,
    others,
    anyway,
    tags,
    libraryId,
    replaces,
    fromList,
  };
  return { ...wanted, ...newIds(), ...ofProfile(profile), queuedAt };
}

/** Whether a job was ordered with these settings. */
function isOrderOf(
  { sex, eyelidType, crop, others, corrections, options, replaces }: JobRow,
  wanted: Pick<PhotoRow, 'sex' | 'eyelidType' | 'crop' | 'corrections' | 'options'> & Pick<JobRow, 'others'>,
): boolean {
  const { corrections: corrected, options: chosen } = wanted;
  const asked = [wanted.sex, wanted.eyelidType, wanted.crop, wanted.others, corrected, chosen, null];
  return (
    JSON.stringify([sex, eyelidType, crop, others, corrections, options, replaces]) === JSON.stringify(asked)
  );
}
