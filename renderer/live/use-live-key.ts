import type { LiveAction } from '#contract';
import { useActions } from '../base/actions.ts';
import type { WordsKey } from '../base/shortcuts/shortcut-table.ts';
import { useLiveAction } from './live-keys.ts';
import { useLiveSettings } from './live-settings.ts';

/**
 * Runs an action by its key, which the person may have changed, and in the palette; null while it is
 * unavailable.
 */
export function useLiveKey(action: LiveAction, words: WordsKey, act: (() => void) | null): void {
  const { keys } = useLiveSettings();
  useLiveAction(action, act ?? (() => {}));
  useActions(
    'pages.live',
    [
      {
        id: `live.${action}`,
        words,
        boundKey: keys[action].replace(/^[a-z]$/, (letter) => letter.toUpperCase()),
        run: act ?? (() => {}),
      },
    ],
    act ? undefined : null,
  );
}
