import { useComputedColorScheme } from '@mantine/core';
import type { Ink } from './curve-raster.ts';

/** Colours of the canvas: the page's own, in its theme. */
export interface TimelineColours {
  readonly ground: Ink;
  readonly row: Ink;
  readonly line: Ink;
  readonly sound: Ink;
  readonly text: string;
  /** The same, to paint with. */
  readonly ink: Ink;
  readonly muted: string;
  readonly accent: Ink;
  readonly marker: string;
  /** Colours of overlapping curves: the last one is the most opaque. */
  readonly curves: readonly Ink[];
}

/** Reads the variables of global.css as they hold now. */
export function timelineColours(style: CSSStyleDeclaration): TimelineColours {
  const text = (name: string): string => style.getPropertyValue(name).trim();
  const colour = (name: string): Ink => hexColour(text(name));
  const accent = colour('--lk-accent');
  return {
    ground: colour('--lk-track'),
    row: colour('--lk-panel'),
    line: colour('--lk-line'),
    sound: colour('--lk-wave'),
    text: text('--lk-text'),
    ink: colour('--lk-text'),
    muted: text('--lk-muted'),
    accent,
    marker: text('--lk-warn'),
    curves: [colour('--lk-faint'), colour('--lk-good'), colour('--lk-warn'), accent],
  };
}

/** @param hex as the variables have it: `#0c0f10` */
function hexColour(hex: string): Ink {
  const value = Number.parseInt(hex.replace('#', ''), 16);
  return Number.isNaN(value) ? [128, 128, 128] : [value >> 16, (value >> 8) & 255, value & 255];
}

/** Changes when the page's colours do: whoever draws by hand draws anew. */
export const usePageColours = (): string => useComputedColorScheme('dark');
