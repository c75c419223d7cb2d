import { useEffect, useRef } from 'react';
import { isTyping } from '../app/keyboard.ts';

/** The part of a key event that both React's and the browser's own have. */
export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'defaultPrevented' | 'preventDefault'
>;

/**
 * A place's keys also while nothing in it has the focus: a person who has just opened it presses Ctrl+A and means
 * what is on the screen, not the letters of the page.
 */
export function usePlaceKeys(onKey: (event: KeyPress) => void, everything: () => void): void {
  const latest = useRef({ onKey, everything });
  latest.current = { onKey, everything };
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isTyping(event.target)) return;
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'a') {
        event.preventDefault();
        latest.current.everything();
      } else if (event.target === document.body) latest.current.onKey(event);
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
