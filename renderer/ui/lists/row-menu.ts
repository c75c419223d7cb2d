import type { MouseEvent } from 'react';
import { type MenuPoint, menuPoint } from '../ContextMenu.tsx';
import { isChosen, type Selection } from './selection.ts';

/**
 * Returns where a right click or the menu key opens the menu of a list's row, and selects the row unless it is selected
 * already; undefined if there is no row.
 *
 * @param idPrefixes - Prefixes of the rows' element ids, before the row's own id.
 */
export function rowMenuPoint(
  event: MouseEvent<HTMLElement>,
  list: { indexOf(id: string): number },
  selection: Selection,
  idPrefixes: readonly string[],
): MenuPoint | undefined {
  const under = event.target as Element;
  const container = under.closest('[role=listbox], [role=grid]');
  const active = container && document.getElementById(container.getAttribute('aria-activedescendant') ?? '');
  const row = under.closest(idPrefixes.map((prefix) => `[id^=${prefix}]`).join()) ?? active;
  const prefix = idPrefixes.find((one) => row?.id.startsWith(one));
  const id = prefix && row?.id.slice(prefix.length);
  const index = id ? list.indexOf(id) : -1;
  if (!id || index < 0) return undefined;
  event.preventDefault();
  if (!isChosen(selection.chosen, id)) selection.only(index);
  return menuPoint(event, row);
}
