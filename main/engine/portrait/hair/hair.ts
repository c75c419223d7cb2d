import type { Sex } from '../contract/head_request.ts';
import { type FaceFit, project } from '../fit/face_fit.ts';
import { medianCircle, smoothCircle } from '../math/circular_filter.ts';
import { grain } from '../math/noise.ts';
import { at, clamp, smoothstep, type Vector } from '../math/vector.ts';
import type { Silhouette } from '../matte/silhouette.ts';
import { readGrid } from '../photo/picture_sampling.ts';
import { type Cranium, craniumColumns, craniumRows, gridNormals } from '../skull/skull.ts';
import { type Fringe, fringeHeight, fringeRows, growFringe } from './fringe.ts';
import type { HairMap } from './hair_map.ts';

/** Columns of the hair's sheet: the cranium's, cut open at the chin, so the first and the last lie on one another. */
export const hairColumns = craniumColumns + 1;

/** The hair as a sheet over the cranium, and what of it hangs over the rim of the face. */
export interface HairSheet {
  /** (rows + 1) × hairColumns × 3, face frame; where there is a fringe, fringeRows × hairColumns more of it follow. */
  readonly points: Float32Array;
  /** 0..1 a vertex: below about 0.45 the sheet dips under the skin. */
  readonly presence: Float32Array;
  readonly triangles: Uint32Array;
  /** Presence on the cranium's own grid, (rows + 1) × craniumColumns. */
  readonly craniumPresence: Float32Array;
  readonly fringe?: Fringe;
}

const bins = 240;
/** Depth at which hair beside the neck hangs, behind the jaw's corners; metres, face frame. */
const hangDepth = -0.018;

/** The head's outline in the photo, measured from the skull's middle in the picture plane. */
interface Outline {
  /** Radius of the bare skull by angle, metres. */
  readonly skull: Float32Array;
  /** Radius of the silhouette by angle, metres. */
  readonly seen: Float32Array;
  /** 0..1 by angle: how much of the outer band is hair. */
  readonly hairy: Float32Array;
}

/** Reads soft values off the crop at a photo position. */
function sampler(
  cut: Silhouette,
  values: Float32Array | Uint8Array,
  gain: number,
): (x: number, y: number) => number {
  return (x, y) => {
    const [cx, cy] = cut.toCrop(x, y);
    return gain * readGrid(values, cut.width, cut.height, cx, cy);
  };
}

/** The plane of the picture, metres about the skull's middle: u to the right, v up, the head upright in it. */
function planeOf(fit: FaceFit, centre: Vector) {
  const { pose } = fit;
  const roll = Math.atan2(pose.y[0], pose.y[1]);
  const c = Math.cos(roll);
  const s = Math.sin(roll);
  const [ox, oy] = project(pose, centre);
  const right: Vector = [
    c * pose.x[0] - s * pose.x[1],
    c * pose.y[0] - s * pose.y[1],
    c * pose.z[0] - s * pose.z[1],
  ];
  const up: Vector = [
    s * pose.x[0] + c * pose.x[1],
    s * pose.y[0] + c * pose.y[1],
    s * pose.z[0] + c * pose.z[1],
  ];
  return {
    /** Directions of u and v in the face frame. */
    right,
    up,
    of: (p: Vector): [number, number] => {
      const d: Vector = [p[0] - centre[0], p[1] - centre[1], p[2] - centre[2]];
      return [
        d[0] * right[0] + d[1] * right[1] + d[2] * right[2],
        d[0] * up[0] + d[1] * up[1] + d[2] * up[2],
      ];
    },
    toPhoto: (u: number, v: number): [number, number] => [
      ox + pose.scale * (c * u + s * v),
      oy - pose.scale * (-s * u + c * v),
    ],
  };
}

function measureOutline(fit: FaceFit, cranium: Cranium, cut: Silhouette, map: HairMap): Outline {
  const plane = planeOf(fit, cranium.centre);
  const skull = skullRadius(cranium, plane);
  const inside = sampler(cut, cut.mask, 1 / 255);
  const hair = sampler(cut, map.hair, 1);
  const seen = new Float32Array(bins);
  const hairy = new Float32Array(bins);
  for (let b = 0; b < bins; b++) {
    const angle = ((b + 0.5) / bins) * 2 * Math.PI;
    const c = Math.cos(angle);
    const s = Math.sin(angle);
    let last = skull[b] * 0.8;
    for (let r = skull[b] * 0.8, gap = 0; r < 0.26 && gap < 0.012; r += 0.001) {
      const [x, y] = plane.toPhoto(c * r, s * r);
      if (inside(x, y) > 0.5) {
        last = r;
        gap = 0;
      } else gap += 0.001;
    }
    seen[b] = last;
    let sum = 0;
    let n = 0;
    const from = Math.max(skull[b] * 0.9, last - 0.03);
    for (let r = Math.min(from, last - 0.004); r < last - 0.001; r += 0.001) {
      const [x, y] = plane.toPhoto(c * r, s * r);
      sum += hair(x, y) > 0.5 ? 1 : 0;
      n++;
    }
    hairy[b] = n ? sum / n : 0;
  }
  return { skull, seen: smoothCircle(medianCircle(seen, 3), 2), hairy: smoothCircle(hairy, 3) };
}

const readCircle = (values: Float32Array, angle: number): number => {
  const x = (((angle / (2 * Math.PI)) % 1) + 1) % 1;
  const p = x * bins - 0.5;
  const i = Math.floor(p);
  const f = p - i;
  return values[(i + bins) % bins] * (1 - f) + values[(i + 1) % bins] * f;
};

/**
 * Fits skull and hair to the silhouette. The bare skull is first brought inside the outline (or, where the
 * outline is skin, onto it): `cranium` is changed in place. Then the hair's sheet is the cranium, blown up to the
 * outline: radially above the ears, sideways below them, and backwards by as much as it is thick elsewhere.
 */
export function growHair(
  fit: FaceFit,
  cranium: Cranium,
  cut: Silhouette,
  map: HairMap,
  sex: Sex,
  crown: number,
): HairSheet {
  const plane = planeOf(fit, cranium.centre);
  const outline = measureOutline(fit, cranium, cut, map);
  /** How far the user raised the outline by angle, metres. */
  const raise = new Float32Array(bins);
  if (crown) {
    const height = fit.neutral[3 * 10 + 1] - fit.neutral[3 * 152 + 1];
    for (let b = 0; b < bins; b++) {
      const s = Math.sin(((b + 0.5) / bins) * 2 * Math.PI);
      if (s > 0) raise[b] = crown * height * s * s;
      outline.seen[b] += raise[b];
    }
  }
  fitSkull(cranium, outline, plane);
  const count = (craniumRows + 1) * craniumColumns;
  const { points } = cranium;
  const normals = gridNormals(points, craniumColumns);

  // Thickness of the hair by angle above the ears.
  const thick = new Float32Array(bins);
  const skullNow = smoothCircle(skullRadius(cranium, plane), 2);
  let volume = 0;
  let counted = 0;
  for (let b = 0; b < bins; b++) {
    const s = Math.sin(((b + 0.5) / bins) * 2 * Math.PI);
    thick[b] = outline.hairy[b] > 0.45 ? clamp(outline.seen[b] - skullNow[b], 0.0015, 0.09) : 0;
    if (s > 0.3) {
      volume += thick[b];
      counted++;
    }
  }
  const thickness = smoothCircle(thick, 4);
  const backThickness = clamp((volume / counted) * 0.9, 0.003, 0.03);

  // Half-widths below the ears, by height and side.
  const levels = 64;
  const lowest = plane.of(at(points, craniumRows * craniumColumns + 72))[1];
  const highest = 0.045;
  const level = (v: number): number =>
    clamp(((v - lowest) / (highest - lowest)) * (levels - 1), 0, levels - 1);
  const bare = [new Float32Array(levels), new Float32Array(levels)] as const;
  for (let i = 0; i < count; i++) {
    const [u, v] = plane.of(at(points, i));
    if (v > highest) continue;
    const l = Math.round(level(v));
    const side = u > 0 ? bare[0] : bare[1];
    for (const k of [l - 1, l, l + 1]) if (k >= 0 && k < levels) side[k] = Math.max(side[k], Math.abs(u));
  }
  const surely = Float32Array.from(map.hair, (value, i) => value * smoothstep(0.2, 0.5, map.strands[i]));
  const hairAt = sampler(cut, surely, 1);
  const hanging = [new Float32Array(levels), new Float32Array(levels)] as const;
  const hangs = [new Float32Array(levels), new Float32Array(levels)] as const;
  for (let l = 0; l < levels; l++) {
    const v = lowest + ((highest - lowest) * l) / (levels - 1);
    for (const [k, sign] of [
      [0, 1],
      [1, -1],
    ] as const) {
      let last = 0;
      let n = 0;
      const from = bare[k][l] * 0.92;
      for (let w = from; w < 0.17; w += 0.001) {
        const [x, y] = plane.toPhoto(sign * w, v);
        if (hairAt(x, y) > 0.5) {
          last = w;
          n++;
        }
      }
      const deep = last - from;
      // Ears, their shadow and collars reach a little beyond the bare outline too; hanging hair reaches further.
      hangs[k][l] = deep > 0.011 && n * 0.001 > 0.55 * deep ? 1 : 0;
      hanging[k][l] = hangs[k][l] ? last : bare[k][l];
    }
  }
  for (const line of [...hanging, ...hangs]) {
    for (let round = 0; round < 3; round++) {
      const copy = line.slice();
      for (let l = 0; l < levels; l++)
        line[l] = (copy[Math.max(0, l - 1)] + 2 * copy[l] + copy[Math.min(levels - 1, l + 1)]) / 4;
    }
  }
  // A man's hair that hangs on one side only is the shade there, or what stands behind him.
  if (sex === 'male') {
    for (let l = 0; l < levels; l++) {
      for (const k of [0, 1] as const) {
        const both = Math.min(hangs[0][l], hangs[1][l]);
        hanging[k][l] += (bare[k][l] - hanging[k][l]) * (hangs[k][l] - both);
        hangs[k][l] = both;
      }
    }
  }
  // How low the hair hangs: the lowest height with hair on either side.
  let hem = highest;
  for (let l = levels - 1; l >= 0; l--) {
    if (Math.max(hangs[0][l], hangs[1][l]) < 0.4) break;
    hem = lowest + ((highest - lowest) * l) / (levels - 1);
  }
  const chinLevel = plane.of(at(fit.neutral, 152))[1];
  // Lobes end about as low as the nose.
  const lobes = plane.of(at(fit.neutral, 2))[1];
  // Below the chin and before the nape, what looks like hair beside a short-haired head is a collar's shadow; below
  // the ears' lobes it is a short-haired man's beard or jaw.
  const lobeLevel = sex === 'male' ? lobes : chinLevel + 0.018;
  // Hair that reaches the chin's height goes on to the shoulders behind it more often than not.
  const longHair = hem < chinLevel + 0.003;
  if (longHair) {
    // Where it hangs on one side only, the cut lost the other one.
    for (let l = 0; l < levels; l++) {
      for (const [k, other] of [
        [0, 1],
        [1, 0],
      ] as const) {
        if (hangs[k][l] > 0.4 || hangs[other][l] < 0.6) continue;
        hangs[k][l] = hangs[other][l];
        hanging[k][l] = Math.max(hanging[k][l], bare[k][l] + 0.6 * (hanging[other][l] - bare[other][l]));
      }
    }
    // The cut ends at the shoulders; below, the sides fall as wide as they were last seen.
    const last = Math.max(0, Math.round(level(hem)));
    for (const k of [0, 1] as const) {
      const on = Math.min(levels - 1, last + 2);
      for (let l = on - 1; l >= 0; l--) {
        hangs[k][l] = Math.max(hangs[k][l], hangs[k][on]);
        if (hangs[k][on] > 0.5)
          hanging[k][l] = Math.max(hanging[k][l], hanging[k][on] * (1 - 0.004 * (on - l)));
      }
    }
    hem = lowest - 0.05;
  }

  // Where the sheet stands if all of it were hair.
  const blown = new Float32Array(count * 3);
  /** What of that the user raised, by the vertex's place in the picture plane. */
  const raised = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    const p = at(points, i);
    const [u, v] = plane.of(p);
    const r = Math.hypot(u, v);
    const angle = Math.atan2(v, u);
    const edge = readCircle(skullNow, angle);
    const radial = (readCircle(thickness, angle) * Math.min(1, r / edge)) / Math.max(1e-6, r);
    const l = level(v);
    const side = u > 0 ? 0 : 1;
    const i0 = Math.floor(l);
    const i1 = Math.min(levels - 1, i0 + 1);
    const f = l - i0;
    const w = hanging[side][i0] * (1 - f) + hanging[side][i1] * f;
    const w0 = Math.max(0.02, bare[side][i0] * (1 - f) + bare[side][i1] * f);
    const sideways = Math.max(0, w / w0 - 1);
    const upper = smoothstep(-0.03, 0.012, v);
    const du = u * (radial * upper + sideways * (1 - upper));
    const dv = v * radial * upper;
    const back = backThickness * smoothstep(0.1, 0.9, -normals[3 * i + 2]) * (v > 0 ? 1 : 1 + 0.6 * sideways);
    const row = Math.floor(i / craniumColumns);
    const way = cranium.way[i];
    const taper = row === 0 ? 0 : smoothstep(0, 0.016, way);
    raised[i] = ((taper * upper * readCircle(raise, angle)) / Math.max(1e-6, r)) * Math.min(1, r / edge);
    const lift =
      0.3 *
      backThickness *
      smoothstep(0.15, 0.6, normals[3 * i + 2]) *
      smoothstep(0.3, 0.9, normals[3 * i + 1] + normals[3 * i + 2] * 0.4);
    // Hair beside the neck hangs behind the jaw: a photo from in front says how wide it is, not how deep it lies.
    const behind =
      smoothstep(lobes, lobes - 0.02, v) *
      smoothstep(0.002, 0.014, Math.abs(du)) *
      Math.max(0, p[2] - hangDepth);
    for (let c = 0; c < 3; c++) {
      blown[3 * i + c] =
        p[c] + taper * (du * plane.right[c] + dv * plane.up[c] + (c === 2 ? lift - back - behind : 0));
    }
  }
  smoothSheet(blown, 2);

  /** Nobody's hair ends in a straight line: how much lower it does in each column, metres. */
  const locks = Float32Array.from({ length: craniumColumns }, (_, k) => {
    const angle = (2 * Math.PI * k) / craniumColumns;
    const noise = (radius: number, seed: number): number =>
      grain(64 + radius * Math.cos(angle), 64 + radius * Math.sin(angle), seed) - 0.5;
    return 0.014 * noise(7, 41) + 0.008 * noise(19, 42);
  });
  // Where hair is: by the photo in front, by the usual hairline behind.
  const presence = new Float32Array(count);
  const insideAt = sampler(cut, cut.mask, 1 / 255);
  const blownNormals = gridNormals(blown, craniumColumns);
  const earTop = fit.neutral[3 * 334 + 1] + 0.004;
  const nape = sex === 'male' ? -0.058 : -0.066;
  const seenOf = (i: number): number => {
    const facing =
      fit.pose.x[2] * blownNormals[3 * i] +
      fit.pose.y[2] * blownNormals[3 * i + 1] +
      fit.pose.z[2] * blownNormals[3 * i + 2];
    return smoothstep(0.12, 0.4, facing);
  };
  const photoOf = (i: number): number => {
    const p = at(blown, i);
    if (raised[i]) {
      // The photo shows this hair where it was before the user raised it.
      const [u, v] = plane.of(at(points, i));
      for (const c of [0, 1, 2] as const) p[c] -= raised[i] * (u * plane.right[c] + v * plane.up[c]);
    }
    const [x, y] = project(fit.pose, p);
    const over = hairAt(x, y) * (insideAt(x, y) > 0.3 ? 1 : 0);
    if (cranium.way[i] > 0.05 || points[3 * i + 1] < 0.03) return over;
    // At the hairline it is the roots that count: hair must not lean out over a high forehead.
    const [rx, ry] = project(fit.pose, at(points, i));
    return Math.min(over, hairAt(rx, ry));
  };
  // What the last that is seen of each column says of the crown behind it, evened out between neighbours.
  const lastSeen = new Float32Array(craniumColumns).fill(1);
  for (let k = 0; k < craniumColumns; k++) {
    let known = false;
    for (let row = 0; row <= craniumRows; row++) {
      const i = row * craniumColumns + k;
      if (seenOf(i) <= 0.5 || blown[3 * i + 1] <= 0.02) continue;
      lastSeen[k] = known ? lastSeen[k] * 0.75 + photoOf(i) * 0.25 : photoOf(i);
      known = true;
    }
  }
  const crownHair = smoothCircle(medianCircle(lastSeen, 7), 24).map((v) => smoothstep(0.2, 0.5, v));
  for (let k = 0; k < craniumColumns; k++) {
    for (let row = 0; row <= craniumRows; row++) {
      const i = row * craniumColumns + k;
      const p = at(blown, i);
      const seen = seenOf(i);
      const photo = photoOf(i);
      const [, v] = plane.of(at(points, i));
      const z = points[3 * i + 2];
      const yLine = points[3 * i + 1];
      // The usual hairline: over the ear, down behind it, across the nape.
      const line = z > -0.03 ? earTop : earTop + (nape - locks[k] - earTop) * smoothstep(-0.03, -0.075, z);
      // Rows are some 10 mm apart at the nape: a shorter way would show them as teeth.
      const soft = z > -0.03 ? 0.008 : 0.008 + 0.01 * smoothstep(-0.03, -0.06, z);
      let usual = smoothstep(line - soft, line + soft, yLine);
      const hung = u0(plane.of(p)) > 0 ? hangs[0] : hangs[1];
      const hangsHere = hung[Math.round(level(v))];
      if (v < highest && z < 0.02) {
        const tail = smoothstep(hem - 0.02, hem + 0.01, v + locks[k]);
        usual = Math.max(
          usual,
          Math.max(
            hangsHere,
            z < -0.03
              ? Math.max(
                  hangs[0][Math.round(level(Math.max(v, hem)))],
                  hangs[1][Math.round(level(Math.max(v, hem)))],
                )
              : 0,
          ) * tail,
        );
      }
      // A bald crown stays bald behind, with a wreath of hair below it.
      const crownShare = smoothstep(0.05, 0.075, yLine);
      usual *= 1 - crownShare * (1 - crownHair[k]);
      // The throat has collars and shadow, not hair.
      const throat =
        v < chinLevel + 0.025 && z > -0.02 && Math.abs(plane.of(p)[0]) < 0.062
          ? smoothstep(0.062, 0.072, Math.abs(plane.of(p)[0]))
          : 1;
      const collar =
        !longHair && v < lobeLevel && z > -0.04 ? smoothstep(lobeLevel - 0.012, lobeLevel, v) : 1;
      presence[i] = collar * throat * (map.any ? 1 : 0) * (seen * photo + (1 - seen) * usual);
    }
  }
  smoothGrid1(presence, 3);

  // Only hair that hangs over the ears stands before temple and cheek: shorter hair lies on the skin, or is shadow.
  const overEar = hangs.map((side) => {
    const from = Math.round(level(lobes));
    const to = Math.max(from + 1, Math.round(level(plane.of(at(fit.neutral, 168))[1])));
    return smoothstep(0.5, 0.9, side.subarray(from, to).reduce((sum, v) => sum + v, 0) / (to - from));
  });
  const rim = Float32Array.from({ length: craniumColumns }, (_, k) => {
    const [u, v] = plane.of(at(points, k));
    const side = u > 0 ? 0 : 1;
    const hung = hangs[side][Math.round(level(v))];
    return (
      overEar[side] * Math.max(v < highest ? hung : 0, smoothstep(lobeLevel + 0.01, lobeLevel + 0.025, v))
    );
  });
  const fringe = growFringe(fit, hairAt, rim);
  if (fringe) {
    // What hangs over the face hangs behind its rim too, though the photo can't look there.
    for (let k = 0; k < craniumColumns; k++) {
      let last = 0;
      for (let row = 1; row <= 14; row++) if (presence[row * craniumColumns + k] > 0.5) last = row;
      for (let row = 0; row < last; row++) {
        const i = row * craniumColumns + k;
        presence[i] = Math.max(presence[i], fringe.hangs[k]);
      }
    }
  }

  const sheet = new Float32Array(count * 3);
  for (let i = 0; i < count; i++) {
    const rises = smoothstep(0.36, 0.78, presence[i]);
    const row = Math.floor(i / craniumColumns);
    const dip = 0.0035 * (1 - smoothstep(0.28, 0.62, presence[i])) + (row === 0 ? 0.0012 : 0);
    for (let c = 0; c < 3; c++) {
      sheet[3 * i + c] =
        points[3 * i + c] +
        (blown[3 * i + c] - points[3 * i + c]) * rises +
        normals[3 * i + c] * (0.0012 * rises - dip);
    }
  }
  drawInEdge(sheet, presence);
  if (fringe) {
    for (let i = 0; i < count; i++) {
      const own = fringe.reach[i % craniumColumns];
      const lift = fringeHeight(own + cranium.way[i]) * smoothstep(0.03, 0.004, cranium.way[i]);
      if (own) for (let c = 0; c < 3; c++) sheet[3 * i + c] += normals[3 * i + c] * lift;
    }
  }
  return openSheet(sheet, presence, fringe);
}

const u0 = (p: readonly [number, number]): number => p[0];

/** How far the bare skull reaches in each direction of the picture plane, metres. */
function skullRadius(cranium: Cranium, plane: ReturnType<typeof planeOf>): Float32Array {
  const skull = new Float32Array(bins);
  for (let i = 0; i < cranium.points.length / 3; i++) {
    const [u, v] = plane.of(at(cranium.points, i));
    const bin = Math.floor(((Math.atan2(v, u) / (2 * Math.PI) + 1) % 1) * bins) % bins;
    const r = Math.hypot(u, v);
    for (const b of [bin, (bin + 1) % bins, (bin + bins - 1) % bins]) skull[b] = Math.max(skull[b], r);
  }
  // A direction in which no vertex lies takes its neighbour's.
  for (let pass = 0; pass < 2; pass++) {
    for (let b = 0; b < bins; b++) if (!skull[b]) skull[b] = skull[(b + bins - 1) % bins];
  }
  return skull;
}

/** Brings the upper skull within the outline where that is hair, onto it where it is skin. */
function fitSkull(cranium: Cranium, outline: Outline, plane: ReturnType<typeof planeOf>): void {
  const factor = new Float32Array(bins);
  for (let b = 0; b < bins; b++) {
    const wanted =
      outline.hairy[b] > 0.45 ? Math.min(outline.skull[b], outline.seen[b] - 0.003) : outline.seen[b];
    const s = Math.sin(((b + 0.5) / bins) * 2 * Math.PI);
    // Beside the ears the outline is the ears'.
    const share = smoothstep(0.25, 0.5, s);
    factor[b] = 1 + (clamp(wanted / outline.skull[b], 0.9, 1.1) - 1) * share;
  }
  const smooth = smoothCircle(factor, 8);
  for (let i = craniumColumns; i < cranium.points.length / 3; i++) {
    const p = at(cranium.points, i);
    const [u, v] = plane.of(p);
    const f = readCircle(smooth, Math.atan2(v, u)) - 1;
    const taper = smoothstep(0, 0.03, cranium.way[i]);
    for (let c = 0; c < 3; c++)
      cranium.points[3 * i + c] = p[c] + f * taper * (u * plane.right[c] + v * plane.up[c]);
  }
}

function smoothSheet(points: Float32Array, rounds: number): void {
  for (let round = 0; round < rounds; round++) {
    const copy = points.slice();
    for (let row = 1; row < craniumRows; row++) {
      for (let k = 0; k < craniumColumns; k++) {
        const i = row * craniumColumns + k;
        const l = row * craniumColumns + ((k + craniumColumns - 1) % craniumColumns);
        const r = row * craniumColumns + ((k + 1) % craniumColumns);
        for (let c = 0; c < 3; c++) {
          points[3 * i + c] =
            0.5 * copy[3 * i + c] +
            0.125 *
              (copy[3 * l + c] +
                copy[3 * r + c] +
                copy[3 * (i - craniumColumns) + c] +
                copy[3 * (i + craniumColumns) + c]);
        }
      }
    }
  }
}

function smoothGrid1(values: Float32Array, rounds: number): void {
  for (let round = 0; round < rounds; round++) {
    const copy = values.slice();
    for (let row = 0; row <= craniumRows; row++) {
      for (let k = 0; k < craniumColumns; k++) {
        const i = row * craniumColumns + k;
        const l = row * craniumColumns + ((k + craniumColumns - 1) % craniumColumns);
        const r = row * craniumColumns + ((k + 1) % craniumColumns);
        const a = row > 0 ? i - craniumColumns : i;
        const b = row < craniumRows ? i + craniumColumns : i;
        values[i] = 0.4 * copy[i] + 0.15 * (copy[l] + copy[r] + copy[a] + copy[b]);
      }
    }
  }
}

/** Presence from which on a cell is part of the sheet. */
const least = 0.3;

/** Draws the vertices just beyond the hair's edge in to where it is: the edge would be a saw of whole cells. */
function drawInEdge(sheet: Float32Array, presence: Float32Array): void {
  const full = sheet.slice();
  for (let row = 0; row <= craniumRows; row++) {
    for (let k = 0; k < craniumColumns; k++) {
      const i = row * craniumColumns + k;
      if (presence[i] >= least) continue;
      const sum: Vector = [0, 0, 0];
      let n = 0;
      for (let r = Math.max(0, row - 1); r <= Math.min(craniumRows, row + 1); r++) {
        for (const column of [k + craniumColumns - 1, k, k + 1]) {
          const j = r * craniumColumns + (column % craniumColumns);
          if (presence[j] < least) continue;
          const t = (presence[j] - least) / (presence[j] - presence[i]);
          n++;
          for (const c of [0, 1, 2] as const)
            sum[c] += full[3 * j + c] + (full[3 * i + c] - full[3 * j + c]) * t;
        }
      }
      if (n) for (const c of [0, 1, 2] as const) sheet[3 * i + c] = sum[c] / n;
    }
  }
}

/** Cuts the grid open at the chin and drops what lies well under the skin. */
export function openSheet(sheet: Float32Array, craniumPresence: Float32Array, fringe?: Fringe): HairSheet {
  const grid = (craniumRows + 1) * hairColumns;
  const count = grid + (fringe ? fringeRows * hairColumns : 0);
  const points = new Float32Array(count * 3);
  const presence = new Float32Array(count);
  for (let row = 0; row <= craniumRows; row++) {
    for (let j = 0; j < hairColumns; j++) {
      const from = row * craniumColumns + ((j + 72) % craniumColumns);
      const to = row * hairColumns + j;
      points.set(sheet.subarray(3 * from, 3 * from + 3), 3 * to);
      presence[to] = craniumPresence[from];
    }
  }
  const wide = hairColumns - 1;
  const cells = new Uint8Array(craniumRows * wide);
  for (let row = 0; row < craniumRows; row++) {
    for (let j = 0; j < wide; j++) {
      const a = row * hairColumns + j;
      const most = Math.max(
        presence[a],
        presence[a + 1],
        presence[a + hairColumns],
        presence[a + hairColumns + 1],
      );
      cells[row * wide + j] = most >= least ? 1 : 0;
    }
  }
  dropSpecks(cells, wide, 260);
  const triangles: number[] = [];
  for (let row = 0; row < craniumRows; row++) {
    for (let j = 0; j < wide; j++) {
      if (!cells[row * wide + j]) continue;
      const a = row * hairColumns + j;
      triangles.push(a, a + 1, a + hairColumns, a + 1, a + hairColumns + 1, a + hairColumns);
    }
  }
  if (fringe) {
    for (let n = 0; n < fringeRows; n++) {
      for (let j = 0; j < hairColumns; j++) {
        const from = n * craniumColumns + ((j + 72) % craniumColumns);
        const a = grid + n * hairColumns + j;
        points.set(fringe.points.subarray(3 * from, 3 * from + 3), 3 * a);
        presence[a] = 1;
        if (j === wide || (!fringe.reach[from] && !fringe.reach[(from + 1) % craniumColumns])) continue;
        const c = n + 1 < fringeRows ? a + hairColumns : j;
        triangles.push(a, a + 1, c, a + 1, c + 1, c);
      }
    }
  }
  return {
    points,
    presence,
    triangles: Uint32Array.from(triangles),
    craniumPresence,
    ...(fringe ? { fringe } : {}),
  };
}

/** Clears connected pieces of fewer than `least` cells. */
function dropSpecks(cells: Uint8Array, wide: number, least: number): void {
  const done = new Uint8Array(cells.length);
  for (let start = 0; start < cells.length; start++) {
    if (!cells[start] || done[start]) continue;
    const piece = [start];
    done[start] = 1;
    for (let n = 0; n < piece.length; n++) {
      const i = piece[n];
      const x = i % wide;
      for (const j of [x > 0 ? i - 1 : -1, x + 1 < wide ? i + 1 : -1, i - wide, i + wide]) {
        if (j >= 0 && j < cells.length && cells[j] && !done[j]) {
          done[j] = 1;
          piece.push(j);
        }
      }
    }
    if (piece.length < least) for (const i of piece) cells[i] = 0;
  }
}
