/**
 * What can be done, told once: the palette lists it, menus and buttons show it, keys do it, and the sheet of
 * keys is read from it. A table holds no state: what an action acts on is handed to it, so that whatever else
 * starts actions by their ids (a command line, an address) can do the same.
 */
import type { ParseKeys } from 'i18next';
import { type ComponentType, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { isTyping, pressed } from './keyboard.ts';
import { createStore } from './store.ts';

const everyPlace = ['app', 'library', 'viewer', 'live', 'takes', 'portraits', 'settings'] as const;
/** A key of the words of any place; those of the frame without a prefix. */
export type WordsKey = ParseKeys<typeof everyPlace>;

/** Says what a table means, in the person's language. */
export function useActionWords(): {
  say: (words: WordsKey) => string;
  /** An action's name where it stands alone: `Light: Edge`. */
  nameOf: (action: Pick<Action, 'words' | 'of'>) => string;
} {
  const { t } = useTranslation(everyPlace);
  // i18next gives the type of each sentence; of all of them together nobody can say more than that it is one.
  const say = t as (words: WordsKey) => string;
  return { say, nameOf: ({ of, words }) => (of ? `${say(of)}: ${say(words)}` : say(words)) };
}

export interface Action<At = void> {
  /** Where it belongs and what it does: `heads.trash`. Stays, whatever the words become. */
  readonly id: string;
  /** What a person reads. */
  readonly words: WordsKey;
  /** For one of several: what is chosen among (`Light`), put before its own words (`Edge`). */
  readonly of?: WordsKey;
  readonly icon?: ComponentType<{ size?: number; stroke?: number }>;
  /** As `pressed` writes them; the first is shown. */
  readonly keys?: readonly string[];
  /** Shown in place of `keys` where something else binds it, as Live's keys, which the person may change. */
  readonly boundKey?: string;
  /** False: it can't be done now, and nobody should be offered it. Default: it always can. */
  applies?(at: At): boolean;
  /** Done again and again while the key is held. Default: once. */
  readonly repeats?: boolean;
  /** True where what has the focus wants the key for itself. */
  yields?(target: EventTarget | null): boolean;
  /** Starts it; failures are its own to tell. */
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
/** What the page and the selection offer, the innermost first. */
export const offersNow = offers.get;

/**
 * Offers a table while its part of the page is shown: in the palette, and by its keys.
 *
 * @param at - What it acts on now; null while there is nothing.
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

/** Keys that were pressed while a menu, a list of choices or a dialog was open: they are for that. */
const taken = new WeakSet<Event>();
const open =
  '[role="dialog"], [role="menu"], [role="alertdialog"], [aria-haspopup][aria-expanded="true"], [data-combobox-dropdown]';

// When the module is read, so that it looks before whatever is open can close itself at the key.
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
  for (const offer of offers.get())
    for (const { keys, repeats, yields, start } of offer.actions()) {
      if (!keys?.includes(key) || yields?.(event.target)) continue;
      event.preventDefault();
      if (repeats || !event.repeat) start();
      return;
    }
});
