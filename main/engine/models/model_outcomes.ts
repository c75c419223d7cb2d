import type { Text } from '../http/language.ts';
import type { ModelFiles } from './model_files.ts';
import type { ModelRecord, ModelRecords } from './model_records.ts';

export interface ModelOutcomesOptions {
  records: Pick<ModelRecords, 'touchResult' | 'succeed' | 'fail'>;
  files: Pick<ModelFiles, 'dropPhoto'>;
  /** Milliseconds since 1970 UTC. */
  clock: () => number;
}

/** How a model ends: its photo is needed no more. */
export class ModelOutcomes {
  readonly #options: ModelOutcomesOptions;

  constructor(options: ModelOutcomesOptions) {
    this.#options = options;
  }

  /** @param address Of the result, which is in the store. */
  succeed(model: ModelRecord, address: string): void {
    const { records, files, clock } = this.#options;
    records.touchResult(address, clock());
    records.succeed(model.id, address, clock());
    files.dropPhoto(model.photo);
  }

  fail(model: ModelRecord, failure: Text): void {
    const { records, files, clock } = this.#options;
    records.fail(model.id, failure, clock());
    files.dropPhoto(model.photo);
  }
}
