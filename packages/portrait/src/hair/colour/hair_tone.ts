import { solve } from '../../math/cholesky.ts';
import { median } from '../../math/median.ts';
import { at, clamp, dot, length, subtract, type Vector } from '../../math/vector.ts';
import { toLinear, toSrgb } from '../../photo/linear_light.ts';
import { craniumColumns, craniumRows, gridNormals } from '../../skull/skull.ts';
import type { Colour } from '../../texture/skin_texture.ts';
import type { Canvas } from '../../texture/texture_fill.ts';
import { type HairFlow, neighbours } from '../hair_flow.ts';
import { craniumColumnOf, hairColumns } from '../hair_sheet.ts';

/** The hair's colour where no photo shows it, on the cranium's grid, and how lively strands are. */
export interface HairTones {
  /** × 3, sRGB 0..255. */
  readonly colours: Float32Array;
  /** Deviation of lightness from strand to strand, parts of it. */
  readonly contrast: number;
}

const count = (craniumRows + 1) * craniumColumns;
const rounds = 50;
/** How fast a colour goes over to the far one away from where it is seen: to a third within some 9 cm along strands. */
const pull = 0.004;
/** How much a vertex takes of a neighbour across the strands, for 1 of one along them: with little, what differs along the seam is bands on the back. */
const sideways = 0.5;
/** Least of a colour, linear: its logarithm is what is led on. */
const darkest = 4e-4;

/**
 * Leads the colours of the seen hair on, further along the strands than across them. As a painter would: away from the
 * seam they drift, in linear light, towards what hair of that height that faces so far upwards shows all over the photo.
 *
 * @param seen - What surely is hair, in the hair's layout.
 * @param points - Of the sheet, × 3 in its own columns.
 * @param usual - The hair's colour where hardly any is seen, sRGB.
 */
export function leadTonesOn(seen: Canvas, points: Float32Array, flow: HairFlow, usual: Colour): HairTones {
  const { colours: observed, weight, contrast } = readTones(seen);
  const sheet = onCranium(points);
  const normals = gridNormals(sheet);
  const far = fitTones(observed, weight, sheet, normals, usual);
  // What a place differs by from the far tone, and how surely, from coarse to fine: a good start for the rounds.
  const off = observed.map((value, i) => (weight[(i / 3) | 0] ? value - far[i] : 0));
  const led = spread(off, weight);
  const shares = shareAlong(sheet, flow);
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < count; i++) {
      const own = 4 * weight[i];
      const o = 3 * i;
      let total = own + pull;
      let r = own * off[o];
      let g = own * off[o + 1];
      let b = own * off[o + 2];
      for (let e = 4 * i; e < 4 * i + 4; e++) {
        const w = shares[e];
        const j = 3 * neighbours[e];
        total += w;
        r += w * led[j];
        g += w * led[j + 1];
        b += w * led[j + 2];
      }
      led[o] += 1.5 * (r / total - led[o]);
      led[o + 1] += 1.5 * (g / total - led[o + 1]);
      led[o + 2] += 1.5 * (b / total - led[o + 2]);
    }
  }
  return { colours: led.map((value, i) => toSrgb(Math.min(1, Math.exp(far[i] + value)))), contrast };
}

const linear = Float32Array.from({ length: 256 }, (_, v) => toLinear(v));

/** The sheet's points on the cranium's own grid. */
function onCranium(points: Float32Array): Float32Array {
  const grid = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    const k = i % craniumColumns;
    const from = 3 * (((i - k) / craniumColumns) * hairColumns + craniumColumnOf(k));
    grid.set(points.subarray(from, from + 3), 3 * i);
  }
  return grid;
}

/** Reweighted rounds of the fit, and the deviation (ln) from which on a colour counts less. */
const [fitRounds, usualDeviation] = [4, 0.35];
/** How firmly slopes are held at nothing, in grid points: a photo shows little of a head's height. */
const held = { upwards: 25, height: 25 } as const;

/** How much the usual colour counts, in places that are seen. */
const usualPlaces = 5;
/** The eye's measure of light, which means are taken in: gloss outweighs all else in a mean of light, shade in one of its logarithm. */
const seenAs = (ln: number): number => Math.exp(ln / 2.2);

/**
 * Far tones, ln linear × 3: of one tint, lighter or darker by how far the hair faces upwards and how high it lies, as light
 * falls from above. Tints that change with them are the lamp's and the surroundings', and would grow towards the nape.
 */
function fitTones(
  observed: Float32Array,
  weight: Float32Array,
  points: Float32Array,
  normals: Float32Array,
  usual: Colour,
): Float32Array {
  const middle = usual.map((v) => Math.log(Math.max(darkest, toLinear(v))));
  const usualLight = (middle[0] + middle[1] + middle[2]) / 3;
  const light = weight.map((_, i) => (observed[3 * i] + observed[3 * i + 1] + observed[3 * i + 2]) / 3);
  const { shade, sure } = fitShade(light, weight, points, normals, usualLight);
  const far = new Float32Array(3 * count);
  for (let c = 0; c < 3; c++) {
    let seen = usualPlaces * seenAs(middle[c]);
    let fitted = usualPlaces * seenAs(usualLight);
    for (let i = 0; i < count; i++) {
      if (!sure[i]) continue;
      seen += sure[i] * seenAs(observed[3 * i + c]);
      fitted += sure[i] * seenAs(shade[i]);
    }
    const level = 2.2 * Math.log(seen / fitted);
    for (let i = 0; i < count; i++) far[3 * i + c] = shade[i] + level;
  }
  return far;
}

/** How light hair is by how it faces and how high it lies, ln linear, and how much each place tells of that. */
function fitShade(
  light: Float32Array,
  weight: Float32Array,
  points: Float32Array,
  normals: Float32Array,
  usual: number,
): { shade: Float32Array; sure: Float32Array } {
  const terms = (i: number): Vector => [1, normals[3 * i + 1], clamp(points[3 * i + 1] / 0.1, -1, 1)];
  const sure = weight.slice();
  let slopes: Vector = [usual, 0, 0];
  for (let round = 0; round < fitRounds; round++) {
    // Normal equations of three unknowns.
    const m = [usualPlaces, 0, 0, 0, held.upwards, 0, 0, 0, held.height];
    const right = [usualPlaces * usual, 0, 0];
    for (let i = 0; i < count; i++) {
      if (!sure[i]) continue;
      const t = terms(i);
      for (let p = 0; p < 3; p++) {
        for (let q = 0; q < 3; q++) m[3 * p + q] += sure[i] * t[p] * t[q];
        right[p] += sure[i] * t[p] * light[i];
      }
    }
    const [x, y, z] = solve(Float64Array.from(m), Float64Array.from(right));
    slopes = [x, y, z];
    for (let i = 0; i < count; i++)
      if (weight[i]) sure[i] = weight[i] / (1 + ((light[i] - dot(terms(i), slopes)) / usualDeviation) ** 2);
  }
  return { shade: weight.map((_, i) => dot(terms(i), slopes)), sure };
}

/** Spreads known values over the grid, from means of ever larger cells down (× 3; weight 0..1). */
function spread(values: Float32Array, weight: Float32Array): Float32Array {
  const levels = [16, 8, 4, 2, 1];
  const out = new Float32Array(3 * count);
  for (const size of levels) {
    const wide = craniumColumns / size;
    const high = Math.ceil((craniumRows + 1) / size);
    const sums = new Float32Array(4 * wide * high);
    for (let i = 0; i < count; i++) {
      if (!weight[i]) continue;
      const cell = Math.floor(i / craniumColumns / size) * wide + Math.floor((i % craniumColumns) / size);
      sums[4 * cell] += weight[i];
      for (let c = 0; c < 3; c++) sums[4 * cell + 1 + c] += weight[i] * values[3 * i + c];
    }
    for (let i = 0; i < count; i++) {
      const cell = Math.floor(i / craniumColumns / size) * wide + Math.floor((i % craniumColumns) / size);
      const total = sums[4 * cell];
      const known = total / (total + 0.5);
      for (let c = 0; c < 3; c++) {
        const mean = total ? sums[4 * cell + 1 + c] / total : 0;
        out[3 * i + c] += known * (mean - out[3 * i + c]);
      }
    }
  }
  return out;
}

/** How much a vertex takes of each neighbour's colour. */
function shareAlong(points: Float32Array, { along }: HairFlow): Float32Array {
  const shares = new Float32Array(4 * count);
  for (let e = 0; e < 4 * count; e++) {
    const i = e >> 2;
    const j = neighbours[e];
    if (i === j) continue;
    const edge = subtract(at(points, j), at(points, i));
    shares[e] = sideways + (dot(edge, at(along, i)) / (length(edge) || 1)) ** 2;
  }
  return shares;
}

/** Mean colours about each vertex of the grid where hair is seen, ln linear, and the usual contrast in there. */
function readTones({ size, colour, weight }: Canvas) {
  const colours = new Float32Array(3 * count);
  const known = new Float32Array(count);
  const contrasts: number[] = [];
  const [wide, high] = [Math.ceil(size / (hairColumns - 1) / 2), Math.ceil(size / craniumRows / 2)];
  for (let i = 0; i < count; i++) {
    const j = craniumColumnOf(i % craniumColumns);
    const cx = Math.round((j / (hairColumns - 1)) * size);
    const cy = Math.round((Math.floor(i / craniumColumns) / craniumRows) * size);
    let [r, g, b, w, n, squares, light] = [0, 0, 0, 0, 0, 0, 0];
    for (let y = Math.max(0, cy - high); y < Math.min(size, cy + high); y += 2) {
      for (let x = Math.max(0, cx - wide); x < Math.min(size, cx + wide); x++) {
        const o = y * size + x;
        n++;
        const own = weight[o];
        if (own < 0.05) continue;
        const [red, green, blue] = [colour[3 * o] / own, colour[3 * o + 1] / own, colour[3 * o + 2] / own];
        const sum = red + green + blue;
        w += own;
        r += own * linear[red | 0];
        g += own * linear[green | 0];
        b += own * linear[blue | 0];
        light += own * sum;
        squares += own * sum * sum;
      }
    }
    if (w < 0.05 * n || n === 0) continue;
    known[i] = Math.min(1, w / n);
    colours[3 * i] = Math.log(Math.max(darkest, r / w));
    colours[3 * i + 1] = Math.log(Math.max(darkest, g / w));
    colours[3 * i + 2] = Math.log(Math.max(darkest, b / w));
    const level = light / w;
    if (known[i] > 0.7)
      contrasts.push(Math.sqrt(Math.max(0, squares / w - level * level)) / Math.max(20, level));
  }
  return { colours, weight: known, contrast: clamp(median(contrasts, 0.14), 0.07, 0.22) };
}
