/**
 * Actions, defined once: the palette lists them, menus and buttons show them, keys start them, and the sheet
 * of keys is made from them. A table holds no state: what an action acts on is passed in, so that other
 * callers (a command line, a URL) can start actions by id too.
 */
import { type ComponentType, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { isTyping, pressed } from './keyboard.ts';
import { allNamespaces, type WordsKey } from './shortcuts/shortcut-table.ts';
import { readKeys } from './shortcuts/shortcuts.ts';
import { createStore } from './store.ts';

/** Says what a table means, in the person's language. */
export function useActionWords(): {
  labelOf: (words: WordsKey) => string;
  /** An action's name on its own: `Light: Edge`. */
  nameOf: (action: Pick<Action, 'words' | 'of'>) => string;
} {
  const { t } = useTranslation(allNamespaces);
  // i18next types each key's text; for a union of all keys only `string` is known.
  const labelOf = t as (words: WordsKey) => string;
  return { labelOf, nameOf: ({ of, words }) => (of ? `${labelOf(of)}: ${labelOf(words)}` : labelOf(words)) };
}

export interface Action<At = void> {
  /** Its id, such as `heads.trash`. Stable, whatever its words become. */
  readonly id: string;
  /** Label of the action. */
  readonly words: WordsKey;
  /** The group of a choice (`Light`), shown before its own words (`Edge`). */
  readonly of?: WordsKey;
  readonly icon?: ComponentType<{ size?: number; stroke?: number }>;
  /** Default keys, as `pressed` writes them; the first is shown. `readKeys` has those that apply now. */
  readonly keys?: readonly string[];
  /** Shown instead of `keys` if something else binds it, such as Live's keys, which the person may change. */
  readonly boundKey?: string;
  /** False if it can't be done now and should not be offered. Default: always possible. */
  applies?(at: At): boolean;
  /** Done again and again while the key is held. Default: once. */
  readonly repeats?: boolean;
  /** True if the focused element handles the key itself. */
  yields?(target: EventTarget | null): boolean;
  /** Starts it; it reports its own failures. */
  run(at: At): void;
}

export const canRun = <At>(action: Action<At>, at: At): boolean => action.applies?.(at) ?? true;

type Startable = Omit<Action, 'applies' | 'run'> & { readonly start: () => void };

/** A table that is on the screen now, with what it acts on. */
export interface Offer {
  readonly title: WordsKey;
  /** Those that can be done now, ready to be started. */
  actions(): readonly Startable[];
}

const offers = createStore<readonly Offer[]>([]);
/** Actions of the page and the selection, the innermost first. */
export const offersNow = offers.get;

/**
 * Makes a table's actions available, in the palette and by keys, while its part of the page is shown.
 *
 * @param at - What its actions act on now; null while there is nothing.
 */
export function useActions<At>(title: WordsKey, table: readonly Action<At>[], at: At | null): void {
  const latest = useRef({ table, at });
  latest.current = { table, at };
  useEffect(() => {
    const offer: Offer = {
      title,
      actions: () => {
        const now = latest.current;
        const on = now.at;
        if (on === null) return [];
        return now.table
          .filter((action) => canRun(action, on))
          .map(({ applies: _, run, ...action }) => ({ ...action, start: () => run(on) }));
      },
    };
    offers.set([offer, ...offers.get()]);
    return () => offers.set(offers.get().filter((one) => one !== offer));
  }, [title]);
}

/** Milliseconds between two attempts to start an action, and until it is given up. */
const startAttempts = { every: 100, atMost: 15_000 };

/**
 * Starts an action as soon as the page offers it: the page may still be loading.
 *
 * @param isWanted - False once the person has gone elsewhere.
 * @param onMissing - The page does not offer it.
 */
export function startWhenOffered(id: string, isWanted: () => boolean, onMissing: () => void): void {
  const until = Date.now() + startAttempts.atMost;
  const attempt = (): void => {
    if (!isWanted()) return;
    const found = offers
      .get()
      .flatMap((offer) => offer.actions())
      .find((action) => action.id === id);
    if (found) found.start();
    else if (Date.now() < until) setTimeout(attempt, startAttempts.every);
    else onMissing();
  };
  attempt();
}

/**
 * Keys pressed while a menu, a list of choices or a dialog was open: they belong to it. A menu is open while its opener
 * says so; then it fades out.
 */
const taken = new WeakSet<Event>();
const open =
  '[role="dialog"], [role="alertdialog"], [aria-haspopup][aria-expanded="true"], [data-combobox-dropdown]';

// Added when the module loads, so that it runs before an open menu can close itself at the key.
window.addEventListener(
  'keydown',
  (event) => {
    const seen = [...document.querySelectorAll(open)].some((part) => part.checkVisibility());
    if (seen) taken.add(event);
  },
  true,
);
window.addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.isComposing || taken.has(event) || isTyping(event.target)) return;
  const key = pressed(event);
  const keysOf = readKeys();
  for (const offer of offers.get())
    for (const { id, keys = [], repeats, yields, start } of offer.actions()) {
      if (!keysOf({ id, keys }).includes(key) || yields?.(event.target)) continue;
      event.preventDefault();
      if (repeats || !event.repeat) start();
      return;
    }
});
