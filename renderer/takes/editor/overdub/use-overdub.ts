/** Tries of the take that is shown: recording one, hearing them, and what keys do with them. */
import { IconPlayerRecord } from '@tabler/icons-react';
import { useEffect, useMemo, useRef } from 'react';
import type { Take } from '#contract';
import { useActions } from '../../../base/actions.ts';
import { attempt } from '../../../base/notices.tsx';
import { shortcut } from '../../../base/shortcuts/shortcut-table.ts';
import { useLiveProfileId } from '../../../live/live-profile.ts';
import { useTracker } from '../../../send/tracked-face.ts';
import type { TakePlayback } from '../../take-playback.ts';
import type { EditSession } from '../edits/edit-session.ts';
import { isOverdubRecording } from '../inspector-tab.ts';
import type { TimelineState } from '../timeline/timeline-state.ts';
import { type TryPlayer, useTryPlayer } from './overdub-player.ts';
import { createOverdubRecorder, isRecording, type OverdubRecorder } from './overdub-recorder.ts';
import { overdubSettings } from './overdub-settings.ts';
import { triedNext, tryOperations, useOverdubs } from './take-overdubs.ts';

export interface Overdub {
  readonly recorder: OverdubRecorder;
  readonly player: TryPlayer;
}

export function useOverdub(
  take: Take,
  session: EditSession,
  timeline: TimelineState,
  playback: TakePlayback,
): Overdub {
  const profileId = useLiveProfileId();
  const latest = useRef({ take, playback, profileId });
  latest.current = { take, playback, profileId };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what changes of a take is read when it is wanted
  const recorder = useMemo(
    () =>
      createOverdubRecorder({
        take,
        session,
        timeline,
        playback: () => latest.current.playback,
        profileId: () => latest.current.profileId,
      }),
    [take.id, session, timeline],
  );
  useEffect(() => recorder.leave, [recorder]);
  useTracker();
  const player = useTryPlayer(playback, session, take.seconds);
  useOverdubActions(take, session, timeline, recorder);
  return useMemo(() => ({ recorder, player }), [recorder, player]);
}

function useOverdubActions(
  take: Take,
  session: EditSession,
  timeline: TimelineState,
  recorder: OverdubRecorder,
): void {
  const { data: overdubs = [] } = useOverdubs(take.id);
  const isRunning = recorder.state.use(isRecording);
  useEffect(() => {
    isOverdubRecording.set(isRunning);
    return () => isOverdubRecording.set(false);
  }, [isRunning]);
  const step = (by: 1 | -1) => (): void => {
    const range = timeline.selection.get();
    if (!range) return;
    const edits = session.shown.get();
    const { armed } = overdubSettings();
    session.apply(...tryOperations(armed, range, triedNext(overdubs, edits, armed, range, by), edits));
  };
  const hasChoice = (): boolean => overdubs.length > 0 && timeline.selection.get() !== null;
  useActions(
    'pages.takes',
    [
      {
        ...shortcut('takes.punch'),
        words: isRunning ? 'takes:editor.overdub.stop' : 'takes:editor.overdub.record',
        icon: IconPlayerRecord,
        run: () => (isRunning ? recorder.stop() : attempt(recorder.record)),
      },
      {
        ...shortcut('takes.tryBefore'),
        applies: hasChoice,
        run: step(-1),
      },
      {
        ...shortcut('takes.tryNext'),
        applies: hasChoice,
        run: step(1),
      },
    ],
    undefined,
  );
}
