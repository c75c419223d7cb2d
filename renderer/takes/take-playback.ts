import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { blendFrames, type FaceState, restingFace } from '#proto/live/face_state.ts';
import { isTyping } from '../base/keyboard.ts';
import { attempt } from '../base/notices.tsx';
import { takesArrows } from '../ui/key-takers.ts';
import { framesAround, type LoadedTake } from './take-file.ts';
import { seek } from './Waveform.tsx';

/** A take's sound as it is played: the element, and what the person set of it. */
export interface TakePlayback {
  readonly audio: RefObject<HTMLAudioElement | null>;
  /** Where the time is written, outside React. */
  readonly clock: RefObject<HTMLSpanElement | null>;
  readonly playing: boolean;
  /** As it is chosen: `1` is the speed it was spoken at. */
  readonly speed: string;
  readonly loop: boolean;
  setSpeed(speed: string): void;
  setLoop(loop: boolean | ((on: boolean) => boolean)): void;
  /** Plays or pauses. */
  toggle(): void;
  /** What the audio element tells. */
  readonly listeners: { onPlay(): void; onPause(): void; onEnded(): void };
}

/** @param seconds - Length of the take: how far the keys may seek. */
export function useTakePlayback(seconds: number): TakePlayback {
  const audio = useRef<HTMLAudioElement>(null);
  const clock = useRef<HTMLSpanElement>(null);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState('1');
  const [loop, setLoop] = useState(false);
  useEffect(() => {
    if (audio.current) audio.current.playbackRate = Number(speed);
  }, [speed]);
  const toggle = useCallback(() => {
    const player = audio.current;
    if (!player) return;
    if (player.paused) attempt(() => player.play());
    else player.pause();
  }, []);
  const listeners = useMemo(
    () => ({
      onPlay: () => setPlaying(true),
      onPause: () => setPlaying(false),
      onEnded: () => setPlaying(false),
    }),
    [],
  );
  useSeekKeys(useCallback((key, shift) => seek(audio.current, seconds, key, shift), [seconds]));
  return { audio, clock, playing, speed, loop, setSpeed, setLoop, toggle, listeners };
}

/** The face at the moment that is heard; null while the take is not loaded. */
export function useTakeFace(
  loaded: LoadedTake | undefined,
  audio: RefObject<HTMLAudioElement | null>,
): () => FaceState | null {
  const state = useRef<FaceState>(restingFace());
  return useCallback(() => {
    const around = loaded && framesAround(loaded.face, audio.current?.currentTime ?? 0);
    if (!around) return null;
    blendFrames(state.current, loaded.face.channelNames, {
      from: { frame: around.from },
      to: { frame: around.to },
      mix: around.mix,
    });
    return state.current;
  }, [loaded, audio]);
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
