/** Keys that the focused control handles itself. */
const isInside = (target: EventTarget | null, selectors: string): boolean =>
  target instanceof Element && target.closest(selectors) !== null;

/** True if Space activates the focused element. */
export const takesSpace = (target: EventTarget | null): boolean =>
  isInside(target, 'button, a, input, [role="menu"], [role="listbox"]');

/** True if arrow keys move within the focused element. */
export const takesArrows = (target: EventTarget | null): boolean =>
  isInside(target, 'input, textarea, [role="slider"], [role="application"], [role="menu"], [role="listbox"]');
