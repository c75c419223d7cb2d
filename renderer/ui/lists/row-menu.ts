import type { MouseEvent } from 'react';
import { type MenuPoint, menuPoint } from '../ContextMenu.tsx';
import { isChosen, type Selection } from './selection.ts';

/**
 * Where a right click on a list, or the key of the menu, opens the menu of its rows; undefined where none
 * is under it. It selects that row, unless it is of the selection.
 *
 * @param begins - What the ids of the rows' elements begin with, before the id of the row.
 */
export function rowMenuPoint(
  event: MouseEvent<HTMLElement>,
  list: { indexOf(id: string): number },
  selection: Selection,
  begins: readonly string[],
): MenuPoint | undefined {
  const under = event.target as Element;
  const whole = under.closest('[role=listbox], [role=grid]');
  const active = whole && document.getElementById(whole.getAttribute('aria-activedescendant') ?? '');
  const row = under.closest(begins.map((begin) => `[id^=${begin}]`).join()) ?? active;
  const begin = begins.find((one) => row?.id.startsWith(one));
  const id = begin && row?.id.slice(begin.length);
  const index = id ? list.indexOf(id) : -1;
  if (!id || index < 0) return undefined;
  event.preventDefault();
  if (!isChosen(selection.chosen, id)) selection.only(index);
  return menuPoint(event, row);
}
