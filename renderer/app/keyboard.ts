/** The keyboard map of the frame. A place binds its own keys while it is shown; these hold everywhere. */
import type { Place } from './route.ts';

const apple = /Mac|iPhone|iPad/.test(navigator.platform);
/** The key that commands are given with on this machine, as it is printed on the key. */
export const commandKey = apple ? '⌘' : 'Ctrl';

/** Letter after G. In a browser tab Ctrl+1…4 belong to the browser, so the sequence works in every shell. */
export const placeLetters = {
  portraits: 'P',
  library: 'L',
  live: 'V',
  takes: 'T',
  activity: 'A',
  settings: 'S',
} as const satisfies Record<Place, string>;

const byLetter = new Map<string, Place>(
  Object.entries(placeLetters).map(([place, letter]) => [letter.toLowerCase(), place as Place]),
);
const byDigit: readonly Place[] = ['portraits', 'library', 'live', 'takes', 'activity'];

/** How long, in milliseconds, G waits for its letter. */
const sequenceMs = 1200;

export interface KeyActions {
  go(place: Place): void;
  palette(): void;
  shortcuts(): void;
}

/** True where plain letters are text, or belong to an open dialog. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'range'].includes(target.type)) ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    target.closest('[role="dialog"]') !== null);

/** Binds the map to the window; returns its end. */
export function bindKeys(actions: KeyActions): () => void {
  let sequenceUntil = 0;
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return;
    const command = apple ? event.metaKey : event.ctrlKey;
    if (command && !event.altKey && !event.shiftKey) {
      const place = byDigit[Number(event.key) - 1];
      if (event.key.toLowerCase() === 'k') actions.palette();
      else if (event.key === ',') actions.go('settings');
      else if (place) actions.go(place);
      else return;
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (event.key === '?') {
      actions.shortcuts();
      event.preventDefault();
      return;
    }
    const key = event.key.toLowerCase();
    const place = event.timeStamp < sequenceUntil ? byLetter.get(key) : undefined;
    sequenceUntil = key === 'g' ? event.timeStamp + sequenceMs : 0;
    if (place) {
      actions.go(place);
      event.preventDefault();
    }
  };
  // In the capture phase, so that a place's own single letters do not also see the second key of a sequence.
  window.addEventListener('keydown', onKey, true);
  return () => window.removeEventListener('keydown', onKey, true);
}
