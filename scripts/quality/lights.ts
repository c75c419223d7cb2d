/**
 * npm run quality -- lights [--data <folder>] [--only 00,03] [--lights park,lobby] [--light 0..1] [--json <file>] [--write]
 *
 * Measures how much of a photo’s light stays in the base colour of the head’s skin. The folder (default
 * ../shared/lights, beside the project) has known heads, each photographed in even light and in others. The
 * base colour from the photo in even light, with its light kept (option `light: 1`), is the truth. The base colour
 * from every other photo is compared with it over the front of the face, after one common gain:
 *
 * - error, level, tint: mean CIE76, its lightness alone, its colour alone; slow: the error after a blur
 * - left: error / the same error with the photo’s light kept; 0: no light is left, 1: nothing was done
 * - harm: the error of the photo in even light, which needs no change
 *
 * `--light` sets the share of light to keep, instead of the default.
 */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '@likeness/geometry/median.ts';
import { gltfIo } from '@likeness/gltf/gltf_io.ts';
import type { HeadModel, Surface } from '@likeness/portrait/contract/head_model.ts';
import type { Sex } from '@likeness/portrait/contract/head_request.ts';
import { writeGlb } from '@likeness/portrait/gltf/write_glb.ts';
import { modelHead } from '@likeness/portrait/make_head.ts';
import { labOf } from '@likeness/portrait/photo/lab_colour.ts';
import { toLinear } from '@likeness/portrait/photo/linear_light.ts';
import { walkTriangles } from '@likeness/portrait/texture/texture_fill.ts';
import { landmarkCount } from '@likeness/portrait/topology/face_topology.ts';
import { mean } from '@likeness/proto/percentile.ts';
import sharp from 'sharp';
import { recordFigure } from './quality_figures.ts';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: join(import.meta.dirname, '../../../shared/lights') },
    only: { type: 'string' },
    lights: { type: 'string' },
    light: { type: 'string' },
    json: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const data = resolve(options.data);
if (!existsSync(join(data, 'lights.json'))) {
  print(`no lights.json in ${data}: nothing to measure base colours against`);
  process.exit(0);
}

/** Side of the base colour as it is compared, pixels, and radius over which its slow part is averaged. */
const size = 256;
const slowRadius = size / 16;

interface MadeSkin {
  readonly model: HeadModel;
  /** The base colour × 3, linear RGB, 0..1. */
  readonly colours: Float64Array;
}

async function makeSkin(photo: string, sex: Sex, light?: number): Promise<MadeSkin> {
  const { model } = await modelHead({
    photo: join(data, 'photos', photo),
    sex,
    anyway: true,
    ...(light === undefined ? {} : { options: { light } }),
  });
  const skin = model.rasters.find(({ name }) => name === 'Skin');
  if (!skin) throw new Error(`The head of ${photo} has no skin.`);
  const { width, height, channels } = skin;
  const pixels = await sharp(skin.data, { raw: { width, height, channels } })
    .removeAlpha()
    .resize(size, size, { kernel: 'cubic' })
    .raw()
    .toBuffer();
  return { model, colours: Float64Array.from(pixels, toLinear) };
}

/** The skin as the file has it, whose order of vertices ../shared/lights/measure.mjs reads. */
async function writtenSkin(model: HeadModel): Promise<FaceSurface> {
  const document = await (await gltfIo()).readBinary(await writeGlb(model));
  const skin = document
    .getRoot()
    .listMeshes()
    .flatMap((mesh) => mesh.listPrimitives())
    .find((primitive) => primitive.getMaterial()?.getName() === 'Skin');
  const values = (name: string): Float32Array => {
    const accessor = skin?.getAttribute(name);
    if (!accessor) throw new Error(`The skin has no ${name}.`);
    const size = accessor.getElementSize();
    const out = new Float32Array(accessor.getCount() * size);
    for (let i = 0; i < accessor.getCount(); i++) out.set(accessor.getElement(i, []), i * size);
    return out;
  };
  return {
    points: values('POSITION'),
    normals: values('NORMAL'),
    uv: values('TEXCOORD_0'),
    triangles: Uint32Array.from(skin?.getIndices()?.getArray() ?? []),
  };
}

type FaceSurface = Required<Pick<Surface, 'points' | 'normals' | 'uv' | 'triangles'>>;

/** The pixels of the face’s front, which looks ahead. */
function frontOf({ points, normals, uv, triangles }: FaceSurface): Uint8Array {
  const first = Array.from({ length: landmarkCount }, (_, i) => i);
  const heights = first.map((i) => points[3 * i + 1]!);
  const [top, bottom] = [Math.max(...heights), Math.min(...heights)];
  const wide = Math.max(...first.map((i) => Math.abs(points[3 * i]!)));
  const isFront = (i: number): boolean =>
    normals[3 * i + 2]! > 0.45 &&
    points[3 * i + 1]! < top &&
    points[3 * i + 1]! > bottom &&
    Math.abs(points[3 * i]!) < 0.88 * wide &&
    points[3 * i + 2]! > 0;
  const front: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [...triangles.subarray(t, t + 3)];
    if (corners.every(isFront)) front.push(...corners);
  }
  const mask = new Uint8Array(size * size);
  walkTriangles(size, uv, front, (i, _a, _b, _c, [wa, wb, wc]) => {
    if (wa! > 0 && wb! > 0 && wc! > 0) mask[i] = 1;
  });
  return mask;
}

interface Difference {
  readonly error: number;
  readonly level: number;
  readonly tint: number;
}

/** Mean CIE76 between two base colours within a mask, after the gain that makes their greens alike. */
function difference(a: Float64Array, b: Float64Array, mask: Uint8Array): Difference {
  const inside = [...mask.keys()].filter((i) => mask[i]);
  const gain = median(inside.map((i) => (a[3 * i + 1]! + 1e-4) / (b[3 * i + 1]! + 1e-4)));
  let [error, level, tint] = [0, 0, 0];
  for (const i of inside) {
    const p = labOf([a[3 * i]!, a[3 * i + 1]!, a[3 * i + 2]!]);
    const q = labOf([gain * b[3 * i]!, gain * b[3 * i + 1]!, gain * b[3 * i + 2]!]);
    error += Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
    level += Math.abs(p[0] - q[0]);
    tint += Math.hypot(p[1] - q[1], p[2] - q[2]);
  }
  const n = inside.length;
  return { error: error / n, level: level / n, tint: tint / n };
}

/** Means over squares within a mask; every second pixel tells enough. */
function blurred(colours: Float64Array, mask: Uint8Array): Float64Array {
  const out = new Float64Array(colours.length);
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++)
      if (mask[y * size + x]) out.set(meanAbout(colours, mask, x, y), 3 * (y * size + x));
  return out;
}

function meanAbout(colours: Float64Array, mask: Uint8Array, x: number, y: number): [number, number, number] {
  let [r, g, b, n] = [0, 0, 0, 0];
  for (let v = Math.max(0, y - slowRadius); v <= Math.min(size - 1, y + slowRadius); v += 2)
    for (let u = Math.max(0, x - slowRadius); u <= Math.min(size - 1, x + slowRadius); u += 2) {
      const i = v * size + u;
      if (!mask[i]) continue;
      n++;
      r += colours[3 * i]!;
      g += colours[3 * i + 1]!;
      b += colours[3 * i + 2]!;
    }
  return [r / Math.max(1, n), g / Math.max(1, n), b / Math.max(1, n)];
}

interface KnownHead {
  readonly name: string;
  readonly sex: Sex;
  readonly lights: readonly string[];
}

interface Row extends Difference {
  readonly head: string;
  readonly light: string;
  readonly slow: number;
  /** The error with the photo’s light kept. */
  readonly kept: number;
}

const { heads } = JSON.parse(await readFile(join(data, 'lights.json'), 'utf8')) as { heads: KnownHead[] };
const only = options.only?.split(',');
const wanted = options.lights?.split(',');
const share = options.light === undefined ? undefined : Number(options.light);
const rows: Row[] = [];
const harms: number[] = [];
for (const { name, sex, lights } of heads) {
  if (only && !only.includes(name)) continue;
  const { colours: truth, model } = await makeSkin(`${name}-even.jpg`, sex, 1);
  const mask = frontOf(await writtenSkin(model));
  const slowTruth = blurred(truth, mask);
  const even = await makeSkin(`${name}-even.jpg`, sex, share);
  const harm = difference(truth, even.colours, mask).error;
  harms.push(harm);
  print(`${name} ${'even'.padEnd(10)} harm ${harm.toFixed(2)}`);
  for (const light of lights) {
    if (light === 'even' || (wanted && !wanted.includes(light))) continue;
    const made = await makeSkin(`${name}-${light}.jpg`, sex, share);
    const untouched = await makeSkin(`${name}-${light}.jpg`, sex, 1);
    const row = {
      head: name,
      light,
      ...difference(truth, made.colours, mask),
      slow: difference(slowTruth, blurred(made.colours, mask), mask).error,
      kept: difference(truth, untouched.colours, mask).error,
    };
    rows.push(row);
    print(
      `${name} ${light.padEnd(10)} error ${row.error.toFixed(2)} (level ${row.level.toFixed(2)}, tint ${row.tint.toFixed(2)}, slow ${row.slow.toFixed(2)}); light kept ${row.kept.toFixed(2)}; left ${(row.error / row.kept).toFixed(2)}`,
    );
  }
}

type Figure = Exclude<keyof Row, 'head' | 'light'>;
const meanOf = (figure: Figure, of: readonly Row[] = rows): number => mean(of.map((row) => row[figure]));
const leftOf = (of: readonly Row[] = rows): number => meanOf('error', of) / meanOf('kept', of);
const byLight = Map.groupBy(rows, ({ light }) => light);
const harm = mean(harms);
print('\nby light:');
for (const [light, of] of byLight)
  print(
    `  ${light.padEnd(10)} error ${meanOf('error', of).toFixed(2)}, light kept ${meanOf('kept', of).toFixed(2)}, left ${leftOf(of).toFixed(2)}`,
  );
print(
  `all: error ${meanOf('error').toFixed(2)} (level ${meanOf('level').toFixed(2)}, tint ${meanOf('tint').toFixed(2)}, slow ${meanOf('slow').toFixed(2)}); light kept ${meanOf('kept').toFixed(2)}; left ${leftOf().toFixed(3)}; harm ${harm.toFixed(2)}`,
);
if (options.json) await writeFile(options.json, `${JSON.stringify({ rows, harms }, null, 1)}\n`);
if (only || wanted || share !== undefined) process.exit(0);
recordFigure({
  id: 'lights-left',
  value: [leftOf(), Math.max(...[...byLight.values()].map(leftOf)), harm],
});
