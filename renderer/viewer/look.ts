import { useSyncExternalStore } from 'react';
import type { LightRigName } from './LightRig.tsx';

export const backgrounds = ['stage', 'grey', 'black', 'white', 'none'] as const;
export type Background = (typeof backgrounds)[number];
export const comparisons = ['off', 'beside', 'blended'] as const;
export type Comparison = (typeof comparisons)[number];

/** How a head is looked at. It stays from one head to the next, so that heads can be compared. */
export interface Look {
  light: LightRigName;
  background: Background;
  wireframe: boolean;
  turning: boolean;
  photo: Comparison;
  /** Of the photo over the head, 0..1. */
  blend: number;
}

let look: Look = {
  light: 'studio',
  background: 'stage',
  wireframe: false,
  turning: false,
  photo: 'off',
  blend: 0.5,
};
const listeners = new Set<() => void>();

export function changeLook(changes: Partial<Look>): void {
  look = { ...look, ...changes };
  for (const listener of listeners) listener();
}

export const lookNow = (): Look => look;

export const useLook = (): Look =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => look,
  );

/** The next of a list, round and round. */
export const after = <T>(all: readonly T[], one: T): T => all[(all.indexOf(one) + 1) % all.length]!;

/** Flat colours; grey is the 18 % card of photographers. `stage` is a gradient of the theme, `none` is nothing. */
const flat: Partial<Record<Background, string>> = { grey: '#777777', black: '#000000', white: '#ffffff' };

/** Paints the background of a picture, as the stage shows it. */
export function paintBackground(brush: CanvasRenderingContext2D, background: Background): void {
  const { width, height } = brush.canvas;
  const colour = flat[background];
  if (background === 'none') return;
  if (colour) brush.fillStyle = colour;
  else {
    const light = document.documentElement.dataset.mantineColorScheme === 'light';
    const stops = light ? ['#ffffff', '#e9eef0', '#d9dfe1'] : ['#24292a', '#16191a', '#0f1213'];
    const gradient = brush.createRadialGradient(
      width / 2,
      height * 0.35,
      0,
      width / 2,
      height * 0.35,
      Math.max(width, height) * 0.75,
    );
    stops.forEach((stop, at) => {
      gradient.addColorStop([0, 0.55, 1][at] ?? 1, stop);
    });
    brush.fillStyle = gradient;
  }
  brush.fillRect(0, 0, width, height);
}
