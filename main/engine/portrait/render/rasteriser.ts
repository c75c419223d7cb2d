import type { HeadModel, Raster, Surface } from '../contract/head_model.ts';

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
  /** Puts the photo's light back that the engine took out of the skin. */
  readonly photoLight?: boolean;
  /** 0..255. */
  readonly background?: readonly [number, number, number];
  /** Own camera: 2 × 4, picture x and y of a point (metres from the neck base), then its depth row (nearer is larger). */
  readonly camera?: {
    readonly x: readonly number[];
    readonly y: readonly number[];
    readonly z: readonly number[];
  };
  /** Pixel rows and columns, when not square. */
  readonly width?: number;
}

export interface Rendering {
  readonly width: number;
  readonly height: number;
  /** RGBA, alpha 0 where there is no head. */
  readonly data: Uint8Array;
}

const linear = Float32Array.from({ length: 256 }, (_, i) => {
  const x = i / 255;
  return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
});

const encodeTable = Uint8Array.from({ length: 4096 }, (_, i) => {
  const x = i / 4095;
  return Math.round(255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055));
});
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

/**
 * Draws a head in software: orthographic, depth-buffered, bilinear textures, a soft key and fill light unless
 * unlit; what blends is drawn last. For thumbnails, likeness and re-projection, where no GPU is to be had.
 */
export function renderHead(model: HeadModel, options: RenderOptions): Rendering {
  const height = options.size;
  const width = options.width ?? options.size;
  const yaw = ((options.yaw ?? 0) * Math.PI) / 180;
  const pitch = ((options.pitch ?? 0) * Math.PI) / 180;
  const scale = height / (options.height ?? 0.36);
  const middle = options.middle ?? 0.165;
  const cy = Math.cos(yaw);
  const sy = Math.sin(yaw);
  const cp = Math.cos(pitch);
  const sp = Math.sin(pitch);
  // Turns about the vertical through the middle of the head.
  const pivot = -0.0;
  const camera = options.camera ?? {
    x: [scale * cy, 0, scale * sy, width / 2 - scale * sy * pivot],
    y: [scale * -sy * sp, -scale * cp, scale * cy * sp, height / 2 + scale * cp * middle],
    z: [-sy * cp, sp, cy * cp, 0],
  };
  const depthLength = Math.hypot(camera.z[0], camera.z[1], camera.z[2]) || 1;
  const view = [camera.z[0] / depthLength, camera.z[1] / depthLength, camera.z[2] / depthLength] as const;
  const xl = Math.hypot(camera.x[0], camera.x[1], camera.x[2]);
  const yl = Math.hypot(camera.y[0], camera.y[1], camera.y[2]);
  const right = camera.x.slice(0, 3).map((v) => v / xl);
  const up = camera.y.slice(0, 3).map((v) => -v / yl);
  const toWorld = (a: number, b: number, c: number): number[] => {
    const v = [0, 1, 2].map((k) => right[k] * a + up[k] * b + view[k] * c);
    const l = Math.hypot(v[0], v[1], v[2]);
    return v.map((value) => value / l);
  };
  const key = toWorld(-0.45, 0.5, 0.75);
  const fill = toWorld(0.8, 0.1, 0.5);
  const background = options.background ?? [0, 0, 0];
  const data = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; i++) {
    data[4 * i] = background[0];
    data[4 * i + 1] = background[1];
    data[4 * i + 2] = background[2];
  }
  const depth = new Float32Array(width * height).fill(-1e9);
  const ordered = [...model.surfaces].sort(
    (a, b) =>
      Number(model.materials[a.material].alphaMode === 'BLEND') -
      Number(model.materials[b.material].alphaMode === 'BLEND'),
  );
  for (const surface of ordered) {
    const material = model.materials[surface.material];
    const raster: Raster | undefined =
      material.texture === undefined ? undefined : model.rasters[material.texture];
    const points = posedPoints(model, surface, options.morphs ?? {});
    const count = points.length / 3;
    const sx = new Float32Array(count);
    const sy2 = new Float32Array(count);
    const sz = new Float32Array(count);
    for (let i = 0; i < count; i++) {
      const x = points[3 * i];
      const y = points[3 * i + 1];
      const z = points[3 * i + 2];
      sx[i] = camera.x[0] * x + camera.x[1] * y + camera.x[2] * z + camera.x[3];
      sy2[i] = camera.y[0] * x + camera.y[1] * y + camera.y[2] * z + camera.y[3];
      sz[i] = camera.z[0] * x + camera.z[1] * y + camera.z[2] * z + camera.z[3];
    }
    const { triangles, normals, uv, colours } = surface;
    const photoLight = options.photoLight ? surface.photoLight : undefined;
    const blend = material.alphaMode === 'BLEND';
    const mask = material.alphaMode === 'MASK';
    const gloss = 1 - material.roughness;
    const diffuse = 1 - (material.metallic ?? 0);
    for (let t = 0; t < triangles.length; t += 3) {
      const a = triangles[t];
      const b = triangles[t + 1];
      const c = triangles[t + 2];
      const ax = sx[a];
      const ay = sy2[a];
      const bx = sx[b];
      const by = sy2[b];
      const gx = sx[c];
      const gy = sy2[c];
      const area = (bx - ax) * (gy - ay) - (by - ay) * (gx - ax);
      // Screen y points down: a front face turns clockwise there, its area is negative.
      if (area >= 0 && !material.doubleSided) continue;
      if (Math.abs(area) < 1e-9) continue;
      const x0 = Math.max(0, Math.ceil(Math.min(ax, bx, gx) - 0.5));
      const x1 = Math.min(width - 1, Math.floor(Math.max(ax, bx, gx) - 0.5));
      const y0 = Math.max(0, Math.ceil(Math.min(ay, by, gy) - 0.5));
      const y1 = Math.min(height - 1, Math.floor(Math.max(ay, by, gy) - 0.5));
      if (x0 > x1 || y0 > y1) continue;
      const inverse = 1 / area;
      for (let y = y0; y <= y1; y++) {
        const py = y + 0.5;
        for (let x = x0; x <= x1; x++) {
          const px = x + 0.5;
          const wb = ((px - ax) * (gy - ay) - (py - ay) * (gx - ax)) * inverse;
          const wc = ((bx - ax) * (py - ay) - (by - ay) * (px - ax)) * inverse;
          const wa = 1 - wb - wc;
          if (wa < -1e-6 || wb < -1e-6 || wc < -1e-6) continue;
          const z = wa * sz[a] + wb * sz[b] + wc * sz[c];
          const pixel = y * width + x;
          if (z <= depth[pixel]) continue;
          // What mirrors has no colour of its own, and nothing is mirrored here but the lamp.
          let r = material.colour[0] * diffuse;
          let g = material.colour[1] * diffuse;
          let bl = material.colour[2] * diffuse;
          let alpha = material.colour[3];
          if (raster && uv) {
            const u = (wa * uv[2 * a] + wb * uv[2 * b] + wc * uv[2 * c]) * raster.width - 0.5;
            const v = (wa * uv[2 * a + 1] + wb * uv[2 * b + 1] + wc * uv[2 * c + 1]) * raster.height - 0.5;
            const uu = Math.max(0, Math.min(raster.width - 1.001, u));
            const vv = Math.max(0, Math.min(raster.height - 1.001, v));
            const iu = uu | 0;
            const iv = vv | 0;
            const fu = uu - iu;
            const fv = vv - iv;
            const n = raster.channels;
            const i = (iv * raster.width + iu) * n;
            const j = i + raster.width * n;
            const w00 = (1 - fu) * (1 - fv);
            const w10 = fu * (1 - fv);
            const w01 = (1 - fu) * fv;
            const w11 = fu * fv;
            const d = raster.data;
            r *= linear[d[i]] * w00 + linear[d[i + n]] * w10 + linear[d[j]] * w01 + linear[d[j + n]] * w11;
            g *=
              linear[d[i + 1]] * w00 +
              linear[d[i + n + 1]] * w10 +
              linear[d[j + 1]] * w01 +
              linear[d[j + n + 1]] * w11;
            bl *=
              linear[d[i + 2]] * w00 +
              linear[d[i + n + 2]] * w10 +
              linear[d[j + 2]] * w01 +
              linear[d[j + n + 2]] * w11;
            if (n === 4)
              alpha *= (d[i + 3] * w00 + d[i + n + 3] * w10 + d[j + 3] * w01 + d[j + n + 3] * w11) / 255;
          }
          if (mask && alpha < 0.4) continue;
          if (colours) {
            r *= wa * colours[3 * a] + wb * colours[3 * b] + wc * colours[3 * c];
            g *= wa * colours[3 * a + 1] + wb * colours[3 * b + 1] + wc * colours[3 * c + 1];
            bl *= wa * colours[3 * a + 2] + wb * colours[3 * b + 2] + wc * colours[3 * c + 2];
          }
          if (photoLight) {
            r *= wa * photoLight[3 * a] + wb * photoLight[3 * b] + wc * photoLight[3 * c];
            g *= wa * photoLight[3 * a + 1] + wb * photoLight[3 * b + 1] + wc * photoLight[3 * c + 1];
            bl *= wa * photoLight[3 * a + 2] + wb * photoLight[3 * b + 2] + wc * photoLight[3 * c + 2];
          }
          let shine = 0;
          if (!options.unlit) {
            let nx = wa * normals[3 * a] + wb * normals[3 * b] + wc * normals[3 * c];
            let ny = wa * normals[3 * a + 1] + wb * normals[3 * b + 1] + wc * normals[3 * c + 1];
            let nz = wa * normals[3 * a + 2] + wb * normals[3 * b + 2] + wc * normals[3 * c + 2];
            const l = 1 / (Math.hypot(nx, ny, nz) || 1);
            nx *= l;
            ny *= l;
            nz *= l;
            if (area > 0) {
              nx = -nx;
              ny = -ny;
              nz = -nz;
            }
            const kd = Math.max(0, nx * key[0] + ny * key[1] + nz * key[2]);
            const fd = Math.max(0, nx * fill[0] + ny * fill[1] + nz * fill[2]);
            const light = 0.42 + 0.08 * ny + 0.58 * kd + 0.22 * fd;
            r *= light;
            g *= light;
            bl *= light;
            const hx = key[0] + view[0];
            const hy = key[1] + view[1];
            const hz = key[2] + view[2];
            const hl = 1 / Math.hypot(hx, hy, hz);
            const spec = Math.max(0, (nx * hx + ny * hy + nz * hz) * hl);
            shine = gloss * gloss * 0.7 * spec ** (4 + 700 * gloss ** 4);
            if (!blend) {
              r += shine;
              g += shine;
              bl += shine;
            }
          }
          const o = 4 * pixel;
          if (blend) {
            const keep = 1 - alpha;
            data[o] = encode(r * alpha + linear[data[o]] * keep + shine);
            data[o + 1] = encode(g * alpha + linear[data[o + 1]] * keep + shine);
            data[o + 2] = encode(bl * alpha + linear[data[o + 2]] * keep + shine);
          } else {
            depth[pixel] = z;
            data[o] = encode(r);
            data[o + 1] = encode(g);
            data[o + 2] = encode(bl);
            data[o + 3] = 255;
          }
        }
      }
    }
  }
  return { width, height, data };
}
