import { globalShortcut } from 'electron';
import type { Hotkey, LiveAction } from '#contract';

/** Ours that the system gave us. */
const taken: string[] = [];

/** Gives all of them back. */
export function clearGlobalHotkeys(): void {
  for (const accelerator of taken.splice(0)) globalShortcut.unregister(accelerator);
}

/**
 * Takes keys from the whole system in place of those of before; only after the app is ready.
 *
 * @returns the actions whose key another program has, or that was given twice
 */
export function setGlobalHotkeys(
  hotkeys: readonly Hotkey[],
  onPressed: (action: LiveAction) => void,
): LiveAction[] {
  clearGlobalHotkeys();
  return hotkeys.flatMap(({ action, accelerator }) => {
    const isOurs = !taken.includes(accelerator) && register(accelerator, () => onPressed(action));
    if (isOurs) taken.push(accelerator);
    return isOurs ? [] : [action];
  });
}

function register(accelerator: string, pressed: () => void): boolean {
  try {
    return globalShortcut.register(accelerator, pressed);
  } catch {
    return false; // this system has no such key
  }
}
