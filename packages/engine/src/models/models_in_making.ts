import { readFile } from 'node:fs/promises';
import { isDiskFull } from '@likeness/node-kit/error_codes.ts';
import type { Log } from '../log.ts';
import type { HeadMaker } from './head_maker.ts';
import { unexpected } from './model_failures.ts';
import type { ModelFiles } from './model_files.ts';
import type { MakingStage } from './model_jobs.ts';
import type { ModelOutcomes } from './model_outcomes.ts';
import type { ModelKind, ModelRecord } from './model_record.ts';
import type { ModelRecords } from './model_records.ts';
import { maxMeasured, typicalSeconds } from './wait_estimate.ts';

/** A model in the making. */
interface Making {
  kind: ModelKind;
  address: string;
  /** Times that it was begun before. */
  attempts: number;
  /** Milliseconds since 1970 UTC. */
  startedAt: number;
  cancel: AbortController;
  done: Promise<void>;
  /** Null before the first. */
  stage: MakingStage | null;
}

export interface ModelsInMakingOptions {
  records: ModelRecords;
  files: ModelFiles;
  outcomes: ModelOutcomes;
  /** Milliseconds since 1970 UTC. */
  clock: () => number;
  /** One was begun, or has ended: then there is a free place. */
  onChanged: (what: 'begun' | 'ended') => void;
  /** The disk is full: what came of a model can't be kept, and it is to be made again when there is room. */
  onDiskFull: (model: ModelRecord) => void;
  log: Log;
}

/** One that was cut off before may be what ended the engine. */
export const isSuspect = ({ attempts }: Pick<ModelRecord, 'attempts'>): boolean => attempts > 0;

/** The models that are being made, from the maker's first look at the photo to the file in the store. */
export class ModelsInMaking {
  readonly #options: ModelsInMakingOptions;
  /** By the model's id. */
  readonly #running = new Map<string, Making>();
  /** Seconds that the latest held their place, latest last. */
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

  /** Seconds that the latest models held their place, whatever became of them. */
  get took(): readonly number[] {
    return this.#took;
  }

  /** Seconds that a head usually takes on this machine. */
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

  /** Seconds that each has been in the making. */
  runningFor(): number[] {
    const now = this.#options.clock();
    return [...this.#running.values()].map(({ startedAt }) => (now - startedAt) / 1000);
  }

  /** Seconds that one has been in the making; null where it isn't. */
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

  /** Its person took it back. */
  cancel(id: string): void {
    this.#running.get(id)?.cancel.abort();
  }

  /** Breaks off what is being made, so that it starts again with the next engine. */
  async close(maker: HeadMaker | null): Promise<void> {
    this.#isClosing = true;
    // Nobody's fault, so it doesn't count as an attempt.
    for (const id of this.#running.keys()) this.#options.records.countAttempt(id, -1);
    await maker?.close();
    await Promise.allSettled([...this.#running.values()].map(({ done }) => done));
  }

  #measure(seconds: number): void {
    // A clock that was set back.
    if (seconds < 0) return;
    this.#took.push(seconds);
    if (this.#took.length > maxMeasured) this.#took.shift();
  }

  async #make(
    maker: HeadMaker,
    model: ModelRecord,
    { address, startedAt, signal }: { address: string; startedAt: number; signal: AbortSignal },
  ): Promise<void> {
    const { records, files, outcomes, clock, onDiskFull } = this.#options;
    try {
      const [photo = Buffer.alloc(0), ...others] = await Promise.all(
        [model.photo, ...model.others].map((one) => readFile(files.photoPath(one))),
      );
      const { sex, eyelidType, corrections, options, anyway } = model;
      const order = { photo, others, sex, eyelidType, corrections, options, anyway };
      const onStage = (name: string, progress: number): void => {
        const one = this.#running.get(model.id);
        if (one) one.stage = { name, progress };
      };
      const made = await maker.makeHead({ ...order, onStage, signal });
      const seconds = (clock() - startedAt) / 1000;
      await files.store(address, made, seconds);
      outcomes.succeed(model, address, seconds);
      if (signal.aborted && !records.isResultInUse(address)) files.dropResult({ address });
    } catch (error) {
      const isCancelled = signal.aborted;
      try {
        if (isDiskFull(error) && !isCancelled && !this.#isClosing) throw error;
        this.#endWithout(maker, model, { error, isCancelled });
      } catch (later) {
        if (!isDiskFull(later)) throw later;
        onDiskFull(model);
      }
    }
  }

  /** What becomes of a model of which no head was made. */
  #endWithout(
    maker: HeadMaker,
    model: ModelRecord,
    { error, isCancelled }: { error: unknown; isCancelled: boolean },
  ): void {
    const { outcomes, log } = this.#options;
    // Broken off by us: it starts again with the next engine.
    if (this.#isClosing) return;
    if (isCancelled) {
      outcomes.dropPhotos(model);
      return;
    }
    const reason = maker.explain(error);
    if (reason) log('info', `no head could be made: ${reason.en}`);
    else log('error', 'a head could not be made', error);
    outcomes.fail(model, reason ?? unexpected);
  }
}
