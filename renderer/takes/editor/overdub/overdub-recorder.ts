/** Recording another try of a take while the take plays: from before the in point to a little after the out point. */

import { joinMessages } from '@likeness/messages';
import type { FaceRegion } from '@likeness/proto/takes/edits/edit_limits.ts';
import i18next from 'i18next';
import type { Take, TakeOverdub } from '#contract';
import { createStore, type Store } from '../../../base/store.ts';
import { studio } from '../../../base/studio.ts';
import { worded } from '../../../base/text/sentence-text.ts';
import {
  onReport,
  onSessionChange,
  reportNow,
  sessionNow,
  startRecording,
  startSession,
  stopRecording,
  stopSession,
  voicePosition,
} from '../../../live/live-session.ts';
import { liveSettings } from '../../../live/live-settings.ts';
import {
  closeSound,
  onBlock,
  onSoundChange,
  openMicrophone,
  setCapture,
  soundNow,
} from '../../../live/sound-source.ts';
import type { TakePlayback } from '../../take-playback.ts';
import type { EditSession } from '../edits/edit-session.ts';
import type { TimelineState } from '../timeline/timeline-state.ts';
import { countIn } from './count-in.ts';
import { median, type OverdubRange, overdubRange, usedRange } from './overdub-range.ts';
import { overdubSettings } from './overdub-settings.ts';
import { setOverdubs, tryOperations } from './take-overdubs.ts';

export interface OverdubState {
  readonly phase: 'idle' | 'opening' | 'counting' | 'before' | 'recording' | 'ending';
  /** While it counts: seconds to the in point. */
  readonly left?: number;
  /** Why nothing is, or was, recorded; empty where all is well. */
  readonly problem: string;
}

/** A try is on its way: it can be ended. */
export const isRecording = ({ phase }: OverdubState): boolean =>
  phase === 'counting' || phase === 'before' || phase === 'recording';

export interface OverdubRecorder {
  readonly state: Store<OverdubState>;
  /** Records from the in point to the out point; without them, from the playhead to the end. */
  record(): Promise<void>;
  /** Ends the try here. */
  stop(): void;
  /** Regions whose live face is shown now; null: none. */
  monitored(): readonly FaceRegion[] | null;
  /** The page shows another take: stops, and keeps the recording so far. */
  leave(): void;
}

/** Seconds after the out point that a try goes on: its crossfade is made of it. */
const postRoll = 0.3;
/** Milliseconds that a microphone has to be heard within, and a try to be kept within. */
const patience = { sound: 8000, kept: 8000 };

const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

export function createOverdubRecorder(parts: {
  take: Take;
  session: EditSession;
  timeline: TimelineState;
  /** As it is now: it changes with what plays. */
  playback: () => TakePlayback;
  profileId: () => string;
}): OverdubRecorder {
  const { take, session, timeline } = parts;
  const state = createStore<OverdubState>({ phase: 'idle', problem: '' });
  /** Ends the recording that is under way. */
  let end: (() => void) | null = null;
  let armed: readonly FaceRegion[] = [];

  const fail = (problem: string): void => state.set({ phase: 'idle', problem });
  const rangeNow = (): OverdubRange | null => {
    const { from, to } = timeline.selection.get() ?? { from: parts.playback().now(), to: timeline.seconds };
    const { pieces } = session.shown.get();
    return overdubRange({ from, to }, overdubSettings().preRoll, pieces, timeline.seconds);
  };

  const record = async (): Promise<void> => {
    if (state.get().phase !== 'idle') return;
    const range = rangeNow();
    if (!range) return fail(i18next.t('takes:editor.overdub.noRange'));
    state.set({ phase: 'opening', problem: '' });
    armed = overdubSettings().armed;
    parts.playback().pause();
    const isOwn = sessionNow().kind !== 'open';
    const close = (): void => {
      if (!isOwn) return;
      stopSession();
      closeSound();
      setCapture({ open: !liveSettings().pushToTalk });
    };
    const trouble = isOwn ? await openVoice(parts.profileId(), take.frameRate) : '';
    if (trouble || state.get().phase !== 'opening') {
      close();
      if (trouble) fail(trouble);
      return;
    }
    const before = await studio.takeEdits.overdubs({ id: take.id });
    if (!(await count(range))) {
      close();
      return fail('');
    }
    const { startsAt, endedAt } = await follow(range, before.length + 1);
    state.set({ phase: 'ending', problem: '' });
    stopRecording(startsAt);
    const kept = await newTry(take.id, before);
    close();
    if (!kept) return fail(whyNotKept());
    setOverdubs(take.id, kept.all);
    const used = usedRange(range, startsAt, endedAt);
    if (used) session.apply(...tryOperations(armed, used, kept.made.id, session.shown.get()));
    fail(used ? '' : i18next.t('takes:editor.overdub.tooShort'));
    parts.playback().seek(range.from);
  };

  /** Counts where the take has too little before the in point. @returns false: it was given up */
  const count = async ({ from, playFrom, countIn: seconds }: OverdubRange): Promise<boolean> => {
    parts.playback().seek(playFrom);
    if (seconds === 0) return true;
    const { clicks } = overdubSettings();
    state.set({ phase: 'counting', problem: '', left: Math.ceil(seconds) });
    const counting = countIn({ seconds, lead: from - playFrom, clicks }, (left) =>
      state.set({ phase: 'counting', problem: '', left }),
    );
    end = counting.giveUp;
    const isCounted = await counting.over;
    end = null;
    return isCounted;
  };

  /** Plays the take and records along; resolves where the try ends. */
  const follow = async (
    range: OverdubRange,
    number: number,
  ): Promise<{ startsAt: number; endedAt: number }> => {
    const playback = parts.playback();
    const { hearsTake } = overdubSettings();
    const player = playback.audio.current;
    playback.setSpeed('1');
    playback.setLoop(false);
    playback.seek(range.playFrom);
    const begun = startRecording({
      name: i18next.t('takes:editor.overdub.name', { number, take: take.name }).slice(0, 120),
      notes: '',
      model: '',
      attempt: { of: take.id, startsAt: range.playFrom, regions: [...armed] },
    });
    state.set({ phase: 'before', problem: '' });
    if (player) player.muted = !hearsTake;
    /** Where the try begins by each look at the clock. */
    const starts: number[] = [];
    let last = range.playFrom;
    await new Promise<void>((resolve) => {
      const stops = [
        onSessionChange(() => sessionNow().kind !== 'open' && end?.()),
        onSoundChange(() => soundNow().kind === 'failed' && end?.()),
        playback.onTime((at) => {
          const isPlaying = player !== null && !player.paused;
          if (player?.ended || (starts.length > 0 && !isPlaying) || at >= range.to + postRoll) return end?.();
          last = at;
          const spoken = voicePosition();
          if (isPlaying && at > range.playFrom && spoken !== null && begun !== null)
            starts.push(at - (spoken - begun));
          if (at >= range.from && state.get().phase === 'before')
            state.set({ phase: 'recording', problem: '' });
        }),
      ];
      end = () => {
        end = null;
        for (const stop of stops) stop();
        resolve();
      };
      playback.toggle();
    });
    playback.pause();
    if (player) player.muted = false;
    return { startsAt: median(starts) ?? range.playFrom, endedAt: last };
  };

  return {
    state,
    record,
    stop: () => end?.(),
    monitored: () => (isRecording(state.get()) ? armed : null),
    leave() {
      if (state.get().phase === 'opening') {
        state.set({ phase: 'idle', problem: '' });
        stopSession();
        closeSound();
      }
      end?.();
    },
  };
}

/** Opens the microphone and a session. @returns why that is not possible; empty where it is */
async function openVoice(profileId: string, takeRate: number): Promise<string> {
  const { lookahead, suppressNoise, sensitivity, gate, threshold } = liveSettings();
  const frameRate = takeRate === 30 ? 30 : 60;
  const heard = firstBlock();
  await Promise.all([
    openMicrophone(liveSettings()),
    startSession({ profileId, frameRate, lookahead, suppressNoise }),
  ]);
  // Push-to-talk has no say here: hands are at the editor.
  setCapture({ gain: 10 ** (sensitivity / 20), threshold: gate ? threshold : 0, open: true });
  const sound = soundNow();
  if (sound.kind === 'failed')
    return sound.failure === 'unsupported'
      ? i18next.t('live:failures.unsupported.text', { reason: sound.reason })
      : `${i18next.t(`live:failures.${sound.failure}.title`)}. ${i18next.t(`live:failures.${sound.failure}.text`)}`;
  const opened = sessionNow();
  if (opened.kind === 'failed') return worded(joinMessages(opened.message, opened.hint));
  return (await heard) ? '' : i18next.t('takes:editor.overdub.silent');
}

/** Whether sound comes, within a while. */
function firstBlock(): Promise<boolean> {
  return new Promise((resolve) => {
    const over = (came: boolean): void => {
      stop();
      clearTimeout(timer);
      resolve(came);
    };
    const stop = onBlock(() => over(true));
    const timer = setTimeout(() => over(false), patience.sound);
  });
}

/** The try that the take has now and had not before; null where none came. */
async function newTry(
  take: string,
  before: readonly TakeOverdub[],
): Promise<{ made: TakeOverdub; all: TakeOverdub[] } | null> {
  const known = new Set(before.map(({ id }) => id));
  const until = performance.now() + patience.kept;
  for (;;) {
    const all = await studio.takeEdits.overdubs({ id: take });
    const made = all.findLast(({ id }) => !known.has(id));
    if (made) return { made, all };
    if (performance.now() > until) return null;
    await nextReport();
  }
}

/** The session's next report, or a moment. */
const nextReport = (): Promise<void> =>
  Promise.race([
    sleep(300),
    new Promise<void>((resolve) => {
      const stop = onReport(() => {
        stop();
        resolve();
      });
    }),
  ]);

const whyNotKept = (): string => {
  const report = reportNow();
  const reasons = report ? worded(joinMessages(report.trouble, report.hint)) : '';
  return reasons || i18next.t('takes:editor.overdub.notKept');
};
