import { globalShortcut } from 'electron';
import type { Hotkey, LiveAction } from '#contract';

/** Our keys that the system granted. */
const taken: string[] = [];

/** Releases all of them. */
export function clearGlobalHotkeys(): void {
  for (const accelerator of taken.splice(0)) globalShortcut.unregister(accelerator);
}

/**
 * Registers system-wide keys and releases the previous ones; only after the app is ready.
 *
 * @returns the actions whose key another program uses, or that was assigned twice
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
    return false; // this system does not support the key
  }
}
