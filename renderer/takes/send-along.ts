/** Makes a sent take follow its player: play, pause, seek and loop, with the audible sound. */
import { useEffect, useRef } from 'react';
import type { Take } from '#contract';
import { attempt } from '../base/notices.tsx';
import { studio } from '../base/studio.ts';
import { changeSending, sendState, useSendState } from '../send/send-state.ts';
import { type PlaybackPosition, PlayedFollower } from './played-follower.ts';
import type { TakePlayback } from './take-playback.ts';

/** Where a player is, as its audio element has it. */
function positionOf(audio: HTMLAudioElement): PlaybackPosition {
  const isStanding = audio.paused || audio.seeking || audio.ended;
  return { seconds: audio.currentTime, speed: isStanding ? 0 : audio.playbackRate };
}

/**
 * While this take is sent with the player: tells where the player is. Its end stops what is sent.
 *
 * @param revision of its edits: an edited take is sent anew
 */
export function useSentAlong({ id }: Take, playback: TakePlayback, revision: number): void {
  const playing = useSendState()?.playing;
  const isFollowed = playing?.follows === true && playing.takeId === id;
  const { audio, onTime } = playback;
  const sent = useRef<number | null>(null);
  useEffect(() => {
    const isOther = sent.current !== null && sent.current !== revision;
    sent.current = isFollowed ? revision : null;
    if (!isFollowed) return;
    let end: (() => void) | null = null;
    let isOver = false;
    const follow = (): void => {
      const follower = new PlayedFollower();
      end = onTime(() => {
        if (!audio.current) return;
        const position = positionOf(audio.current);
        if (follower.isAway(position, performance.now()))
          attempt(() => studio.send.movePlayed({ id, ...position }));
      });
    };
    const seconds = audio.current?.currentTime ?? 0;
    if (!isOther) follow();
    else
      changeSending(async () => {
        const state = await studio.send.playTake({ id, seconds, loop: false, follow: true });
        if (!isOver) follow();
        return state;
      });
    return () => {
      isOver = true;
      end?.();
    };
  }, [isFollowed, id, revision, audio, onTime]);
  useEffect(() => {
    if (!isFollowed) return;
    return () => {
      const now = sendState()?.playing;
      // Another one may be sent meanwhile.
      if (now?.follows && now.takeId === id) changeSending(() => studio.send.stopTake());
    };
  }, [isFollowed, id]);
}
