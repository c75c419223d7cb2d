import { smoothstep } from '../math/vector.ts';
import { lerpAt, type PlacesAcross, placesAcross, readRows } from '../photo/picture_sampling.ts';
import type { OwnSkin } from './own_skin.ts';
import { blankCanvas, type Canvas, fillUnknown, sumCells } from './texture_fill.ts';

/** Cells a side of the grid on which the photo's skin is held against its tone; some 4 mm each on the face. */
const cells = 64;
/** Cells over which what the photo shows at its edge fades into the tone: to a third. */
const fading = 7;
/** Most that the edge may be darker and lighter than the tone, ln: what is lighter than skin shines, and is not led on. */
const [mostShade, mostGloss] = [0.8, 0.2];
/** Most that its colour may differ from the tone's, ln: what differs more is hair, cloth or a lamp's. */
const mostTint = 0.22;
/** How much the tone counts against what is known within some pixels of it. */
const say = 0.02;

/**
 * Gives what the photo doesn't show the skin's own tone, led on from what it shows beside it: light and shade at
 * the photo's edge fade out over some 3 cm, so that no line remains there.
 */
export function growTone(canvas: Canvas, own: OwnSkin): void {
  const tones = edgeTones(canvas, own);
  const line = new Float32Array(3 * cells);
  const places = placesAcross(canvas.size, cells);
  for (let y = 0; y < canvas.size; y++) {
    readRows(tones, cells, cells, ((y + 0.5) * cells) / canvas.size, line);
    growRow(canvas, y, line, places);
  }
}

/** A row of it, in a function that V8 keeps optimised. */
function growRow(
  { size, colour, weight }: Canvas,
  y: number,
  line: Float32Array,
  { left, share }: PlacesAcross,
): void {
  for (let x = 0; x < size; x++) {
    const i = y * size + x;
    const w = say * (1 - weight[i]);
    if (w <= 0) continue;
    weight[i] += w;
    for (let c = 0; c < 3; c++) {
      const k = c * cells + left[x];
      colour[3 * i + c] += w * lerpAt(line, k, share[x]);
    }
  }
}

/** The tone as light as what is known, by cell and channel, led on and faded where nothing is known. */
function edgeTones(canvas: Canvas, { tone }: OwnSkin): Float32Array[] {
  const step = canvas.size / cells;
  const { known, sums } = sumCells(canvas, cells);
  const grid = blankCanvas(cells);
  const far = new Float32Array(cells * cells).fill(Number.POSITIVE_INFINITY);
  for (let i = 0; i < known.length; i++) {
    const w = smoothstep(0.25, 0.7, known[i] / (step * step));
    if (!w) continue;
    grid.weight[i] = w;
    if (w > 0.5) far[i] = 0;
    const raw = [0, 1, 2].map((c) => Math.log((sums[3 * i + c] / known[i] + 1) / (tone[c] + 1)));
    const light = (raw[0] + raw[1] + raw[2]) / 3;
    const held = Math.max(-mostShade, Math.min(mostGloss, light));
    for (let c = 0; c < 3; c++)
      grid.colour[3 * i + c] = w * (held + Math.max(-mostTint, Math.min(mostTint, raw[c] - light)));
  }
  fillUnknown(grid);
  spreadDistance(far);
  const fades = far.map((d) => Math.exp(-d / fading));
  return [0, 1, 2].map((c) => fades.map((fade, i) => tone[c] * Math.exp(grid.colour[3 * i + c] * fade)));
}

/** Distances in cells to the nearest 0, by two passes (Borgefors 1986: 1 along, √2 across). */
function spreadDistance(far: Float32Array): void {
  const near = (i: number, x: number, dx: number, dy: number): void => {
    const j = i + dx + dy * cells;
    if (x + dx < 0 || x + dx >= cells || j < 0 || j >= far.length) return;
    far[i] = Math.min(far[i], far[j] + Math.hypot(dx, dy));
  };
  const before = [
    [-1, 0],
    [-1, -1],
    [0, -1],
    [1, -1],
  ] as const;
  for (const [from, to, step] of [
    [0, far.length, 1],
    [far.length - 1, -1, -1],
  ] as const)
    for (let i = from; i !== to; i += step)
      for (const [dx, dy] of before) near(i, i % cells, step * dx, step * dy);
}
