import { clamp, smoothstep, type Vector } from '@likeness/geometry/vector.ts';
import { readStack } from '../photo/picture_sampling.ts';
import { blankCanvas, fillUnknown, mirrored } from '../texture/texture_fill.ts';
import { softened } from '../texture/tone_grid.ts';
import { features } from '../topology/face_regions.ts';
import { fineFace } from '../topology/fine_face.ts';
import { byCell, type FaceCells, onFace, side } from './face_cells.ts';
import { cells, inputs, type LightNetwork } from './light_network.ts';
import { lightLips } from './lip_light.ts';

const area = side * side;
/** Added to linear colours, so that black has a logarithm. */
const black = 2e-3;
/** Weights of the channels that keep lightness. */
const lightness = [0.293, 0.657, 0.05] as const;
const luminance = [0.2126, 0.7152, 0.0722] as const;

/** The light of a photo as the skin shows it. */
export interface LightEstimate {
  /** ln of what removes the cast of the whole photo, linear RGB; it keeps the lightness. */
  readonly tone: Readonly<Vector>;
  /** × 3: ln of what removes light and shade from the skin besides, linear RGB, by vertex of the fine face. */
  readonly gain: Float32Array;
  /** 0..1, by the same vertex: black or blown out, so that another place tells more of the skin. */
  readonly lost: Float32Array;
}

/** Only the part of a cast beyond this (ln) is removed: skins differ from each other by as much. */
const castTolerance = 0.05;
/**
 * Corrects the network, which takes part of the warmth of dark skin for a cast. In ln red and blue, for each unit of
 * ln brightness below `from`: the mean shift of the training portraits.
 */
const darkSkin = { from: -1.35, red: 0.09, blue: -0.11 } as const;
/** The largest mean luminance of the skin after the light is removed, linear. */
const lightest = 0.6;
/** Lifts above the other side's, ln, from which on shade shows more noise than skin, and nothing else. */
const [deep, deepest] = [0.7, 1.4];
/** The same of lifts by themselves: the skin's own tone tells more, whatever the other side shows. */
const [hopeless, hidden] = [1.1, 1.8];
/** Darkest channel, linear, from which on a lit side is blown out, and wholly. */
const [blown, white] = [0.75, 0.95];

/** Estimates the light from what the photo shows of the face. */
export function estimateLight(network: LightNetwork, face: FaceCells): LightEstimate {
  const coarse = coarseCells(face);
  const seen = Float32Array.from(onFace, (on, i) =>
    on && face.shown[i] > 0.05 && face.facing[i] > 0.12 ? 1 : 0,
  );
  const local = sharpened(face, seen, coarse, gainsOfBothSides(network, coarse));
  lightLips(
    local,
    face.normals,
    seen.map((shown, i) => shown * (1 - clamp(featured[i], 0, 1)) ** 2),
  );
  const weight = skinWeight(face);
  const shift = weightedMean(local, weight);
  for (let i = 0; i < area; i++) for (let c = 0; c < 3; c++) local[3 * i + c] -= shift[c];
  const tone = castBeyondTolerance(
    shift,
    weightedMean(
      face.colours.map((value) => Math.log(value + black)),
      weight,
    ),
  );
  const none = new Float32Array(local.length);
  const before = meanLight(face, weight, none, [0, 0, 0]);
  const level = Math.log(Math.min(lightest, before) / meanLight(face, weight, local, tone));
  return {
    tone,
    gain: byVertex(
      ledOn(local, seen).map((log) => log + level),
      3,
    ),
    lost: byVertex(lostCells(face, seen, local), 1),
  };
}

function meanLight({ colours }: FaceCells, weight: Float32Array, gains: Float32Array, tone: Vector): number {
  let sum = 0;
  let total = 1e-6;
  for (let i = 0; i < area; i++) {
    total += weight[i];
    for (let c = 0; c < 3; c++)
      sum += weight[i] * luminance[c] * (colours[3 * i + c] + black) * Math.exp(gains[3 * i + c] + tone[c]);
  }
  return sum / total;
}

/** 0..1: cells that are black, or black or blown out while the other side shows skin. */
function lostCells({ colours }: FaceCells, seen: Float32Array, gains: Float32Array): Float32Array {
  const whiteness = seen.map(
    (shown, i) =>
      shown * smoothstep(blown, white, Math.min(colours[3 * i], colours[3 * i + 1], colours[3 * i + 2])),
  );
  const lift = seen.map((shown, i) => shown * Math.max(0, gains[3 * i + 1]));
  const out = seen.map((_, i) => {
    const other = mirrored(i, side);
    const blackness = smoothstep(deep, deepest, lift[i] - lift[other]) * (1 - whiteness[other]);
    const both = smoothstep(0.1, 0.5, seen[i] * seen[other]);
    return Math.max(
      both * Math.max(blackness, whiteness[i] * (1 - whiteness[other])),
      smoothstep(hopeless, hidden, lift[i]),
    );
  });
  return softened(out, side, 1);
}

/** The part of a shift of all colours that is a cast, ln; it keeps the lightness. */
function castBeyondTolerance(shift: Vector, skin: Vector): Vector {
  const level = shift[0] * lightness[0] + shift[1] * lightness[1] + shift[2] * lightness[2];
  const dark = Math.max(0, darkSkin.from - (skin[0] + skin[1] + skin[2]) / 3);
  const red = shift[0] - level + dark * darkSkin.red;
  const blue = shift[2] - level + dark * darkSkin.blue;
  const share = Math.max(0, 1 - castTolerance / Math.max(1e-6, Math.hypot(red, blue)));
  const green = -(red * lightness[0] + blue * lightness[2]) / lightness[1];
  return [share * red, share * green, share * blue];
}

/** The network's input, by its own cells. */
interface CoarseCells {
  /** × 3: ln of the colours. */
  readonly logs: Float32Array;
  readonly normals: Float32Array;
  /** 0 or 1: the photo shows skin there. */
  readonly mask: Float32Array;
}

/** Means over 2 × 2 cells. */
export function coarseCells({ colours, normals, facing, shown }: FaceCells): CoarseCells {
  const logs = new Float32Array(3 * cells * cells);
  const directions = new Float32Array(3 * cells * cells);
  const mask = new Float32Array(cells * cells);
  for (let y = 0; y < cells; y++)
    for (let x = 0; x < cells; x++) {
      const o = y * cells + x;
      let known = 0;
      let on = 0;
      let ahead = 0;
      for (let k = 0; k < 4; k++) {
        const i = (2 * y + (k >> 1)) * side + 2 * x + (k & 1);
        if (!onFace[i]) continue;
        on++;
        ahead += facing[i];
        for (let c = 0; c < 3; c++) directions[3 * o + c] += normals[3 * i + c];
        if (shown[i] <= 0.06 || facing[i] <= 0.12) continue;
        known++;
        for (let c = 0; c < 3; c++) logs[3 * o + c] += Math.log(colours[3 * i + c] + black);
      }
      const long =
        Math.hypot(directions[3 * o], directions[3 * o + 1], directions[3 * o + 2]) + 1e-6 * Math.max(1, on);
      for (let c = 0; c < 3; c++) {
        logs[3 * o + c] /= Math.max(1e-6, known);
        directions[3 * o + c] /= long;
      }
      mask[o] = known > 1 && ahead / Math.max(1, on) > 0.15 ? 1 : 0;
    }
  return { logs, normals: directions, mask };
}

/** Gains of the picture and of its mirror image, × 3 a cell of the network: their mean. */
function gainsOfBothSides(network: LightNetwork, coarse: CoarseCells): Float32Array {
  const size = inputs * cells * cells;
  const fields = new Float32Array(2 * size);
  fillFields(coarse, fields.subarray(0, size), false);
  fillFields(coarse, fields.subarray(size), true);
  const gains = network(fields);
  const out = new Float32Array(3 * cells * cells);
  for (let i = 0; i < cells * cells; i++)
    for (let c = 0; c < 3; c++)
      out[3 * i + c] = (gains[3 * i + c] + gains[3 * (cells * cells + mirrored(i, cells)) + c]) / 2;
  return out;
}

/** The fields of one picture, channel by channel; `inputs` of training/light/synth.py has the same. */
function fillFields({ logs, normals, mask }: CoarseCells, out: Float32Array, flip: boolean): void {
  const n = cells * cells;
  const from = (i: number): number => (flip ? mirrored(i, cells) : i);
  let sum = 0;
  let count = 0;
  for (let i = 0; i < n; i++) {
    if (!mask[i]) continue;
    sum += (logs[3 * i] + logs[3 * i + 1] + logs[3 * i + 2]) / 3;
    count++;
  }
  const mean = sum / Math.max(1, count);
  const [light, red, blue] = [0, n, 2 * n];
  for (let i = 0; i < n; i++) {
    const k = from(i);
    const shown = mask[k];
    const channel = (c: number): number => clamp((logs[3 * k + c] + 1.5) * shown, -3.5, 2);
    const grey = (channel(0) + channel(1) + channel(2)) / 3;
    out[light + i] = grey - (mean + 1.5) * shown;
    out[red + i] = 2 * (channel(0) - grey);
    out[blue + i] = 2 * (channel(2) - grey);
    for (let c = 0; c < 3; c++)
      out[(6 + c) * n + i] = normals[3 * k + c] * shown * (flip && c === 0 ? -1 : 1);
    const [x, y] = [i % cells, Math.floor(i / cells)];
    out[9 * n + i] = (((x + 0.5) / cells) * 2 - 1) * mask[from(mirrored(i, cells))];
    out[10 * n + i] = (((y + 0.5) / cells) * 2 - 1) * shown;
    out[11 * n + i] = 0.7 * (mean + 1.5);
    out[12 * n + i] = shown;
  }
  for (let c = 0; c < 3; c++)
    for (let i = 0; i < n; i++) out[(3 + c) * n + i] = out[c * n + mirrored(i, cells)];
}

/** How far a colour may differ, ln, to share a gain; and how far away, cells of the network. */
const [alike, near] = [0.15, 1.2];

/** Brings gains to the finer cells that the photo shows, along the picture's edges. */
function sharpened(
  { colours }: FaceCells,
  seen: Float32Array,
  { logs, mask }: CoarseCells,
  gains: Float32Array,
): Float32Array {
  const out = new Float32Array(3 * area);
  for (let i = 0; i < area; i++) if (seen[i]) sharpenCell(i, colours, logs, mask, gains, out);
  return out;
}

const plain = new Float64Array(3);

function sharpenCell(
  cell: number,
  colours: Float32Array,
  logs: Float32Array,
  mask: Float32Array,
  gains: Float32Array,
  out: Float32Array,
): void {
  const i = 3 * cell;
  const r = Math.log(colours[i] + black);
  const g = Math.log(colours[i + 1] + black);
  const b = Math.log(colours[i + 2] + black);
  const cx = ((cell % side) - 0.5) / 2;
  const cy = (Math.floor(cell / side) - 0.5) / 2;
  let [red, green, blue, total] = [0, 0, 0, 1e-6];
  for (let dy = -2; dy <= 2; dy++)
    for (let dx = -2; dx <= 2; dx++) {
      const px = clamp(Math.round(cx) + dx, 0, cells - 1);
      const py = clamp(Math.round(cy) + dy, 0, cells - 1);
      const k = py * cells + px;
      const far = (cx - px) ** 2 + (cy - py) ** 2;
      const off = ((r - logs[3 * k]) ** 2 + (g - logs[3 * k + 1]) ** 2 + (b - logs[3 * k + 2]) ** 2) / 3;
      const w = (mask[k] + 1e-4) * Math.exp(-far / (2 * near * near) - off / (2 * alike * alike));
      red += w * gains[3 * k];
      green += w * gains[3 * k + 1];
      blue += w * gains[3 * k + 2];
      total += w;
    }
  const sure = Math.min(1, total / 0.02);
  readStack({ count: 3, width: cells, height: cells, values: gains }, cx + 0.5, cy + 0.5, plain);
  out[i] = sure * (red / total) + (1 - sure) * plain[0];
  out[i + 1] = sure * (green / total) + (1 - sure) * plain[1];
  out[i + 2] = sure * (blue / total) + (1 - sure) * plain[2];
}

/** By cell, 1 on eyes, brows, lips and nostrils. */
const featured = byCell(features, 1);

/** How much each cell tells of the skin's tone. */
const skinWeight = ({ shown, skin, facing }: FaceCells): Float32Array =>
  shown.map((known, i) =>
    onFace[i]
      ? clamp(known, 0, 1) *
        clamp((skin[i] - 0.3) / 0.4, 0, 1) *
        (1 - clamp(featured[i], 0, 1)) *
        clamp((facing[i] - 0.1) / 0.3, 0, 1)
      : 0,
  );

function weightedMean(values: Float32Array, weight: Float32Array): Vector {
  const sum: Vector = [0, 0, 0];
  let total = 1e-6;
  for (let i = 0; i < weight.length; i++) {
    total += weight[i];
    for (let c = 0; c < 3; c++) sum[c] += weight[i] * values[3 * i + c];
  }
  return [sum[0] / total, sum[1] / total, sum[2] / total];
}

/** Leads gains on to where the photo shows nothing. */
function ledOn(gains: Float32Array, seen: Float32Array): Float32Array {
  const canvas = blankCanvas(side);
  canvas.weight.set(seen);
  for (let i = 0; i < gains.length; i++) canvas.colour[i] = gains[i] * seen[(i / 3) | 0];
  fillUnknown(canvas);
  return canvas.colour;
}

/** Reads cells of `count` values at the vertices of the fine face. */
function byVertex(values: Float32Array, count: number): Float32Array {
  const { layout, count: vertices } = fineFace;
  const out = new Float32Array(count * vertices);
  const read = new Float64Array(count);
  for (let i = 0; i < vertices; i++) {
    readStack(
      { count, width: side, height: side, values },
      layout[2 * i] * side,
      layout[2 * i + 1] * side,
      read,
    );
    out.set(read, count * i);
  }
  return out;
}
