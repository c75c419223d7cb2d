import { useMemo } from 'react';
import type { SpeechAlignment } from '#proto/speech/speech_alignment.ts';
import { regionOf } from '#proto/takes/face_regions.ts';
import type { LoadedTake } from '../../take-file.ts';
import type { TimelineContent } from './Timeline.tsx';
import { takeCurves } from './take-curves.ts';

/** What a timeline shows of a take; null until it is read. */
export function useTimelineContent(
  loaded: LoadedTake | undefined,
  alignment: SpeechAlignment | null | undefined,
): TimelineContent | null {
  const face = loaded?.face;
  const curves = useMemo(() => face && takeCurves(face, regionOf), [face]);
  const words = useMemo(
    () => (alignment?.words ?? []).map(({ start, end }) => ({ from: start, to: end })),
    [alignment],
  );
  if (!loaded || !curves) return null;
  return { sound: loaded.sound, curves, version: 0, cuts: [], drawn: {}, markers: [], words };
}
