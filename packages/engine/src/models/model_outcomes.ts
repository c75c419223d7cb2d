import type { Both } from '@likeness/messages';
import type { WalFlush } from '@likeness/node-kit/wal_flush.ts';
import type { Log } from '../log.ts';
import type { ModelFiles } from './model_files.ts';
import type { ModelChange } from './model_jobs.ts';
import { type ModelRecord, modelState } from './model_record.ts';
import type { ModelRecords } from './model_records.ts';

export interface ModelOutcomesOptions {
  records: Pick<ModelRecords, 'succeed' | 'fail'>;
  files: Pick<ModelFiles, 'dropPhotos'>;
  wal: Pick<WalFlush, 'flushed'>;
  /** Milliseconds since 1970 UTC. */
  clock: () => number;
  onChanged: (change: ModelChange) => void;
  log: Log;
}

/** Ends models: records the outcome, then drops the photos. */
export class ModelOutcomes {
  readonly #options: ModelOutcomesOptions;
  readonly #dropping = new Set<Promise<void>>();

  constructor(options: ModelOutcomesOptions) {
    this.#options = options;
  }

  /**
   * @param address Address of the stored result.
   * @param seconds Time that making it took.
   */
  succeed(model: ModelRecord, address: string, seconds: number): void {
    const { records, clock, onChanged } = this.#options;
    const isNew = records.succeed(model.id, { address, at: clock(), seconds });
    this.dropPhotos(model);
    if (isNew) onChanged(changed(model, modelState.success));
  }

  fail(model: ModelRecord, failure: Both): void {
    const { records, clock, onChanged } = this.#options;
    const isNew = records.fail(model.id, failure, clock());
    this.dropPhotos(model);
    if (isNew) onChanged(changed(model, modelState.fail));
  }

  /** Deletes the photos once the outcome is on disk: a power cut before that would restart the model. */
  dropPhotos(model: ModelRecord): void {
    const { files, wal, log } = this.#options;
    const dropping: Promise<void> = wal
      .flushed()
      .then(() => files.dropPhotos(model))
      // The next sweep finds them.
      .catch((error: unknown) => log('warning', 'photos could not be deleted yet', error))
      .finally(() => this.#dropping.delete(dropping));
    this.#dropping.add(dropping);
  }

  /** Resolves when the photos of all ended models are gone. */
  async photosDropped(): Promise<void> {
    await Promise.all(this.#dropping);
  }
}

export const changed = ({ id, owner, kind }: ModelRecord, state: ModelChange['state']): ModelChange => ({
  id,
  owner,
  kind,
  state,
});
