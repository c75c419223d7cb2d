/** A spectrogram in tiles: each some columns of one width, so that any zoom of any length is a few of them. */

export const spectrogramScales = ['mel', 'linear'] as const;
export type SpectrogramScale = (typeof spectrogramScales)[number];

export interface TileName {
  readonly scale: SpectrogramScale;
  /** Each has columns twice as wide as the one before. */
  readonly level: number;
  /** From the recording's beginning. */
  readonly index: number;
}

export const tileColumns = 256;
/** From the lowest frequency to the highest. */
export const tileRows = 96;
/** Seconds of a column on the first level. */
const firstColumn = 0.0025;
const maxLevel = 14;

export const columnSeconds = (level: number): number => firstColumn * 2 ** level;
const tileSeconds = (level: number): number => columnSeconds(level) * tileColumns;

/** The level whose columns are nearest to a pixel's width. @param perPixel seconds */
export const levelFor = (perPixel: number): number =>
  Math.max(0, Math.min(maxLevel, Math.round(Math.log2(perPixel / firstColumn))));

export const tileKey = ({ scale, level, index }: TileName): string => `${scale} ${level} ${index}`;

/** Tiles of a level that a stretch of time needs, in order. */
export function tilesOf(scale: SpectrogramScale, level: number, from: number, to: number): TileName[] {
  const first = Math.max(0, Math.floor(from / tileSeconds(level)));
  const last = Math.max(first, Math.ceil(to / tileSeconds(level)) - 1);
  return Array.from({ length: last - first + 1 }, (_, at) => ({ scale, level, index: first + at }));
}

export type ToSpectrogramWorker = { kind: 'open'; url: string } | { kind: 'want'; tiles: TileName[] };
export type FromSpectrogramWorker =
  | { kind: 'tile'; name: TileName; values: Uint8Array<ArrayBuffer> }
  | { kind: 'failed'; reason: string };
