/** Tries of the take that is shown: recording one, hearing them, and what keys do with them. */
import { IconPlayerRecord } from '@tabler/icons-react';
import { useEffect, useMemo, useRef } from 'react';
import type { Take } from '#contract';
import { useActions } from '../../../base/actions.ts';
import { attempt } from '../../../base/notices.tsx';
import { useLiveProfileId } from '../../../live/live-profile.ts';
import { useTracker } from '../../../send/tracked-face.ts';
import type { TakePlayback } from '../../take-playback.ts';
import type { EditSession } from '../edits/edit-session.ts';
import type { TimelineState } from '../timeline/timeline-state.ts';
import { createPunch, isUnderWay, type Punch } from './punch.ts';
import { punchSettings } from './punch-settings.ts';
import { triedNext, tryOperations, useTries } from './take-tries.ts';
import { type TryPlayer, useTryPlayer } from './try-player.ts';

export interface Tries {
  readonly punch: Punch;
  readonly player: TryPlayer;
}

export function usePunch(
  take: Take,
  session: EditSession,
  timeline: TimelineState,
  playback: TakePlayback,
): Tries {
  const profileId = useLiveProfileId();
  const latest = useRef({ take, playback, profileId });
  latest.current = { take, playback, profileId };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what changes of a take is read when it is wanted
  const punch = useMemo(
    () =>
      createPunch({
        take,
        session,
        timeline,
        playback: () => latest.current.playback,
        profileId: () => latest.current.profileId,
      }),
    [take.id, session, timeline],
  );
  useEffect(() => punch.leave, [punch]);
  useTracker();
  const player = useTryPlayer(playback, session, take.seconds);
  useTryActions(take, session, timeline, punch);
  return useMemo(() => ({ punch, player }), [punch, player]);
}

function useTryActions(take: Take, session: EditSession, timeline: TimelineState, punch: Punch): void {
  const { data: tries = [] } = useTries(take.id);
  const isRunning = punch.state.use(isUnderWay);
  const step = (by: 1 | -1) => (): void => {
    const range = timeline.selection.get();
    if (!range) return;
    const edits = session.shown.get();
    const { armed } = punchSettings();
    session.apply(...tryOperations(armed, range, triedNext(tries, edits, armed, range, by), edits));
  };
  const hasChoice = (): boolean => tries.length > 0 && timeline.selection.get() !== null;
  useActions(
    'places.takes',
    [
      {
        id: 'takes.punch',
        words: isRunning ? 'takes:editor.tries.stop' : 'takes:editor.tries.record',
        icon: IconPlayerRecord,
        keys: ['R'],
        run: () => (isRunning ? punch.stop() : attempt(punch.record)),
      },
      {
        id: 'takes.tryBefore',
        words: 'takes:editor.tries.before',
        keys: ['['],
        applies: hasChoice,
        run: step(-1),
      },
      {
        id: 'takes.tryNext',
        words: 'takes:editor.tries.next',
        keys: [']'],
        applies: hasChoice,
        run: step(1),
      },
    ],
    undefined,
  );
}
