import type { Text } from '@likeness/engine/http/language.ts';
import type { HeadOrder, MadeHead } from '@likeness/engine/models/head_maker.ts';

/** Messages between a worker and the process that makes its heads: plain values over the fork's channel. */
export type MessageToMaker =
  | { kind: 'make'; number: number; order: Omit<HeadOrder, 'onStage' | 'signal'> }
  | { kind: 'cancel'; number: number };

export type MessageFromMaker =
  | { kind: 'ready'; version: string; parallel: number }
  | { kind: 'stage'; number: number; name: string; progress: number }
  | { kind: 'made'; number: number; made: MadeHead }
  /** `told`: what a person should change in the photo; null where it isn't the photo's fault. */
  | { kind: 'failed'; number: number; reason: Text | null; message: string };

/** The environment's variable in which a worker tells its maker how many heads it will be asked for at once. */
export const concurrentHeadsVariable = 'LIKENESS_HEADS_AT_ONCE';
