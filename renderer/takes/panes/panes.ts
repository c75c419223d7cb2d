/** Sizes of the editor's panes in CSS pixels; kept on this machine by the browser. */
import { keepValue, keptValue } from '../../base/kept-value.ts';
import { createStore } from '../../base/store.ts';

export type Pane = 'list' | 'inspector' | 'timeline';
/** A pane without a size has its default, which `Takes.module.css` names. */
export type PaneSizes = Readonly<Partial<Record<Pane, number>>>;

/** Width of the list when it shows thumbnails only, and the smallest width with names. */
export const listWidths = { strip: 72, min: 200 };

export const paneLimits: Readonly<Record<Pane, readonly [min: number, max: number]>> = {
  list: [listWidths.strip, 360],
  inspector: [280, 480],
  timeline: [200, 2000],
};

/** Pixels that stay for the stage when a pane grows. */
const minStage = { width: 360, height: 240 };

const key = 'likeness.takes.panes';

function readSizes(text: string): PaneSizes {
  const read = JSON.parse(text) as Partial<Record<Pane, unknown>> | null;
  const sizes: Partial<Record<Pane, number>> = {};
  for (const [pane, [min, max]] of Object.entries(paneLimits) as [Pane, readonly [number, number]][]) {
    const size = read?.[pane];
    if (typeof size === 'number' && size >= min && size <= max) sizes[pane] = size;
  }
  return sizes;
}

export const paneSizes = createStore<PaneSizes>(keptValue(key, {}, readSizes));

/** @param size pixels; undefined: the default */
export function resizePane(pane: Pane, size: number | undefined): void {
  const { [pane]: _, ...others } = paneSizes.get();
  paneSizes.set(size === undefined ? others : { ...others, [pane]: size });
  keepValue(key, JSON.stringify(paneSizes.get()));
}

/** The size of a pane closest to the wanted one that leaves room for the stage. */
export function fittingSize(
  pane: Pane,
  wanted: number,
  size: number,
  stage: { width: number; height: number },
): number {
  const [min, max] = paneLimits[pane];
  const spare = pane === 'timeline' ? stage.height - minStage.height : stage.width - minStage.width;
  const fits = Math.round(Math.max(min, Math.min(wanted, max, size + Math.max(0, spare))));
  if (pane !== 'list' || fits >= listWidths.min) return fits;
  // No width between thumbnails and names is useful.
  return fits < (listWidths.strip + listWidths.min) / 2 ? listWidths.strip : listWidths.min;
}
