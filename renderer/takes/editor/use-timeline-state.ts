import { useMemo } from 'react';
import { type TimelineState, timelineState } from './timeline/timeline-state.ts';

export const useTimelineState = (seconds: number, frameRate: number): TimelineState =>
  useMemo(() => timelineState(seconds, frameRate), [seconds, frameRate]);
