import type { PackedFace } from '@likeness/proto/face/packed_face.ts';
import { blendFrames, type FaceState, restingFace } from '@likeness/proto/live/face_state.ts';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { isTyping } from '../base/keyboard.ts';
import { attempt } from '../base/notices.tsx';
import { useFigures } from '../base/text/number-format.ts';
import { takesArrows } from '../ui/key-takers.ts';
import type { TimelineState } from './editor/timeline/timeline-state.ts';
import { useKeyedState } from './keyed-state.ts';
import { seek } from './seek.ts';

/** A take's sound as it is played. All times are seconds of the recording. */
export interface TakePlayback {
  readonly audio: RefObject<HTMLAudioElement | null>;
  /** Where the time is written, outside React. */
  readonly clock: RefObject<HTMLSpanElement | null>;
  /** The slider whose value it is. */
  readonly slider: RefObject<HTMLDivElement | null>;
  readonly playing: boolean;
  /** As it is chosen: `1` is the speed it was spoken at. */
  readonly speed: string;
  readonly loop: boolean;
  now(): number;
  seek(at: number): void;
  /** Goes on by so many seconds as they play: over a cut as if it were not there. */
  step(by: number): void;
  /** Called each time the screen is drawn. `moved`: other than at the last call. Returns its end. */
  onTime(listener: TimeListener): () => void;
  setSpeed(speed: string): void;
  setLoop(loop: boolean | ((on: boolean) => boolean)): void;
  /** Plays or pauses. */
  toggle(): void;
  /** Plays on, or back without sound; once more: faster. */
  shuttle(direction: 1 | -1): void;
  pause(): void;
  /** Event handlers of the audio element. */
  readonly listeners: { onPlay(): void; onPause(): void; onEnded(): void; onLoadedMetadata(): void };
}

type TimeListener = (at: number, moved: boolean) => void;

/** Where a moment of the recording is heard once it is cut and retimed, and the other way. */
export interface PlayedTime {
  toPlayed(recorded: number): number;
  toRecorded(played: number): number;
}

/** Times faster than chosen that J and L reach. */
const fastest = 4;

/**
 * @param id of the take: with another one it stands at its beginning, as fast and looped as was chosen
 * @param played what is cut and retimed; null: nothing
 */
export function useTakePlayback(id: string, state: TimelineState, played: PlayedTime | null): TakePlayback {
  const { seconds } = state;
  const audio = useRef<HTMLAudioElement>(null);
  const clock = useRef<HTMLSpanElement>(null);
  const slider = useRef<HTMLDivElement>(null);
  const [playing, setPlaying] = useKeyedState(id, false);
  const [speed, setSpeed] = useState('1');
  const [loop, setLoop] = useState(false);
  /** Of J and L: below 0 backwards, which the page plays itself. */
  const rate = useRef(1);
  const latest = useRef({ loop, speed, played });
  latest.current = { loop, speed, played };

  /** Where it is: kept while another sound of the take is loaded. */
  const last = useRef(0);
  const playedTake = useRef(id);
  if (playedTake.current !== id) {
    playedTake.current = id;
    last.current = 0;
    rate.current = 1;
  }
  const now = useCallback((): number => {
    const player = audio.current;
    if (player && player.readyState > 0) {
      const at = player.currentTime;
      last.current = latest.current.played?.toRecorded(at) ?? at;
    }
    return last.current;
  }, []);
  const goTo = useCallback(
    (at: number): void => {
      const inside = Math.max(0, Math.min(seconds, at));
      last.current = inside;
      if (audio.current) audio.current.currentTime = latest.current.played?.toPlayed(inside) ?? inside;
    },
    [seconds],
  );
  const step = useCallback(
    (by: number): void => {
      const map = latest.current.played;
      goTo(map ? map.toRecorded(Math.max(0, map.toPlayed(now()) + by)) : now() + by);
    },
    [goTo, now],
  );
  const applyRate = useCallback((): void => {
    if (audio.current) audio.current.playbackRate = Number(latest.current.speed) * Math.max(1, rate.current);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the speed that was chosen is read from `latest`
  useEffect(applyRate, [applyRate, speed]);
  const pause = useCallback((): void => {
    rate.current = 1;
    audio.current?.pause();
    setPlaying(false);
  }, [setPlaying]);
  const play = useCallback((): void => {
    const range = state.selection.get();
    const at = now();
    if (latest.current.loop && range && (at < range.from || at >= range.to)) goTo(range.from);
    applyRate();
    attempt(async () => audio.current?.play());
  }, [applyRate, goTo, now, state]);
  const toggle = useCallback((): void => {
    if (audio.current?.paused && rate.current > 0) play();
    else pause();
  }, [play, pause]);
  const shuttle = useCallback(
    (direction: 1 | -1): void => {
      const isGoing = direction < 0 ? rate.current < 0 : rate.current > 0 && !audio.current?.paused;
      rate.current = direction * (isGoing ? Math.min(fastest, Math.abs(rate.current) * 2) : 1);
      if (direction > 0) {
        play();
        return;
      }
      audio.current?.pause();
      setPlaying(true);
    },
    [play, setPlaying],
  );
  const onTime = useTicker(now, goTo, rate, pause, state, latest);
  useTimeWritten(onTime, clock, slider, latest, played);
  const listeners = useMemo(
    () => ({
      onPlay: () => setPlaying(true),
      // Going back is played without the element.
      onPause: () => setPlaying(rate.current < 0),
      onEnded: () => setPlaying(false),
      onLoadedMetadata: () => {
        // Loading has set it back to 1.
        applyRate();
        goTo(last.current);
      },
    }),
    [applyRate, goTo, setPlaying],
  );
  const playback = useMemo(
    () => ({
      ...{ audio, clock, slider, playing, speed, loop, now, seek: goTo, step, onTime },
      ...{ setSpeed, setLoop, toggle, shuttle, pause, listeners },
    }),
    [playing, speed, loop, now, goTo, step, onTime, toggle, shuttle, pause, listeners],
  );
  useSeekKeys(
    useCallback((key, shift) => seek({ step, seek: goTo }, state, key, shift), [step, goTo, state]),
  );
  return playback;
}

/**
 * Reads the time once per frame for all listeners, loops the selection, and plays backwards while J is
 * active.
 */
function useTicker(
  now: () => number,
  goTo: (at: number) => void,
  rate: RefObject<number>,
  pause: () => void,
  state: TimelineState,
  latest: RefObject<{ loop: boolean; speed: string }>,
): TakePlayback['onTime'] {
  const listeners = useRef(new Set<TimeListener>());
  useEffect(() => {
    let frame = 0;
    let before = performance.now();
    let last = -1;
    const tick = (time: number): void => {
      frame = requestAnimationFrame(tick);
      const passed = (time - before) / 1000;
      before = time;
      if (rate.current < 0) {
        const to = now() + passed * rate.current * Number(latest.current.speed);
        goTo(to);
        if (to <= 0) pause();
      }
      const range = state.selection.get();
      let at = now();
      // Only what runs over the out point: whoever goes beyond it by hand stays there.
      if (latest.current.loop && range && last < range.to && at >= range.to && at - last < 0.5) {
        goTo(range.from);
        at = range.from;
      }
      const moved = at !== last;
      last = at;
      for (const listener of listeners.current) listener(at, moved);
    };
    frame = requestAnimationFrame(tick);
    return () => cancelAnimationFrame(frame);
  }, [now, goTo, rate, pause, state, latest]);
  return useCallback((listener) => {
    listeners.current.add(listener);
    return () => listeners.current.delete(listener);
  }, []);
}

/** The time that plays, in figures and for screen readers, written when it changes. */
function useTimeWritten(
  onTime: TakePlayback['onTime'],
  clock: TakePlayback['clock'],
  slider: TakePlayback['slider'],
  latest: RefObject<{ played: PlayedTime | null }>,
  played: PlayedTime | null,
): void {
  const { seconds: written } = useFigures();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another cut, and the same moment is another time
  useEffect(() => {
    if (clock.current) clock.current.textContent = '';
  }, [played, clock]);
  useEffect(
    () =>
      onTime((at, moved) => {
        if (!moved && clock.current?.textContent) return;
        // As long as it plays: what is cut is no time that passes.
        const passed = latest.current.played?.toPlayed(at) ?? at;
        if (clock.current) clock.current.textContent = passed.toFixed(2);
        slider.current?.setAttribute('aria-valuenow', passed.toFixed(2));
        slider.current?.setAttribute('aria-valuetext', written(passed));
      }),
    [onTime, clock, slider, written, latest],
  );
}

/** The face at the moment that is heard; null while the take is not loaded. */
export function useTakeFace(face: PackedFace | undefined, now: () => number): () => FaceState | null {
  const state = useRef<FaceState>(restingFace());
  return useCallback(() => {
    const around = face?.around(now());
    if (!face || !around) return null;
    blendFrames(state.current, face.channelNames, {
      from: { frame: around.from },
      to: { frame: around.to },
      mix: around.mix,
    });
    return state.current;
  }, [face, now]);
}

/** Arrows and the like, wherever on the page the focus is, unless what has it wants them itself. */
function useSeekKeys(goTo: (key: string, shift: boolean) => boolean): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { key, target } = event;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(target))
        return;
      if (takesArrows(target) || !goTo(key, event.shiftKey)) return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [goTo]);
}
