import { createStore } from '../base/store.ts';

export const lightRigs = ['studio', 'soft', 'window', 'edge'] as const;
export type LightRigName = (typeof lightRigs)[number];
export const backgrounds = ['stage', 'grey', 'black', 'white', 'own', 'none'] as const;
export type Background = (typeof backgrounds)[number];
export const comparisons = ['off', 'beside', 'blended'] as const;
export type Comparison = (typeof comparisons)[number];

/** With textures and light; or showing its shape, its normals or its texture coordinates. */
export const shadings = ['lit', 'clay', 'matcap', 'normals', 'uv'] as const;
export type Shading = (typeof shadings)[number];
/** View directions; left and right are those of the head. */
export type ViewSide = 'front' | 'back' | 'right' | 'left' | 'top' | 'below';

/**
 * Vertical fields of view in degrees. A portrait lens (85 mm on a 24 mm high frame has 16°), a little wider.
 */
export const lenses = { least: 8, usual: 22, most: 70 } as const;

/** Appearance of the viewer. It stays the same from head to head, so that heads can be compared. */
export interface ViewAppearance {
  light: LightRigName;
  /** Degrees that the lamps are turned around the head, −180..180; positive: to the right as one sees it. */
  lightTurn: number;
  background: Background;
  /** For the background `own`: `#rrggbb`. */
  ownColour: string;
  shading: Shading;
  /** Field of view, vertical, degrees. */
  lens: number;
  wireframe: boolean;
  turning: boolean;
  photo: Comparison;
  /** Opacity of the photo over the head, 0..1. */
  blend: number;
}

const store = createStore<ViewAppearance>({
  light: 'studio',
  lightTurn: 0,
  background: 'stage',
  ownColour: '#3a5a78',
  shading: 'lit',
  lens: lenses.usual,
  wireframe: false,
  turning: false,
  photo: 'off',
  blend: 0.5,
});
export const appearanceNow = store.get;
export const useAppearance = store.use;
export const changeAppearance = (changes: Partial<ViewAppearance>): void =>
  store.set({ ...store.get(), ...changes });

/** The next of a list, round and round. */
export const after = <T>(all: readonly T[], one: T): T => all[(all.indexOf(one) + 1) % all.length]!;

/**
 * Flat colours; grey is the 18 % card of photographers. `stage` is
 * a gradient of the theme, `none` is nothing.
 */
const flat: Partial<Record<Background, string>> = { grey: '#777777', black: '#000000', white: '#ffffff' };

/** Paints the background of a picture, as the stage shows it. */
export function paintBackground(
  brush: CanvasRenderingContext2D,
  { background, ownColour }: Pick<ViewAppearance, 'background' | 'ownColour'>,
): void {
  const { width, height } = brush.canvas;
  const colour = background === 'own' ? ownColour : flat[background];
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
