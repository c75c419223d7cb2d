/** The face of a tracker that the studio receives: it drives the head in Live, over the voice's. */

import { FaceStreamDecoder } from '@likeness/proto/face_stream.ts';
import type { FaceState } from '@likeness/proto/live/face_state.ts';
import { TrackedFace } from '@likeness/proto/live/tracked_face.ts';
import { useEffect } from 'react';
import { attempt } from '../base/notices.tsx';
import { studio } from '../base/studio.ts';
import { useSendState } from './send-state.ts';

const tracked = new TrackedFace();

/** The voice's face with a tracker's over it, where one sends. */
export const trackedOver = (voice: FaceState | null): FaceState | null =>
  tracked.over(voice, performance.now());

/** Takes the tracker's frames while something is received. */
export function useTracker(): void {
  const isReceiving = useSendState()?.receivers.some(({ on }) => on) ?? false;
  useEffect(() => {
    if (!isReceiving) return;
    let end = (): void => {};
    let isOver = false;
    attempt(async () => {
      const stream = await studio.send.tracked({});
      const decoder = new FaceStreamDecoder();
      stream.onMessage((bytes) => {
        const message = decoder.accept(bytes);
        if (message.kind === 'header') tracked.begin(message.channelNames);
        if (message.kind === 'frame') tracked.push(message, performance.now());
      });
      end = () => stream.close();
      if (isOver) end();
    });
    return () => {
      isOver = true;
      end();
    };
  }, [isReceiving]);
}
