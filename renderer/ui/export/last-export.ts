import { keepValue, keptValue } from '../../base/kept-value.ts';
import { createStore } from '../../base/store.ts';

/**
 * The choice of the last export; kept on this machine by the browser.
 *
 * @param read makes a choice of what was kept; null if it can't
 */
export function createLastExport<Choice>(key: string, read: (kept: Partial<Choice>) => Choice | null) {
  const store = createStore<Choice | null>(
    keptValue(key, null, (text) => read((JSON.parse(text) ?? {}) as Partial<Choice>)),
  );
  return {
    use: (): Choice | null => store.use(),
    keep(choice: Choice): void {
      store.set(choice);
      keepValue(key, JSON.stringify(choice));
    },
  };
}
