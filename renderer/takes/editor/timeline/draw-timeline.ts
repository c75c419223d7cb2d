/** The picture of a timeline: ruler, sound, curves, what is chosen and what is cut. Everything but the playhead. */
import type { DrawnStretch, TakeEdits } from '@likeness/proto/takes/edits/take_edits.ts';
import type { TimeMap } from '@likeness/proto/takes/edits/time_map.ts';
import { drawSpectrogram } from '../spectrogram/draw-spectrogram.ts';
import type { Spectrogram } from '../spectrogram/spectrogram.ts';
import { CurveRaster } from './curve-raster.ts';
import { columnEdges, frameColumns } from './frame-columns.ts';
import type { SoundPeaks } from './sound-peaks.ts';
import type { TakeCurves } from './take-curves.ts';
import { clockTime, rulerStep, type TimeRange, type TimeWindow } from './time-window.ts';
import type { TimelineColours } from './timeline-colours.ts';
import { rowInset, type TimelineRow } from './timeline-rows.ts';

/** Heights in the page's pixels. */
export const rulerHeight = 24;

export interface TimelineScene {
  /** The page's pixels, and how many of the device one of them has. */
  readonly width: number;
  readonly height: number;
  readonly ratio: number;
  /** Seconds as they play. */
  readonly window: TimeWindow;
  /** How the recording plays. */
  readonly map: TimeMap;
  readonly sound: Pick<SoundPeaks, 'measure' | 'low' | 'high' | 'rate' | 'full'> | null;
  /** The page's pixels of its track, under the ruler. */
  readonly soundHeight: number;
  /** In place of the waveform; null: it is off. */
  readonly spectrogram: Spectrogram | null;
  readonly curves: TakeCurves;
  readonly rows: readonly TimelineRow[];
  /** The page's pixels: where rows begin, and how far they are scrolled. */
  readonly rowsTop: number;
  readonly scrolled: number;
  /** Stretches that were drawn by hand, by channel. */
  readonly drawn: Readonly<Record<string, readonly DrawnStretch[]>>;
  /** Stretches that come from other tries, by region. */
  readonly taken: TakeEdits['taken'];
  /** The channel whose keys are shown. */
  readonly channel: string | null;
  readonly markers: readonly { readonly time: number }[];
  /** Where the words' lane lies while its words are too narrow for letters; null else. */
  readonly words: {
    readonly top: number;
    readonly height: number;
    readonly ranges: readonly TimeRange[];
  } | null;
  readonly colours: TimelineColours;
}

/** Opacity of the selection's colour. */
const tint = 0.16;

export function drawTimeline(pen: CanvasRenderingContext2D, scene: TimelineScene): void {
  const width = Math.max(1, Math.round(scene.width * scene.ratio));
  const height = Math.max(1, Math.round(scene.height * scene.ratio));
  const raster = rasterOf(pen, width, height);
  raster.fill(scene.colours.ground);
  drawRows(raster, scene);
  drawSound(raster, scene);
  drawSpectrum(raster, scene);
  pen.putImageData(raster.image, 0, 0);
  pen.save();
  pen.scale(scene.ratio, scene.ratio);
  drawRuler(pen, scene);
  drawMarkers(pen, scene);
  drawKeys(pen, scene);
  pen.restore();
}

/** One picture a canvas, as long as its size is the same: a new one is a hundred milliseconds of clearing a second. */
const rasters = new WeakMap<CanvasRenderingContext2D, CurveRaster>();
function rasterOf(pen: CanvasRenderingContext2D, width: number, height: number): CurveRaster {
  const kept = rasters.get(pen);
  if (kept?.image.width === width && kept.image.height === height) return kept;
  const made = new CurveRaster(width, height);
  rasters.set(pen, made);
  return made;
}

const xOf = ({ window, width, map }: Pick<TimelineScene, 'window' | 'width' | 'map'>, at: number): number =>
  ((map.toPlayed(at) - window.from) / window.span) * width;

function drawRows(raster: CurveRaster, scene: TimelineScene): void {
  const { ratio, rows, colours, curves } = scene;
  const { width } = raster.image;
  const columns = frameColumns(curves.times, scene.window, width, scene.map.toRecorded);
  const rowsTop = Math.round(scene.rowsTop * ratio);
  for (const { region, curves: those, top, height } of rows) {
    const upper = Math.round((scene.rowsTop + top - scene.scrolled) * ratio);
    const lower = Math.round((scene.rowsTop + top + height - scene.scrolled) * ratio);
    if (lower <= rowsTop || upper >= raster.image.height) continue;
    if (region) raster.rectangle(colours.row, 0, upper, width, lower);
    raster.rectangle(colours.line, 0, lower - 1, width, lower);
    for (const { from, to } of region ? scene.taken[region] : []) {
      const [left, right] = [xOf(scene, from) * ratio, xOf(scene, to) * ratio];
      raster.rectangle(colours.accent, left, upper, right, lower, tint);
      raster.rectangle(colours.accent, left, upper, right, upper + 2 * ratio);
    }
    const inset = Math.round(rowInset * ratio);
    const bounds = { left: 0, top: upper + inset, bottom: lower - inset, line: 1.4 * ratio };
    those.forEach(({ pyramid, least, most, name }, index) => {
      for (const { from, to } of scene.drawn[name] ?? [])
        raster.rectangle(
          colours.accent,
          xOf(scene, from) * ratio,
          upper,
          xOf(scene, to) * ratio,
          lower,
          tint,
        );
      const colour = colours.curves[colours.curves.length - those.length + index] ?? colours.accent;
      raster.curve(pyramid, columns, { ...bounds, min: least, max: most }, colour);
    });
  }
  // What was scrolled past the rows' upper edge.
  raster.fill(colours.ground, 0, rowsTop);
}

function drawSound(
  raster: CurveRaster,
  { sound, soundHeight, spectrogram, ratio, window, colours, words, ...scene }: TimelineScene,
): void {
  const top = Math.round(rulerHeight * ratio);
  const bottom = Math.round((rulerHeight + soundHeight) * ratio);
  raster.rectangle(colours.line, 0, bottom - 1, raster.image.width, bottom);
  if (sound && !spectrogram)
    raster.sound(
      sound,
      sound.rate,
      columnEdges(window, raster.image.width, scene.map.toRecorded),
      { left: 0, top: top + 2, bottom: bottom - 2, min: -1, max: 1, line: ratio },
      colours.sound,
      sound.full,
    );
  if (!words) return;
  raster.rectangle(colours.line, 0, (words.top + 41) * ratio, raster.image.width, (words.top + 42) * ratio);
  const [upper, lower] = [words.top * ratio, (words.top + words.height) * ratio];
  for (const { from, to } of words.ranges) {
    const left = xOf({ window, width: scene.width, map: scene.map }, from) * ratio;
    const right = xOf({ window, width: scene.width, map: scene.map }, to) * ratio;
    if (right >= 0 && left <= raster.image.width)
      raster.rectangle(colours.line, left, upper, Math.max(right - 1, left + 1), lower);
  }
}

/** The spectrogram, in place of the waveform. */
function drawSpectrum({ image }: CurveRaster, scene: TimelineScene): void {
  const { spectrogram, soundHeight, ratio, colours, window, map } = scene;
  if (!spectrogram) return;
  const top = Math.round(rulerHeight * ratio);
  const bottom = Math.min(image.height, Math.round((rulerHeight + soundHeight) * ratio) - 1);
  const inks = [colours.ground, colours.accent, colours.ink] as const;
  drawSpectrogram(
    image,
    spectrogram,
    columnEdges(window, image.width, map.toRecorded),
    { top, bottom },
    inks,
  );
}

function drawRuler(pen: CanvasRenderingContext2D, scene: TimelineScene): void {
  const { width, window, colours, curves, map } = scene;
  const perSecond = width / window.span;
  const step = rulerStep(perSecond, curves.frameRate);
  const digits = step >= 1 ? 0 : step >= 0.1 ? 1 : 3;
  pen.font = '11px "Inter Variable", system-ui, sans-serif';
  pen.textBaseline = 'middle';
  pen.fillStyle = colours.muted;
  const first = Math.ceil(window.from / step - 1e-6);
  const last = Math.floor(Math.min(map.seconds, window.from + window.span) / step + 1e-6);
  for (let tick = first; tick <= last; tick++) {
    const x = Math.round(((tick * step - window.from) / window.span) * width);
    pen.fillRect(x, rulerHeight - 5, 1, 5);
    pen.fillText(clockTime(tick * step, digits), x + 4, rulerHeight / 2);
  }
}

function drawMarkers(pen: CanvasRenderingContext2D, scene: TimelineScene): void {
  pen.fillStyle = scene.colours.marker;
  for (const { time } of scene.markers) {
    const x = Math.round(xOf(scene, time));
    if (x < -6 || x > scene.width + 6) continue;
    pen.beginPath();
    pen.moveTo(x - 5, 0);
    pen.lineTo(x + 5, 0);
    pen.lineTo(x, 8);
    pen.fill();
    pen.fillRect(x, 0, 1, scene.rowsTop);
  }
}

/** Pixels of a key's side. */
const keySize = 7;

function drawKeys(pen: CanvasRenderingContext2D, scene: TimelineScene): void {
  const { channel, rows, rowsTop, scrolled, height, colours } = scene;
  const row = rows.find(({ region, curves }) => !region && curves[0]?.name === channel);
  const curve = row?.curves[0];
  if (!row || !curve) return;
  pen.save();
  pen.beginPath();
  pen.rect(0, rowsTop, scene.width, height - rowsTop);
  pen.clip();
  pen.fillStyle = colours.text;
  const top = rowsTop + row.top - scrolled + rowInset;
  const inner = row.height - 2 * rowInset;
  for (const { keys } of scene.drawn[curve.name] ?? [])
    for (const { time, value } of keys) {
      const x = xOf(scene, time);
      if (x < -keySize || x > scene.width + keySize) continue;
      const y = top + (1 - (value - curve.least) / (curve.most - curve.least)) * inner;
      pen.fillRect(x - keySize / 2, y - keySize / 2, keySize, keySize);
    }
  pen.restore();
}
