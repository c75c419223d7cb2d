import { readFile } from 'node:fs/promises';
import { isDiskFull, isDiskTrouble } from '@likeness/node-kit/error_codes.ts';
import type { Log } from '../log.ts';
import type { HeadMaker } from './head_maker.ts';
import { unexpected } from './model_failures.ts';
import type { ModelFiles } from './model_files.ts';
import type { MakingStage } from './model_jobs.ts';
import type { ModelOutcomes } from './model_outcomes.ts';
import { headParameters, type ModelKind, type ModelRecord } from './model_record.ts';
import type { ModelRecords } from './model_records.ts';
import { maxMeasured, typicalSeconds } from './wait_estimate.ts';

/** A model in progress. */
interface Making {
  kind: ModelKind;
  address: string;
  /** Number of earlier starts. */
  attempts: number;
  /** Milliseconds since 1970 UTC. */
  startedAt: number;
  cancel: AbortController;
  done: Promise<void>;
  /** Null before the first stage. */
  stage: MakingStage | null;
}

export interface ModelsInMakingOptions {
  records: ModelRecords;
  files: ModelFiles;
  outcomes: ModelOutcomes;
  /** Milliseconds since 1970 UTC. */
  clock: () => number;
  /** Called when a model begins or ends; an end frees a slot. */
  onChanged: (what: 'begun' | 'ended') => void;
  /** The disk failed while this model was made or its end recorded: it waits. */
  onDiskTrouble: (model: ModelRecord, error: unknown) => void;
  /** Attempts after which a model fails. */
  maxAttempts: number;
  log: Log;
}

/** A previously interrupted model may have crashed the engine. */
export const isSuspect = ({ attempts }: Pick<ModelRecord, 'attempts'>): boolean => attempts > 0;

/** The models in progress, from the first check of the photo to the file in the store. */
export class ModelsInMaking {
  readonly #options: ModelsInMakingOptions;
  /** By the model's id. */
  readonly #running = new Map<string, Making>();
  /** Seconds that the latest models occupied their slots, latest last. */
  readonly #took: number[];
  #isClosing = false;

  constructor(options: ModelsInMakingOptions) {
    this.#options = options;
    this.#took = options.records.speeds(maxMeasured).toReversed();
  }

  get count(): number {
    return this.#running.size;
  }

  countOf(kind: ModelKind): number {
    return [...this.#running.values()].filter((one) => one.kind === kind).length;
  }

  /** Seconds that the latest models occupied their slots, successful or not. */
  get took(): readonly number[] {
    return this.#took;
  }

  /** Typical seconds per head on this machine. */
  get secondsEach(): number {
    return typicalSeconds(this.#took);
  }

  has(id: string): boolean {
    return this.#running.has(id);
  }

  hasAddress(address: string): boolean {
    return [...this.#running.values()].some((one) => one.address === address);
  }

  hasSuspect(): boolean {
    return [...this.#running.values()].some(isSuspect);
  }

  stageOf(id: string): MakingStage | null {
    return this.#running.get(id)?.stage ?? null;
  }

  /** Seconds since each model in progress started. */
  runningFor(): number[] {
    const now = this.#options.clock();
    return [...this.#running.values()].map(({ startedAt }) => (now - startedAt) / 1000);
  }

  /** Seconds since this model started; null if it isn't in progress. */
  secondsOf(id: string): number | null {
    const one = this.#running.get(id);
    return one ? (this.#options.clock() - one.startedAt) / 1000 : null;
  }

  begin(maker: HeadMaker, model: ModelRecord, address: string): void {
    const { records, clock, onChanged } = this.#options;
    records.countAttempt(model.id, 1);
    const startedAt = clock();
    const cancel = new AbortController();
    const done = this.#make(maker, model, { address, startedAt, signal: cancel.signal }).finally(() => {
      this.#running.delete(model.id);
      if (!cancel.signal.aborted && !this.#isClosing) this.#measure((clock() - startedAt) / 1000);
      onChanged('ended');
    });
    const { kind, attempts } = model;
    this.#running.set(model.id, { kind, address, attempts, startedAt, cancel, done, stage: null });
    onChanged('begun');
  }

  /** Stops a model that its owner removed. */
  cancel(id: string): void {
    this.#running.get(id)?.cancel.abort();
  }

  /** Interrupts the models in progress; the next engine restarts them. */
  async close(maker: HeadMaker | null): Promise<void> {
    this.#isClosing = true;
    // Not the model's fault, so the attempt doesn't count.
    for (const id of this.#running.keys()) this.#options.records.countAttempt(id, -1);
    await maker?.close();
    await Promise.allSettled([...this.#running.values()].map(({ done }) => done));
  }

  #measure(seconds: number): void {
    // The clock was set back.
    if (seconds < 0) return;
    this.#took.push(seconds);
    if (this.#took.length > maxMeasured) this.#took.shift();
  }

  async #make(
    maker: HeadMaker,
    model: ModelRecord,
    { address, startedAt, signal }: { address: string; startedAt: number; signal: AbortSignal },
  ): Promise<void> {
    const { records, files, outcomes, clock, onDiskTrouble } = this.#options;
    try {
      const [photo = Buffer.alloc(0), ...others] = await Promise.all(
        [model.photo, ...model.others].map((one) => readFile(files.photoPath(one))),
      );
      const onStage = (name: string, progress: number): void => {
        const one = this.#running.get(model.id);
        if (one) one.stage = { name, progress };
      };
      const made = await maker.makeHead({ ...headParameters(model), photo, others, onStage, signal });
      const seconds = (clock() - startedAt) / 1000;
      await files.store(address, made, seconds);
      outcomes.succeed(model, address, seconds);
      if (signal.aborted && !records.isResultInUse(address)) files.dropResult({ address });
    } catch (error) {
      const isCancelled = signal.aborted;
      try {
        if (this.#mayPass(error, model) && !isCancelled && !this.#isClosing) throw error;
        this.#endWithout(maker, model, { error, isCancelled });
      } catch (later) {
        if (!isDiskTrouble(later)) throw later;
        onDiskTrouble(model, later);
      }
    }
  }

  /** Whether a disk error may pass. Attempts are limited, because a photo may stay unreadable. */
  #mayPass(error: unknown, { attempts }: ModelRecord): boolean {
    return isDiskFull(error) || (isDiskTrouble(error) && attempts + 1 < this.#options.maxAttempts);
  }

  /** Decides what follows when making a model gave no head. */
  #endWithout(
    maker: HeadMaker,
    model: ModelRecord,
    { error, isCancelled }: { error: unknown; isCancelled: boolean },
  ): void {
    const { outcomes, log } = this.#options;
    // Interrupted by us: the next engine restarts it.
    if (this.#isClosing) return;
    if (isCancelled) {
      outcomes.dropPhotos(model);
      return;
    }
    const reason = maker.explain(error);
    if (reason) log('info', `no head could be made: ${reason.en}`);
    else log('error', 'a head could not be made', error);
    outcomes.fail(model, reason ?? unexpected());
  }
}
