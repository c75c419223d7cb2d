import { clamp } from '@likeness/geometry/vector.ts';
import type { HeadModel, Material, Raster, Surface } from '@likeness/portrait/contract/head_model.ts';
import { linearBytes, toSrgb } from '@likeness/portrait/photo/linear_light.ts';

/** Rows of four: picture x and y of a point (metres from the neck base), and its depth; nearer is larger. */
export interface Camera {
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly z: readonly number[];
}

export interface RenderOptions {
  /** Degrees; positive yaw turns the head to its left (its left cheek goes out of view). */
  readonly yaw?: number;
  readonly pitch?: number;
  /** Pixels a side. */
  readonly size: number;
  readonly morphs?: Readonly<Record<string, number>>;
  /** Metres that the picture is high. */
  readonly height?: number;
  /** Height of the picture's middle above the neck base, metres. */
  readonly middle?: number;
  /** Base colour only, as a likeness is measured. */
  readonly unlit?: boolean;
  /** 0..255; without it the picture is transparent where there is no head, and strands before nothing are in part. */
  readonly background?: readonly [number, number, number];
  readonly camera?: Camera;
  /** Pixel rows and columns, when not square. */
  readonly width?: number;
}

export interface Rendering {
  readonly width: number;
  readonly height: number;
  /** RGBA, alpha 0 where there is no head; what blends into a background that is given leaves its alpha at 0. */
  readonly data: Uint8Array;
}

const encodeTable = Uint8Array.from({ length: 4096 }, (_, i) => Math.round(toSrgb(i / 4095)));
const encode = (x: number): number => encodeTable[x <= 0 ? 0 : x >= 1 ? 4095 : (x * 4095) | 0];

/** The surface's points with morphs applied, about the neck base. */
export function posedPoints(
  model: HeadModel,
  surface: Surface,
  morphs: Readonly<Record<string, number>>,
): Float32Array {
  const points = surface.points.slice();
  if (surface.morphs) {
    for (const [name, weight] of Object.entries(morphs)) {
      const delta = surface.morphs[model.targetNames.indexOf(name)];
      if (!delta || !weight) continue;
      for (let i = 0; i < points.length; i++) points[i] += weight * delta[i];
    }
  }
  const o =
    surface.node === 'LeftEye' ? model.leftEye : surface.node === 'RightEye' ? model.rightEye : undefined;
  if (o) for (let i = 0; i < points.length; i++) points[i] += o[i % 3];
  return points;
}

/** Directions in the head's frame, unit length, and how the head is seen. */
interface View {
  readonly camera: Camera;
  readonly key: readonly number[];
  readonly fill: readonly number[];
  /** Between the key light and the eye, where a mirror shines; Blinn's half vector. */
  readonly halfway: readonly number[];
}

interface Frame extends Rendering {
  readonly depth: Float32Array;
  /** Nothing lies behind the head. */
  readonly transparent: boolean;
}

/** Material inputs of a surface's pixels. */
interface Paint {
  readonly surface: Surface;
  readonly material: Material;
  readonly raster: Raster | undefined;
  readonly roughness: Raster | undefined;
  readonly unlit: boolean;
}

/** A place in a triangle: its corners, and how much of each is in it. The same object for every pixel. */
interface Barycentric {
  a: number;
  b: number;
  c: number;
  wa: number;
  wb: number;
  wc: number;
}

/** Below this alpha a masked surface has a hole. */
const maskThreshold = 0.4;

/**
 * Draws a head in software: orthographic, depth-buffered, bilinear textures, a soft key and fill light unless
 * unlit; what blends is drawn last. For thumbnails, likeness and re-projection, where no GPU is to be had.
 */
export function renderHead(model: HeadModel, options: RenderOptions): Rendering {
  const height = options.size;
  const width = options.width ?? options.size;
  const view = viewOf(options.camera ?? orthographicCamera(options, width, height));
  const frame: Frame = {
    width,
    height,
    data: new Uint8Array(4 * width * height),
    depth: new Float32Array(width * height).fill(-1e9),
    transparent: options.background === undefined,
  };
  if (options.background)
    for (let i = 0; i < frame.data.length; i += 4) frame.data.set(options.background, i);
  const materialOf = (surface: Surface): Material => model.materials[surface.material];
  const blends = (surface: Surface): number => Number(materialOf(surface).alphaMode === 'BLEND');
  for (const surface of [...model.surfaces].sort((a, b) => blends(a) - blends(b))) {
    const material = materialOf(surface);
    const points = posedPoints(model, surface, options.morphs ?? {});
    drawSurface(frame, view, points, {
      surface,
      material,
      raster: material.texture === undefined ? undefined : model.rasters[material.texture],
      roughness:
        material.roughnessTexture === undefined ? undefined : model.rasters[material.roughnessTexture],
      unlit: options.unlit ?? false,
    });
  }
  return { width, height, data: frame.data };
}

/** A camera turned about the vertical through the middle of the head. */
function orthographicCamera(options: RenderOptions, width: number, height: number): Camera {
  const yaw = ((options.yaw ?? 0) * Math.PI) / 180;
  const pitch = ((options.pitch ?? 0) * Math.PI) / 180;
  const scale = height / (options.height ?? 0.36);
  const middle = options.middle ?? 0.165;
  const cy = Math.cos(yaw);
  const sy = Math.sin(yaw);
  const cp = Math.cos(pitch);
  const sp = Math.sin(pitch);
  return {
    x: [scale * cy, 0, scale * sy, width / 2],
    y: [scale * -sy * sp, -scale * cp, scale * cy * sp, height / 2 + scale * cp * middle],
    z: [-sy * cp, sp, cy * cp, 0],
  };
}

function viewOf(camera: Camera): View {
  const lengthOf = ([x, y, z]: readonly number[]): number => Math.hypot(x, y, z);
  const unit = (v: readonly number[]): number[] => v.slice(0, 3).map((value) => value / (lengthOf(v) || 1));
  const [right, down, towards] = [camera.x, camera.y, camera.z].map(unit);
  const toWorld = (a: number, b: number, c: number): number[] =>
    unit([0, 1, 2].map((k) => right[k] * a - down[k] * b + towards[k] * c));
  const key = toWorld(-0.45, 0.5, 0.75);
  const fill = toWorld(0.8, 0.1, 0.5);
  return { camera, key, fill, halfway: unit(key.map((value, k) => value + towards[k])) };
}

/** A row of the camera's matrix on every point. */
function projectAll(points: Float32Array, row: readonly number[]): Float32Array {
  const out = new Float32Array(points.length / 3);
  for (let i = 0; i < out.length; i++)
    out[i] = row[0] * points[3 * i] + row[1] * points[3 * i + 1] + row[2] * points[3 * i + 2] + row[3];
  return out;
}

function drawSurface(frame: Frame, view: View, points: Float32Array, paint: Paint): void {
  const { width, height, depth } = frame;
  const { triangles } = paint.surface;
  const { doubleSided, alphaMode } = paint.material;
  const xs = projectAll(points, view.camera.x);
  const ys = projectAll(points, view.camera.y);
  const zs = projectAll(points, view.camera.z);
  const pixel = new Float64Array(5);
  const barycentric: Barycentric = { a: 0, b: 0, c: 0, wa: 0, wb: 0, wc: 0 };
  for (let t = 0; t < triangles.length; t += 3) {
    const a = triangles[t];
    const b = triangles[t + 1];
    const c = triangles[t + 2];
    const ax = xs[a];
    const ay = ys[a];
    const bx = xs[b];
    const by = ys[b];
    const cx = xs[c];
    const cy = ys[c];
    const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    // Screen y points down: a front face turns clockwise there, its area is negative.
    if (area >= 0 && !doubleSided) continue;
    if (Math.abs(area) < 1e-9) continue;
    const x0 = Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.5));
    const x1 = Math.min(width - 1, Math.floor(Math.max(ax, bx, cx) - 0.5));
    const y0 = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5));
    const y1 = Math.min(height - 1, Math.floor(Math.max(ay, by, cy) - 0.5));
    if (x0 > x1 || y0 > y1) continue;
    const inverse = 1 / area;
    barycentric.a = a;
    barycentric.b = b;
    barycentric.c = c;
    for (let y = y0; y <= y1; y++) {
      const py = y + 0.5;
      for (let x = x0; x <= x1; x++) {
        const px = x + 0.5;
        const wb = ((px - ax) * (cy - ay) - (py - ay) * (cx - ax)) * inverse;
        const wc = ((bx - ax) * (py - ay) - (by - ay) * (px - ax)) * inverse;
        const wa = 1 - wb - wc;
        if (wa < -1e-6 || wb < -1e-6 || wc < -1e-6) continue;
        const z = wa * zs[a] + wb * zs[b] + wc * zs[c];
        const at = y * width + x;
        if (z <= depth[at]) continue;
        barycentric.wa = wa;
        barycentric.wb = wb;
        barycentric.wc = wc;
        colourPixel(pixel, paint, barycentric);
        if (alphaMode === 'MASK' && pixel[alpha] < maskThreshold) continue;
        if (!paint.unlit) lightPixel(pixel, paint, view, barycentric, area > 0);
        if (alphaMode === 'BLEND') blendPixel(frame, 4 * at, pixel);
        else {
          depth[at] = z;
          for (let k = 0; k < 3; k++) frame.data[4 * at + k] = encode(pixel[k] + pixel[shine]);
          frame.data[4 * at + 3] = 255;
        }
      }
    }
  }
}

/** Places in a pixel while it is worked out, after its linear red, green and blue. */
const alpha = 3;
const shine = 4;

/** Interpolates a value between the corners: the `k`th of `count` values a vertex. */
const interpolate = (
  values: Float32Array,
  count: number,
  k: number,
  { a, b, c, wa, wb, wc }: Barycentric,
): number => wa * values[count * a + k] + wb * values[count * b + k] + wc * values[count * c + k];

function colourPixel(
  pixel: Float64Array,
  { surface, material, raster }: Paint,
  barycentric: Barycentric,
): void {
  const { uv, colours } = surface;
  // A mirror has no colour of its own, and only the lamp is reflected here.
  const diffuse = 1 - (material.metallic ?? 0);
  for (let k = 0; k < 3; k++) pixel[k] = material.colour[k] * diffuse;
  pixel[alpha] = material.colour[3];
  pixel[shine] = 0;
  if (raster && uv) {
    multiplyByTexture(pixel, raster, interpolate(uv, 2, 0, barycentric), interpolate(uv, 2, 1, barycentric));
  }
  if (colours) for (let k = 0; k < 3; k++) pixel[k] *= interpolate(colours, 3, k, barycentric);
}

function multiplyByTexture(pixel: Float64Array, raster: Raster, u: number, v: number): void {
  const x = clamp(u * raster.width - 0.5, 0, raster.width - 1.001);
  const y = clamp(v * raster.height - 0.5, 0, raster.height - 1.001);
  const ix = x | 0;
  const iy = y | 0;
  const fx = x - ix;
  const fy = y - iy;
  const n = raster.channels;
  const i = (iy * raster.width + ix) * n;
  const j = i + raster.width * n;
  const w00 = (1 - fx) * (1 - fy);
  const w10 = fx * (1 - fy);
  const w01 = (1 - fx) * fy;
  const w11 = fx * fy;
  const d = raster.data;
  for (let k = 0; k < 3; k++)
    pixel[k] *=
      linearBytes[d[i + k]] * w00 +
      linearBytes[d[i + n + k]] * w10 +
      linearBytes[d[j + k]] * w01 +
      linearBytes[d[j + n + k]] * w11;
  if (n === 4)
    pixel[alpha] *= (d[i + 3] * w00 + d[i + n + 3] * w10 + d[j + 3] * w01 + d[j + n + 3] * w11) / 255;
}

/** The nearest pixel's green, 0..1. */
function greenAt({ data, width, height, channels }: Raster, u: number, v: number): number {
  const x = clamp(Math.floor(u * width), 0, width - 1);
  const y = clamp(Math.floor(v * height), 0, height - 1);
  return data[channels * (y * width + x) + 1] / 255;
}

/** Lights a pixel by key and fill light, and adds Blinn and Phong's highlight. */
function lightPixel(
  pixel: Float64Array,
  { surface: { normals, uv }, material, roughness }: Paint,
  { key, fill, halfway }: View,
  barycentric: Barycentric,
  isBackFace: boolean,
): void {
  let nx = interpolate(normals, 3, 0, barycentric);
  let ny = interpolate(normals, 3, 1, barycentric);
  let nz = interpolate(normals, 3, 2, barycentric);
  const l = (isBackFace ? -1 : 1) / (Math.hypot(nx, ny, nz) || 1);
  nx *= l;
  ny *= l;
  nz *= l;
  const fromKey = Math.max(0, nx * key[0] + ny * key[1] + nz * key[2]);
  const fromFill = Math.max(0, nx * fill[0] + ny * fill[1] + nz * fill[2]);
  const light = 0.42 + 0.08 * ny + 0.58 * fromKey + 0.22 * fromFill;
  for (let k = 0; k < 3; k++) pixel[k] *= light;
  const rough =
    roughness && uv
      ? greenAt(roughness, interpolate(uv, 2, 0, barycentric), interpolate(uv, 2, 1, barycentric))
      : 1;
  const gloss = 1 - material.roughness * rough;
  const towards = nx * halfway[0] + ny * halfway[1] + nz * halfway[2];
  pixel[shine] = gloss * gloss * 0.7 * Math.max(0, towards) ** (4 + 700 * gloss ** 4);
}

/** Lays a pixel over what is drawn; its alpha, which isn't multiplied in, grows where nothing is behind. */
function blendPixel({ data, transparent }: Frame, o: number, pixel: Float64Array): void {
  const before = transparent ? data[o + 3] / 255 : 1;
  const whole = pixel[alpha] + before * (1 - pixel[alpha]);
  if (whole === 0) return;
  const share = pixel[alpha] / whole;
  for (let k = 0; k < 3; k++)
    data[o + k] = encode(pixel[k] * share + linearBytes[data[o + k]] * (1 - share) + pixel[shine]);
  if (transparent) data[o + 3] = Math.round(255 * whole);
}
