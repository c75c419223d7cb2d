import type { Clock } from '@likeness/node-kit/clock.ts';
import type { EventPayload } from '#contract';
import type { ModelStore } from '../base/model_store.ts';
import type { BatchProfile, PortraitChecker, Profiles } from './ports.ts';

/** What a batch is opened with. */
export interface BatchOptions {
  /** Folder of the batch's own files; made where missing. */
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
  /** Work has begun, or has ended: the machine should stay awake meanwhile. */
  onBusy?: (busy: boolean) => void;
  /** How much of the present batch is done, 0..1; null where there is none. */
  onFraction?: (fraction: number | null) => void;
  /** A defect. */
  onDefect?: (error: unknown) => void;
  /** Jobs of a profile under way at once; default: four for each request that it allows at once. */
  concurrentJobs?: (profile: BatchProfile) => number;
  /**
   * Milliseconds in which a paid model is asked for although every answer is nonsense. Default: half an hour.
   */
  patience?: number;
}
