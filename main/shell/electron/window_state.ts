import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { BrowserWindow, Rectangle } from 'electron';

/** The window's last bounds, in device-independent pixels. */
export interface WindowState extends Rectangle {
  maximized: boolean;
}

const smallest = { width: 960, height: 600 };
const usual = { width: 1440, height: 900 };

/**
 * Reads the state in `file`; null if missing or invalid, because a window's position is not worth an error.
 */
export function readWindowState(file: string): WindowState | null {
  try {
    const state: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isWindowState(state) ? state : null;
  } catch {
    return null;
  }
}

/** Synchronous, because it is called while the window closes. Ignores failures. */
export function keepWindowState(file: string, window: BrowserWindow): void {
  const state: WindowState = { ...window.getNormalBounds(), maximized: window.isMaximized() };
  try {
    writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch {
    // Next time the window opens at its default position.
  }
}

/**
 * Returns bounds for the window: its last ones, no larger than its screen. Without a position (Electron then
 * centres it) if it was never open, or if its title bar is on no screen because one was unplugged.
 */
export function windowBounds(
  state: WindowState | null,
  screens: readonly { workArea: Rectangle }[],
): Partial<Rectangle> & { width: number; height: number; minWidth: number; minHeight: number } {
  const min = { minWidth: smallest.width, minHeight: smallest.height };
  const screen = state && screens.find(({ workArea }) => holdsTitleBar(workArea, state));
  if (!state || !screen) {
    const [first] = screens;
    return { ...min, ...fitted(usual, first?.workArea ?? { x: 0, y: 0, ...usual }) };
  }
  return { ...min, x: state.x, y: state.y, ...fitted(state, screen.workArea) };
}

const fitted = (
  size: { width: number; height: number },
  area: Rectangle,
): { width: number; height: number } => ({
  width: Math.max(smallest.width, Math.min(size.width, area.width)),
  height: Math.max(smallest.height, Math.min(size.height, area.height)),
});

/** Enough of the top edge is on a screen to drag the window: 100 pixels wide, 20 high. */
function holdsTitleBar(area: Rectangle, window: Rectangle): boolean {
  const across = Math.min(window.x + window.width, area.x + area.width) - Math.max(window.x, area.x);
  return across >= 100 && window.y >= area.y && window.y <= area.y + area.height - 20;
}

function isWindowState(state: unknown): state is WindowState {
  if (typeof state !== 'object' || state === null) return false;
  const { x, y, width, height, maximized } = state as Record<string, unknown>;
  return (
    [x, y, width, height].every((number) => Number.isSafeInteger(number)) && typeof maximized === 'boolean'
  );
}
