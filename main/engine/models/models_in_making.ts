import { readFile } from 'node:fs/promises';
import type { Log } from '../log.ts';
import type { HeadMaker } from './head_maker.ts';
import { unexpected } from './model_failures.ts';
import type { ModelFiles } from './model_files.ts';
import type { ModelOutcomes } from './model_outcomes.ts';
import type { ModelRecord, ModelRecords } from './model_records.ts';
import { typicalSeconds } from './wait_estimate.ts';

/** How far a head's making is. */
export interface MakingStage {
  name: string;
  /** 0..1. */
  progress: number;
}

/** A model in the making. */
interface Making {
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
  log: Log;
}

/** Seconds a head before the first has been measured on this machine: the engine's own bar. */
const priorSeconds = 2;

/** One that was cut off before may be what ended the engine. */
export const isSuspect = ({ attempts }: Pick<ModelRecord, 'attempts'>): boolean => attempts > 0;

/** The models that are being made, from the maker's first look at the photo to the file in the store. */
export class ModelsInMaking {
  readonly #options: ModelsInMakingOptions;
  /** By the model's id. */
  readonly #running = new Map<string, Making>();
  #secondsEach: number;
  #isClosing = false;

  constructor(options: ModelsInMakingOptions) {
    this.#options = options;
    this.#secondsEach = typicalSeconds(options.records.speeds(), priorSeconds);
  }

  get count(): number {
    return this.#running.size;
  }

  /** Seconds that a head takes on this machine. */
  get secondsEach(): number {
    return this.#secondsEach;
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
      onChanged('ended');
    });
    const { attempts } = model;
    this.#running.set(model.id, { address, attempts, startedAt, cancel, done, stage: null });
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

  async #make(
    maker: HeadMaker,
    model: ModelRecord,
    { address, startedAt, signal }: { address: string; startedAt: number; signal: AbortSignal },
  ): Promise<void> {
    const { records, files, outcomes, clock } = this.#options;
    try {
      const photo = await readFile(files.photoPath(model.photo));
      const { sex, eyelidType, corrections, anyway } = model;
      const onStage = (name: string, progress: number): void => {
        const one = this.#running.get(model.id);
        if (one) one.stage = { name, progress };
      };
      const glb = await maker.makeHead({ photo, sex, eyelidType, corrections, anyway, onStage, signal });
      await files.store(address, glb, (clock() - startedAt) / 1000);
      this.#secondsEach = typicalSeconds(records.speeds(), priorSeconds);
      outcomes.succeed(model, address);
      if (signal.aborted && !records.isResultInUse(address)) files.dropResult({ address });
    } catch (error) {
      this.#endWithout(maker, model, { error, isCancelled: signal.aborted });
    }
  }

  /** What becomes of a model of which no head was made. */
  #endWithout(
    maker: HeadMaker,
    model: ModelRecord,
    { error, isCancelled }: { error: unknown; isCancelled: boolean },
  ): void {
    const { files, outcomes, log } = this.#options;
    // Broken off by us: it starts again with the next engine.
    if (this.#isClosing) return;
    if (isCancelled) {
      files.dropPhoto(model.photo);
      return;
    }
    const told = maker.explain(error);
    if (told) log('info', `no head could be made: ${told.en}`);
    else log('error', 'a head could not be made', error);
    outcomes.fail(model, told ?? unexpected(error));
  }
}
