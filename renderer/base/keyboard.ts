/** Keys: how the browser reports them, how tables write them, and how they are printed. */

export const apple = /Mac|iPhone|iPad/.test(navigator.platform);

/** True if plain letters are text input or belong to an open dialog. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'range'].includes(target.type)) ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    target.closest('[role="dialog"]') !== null);

/** True for a field that asks for a key: it takes any. */
export const takesKeys = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.dataset.takesKeys !== undefined;

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
  ['ArrowLeft', '←'],
  ['ArrowRight', '→'],
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
