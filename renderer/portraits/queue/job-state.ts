/** How it stands with a job: what can be done with it depends on that. */
import type { Job, JobState } from '#contract';
import { builtInProfileId } from '#contract/constants.ts';

export const openStates: readonly JobState[] = [
  'queued',
  'checking',
  'submitting',
  'waiting',
  'downloading',
  'uncertain',
];
export const isOpen = ({ state }: Job): boolean => openStates.includes(state);
export const isOver = ({ state }: Job): boolean => state === 'failed' || state === 'cancelled';
/** True for the built-in engine, which never bills. */
export const isFree = ({ profileId }: Job): boolean => profileId === builtInProfileId;
/** How it stands with a head that the server has, or may have, made and that is not here; else undefined. */
export const owedOf = ({ state, orderState }: Job): 'made' | 'gone' | 'unknown' | undefined =>
  state !== 'done' && (orderState === 'made' || orderState === 'gone' || orderState === 'unknown')
    ? orderState
    : undefined;
