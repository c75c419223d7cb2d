/** The head during an overdub: armed regions from the microphone or tracker, the rest from the take. */

import type { FaceState } from '@likeness/proto/live/face_state.ts';
import { regionChannels } from '@likeness/proto/takes/edits/face_regions.ts';
import { useMemo } from 'react';
import { faceNow } from '../../../live/live-session.ts';
import { trackedOver } from '../../../send/tracked-face.ts';
import type { OverdubRecorder } from './overdub-recorder.ts';

/** @param played the take's face, in arrays that may be written */
export const useMonitoredFace = (
  played: () => FaceState | null,
  recorder: OverdubRecorder,
): (() => FaceState | null) =>
  useMemo(
    () => () => {
      const face = played();
      const armed = recorder.monitored();
      const live = armed && trackedOver(faceNow());
      if (!face || !live) return face;
      const channels = regionChannels(face.channelNames);
      for (const region of armed) {
        for (const channel of channels[region])
          face.weights[channel] =
            live.weights[channelIn(live.channelNames, face.channelNames[channel]!)] ?? 0;
        if (region === 'head') {
          face.translation = [...live.translation];
          face.rotation = [...live.rotation];
        }
        if (region === 'eyes') face.gaze = { ...live.gaze };
      }
      return face;
    },
    [played, recorder],
  );

const channelMaps = new WeakMap<readonly string[], ReadonlyMap<string, number>>();
function channelIn(names: readonly string[], name: string): number {
  const known = channelMaps.get(names) ?? new Map(names.map((each, channel) => [each, channel]));
  channelMaps.set(names, known);
  return known.get(name) ?? -1;
}
