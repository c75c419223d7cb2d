import type { FaceState } from '@likeness/proto/live/face_state.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { studio } from '../base/studio.ts';
import { queryClient } from '../base/studio-queries.ts';
import { Themed } from '../base/Themed.tsx';
import { useHeadUrl } from '../speaking/head-url.ts';
import { SpeakingHead } from '../speaking/SpeakingHead.tsx';
import { bindLiveKeys } from './live-keys.ts';
import { backgroundOf, liveSettings, useLiveSettings } from './live-settings.ts';
import classes from './PopOut.module.css';
import { type PopOutMessage, popOutChannel, popOutLock } from './pop-out.ts';
import { createIdlingFace } from './shown-face.ts';

/** Milliseconds without an answer after which nobody has a session: the head rests. */
const patience = 500;

/** The face of the page that has the session; asked for anew each time it was taken. */
function useFaceFromPage(): () => FaceState | null {
  const state = useRef<{ face: FaceState | null; at: number; ask: () => void } | null>(null);
  const [idling] = useState(createIdlingFace);
  useEffect(() => {
    const channel = popOutChannel();
    const post = (message: PopOutMessage): void => channel.postMessage(message);
    let askedAt = Number.NEGATIVE_INFINITY;
    /** When a page answered that has a session. */
    let openAt = Number.NEGATIVE_INFINITY;
    const endKeys = bindLiveKeys(
      (action) => post({ kind: 'key', action, isDown: true }),
      (isDown) => post({ kind: 'key', action: 'talk', isDown }),
    );
    const now = {
      face: null as FaceState | null,
      at: Number.NEGATIVE_INFINITY,
      ask: () => {
        // One question at a time: a page that is slow is not asked faster than it answers.
        if (performance.now() - askedAt < patience) return;
        askedAt = performance.now();
        post({ kind: 'ask' });
      },
    };
    state.current = now;
    channel.onmessage = ({ data }: MessageEvent<PopOutMessage>) => {
      if (data.kind === 'close') window.close();
      if (data.kind !== 'face') return;
      if (data.open) openAt = performance.now();
      else if (performance.now() - openAt < patience) return;
      // A copy of the names comes with each face: the same array for the
      // same names, as the head's driver goes by it.
      const names = now.face?.channelNames;
      if (names && data.face?.channelNames.join() === names.join()) data.face.channelNames = names;
      now.face = data.face;
      now.at = performance.now();
      askedAt = Number.NEGATIVE_INFINITY;
    };
    let release: (() => void) | undefined;
    navigator.locks
      .request(popOutLock, { mode: 'shared' }, () => {
        post({ kind: 'opened' });
        return new Promise<void>((resolve) => {
          release = resolve;
        });
      })
      .catch(() => undefined); // the window is going away
    return () => {
      state.current = null;
      release?.();
      endKeys();
      channel.close();
    };
  }, []);
  return () => {
    const now = state.current;
    now?.ask();
    // What the page shows it has performed already; while nobody shows anything the head idles by itself.
    return idling(now && performance.now() - now.at < patience ? now.face : null);
  };
}

/** The live head and nothing else, in a window of its own. Escape closes it. */
export function PopOut() {
  return (
    <QueryClientProvider client={queryClient}>
      <Head />
    </QueryClientProvider>
  );
}

function Head() {
  const { modelId, popOut, ...live } = useLiveSettings();
  const face = useFaceFromPage();
  useEffect(
    () => studio.app.onSettingsChanged((settings) => queryClient.setQueryData(['settings'], settings)),
    [],
  );
  useEffect(() => {
    document.body.style.background = 'transparent';
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') window.close();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <Themed>
      <main className={classes.window} data-background={live.background}>
        <SpeakingHead
          url={useHeadUrl(modelId)}
          modelId={modelId}
          face={face}
          style={() => liveSettings().style}
          mirror={popOut.mirror}
          framing={popOut.framing}
          {...backgroundOf(live, 'transparent')}
        />
      </main>
    </Themed>
  );
}
