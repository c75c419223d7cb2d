import { project } from './face_fit.ts';
import { eyeRim, leftBrow, leftEye, lowerLip, rightBrow, rightEye, upperLip } from './face_topology.ts';
import { fineFace } from './fine_face.ts';
import type { FaceLandmarks } from './landmarks.ts';
import { meanFace } from './mean_face.ts';
import type { Picture } from './photo.ts';
import { clamp, vertexNormals } from './vector.ts';

/** sRGB, 0..255. */
type Colour = readonly [number, number, number];

export interface SyntheticColours {
  readonly skin: Colour;
  readonly hair: Colour;
  readonly iris: Colour;
  readonly background: Colour;
}

export const neutralColours: SyntheticColours = {
  skin: [205, 164, 142],
  hair: [74, 56, 44],
  iris: [98, 78, 56],
  background: [172, 178, 184],
};

/** Pixels a metre of the painted portrait. */
const scale = 2350;
const width = 720;
const height = 860;

/**
 * Paints a portrait of nobody: the mean face under even light with painted skin, lips, brows, eyes and hair,
 * and the landmarks that it was painted from. What the default head is made of.
 */
export function paintPortrait(
  face: Float32Array = meanFace,
  colours: SyntheticColours = neutralColours,
): { picture: Picture; landmarks: FaceLandmarks } {
  const cx = width / 2;
  const cy = height * 0.46;
  const pose = {
    x: [1, 0, 0],
    y: [0, 1, 0],
    z: [0, 0, 1],
    scale,
    tx: cx,
    ty: cy,
    yaw: 0,
    pitch: 0,
    roll: 0,
  } as const;
  const place = (x: number, y: number): [number, number] =>
    project({ ...pose, x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] }, [x, y, 0]);
  const rgb = new Float32Array(width * height * 3);
  const fill = (inside: (x: number, y: number) => number, colour: (x: number, y: number) => Colour): void => {
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const mx = (x + 0.5 - cx) / scale;
        const my = -(y + 0.5 - cy) / scale;
        const w = clamp(inside(mx, my), 0, 1);
        if (w <= 0) continue;
        const c = colour(mx, my);
        const o = 3 * (y * width + x);
        for (let k = 0; k < 3; k++) rgb[o + k] = rgb[o + k]! * (1 - w) + c[k]! * w;
      }
    }
  };
  const soft = (distance: number): number => 0.5 - distance * scale;
  fill(
    () => 1,
    (_, y) => colours.background.map((v) => v * (0.94 + 0.5 * (y + 0.15))) as unknown as Colour,
  );
  const chin = face[3 * 152 + 1]!;
  const half = face[3 * 454]!;
  // Shoulders, neck, then the head of hair behind the face.
  fill(
    (x, y) => soft(y - (chin - 0.055) + 0.35 * Math.max(0, Math.abs(x) - 0.05)),
    () => [66, 74, 84],
  );
  fill(
    (x, y) => Math.min(soft(Math.abs(x) - half * 0.74), soft(y), soft(chin - 0.07 - y)),
    (x) => colours.skin.map((v) => v * (0.78 - 2.2 * Math.abs(x))) as unknown as Colour,
  );
  fill(
    (x, y) => soft((Math.hypot(x / (half * 1.1), (y - 0.022) / 0.106) - 1) * 0.09),
    (x, y) => {
      const strand = 0.12 * Math.sin(x * 2600 + Math.sin(y * 60) * 2) + 0.1 * Math.sin(x * 910 + y * 300);
      return colours.hair.map((v) => v * (1 + strand + 1.2 * (y - 0.05))) as unknown as Colour;
    },
  );
  // The face: colour by landmark, carried over the fine mesh, shaded softly.
  const tint = new Float32Array(468 * 3);
  const put = (points: readonly number[], colour: Colour, share: number): void => {
    for (const i of points)
      for (let k = 0; k < 3; k++) tint[3 * i + k] = tint[3 * i + k]! * (1 - share) + colour[k]! * share;
  };
  put(
    Array.from({ length: 468 }, (_, i) => i),
    colours.skin,
    1,
  );
  const s = colours.skin;
  const lip: Colour = [s[0] * 0.88, s[1] * 0.66, s[2] * 0.68];
  put([50, 280, 205, 425, 101, 330, 118, 347, 36, 266], [s[0], s[1] * 0.93, s[2] * 0.92], 0.7);
  put([4, 1, 5], [s[0], s[1] * 0.95, s[2] * 0.94], 0.6);
  for (const row of [...upperLip, ...lowerLip]) put(row, lip, 1);
  put(upperLip[3]!, [s[0] * 0.55, s[1] * 0.36, s[2] * 0.36], 1);
  put([98, 97, 327, 326], [s[0] * 0.7, s[1] * 0.6, s[2] * 0.58], 0.55);
  put([...rightEye.upper[1]!, ...leftEye.upper[1]!], [s[0] * 0.86, s[1] * 0.8, s[2] * 0.8], 1);
  put([...eyeRim(rightEye), ...eyeRim(leftEye)], [s[0] * 0.4, s[1] * 0.33, s[2] * 0.31], 1);
  const fine = fineFace.refine(face, 3);
  const fineTint = fineFace.refine(tint, 3);
  const normals = vertexNormals(fine, fineFace.triangles);
  for (let t = 0; t < fineFace.triangles.length; t += 3) {
    const v = [fineFace.triangles[t]!, fineFace.triangles[t + 1]!, fineFace.triangles[t + 2]!] as const;
    const p = v.map((i) => place(fine[3 * i]!, fine[3 * i + 1]!)) as [number, number][];
    const area =
      (p[1]![0] - p[0]![0]) * (p[2]![1] - p[0]![1]) - (p[1]![1] - p[0]![1]) * (p[2]![0] - p[0]![0]);
    if (area >= 0) continue;
    const x0 = Math.floor(Math.min(p[0]![0], p[1]![0], p[2]![0]));
    const x1 = Math.ceil(Math.max(p[0]![0], p[1]![0], p[2]![0]));
    const y0 = Math.floor(Math.min(p[0]![1], p[1]![1], p[2]![1]));
    const y1 = Math.ceil(Math.max(p[0]![1], p[1]![1], p[2]![1]));
    for (let y = y0; y <= y1; y++) {
      for (let x = x0; x <= x1; x++) {
        const px = x + 0.5;
        const py = y + 0.5;
        const wb = ((px - p[0]![0]) * (p[2]![1] - p[0]![1]) - (py - p[0]![1]) * (p[2]![0] - p[0]![0])) / area;
        const wc = ((p[1]![0] - p[0]![0]) * (py - p[0]![1]) - (p[1]![1] - p[0]![1]) * (px - p[0]![0])) / area;
        const wa = 1 - wb - wc;
        if (wa < -1e-4 || wb < -1e-4 || wc < -1e-4) continue;
        const n = [0, 1, 2].map(
          (c) => wa * normals[3 * v[0] + c]! + wb * normals[3 * v[1] + c]! + wc * normals[3 * v[2] + c]!,
        );
        const light = 0.72 + 0.26 * n[2]! + 0.06 * n[1]!;
        const grain = 1 + 0.018 * (Math.sin(x * 1.9 + y * 2.7) * Math.sin(x * 0.83 - y * 1.31));
        const o = 3 * (y * width + x);
        for (let c = 0; c < 3; c++) {
          rgb[o + c] =
            (wa * fineTint[3 * v[0] + c]! + wb * fineTint[3 * v[1] + c]! + wc * fineTint[3 * v[2] + c]!) *
            light *
            grain;
        }
      }
    }
  }
  const irisRadius = 0.006;
  const eyes: { x: number; y: number }[] = [];
  for (const eye of [rightEye, leftEye]) {
    const rim = eyeRim(eye).map((i) => [face[3 * i]!, face[3 * i + 1]!] as const);
    const ex = (face[3 * eye.outer]! + face[3 * eye.inner]!) / 2;
    const ey = (face[3 * eye.outer + 1]! + face[3 * eye.inner + 1]!) / 2;
    eyes.push({ x: ex, y: ey + 0.0006 });
    fill(
      (x, y) => insidePolygon(rim, x, y) * 0.98,
      (x, y) => {
        const r = Math.hypot(x - ex, y - ey - 0.0006) / irisRadius;
        const shade = 0.72 + 0.28 * clamp((ey + 0.005 - y) / 0.006, 0, 1);
        if (r < 0.36) return [14, 12, 11];
        if (r < 1) {
          const spoke = 1 + 0.12 * Math.sin(Math.atan2(y - ey, x - ex) * 38);
          const edge = r > 0.86 ? 0.6 : 1;
          return colours.iris.map((v) => v * shade * spoke * edge) as unknown as Colour;
        }
        return [226 * shade, 218 * shade, 214 * shade];
      },
    );
  }
  for (const rows of [rightBrow, leftBrow]) {
    for (let n = 0; n < 260; n++) {
      const t = ((n * 0.618034) % 1) * 3.999;
      const k = Math.floor(t);
      const f = t - k;
      const v = ((n * 0.754877) % 1) * 0.9 + 0.05;
      const at = (row: readonly number[], c: number): number =>
        face[3 * row[k]! + c]! * (1 - f) + face[3 * row[k + 1]! + c]! * f;
      const x0 = at(rows[0]!, 0) * (1 - v) + at(rows[1]!, 0) * v;
      const y0 = at(rows[0]!, 1) * (1 - v) + at(rows[1]!, 1) * v;
      const lean = Math.sign(x0) * (0.0035 + 0.001 * t);
      const rise = 0.0026 - 0.0013 * (4 - t) * 0.6;
      for (let q = 0; q <= 14; q++) {
        const [px, py] = place(x0 + (lean * q) / 14, y0 + (rise * q) / 14);
        const o = 3 * (Math.floor(py) * width + Math.floor(px));
        for (let c = 0; c < 3; c++) rgb[o + c] = rgb[o + c]! * 0.6 + colours.hair[c]! * 0.85 * 0.4;
      }
    }
  }
  const data = Uint8Array.from(rgb, (v) => clamp(Math.round(v), 0, 255));
  const points = new Float32Array(468 * 3);
  for (let i = 0; i < 468; i++) {
    const [x, y] = place(face[3 * i]!, face[3 * i + 1]!);
    points.set([x, y, -face[3 * i + 2]! * scale], 3 * i);
  }
  const iris = eyes.map(({ x, y }) => {
    const [px, py] = place(x, y);
    return { x: px, y: py, radius: irisRadius * scale };
  });
  return {
    picture: { data, width, height },
    landmarks: {
      points,
      rightIris: iris[0]!,
      leftIris: iris[1]!,
      presence: 1,
      spread: 0,
      iod: (face[3 * 263]! - face[3 * 33]!) * scale,
      roll: 0,
    },
  };
}

function insidePolygon(polygon: readonly (readonly [number, number])[], x: number, y: number): number {
  let inside = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [xi, yi] = polygon[i]!;
    const [xj, yj] = polygon[j]!;
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
  }
  return inside ? 1 : 0;
}
