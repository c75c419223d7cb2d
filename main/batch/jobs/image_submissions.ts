import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { ImageSubmission } from '#contract';
import type { PortraitChecker, Profiles } from '../ports.ts';
import { type ImageFile, type ImageTaskStore, submitImages } from './image_tasks.ts';

export interface ImageSubmissionsOptions {
  store: ImageTaskStore;
  profiles: Profiles;
  checker: Pick<PortraitChecker, 'crop'>;
  now: () => number;
  /** Progress of a series of images; null when it has ended. */
  onChanged: (submission: ImageSubmission | null) => void;
}

const maxImages = 1000;

/** Submits series of images, one series at a time. */
export class ImageSubmissions {
  readonly #options: ImageSubmissionsOptions;
  #series: { progress: ImageSubmission; end: AbortController } | null = null;

  constructor(options: ImageSubmissionsOptions) {
    this.#options = options;
  }

  get current(): ImageSubmission | null {
    return this.#series?.progress ?? null;
  }

  /** @throws Failure `invalid_input` if there are too many, `conflict` while another series is running */
  async submit(
    files: readonly ImageFile[],
    profileId: string,
  ): Promise<Pick<ImageSubmission, 'submitted' | 'failed'>> {
    if (files.length > maxImages) {
      throw new Failure('invalid_input', t('batch.too_many_images', { count: files.length }), {
        field: 'selection',
        hint: t('batch.fewer_images'),
      });
    }
    if (this.#series) {
      throw new Failure('conflict', t('batch.images_under_way'), {
        hint: t('batch.wait_for_images'),
        retryable: true,
      });
    }
    const { store, profiles, checker, now, onChanged } = this.#options;
    const series = { progress: { total: files.length, submitted: 0, failed: 0 }, end: new AbortController() };
    const update = (changes: Partial<ImageSubmission>): void => {
      series.progress = { ...series.progress, ...changes };
      onChanged(series.progress);
    };
    // Set before the first await, so that a second call sees it.
    this.#series = series;
    try {
      await profiles.mustHaveKey?.(profileId, 'accessToken');
      update({});
      await submitImages(store, files, {
        profileId,
        profiles,
        checker,
        now,
        signal: series.end.signal,
        onTask({ taskId }) {
          const { submitted, failed } = series.progress;
          update(taskId === '' ? { failed: failed + 1 } : { submitted: submitted + 1 });
        },
      });
    } finally {
      this.#series = null;
      onChanged(null);
    }
    const { submitted, failed } = series.progress;
    return { submitted, failed };
  }

  /** Ends the series after the current image. */
  cancel(): void {
    this.#series?.end.abort();
  }
}
