/** The keyboard map of the frame. A place binds its own keys while it is shown; these hold everywhere. */
import type { Page } from './route.ts';

const apple = /Mac|iPhone|iPad/.test(navigator.platform);

/** Letter after G. In a browser tab Ctrl+1…4 belong to the browser, so the sequence works in every shell. */
export const pageKeys = {
  portraits: 'P',
  library: 'L',
  live: 'V',
  takes: 'T',
  activity: 'A',
  settings: 'S',
} as const satisfies Record<Page, string>;

const byLetter = new Map<string, Page>(
  Object.entries(pageKeys).map(([page, letter]) => [letter.toLowerCase(), page as Page]),
);
const byDigit: readonly Page[] = ['portraits', 'library', 'live', 'takes', 'activity'];

/** How long, in milliseconds, G waits for its letter. */
const sequenceMs = 1200;

export interface KeyActions {
  go(page: Page): void;
  palette(): void;
  jobs(): void;
  shortcuts(): void;
}

/** True if plain letters are text input or belong to an open dialog. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'range'].includes(target.type)) ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    target.closest('[role="dialog"]') !== null);

/**
 * A key as tables of actions write it: `W`, `Shift+1`, `Ctrl+Z` (⌘ on a Mac), `Delete`, `[`, `Numpad7`.
 * Letters are capitals; for other characters Shift is already part of the character.
 */
export function pressed(
  event: Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
): string {
  const { key, code, shiftKey } = event;
  const digit = /^(?:Digit|(Numpad))(\d)$/.exec(code);
  const isSign = key.length === 1 && !/^\p{L}$/u.test(key);
  const name =
    digit && (digit[1] || shiftKey)
      ? `${digit[1] ?? ''}${digit[2]}`
      : key.length === 1
        ? key.toUpperCase()
        : key;
  return [
    (event.ctrlKey || event.metaKey) && 'Ctrl',
    event.altKey && 'Alt',
    shiftKey && (digit || !isSign) && 'Shift',
    name,
  ]
    .filter(Boolean)
    .join('+');
}

const namesOnApple = new Map([
  ['Ctrl', '⌘'],
  ['Command', '⌘'],
  ['Control', '⌃'],
  ['Alt', '⌥'],
  ['Shift', '⇧'],
]);
const namesElsewhere = new Map([['Control', 'Ctrl']]);
const namesEverywhere = new Map([
  ['Delete', 'Del'],
  ['Escape', 'Esc'],
  ['ArrowUp', '↑'],
  ['ArrowDown', '↓'],
  [' ', '␣'],
]);

/**
 * How a shortcut of a table, an accelerator or a single modifier is printed on the keys of this machine: `Ctrl+Z` is
 * “⌘ Z” on a Mac. In a table `Ctrl` is the command key, in an accelerator `Control` the key of that name.
 */
export function printed(shortcut: string, isApple = apple): string {
  const names = isApple ? namesOnApple : namesElsewhere;
  // A plus sign may be the key itself.
  return shortcut
    .split(/(?<=.)\+(?=.)/)
    .map((key) => names.get(key) ?? namesEverywhere.get(key) ?? key.replace('Numpad', 'Num '))
    .join(' ');
}

/** The values of a text that names the keys for choosing several things. */
export const modifiers = { command: printed('Ctrl'), shift: printed('Shift') };

/** Binds the map to the window; returns its end. */
export function bindKeys(actions: KeyActions): () => void {
  let sequenceUntil = 0;
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return;
    const command = apple ? event.metaKey : event.ctrlKey;
    if (command && !event.altKey && !event.shiftKey) {
      // The number pad belongs to the viewer.
      const page = event.code.startsWith('Numpad') ? undefined : byDigit[Number(event.key) - 1];
      if (event.key.toLowerCase() === 'k') actions.palette();
      else if (event.key.toLowerCase() === 'j') actions.jobs();
      else if (event.key === ',') actions.go('settings');
      else if (page) actions.go(page);
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
    const page = event.timeStamp < sequenceUntil ? byLetter.get(key) : undefined;
    sequenceUntil = key === 'g' ? event.timeStamp + sequenceMs : 0;
    if (page) {
      actions.go(page);
      event.preventDefault();
    }
  };
  // In the capture phase, so that a place's own single letters do not also see the second key of a sequence.
  window.addEventListener('keydown', onKey, true);
  return () => window.removeEventListener('keydown', onKey, true);
}
