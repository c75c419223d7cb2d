/** Lifetime of a session and its keys: while Live is on the screen or its head has its own window. */
import { builtInExpressions } from '@likeness/proto/takes/edits/built_in_expressions.ts';
import i18next from 'i18next';
import type { LiveAction } from '#contract';
import { liveActions } from '#contract/constants.ts';
import { liveProfileId } from '../base/live-activity.ts';
import { notifyFailure } from '../base/notices.tsx';
import { createStore } from '../base/store.ts';
import { studio } from '../base/studio.ts';
import { type PresetName, presets } from '../viewer/morphs.ts';
import { bindLiveKeys, muted, perform, talking } from './live-keys.ts';
import { onSessionChange, sessionNow, showExpression, stopSession } from './live-session.ts';
import { liveSettings, onLiveSettings } from './live-settings.ts';
import { onPopOutKey, popOutOpen } from './pop-out.ts';
import { expressionNow } from './shown-face.ts';
import { closeSound, setCapture } from './sound-source.ts';

let isOnScreen = false;

export function endLive(): void {
  stopSession();
  closeSound();
}

/** Nothing shows a muted microphone any more, so that it must not stay muted for an overdub. */
function leaveLive(): void {
  endLive();
  muted.set(false);
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
    if (!popOutOpen.get()) leaveLive();
    takeHotkeys();
  };
}

popOutOpen.subscribe(() => {
  if (!popOutOpen.get() && !isOnScreen) leaveLive();
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

/** The session knows the shown expression, so that a take gets it as an edit. */
function reportExpression(): void {
  const preset = expressionNow.get();
  showExpression(preset && { name: expressionName(preset), weights: presets[preset] });
}
/** As a take calls it: built-in ones by their own names, others in the person’s language. */
const expressionName = (preset: PresetName): string =>
  Object.entries<object>(builtInExpressions).find(([, weights]) => weights === presets[preset])?.[0] ??
  i18next.t(`viewer:presets.${preset}`);
expressionNow.subscribe(reportExpression);
onSessionChange(() => {
  if (sessionNow().kind === 'open') reportExpression();
});

/** Applies the settings and the talk key to the capture. */
function listen(): void {
  const { sensitivity, gate, threshold, pushToTalk } = liveSettings();
  if (!pushToTalk) talking.set(false);
  setCapture({
    gain: 10 ** (sensitivity / 20),
    threshold: gate ? threshold : 0,
    open: !muted.get() && (!pushToTalk || talking.get()),
  });
}
listen();
talking.subscribe(listen);
muted.subscribe(listen);
onLiveSettings(() => {
  listen();
  takeHotkeys();
});
onPopOutKey((action, isDown) => {
  if (action === 'talk') talking.set(isDown);
  else if (isDown) act(action);
});
onSessionChange(() => liveProfileId.set(sessionNow().kind === 'open' ? liveSettings().profileId : null));
