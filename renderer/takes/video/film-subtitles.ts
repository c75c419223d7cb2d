/** Subtitles over the frames of a film. */
import type { Cue, FilmJob } from '@likeness/proto/takes/film_message.ts';
import type { DrawnHead } from '../../speaking/film/film-stage.ts';

/** Height of the letters, as a share of the film's shorter side. */
const letterHeight = 0.045;
const lineHeight = 1.3;

/** Free space beside and below the text, as shares of the film's sides: phones cover more of a tall film. */
const margins = { tall: { side: 0.15, bottom: 0.12 }, wide: { side: 0.08, bottom: 0.07 } } as const;

export class FilmSubtitles {
  readonly #job: Pick<FilmJob, 'width' | 'height' | 'subtitles'>;
  /** The cue that was drawn last, with its picture. */
  #last: { cue: Cue; text: DrawnHead } | undefined;
  #pixels = new Uint8Array(0);

  constructor(job: Pick<FilmJob, 'width' | 'height' | 'subtitles'>) {
    this.#job = job;
  }

  /**
   * @param at seconds from the start of the film
   * @returns the same where there is no text; otherwise in an array that is used again for the next frame
   */
  over(drawn: DrawnHead, at: number): DrawnHead {
    const cue = cueAt(this.#job.subtitles, at);
    if (!cue) return drawn;
    if (this.#last?.cue !== cue) this.#last = { cue, text: textPicture(cue, this.#job) };
    const { text } = this.#last;
    const area = union(drawn.area, text.area);
    const bytes = area.width * area.height * 4;
    if (this.#pixels.length === bytes) this.#pixels.fill(0);
    else this.#pixels = new Uint8Array(bytes);
    const whole = { area, pixels: this.#pixels };
    lay(drawn, whole);
    lay(text, whole);
    return whole;
  }
}

type Area = DrawnHead['area'];

function union(a: Area, b: Area): Area {
  const [left, top] = [Math.min(a.left, b.left), Math.min(a.top, b.top)];
  const right = Math.max(a.left + a.width, b.left + b.width);
  const bottom = Math.max(a.top + a.height, b.top + b.height);
  return { left, top, width: right - left, height: bottom - top };
}

/** Lays a picture over another one that contains its area. */
function lay({ area, pixels }: DrawnHead, under: DrawnHead): void {
  const { width, height } = area;
  // The lowest row is first.
  const lowest = under.area.top + under.area.height - area.top - height;
  for (let row = 0; row < height; row++) {
    let from = row * width * 4;
    let to = ((lowest + row) * under.area.width + area.left - under.area.left) * 4;
    for (const end = from + width * 4; from < end; from += 4, to += 4) {
      const alpha = pixels[from + 3]!;
      if (alpha === 0) continue;
      const through = (255 - alpha) / 255;
      for (let at = 0; at < 4; at++)
        under.pixels[to + at] = pixels[from + at]! + under.pixels[to + at]! * through + 0.5;
    }
  }
}

/** The text of a cue, and the part of the film that it covers. */
interface CueText {
  area: Area;
  /** From the area’s left and top; more of it may be there below. */
  canvas: OffscreenCanvas;
  context: OffscreenCanvasRenderingContext2D;
}

/** The cue that a film shows at a time, seconds from its start, as it is drawn over the frame; null: none. */
export function subtitleAt(
  { subtitles, ...size }: Pick<FilmJob, 'width' | 'height' | 'subtitles'>,
  at: number,
): CueText | null {
  const cue = cueAt(subtitles, at);
  return cue ? cueText(cue, size) : null;
}

const cueAt = (cues: readonly Cue[], at: number): Cue | undefined =>
  cues.find(({ start, end }) => at >= start && at < end);

/** White letters with a dark edge, legible on every background. */
function cueText({ lines }: Cue, { width, height }: Pick<FilmJob, 'width' | 'height'>): CueText {
  const letters = Math.max(8, Math.round(Math.min(width, height) * letterHeight));
  const { side, bottom } = height > width ? margins.tall : margins.wide;
  const area = { left: even(width * side), top: 0, width: 0, height: 0 };
  area.width = width - 2 * area.left;
  const canvas = new OffscreenCanvas(area.width, height);
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  context.font = `600 ${letters}px Inter, 'Noto Sans', 'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', sans-serif`;
  const edge = letters / 6;
  const rows = fitting(lines, (text) => context.measureText(text).width <= area.width - 2 * edge);
  const step = Math.round(letters * lineHeight);
  area.height = Math.min(even(height), even(rows.length * step + 2 * edge));
  area.top = Math.max(0, even(height * (1 - bottom)) - area.height);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  context.lineWidth = 2 * edge;
  context.strokeStyle = 'rgb(0 0 0 / 80%)';
  context.fillStyle = '#fff';
  for (const [at, row] of rows.entries()) {
    const y = edge + (at + 0.5) * step;
    context.strokeText(row, area.width / 2, y);
    context.fillText(row, area.width / 2, y);
  }
  return { area, canvas, context };
}

function textPicture(cue: Cue, size: Pick<FilmJob, 'width' | 'height'>): DrawnHead {
  const { area, context } = cueText(cue, size);
  return { area, pixels: premultiplied(context.getImageData(0, 0, area.width, area.height)) };
}

/** Codecs halve the resolution of colours. */
const even = (value: number): number => 2 * Math.ceil(value / 2);

/** The lines, wrapped anew between words if one is too long. */
function fitting(lines: readonly string[], fits: (text: string) => boolean): string[] {
  if (lines.every(fits)) return [...lines];
  const rows: string[] = [];
  let row = '';
  for (const piece of pieces(joined(lines))) {
    if (row !== '' && !fits((row + piece).trimEnd())) {
      rows.push(row.trim());
      row = '';
    }
    row += piece;
  }
  return [...rows, row.trim()].filter(Boolean);
}

/** Chinese has no spaces between words. */
const joined = (lines: readonly string[]): string =>
  lines.reduce((text, line) => (/\p{Script=Han}\W?$/u.test(text) ? text + line : `${text} ${line}`));

/** Words, each with the spaces and marks after it. */
function pieces(text: string): string[] {
  const words: string[] = [];
  for (const { segment, isWordLike } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text))
    if (isWordLike || words.length === 0) words.push(segment);
    else words.push(`${words.pop() ?? ''}${segment}`);
  return words;
}

/** @returns the lowest row first */
function premultiplied({ width, height, data }: ImageData): Uint8Array {
  const pixels = new Uint8Array(data.length);
  for (let row = 0; row < height; row++)
    for (let x = 0; x < width; x++) {
      const from = (row * width + x) * 4;
      const to = ((height - 1 - row) * width + x) * 4;
      const alpha = data[from + 3]!;
      for (let at = 0; at < 3; at++) pixels[to + at] = Math.round((data[from + at]! * alpha) / 255);
      pixels[to + 3] = alpha;
    }
  return pixels;
}
