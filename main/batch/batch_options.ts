import type { Clock } from '@likeness/node-kit/clock.ts';
import type { EventPayload } from '#contract';
import type { ModelStore } from '../base/model_store.ts';
import type { BatchProfile, PortraitChecker, Profiles } from './ports.ts';

/** Options for opening a batch. */
export interface BatchOptions {
  /** Folder of the batch's files; created if it is missing. */
  folder: string;
  profiles: Profiles;
  modelStore: ModelStore;
  checker: PortraitChecker;
  clock: Pick<Clock, 'now' | 'elapsed' | 'wait'>;
  /** 0 ≤ value < 1. */
  random: () => number;
  emit?: {
    changed?: (payload: EventPayload<'batch', 'changed'>) => void;
    finished?: (payload: EventPayload<'batch', 'finished'>) => void;
  };
  /** Called when work begins (true) or ends (false), so that the computer stays awake meanwhile. */
  onBusy?: (busy: boolean) => void;
  /** Progress of the current batch, 0..1; null if there is none. */
  onFraction?: (fraction: number | null) => void;
  /** Called with an internal error. */
  onDefect?: (error: unknown) => void;
  /** Concurrent jobs of a profile; default: four for each request that it allows concurrently. */
  concurrentJobs?: (profile: BatchProfile) => number;
  /**
   * How many milliseconds the queue polls for a paid model while every answer is invalid. Default: half an
   * hour.
   */
  patience?: number;
}
