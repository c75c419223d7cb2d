/** Lifetime of a session and its keys: while Live is on the screen or its head has its own window. */
import type { LiveAction } from '#contract';
import { liveActions } from '#contract/constants.ts';
import { liveProfileId } from '../base/live-activity.ts';
import { notifyFailure } from '../base/notices.tsx';
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
 * Runs a key's action on any screen. A session continues without Live while its head has a window, so it must
 * be possible to end it.
 */
function act(action: LiveAction): void {
  if (!perform(action) && action === 'speak') endLive();
}

/**
 * Live is now on the screen. Returns the function to call when it is left, which closes an unattended
 * microphone.
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

/** Our keys that another program has taken. */
export const refusedHotkeys = createStore<readonly LiveAction[]>([]);
let takenHotkeys = '[]';
let endHotkeys: (() => void) | undefined;

/**
 * Registers the configured system-wide keys while they are of use, and otherwise releases them.
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
    .catch(notifyFailure);
}

/** Applies the settings and the talk key to the capture. */
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
