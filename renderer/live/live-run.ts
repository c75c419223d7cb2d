/** How long a session and its keys live: while Live is on the screen, or its head has a window of its own. */
import type { LiveAction } from '#contract';
import { liveActions } from '#contract/constants.ts';
import { liveProfileId } from '../base/live-activity.ts';
import { tellFailure } from '../base/notices.tsx';
import { createStore } from '../base/store.ts';
import { studio } from '../base/studio.ts';
import { bindLiveKeys, perform, talking } from './live-keys.ts';
import { onSessionChange, sessionNow, stopSession } from './live-session.ts';
import { liveSettings, onLiveSettings } from './live-settings.ts';
import { onPopOutKey, popOutOpen } from './pop-out.ts';
import { closeSound, setCapture } from './sound-source.ts';

let isOnScreen = false;

export function endLive(): void {
  stopSession();
  closeSound();
}

/**
 * What a key is for, on whatever screen. A session goes on without Live while
 * its head has a window: so it can be ended.
 */
function act(action: LiveAction): void {
  if (!perform(action) && action === 'speak') endLive();
}

/**
 * Live is on the screen now. Returns what to call when it is left: a microphone that nobody sees is closed.
 */
export function showLive(): () => void {
  isOnScreen = true;
  const endKeys = bindLiveKeys(act, (isDown) => talking.set(isDown));
  takeHotkeys();
  return () => {
    isOnScreen = false;
    endKeys();
    if (!popOutOpen.get()) endLive();
    takeHotkeys();
  };
}

popOutOpen.subscribe(() => {
  if (!popOutOpen.get() && !isOnScreen) endLive();
  takeHotkeys();
});

/** Those of our keys that another program has. */
export const refusedHotkeys = createStore<readonly LiveAction[]>([]);
let takenHotkeys = '[]';
let endHotkeys: (() => void) | undefined;

/**
 * Takes the keys from the system that settings have while there is something
 * to do with them, and else gives them back.
 */
function takeHotkeys(): void {
  const { hotkeysOn, hotkeys, pushToTalk } = liveSettings();
  const wanted =
    hotkeysOn && (isOnScreen || popOutOpen.get())
      ? liveActions
          .filter((action) => hotkeys[action] !== '' && (pushToTalk || action !== 'talk'))
          .map((action) => ({ action, accelerator: hotkeys[action] }))
      : [];
  const text = JSON.stringify(wanted);
  if (text === takenHotkeys) return;
  takenHotkeys = text;
  endHotkeys?.();
  endHotkeys = wanted.length > 0 ? studio.live.onHotkey(({ action }) => act(action)) : undefined;
  studio.live
    .setHotkeys(wanted)
    .then(({ refused }) => refusedHotkeys.set(refused))
    .catch(tellFailure);
}

/** What of the sound is taken: by settings, and by the talk key. */
function listen(): void {
  const { sensitivity, gate, threshold, pushToTalk } = liveSettings();
  if (!pushToTalk) talking.set(false);
  setCapture({
    gain: 10 ** (sensitivity / 20),
    threshold: gate ? threshold : 0,
    open: !pushToTalk || talking.get(),
  });
}
listen();
talking.subscribe(listen);
onLiveSettings(() => {
  listen();
  takeHotkeys();
});
onPopOutKey((action, isDown) => {
  if (action === 'talk') talking.set(isDown);
  else if (isDown) act(action);
});
onSessionChange(() => liveProfileId.set(sessionNow().kind === 'open' ? liveSettings().profileId : null));
