/** The keys that apply now: those of the table, or what the user chose instead. */
import i18next from 'i18next';
import { useCallback } from 'react';
import type { Settings } from '#contract';
import { printed } from '../keyboard.ts';
import { queryClient, useSettings } from '../studio-queries.ts';
import { type ShortcutId, shortcutTable } from './shortcut-table.ts';

type Keyed = { readonly id: string; readonly keys?: readonly string[] };
type Changed = Settings['shortcuts'];

const keysIn = (changed: Changed, { id, keys = [] }: Keyed): readonly string[] =>
  (Object.hasOwn(changed, id) ? changed[id] : undefined) ?? keys;

/** Reads the settings once, for the keys of many actions. */
export function readKeys(): (action: Keyed) => readonly string[] {
  const changed = queryClient.getQueryData<Settings>(['settings'])?.shortcuts ?? {};
  return (action) => keysIn(changed, action);
}

/** The keys of an action now; empty if it has none. */
export const keysOf = (action: Keyed): readonly string[] => readKeys()(action);

/** `keysOf` for what is drawn: drawn anew when keys change. */
export function useKeysOf(): (action: Keyed) => readonly string[] {
  const { shortcuts } = useSettings();
  return useCallback((action) => keysIn(shortcuts, action), [shortcuts]);
}

/** The first key of a shortcut as it is printed on this machine's keys; empty if it has none. */
export const keyName = (id: ShortcutId): string => nameOf(keysOf({ id, keys: shortcutTable[id].keys }));
export function useKeyNames(): (id: ShortcutId) => string {
  const keys = useKeysOf();
  return useCallback((id) => nameOf(keys({ id, keys: shortcutTable[id].keys })), [keys]);
}
const nameOf = ([first]: readonly string[]): string => (first === undefined ? '' : printKey(first));

/** A key of a table as it is printed on this machine's keys. */
export const printKey = (key: string): string => (key === ' ' ? i18next.t('live:keys.space') : printed(key));

/** A tooltip: the label, and the key that does the same. */
export const withKey = (label: string, key: string): string => (key ? `${label}  ${key}` : label);
