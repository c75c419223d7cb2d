/** How long a session lives: while Live is on the screen, or its head has a window of its own. */
import { onAir } from '../app/on-air.ts';
import { onSessionChange, sessionNow, stopSession } from './live-session.ts';
import { liveSettings } from './live-settings.ts';
import { popOutOpen } from './pop-out.ts';
import { closeSound } from './sound-source.ts';

let isOnScreen = false;

export function endLive(): void {
  stopSession();
  closeSound();
}

/** Live is on the screen now. Returns what to call when it is left: a microphone that nobody sees is closed. */
export function showLive(): () => void {
  isOnScreen = true;
  return () => {
    isOnScreen = false;
    if (!popOutOpen.get()) endLive();
  };
}

popOutOpen.subscribe(() => {
  if (!popOutOpen.get() && !isOnScreen) endLive();
});
onSessionChange(() => onAir.set(sessionNow().kind === 'open' ? liveSettings().profileId : null));
