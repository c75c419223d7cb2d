import { useEffect, useRef } from 'react';
import { isTyping } from '../base/keyboard.ts';

/** The part of a key event that both React's and the browser's own have. */
export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'defaultPrevented' | 'preventDefault'
>;

/**
 * Ctrl+A selects a page's items even if nothing in it has the focus, rather than the page's text.
 *
 * @param nothing - Clears the selection; Escape does it where nothing has the focus.
 */
export function useSelectAllKey(everything: () => void, nothing?: () => void): void {
  const latest = useRef({ everything, nothing });
  latest.current = { everything, nothing };
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isTyping(event.target)) return;
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'a') {
        event.preventDefault();
        latest.current.everything();
      } else if (event.key === 'Escape' && event.target === document.body) latest.current.nothing?.();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}

/** A key as `KeyboardEvent.key` names it, in lower case, and what it does. */
export type KeyAction = readonly [key: string, action: () => void];

/**
 * Keys of a whole page, while nobody types and no dialog is open.
 *
 * @param actionsOf - What the keys do now; `command` where Ctrl or ⌘ is held.
 */
export function usePageKeys(
  actionsOf: (event: KeyboardEvent, command: boolean) => readonly KeyAction[],
): void {
  const latest = useRef(actionsOf);
  latest.current = actionsOf;
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isTyping(event.target) || event.altKey) return;
      const actions = latest.current(event, event.ctrlKey || event.metaKey);
      const action = actions.find(([key]) => key === event.key.toLowerCase())?.[1];
      if (!action) return;
      event.preventDefault();
      action();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
