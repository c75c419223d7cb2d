import type { HeadOrder, MadeHead } from '@likeness/engine/models/head_maker.ts';
import type { Both } from '@likeness/messages';

/** Messages between a worker and the process that makes its heads: plain values over the fork's channel. */
export type MessageToMaker =
  | { kind: 'make'; number: number; order: Omit<HeadOrder, 'onStage' | 'signal'> }
  | { kind: 'cancel'; number: number };

export type MessageFromMaker =
  | { kind: 'ready'; version: string; parallel: number }
  | { kind: 'stage'; number: number; name: string; progress: number }
  | { kind: 'made'; number: number; made: MadeHead }
  /** `reason`: advice about the photo; null if the photo isn't the cause. */
  | { kind: 'failed'; number: number; reason: Both | null; message: string };

/** The environment variable by which a worker sets its maker's number of concurrent heads. */
export const concurrentHeadsVariable = 'LIKENESS_HEADS_AT_ONCE';
