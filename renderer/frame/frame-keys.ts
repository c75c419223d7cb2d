/** Keys of the frame, which work on every page. Each page binds its own while it is shown. */
import { apple, isTyping, pressed, takesKeys } from '../base/keyboard.ts';
import { type ShortcutId, shortcutTable } from '../base/shortcuts/shortcut-table.ts';
import { readKeys } from '../base/shortcuts/shortcuts.ts';

/** How long, in milliseconds, the first key of a sequence such as `G P` waits for the second. */
const sequenceMs = 1200;

/** Binds the actions to the window; returns a function that unbinds them. */
export function bindFrameKeys(actions: Partial<Record<ShortcutId, () => void>>): () => void {
  let before = { key: '', until: 0 };
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || takesKeys(event.target)) return;
    // On a Mac, Ctrl edits text; ⌘ is the command key.
    if (apple && event.ctrlKey && !event.metaKey) return;
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (isPlain && isTyping(event.target)) return;
    const key = pressed(event);
    const sequence = event.timeStamp < before.until ? `${before.key} ${key}` : '';
    before = isPlain ? { key, until: event.timeStamp + sequenceMs } : { key: '', until: 0 };
    const keysOf = readKeys();
    for (const [id, run] of Object.entries(actions)) {
      const keys = keysOf({ id, keys: shortcutTable[id as ShortcutId].keys });
      if (!keys.includes(sequence) && !keys.includes(key)) continue;
      event.preventDefault();
      before = { key: '', until: 0 };
      run();
      return;
    }
  };
  // In the capture phase, so that a page’s own single letters do not also see the second key of a sequence.
  window.addEventListener('keydown', onKey, true);
  return () => window.removeEventListener('keydown', onKey, true);
}
