import type { Text } from '../http/language.ts';
import type { ModelFiles } from './model_files.ts';
import type { ModelChange } from './model_jobs.ts';
import { type ModelRecord, modelState } from './model_record.ts';
import type { ModelRecords } from './model_records.ts';

export interface ModelOutcomesOptions {
  records: Pick<ModelRecords, 'touchResult' | 'succeed' | 'fail'>;
  files: Pick<ModelFiles, 'dropPhotos'>;
  /** Milliseconds since 1970 UTC. */
  clock: () => number;
  onChanged: (change: ModelChange) => void;
}

/** How a model ends: its photos are needed no more. */
export class ModelOutcomes {
  readonly #options: ModelOutcomesOptions;

  constructor(options: ModelOutcomesOptions) {
    this.#options = options;
  }

  /**
   * @param address Of the result, which is in the store.
   * @param seconds That its making took.
   */
  succeed(model: ModelRecord, address: string, seconds: number): void {
    const { records, files, clock, onChanged } = this.#options;
    records.touchResult(address, clock());
    const isNew = records.succeed(model.id, { address, at: clock(), seconds });
    files.dropPhotos(model);
    if (isNew) onChanged(changed(model, modelState.success));
  }

  fail(model: ModelRecord, failure: Text): void {
    const { records, files, clock, onChanged } = this.#options;
    const isNew = records.fail(model.id, failure, clock());
    files.dropPhotos(model);
    if (isNew) onChanged(changed(model, modelState.fail));
  }
}

export const changed = ({ id, owner, kind }: ModelRecord, state: ModelChange['state']): ModelChange => ({
  id,
  owner,
  kind,
  state,
});
