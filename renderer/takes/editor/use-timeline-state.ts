import { useMemo } from 'react';
import type { Take } from '#contract';
import { type TimelineState, timelineState } from './timeline/timeline-state.ts';

export function useTimelineState({ id, seconds, frameRate }: Take): TimelineState {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another take of the same length is looked at anew
  return useMemo(() => timelineState(seconds, frameRate), [id, seconds, frameRate]);
}
