/** Whose key it is: a control that has the focus wants some of them itself. */
const holds = (target: EventTarget | null, selectors: string): boolean =>
  target instanceof Element && target.closest(selectors) !== null;

/** True where Space presses what has the focus. */
export const takesSpace = (target: EventTarget | null): boolean =>
  holds(target, 'button, a, input, [role="menu"], [role="listbox"]');

/** True where arrows move within what has the focus. */
export const takesArrows = (target: EventTarget | null): boolean =>
  holds(target, 'input, textarea, [role="slider"], [role="application"], [role="menu"], [role="listbox"]');
