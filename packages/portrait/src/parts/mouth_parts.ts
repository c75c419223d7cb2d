import { clamp, smoothstep, type Vector } from '@likeness/geometry/vector.ts';
import { type Patch, type Patches, pairOfCells } from '../contract/patches.ts';
import shape from './mouth_shape.json' with { type: 'json' };

/** A coloured surface inside the mouth: linear RGB a vertex, and how far it follows the jaw (0..1). */
export interface MouthPart {
  readonly points: Float32Array;
  /** Linear RGB, × 3. */
  readonly colours: Float32Array;
  /** 0..1 a vertex. */
  readonly jaw: Float32Array;
  readonly triangles: Uint32Array;
  readonly patches: Patches;
}

class Builder {
  points: number[] = [];
  colours: number[] = [];
  jaw: number[] = [];
  patches: Patch[] = [];
  /** Beside the patches'. */
  triangles: number[] = [];

  vertex(p: Vector, colour: Vector, jaw: number): number {
    this.points.push(...p);
    this.colours.push(...colour);
    this.jaw.push(jaw);
    return this.jaw.length - 1;
  }

  /** Closes a ring by a fan; `flip` as in {@link stitch}. */
  close(ring: readonly number[], flip: boolean): void {
    for (let k = 1; k + 1 < ring.length; k++)
      this.triangles.push(...(flip ? [ring[0], ring[k], ring[k + 1]] : [ring[0], ring[k + 1], ring[k]]));
  }

  done(): MouthPart {
    return {
      points: Float32Array.from(this.points),
      colours: Float32Array.from(this.colours),
      jaw: Float32Array.from(this.jaw),
      triangles: Uint32Array.from([...this.patches.flatMap(({ triangles }) => triangles), ...this.triangles]),
      patches: { list: this.patches },
    };
  }
}

/** The mouth in the face frame: middle of the closed lips' inner edge, half the lips' width. */
export interface MouthFrame {
  readonly middle: Vector;
  readonly halfWidth: number;
  /** How far the corners lie behind the middle, metres. */
  readonly cornerDepth: number;
}

/** Half the width of typical lips, metres. */
const typicalHalfWidth = 0.0265;

/** Point of a jaw's dental arch (a half ellipse) at arc length `s` from the middle, with its direction. */
function arch(upper: boolean, mouth: MouthFrame, s: number): { x: number; z: number; turn: number } {
  const semiX = (upper ? 0.0305 : 0.0275) * clamp(mouth.halfWidth / typicalHalfWidth, 0.92, 1.08);
  const semiZ = upper ? 0.046 : 0.043;
  let t = 0;
  let travelled = 0;
  const step = 0.004;
  const goal = Math.abs(s);
  while (travelled < goal && t < 1.45) {
    travelled += Math.hypot(semiX * Math.cos(t), semiZ * Math.sin(t)) * step;
    t += step;
  }
  const sign = Math.sign(s) || 1;
  return {
    x: sign * semiX * Math.sin(t),
    z: -semiZ * (1 - Math.cos(t)),
    turn: sign * Math.atan2(semiZ * Math.sin(t), semiX * Math.cos(t)),
  };
}

/**
 * mouth_shape.json. Crowns: widths and heights from the middle backwards, mm (Wheeler's dental anatomy, rounded). Levels: a
 * crown's section from the gum to the cutting edge, as shares of height, half-width and half-depth.
 */
const { upperCrowns, lowerCrowns, crownLevels } = shape;

const gum: Vector = [0.45, 0.16, 0.15];

/** Teeth of one jaw. `edge` is the height of the incisors' edge, `front` the depth of their outer face. */
function buildTeeth(
  upper: boolean,
  edge: number,
  front: number,
  mouth: MouthFrame,
  enamel: Vector,
  out: Builder,
): void {
  const crowns = upper ? upperCrowns : lowerCrowns;
  const size = 0.001 * clamp(mouth.halfWidth / typicalHalfWidth, 0.9, 1.1);
  for (const side of [1, -1]) {
    let s = 0;
    for (let n = 0; n < crowns.length; n++) {
      const [w, h] = crowns[n];
      const half = (w / 2) * size;
      const { x, z, turn } = arch(upper, mouth, side * (s + half));
      s += 2 * half * 0.985;
      const height = h * size;
      // No row of teeth is even: small turns and steps, the same for everyone.
      const uneven = Math.sin(n * 12.9898 + (side > 0 ? 1 : 2) * 78.233 + (upper ? 0 : 31)) * 0.5;
      const facing = turn + uneven * 0.06;
      const depth = (n < 3 ? 3.2 : n < 5 ? 4.2 : 5) * size;
      const lift = (n === 1 ? 0.6 : n > 2 ? 0.9 : 0) * size + uneven * 0.25 * size;
      const along = s - half;
      // Behind the canines little more than a crown's outline is visible.
      const around = n > 2 ? 8 : 10;
      const ids: number[][] = [];
      for (const [level, [t, wide, deep]] of crownLevels.entries()) {
        if (n > 2 && (level === 1 || level === 5)) continue;
        const ring: number[] = [];
        for (let k = 0; k < around; k++) {
          const angle = (2 * Math.PI * (k + 0.5)) / around;
          const c = Math.cos(angle);
          const d = Math.sin(angle);
          // A superellipse, between a round and a square one.
          // A canine ends in a point, an incisor in rounded corners, a molar broad.
          const taper =
            n === 2
              ? 1 - 0.42 * smoothstep(0.62, 1, t)
              : n > 3
                ? 1
                : 1 - (n === 1 ? 0.16 : 0.07) * smoothstep(0.75, 1, t);
          const px = Math.sign(c) * Math.abs(c) ** 0.6 * half * wide * taper;
          const molar = n > 3 ? Math.max(deep, 0.75) : deep;
          const pz =
            Math.sign(d) * Math.abs(d) ** 0.6 * (depth / 2) * molar - depth / 2 + (1 - deep) * depth * 0.12;
          const py = (upper ? -1 : 1) * (t * height) + (upper ? height : -height) + (upper ? lift : -lift);
          // No light falls between two teeth.
          const between = 1 - 0.4 * smoothstep(0.75, 0.98, Math.abs(c)) * smoothstep(1.02, 0.8, t);
          // Lips and cheeks keep the light from the teeth, the more the further back they stand.
          const inside = 1 - 0.72 * smoothstep(0.007, 0.042, along + Math.sign(turn) * px);
          const shade = inside * between * (0.5 + 0.46 * smoothstep(-0.1, 0.6, t)) * (d < -0.3 ? 0.5 : 1);
          // Canines are yellower; the cutting edge lets the dark of the mouth through.
          const yellow = (n === 2 ? 0.93 : n > 2 ? 0.95 : 1) * (0.86 + 0.14 * t);
          const edgeShade = n < 3 ? 1 - 0.12 * smoothstep(0.8, 1, t) : 1;
          // What light is left among flesh is red: without its tint enamel in the shade looks olive.
          const [green, blue] = [0.62 + 0.38 * shade, 0.6 + 0.4 * shade];
          ring.push(
            out.vertex(
              [
                mouth.middle[0] + x + px * Math.cos(facing) + pz * Math.sin(facing),
                edge + py,
                front + z - px * Math.sin(facing) + pz * Math.cos(facing),
              ],
              [
                enamel[0] * shade * edgeShade,
                enamel[1] * shade * edgeShade * (n === 2 ? 0.97 : 1) * (0.92 + 0.08 * t) * green,
                enamel[2] * shade * (edgeShade * 0.5 + 0.5) * yellow * blue,
              ],
              upper ? 0 : 1,
            ),
          );
        }
        ids.push(ring);
      }
      stitch(out, ids, upper);
      out.close(ids[ids.length - 1], upper);
    }
  }
}

/** Quads between rings with an even number of steps; `flip` when the rings run downwards. */
function stitch(out: Builder, rings: number[][], flip: boolean, closed = true): void {
  for (let r = 0; r + 1 < rings.length; r++) {
    const a = rings[r];
    const b = rings[r + 1];
    for (let k = 0; k < a.length - (closed ? 0 : 1); k += 2) {
      const [upper, lower] = [a, b].map((ring) => [0, 1, 2].map((n) => ring[(k + n) % ring.length]));
      out.patches.push(flip ? pairOfCells(upper.reverse(), lower.reverse()) : pairOfCells(upper, lower));
    }
  }
}

/** The ridge of gum that a jaw's teeth stand in, scalloped between them. */
function buildGum(upper: boolean, edge: number, front: number, mouth: MouthFrame, out: Builder): void {
  const neck = edge + (upper ? 1 : -1) * 0.0087;
  const rings: number[][] = [];
  const steps = 28;
  const sections = 8;
  for (let i = 0; i <= steps; i++) {
    const s = ((i / steps) * 2 - 1) * 0.056;
    const { x, z, turn } = arch(upper, mouth, s);
    const ring: number[] = [];
    for (let k = 0; k <= sections; k++) {
      // From the outer fold over the ridge to the palate side.
      const angle = -0.5 + (k / sections) * (Math.PI + 1);
      const across = Math.cos(angle) * 0.0042 - 0.0022;
      const rise = (upper ? -1 : 1) * Math.sin(angle) * 0.0055 + (upper ? 1 : -1) * 0.0042;
      const scallop = k > 1 && k < 5 ? Math.cos((s / 0.0076) * 2 * Math.PI) * 0.0006 : 0;
      const shade =
        (0.62 + 0.38 * Math.sin(Math.max(0, angle))) *
        (1 - 0.6 * smoothstep(0.01, 0.042, Math.abs(s))) *
        // The side that faces the tongue lies in the shade of the teeth.
        (1 - 0.75 * smoothstep(0.5, 0.75, k / sections));
      ring.push(
        out.vertex(
          [
            mouth.middle[0] + x + across * Math.sin(turn),
            neck + rise + scallop,
            front + z + across * Math.cos(turn),
          ],
          [gum[0] * shade, gum[1] * shade, gum[2] * shade],
          upper ? 0 : 1,
        ),
      );
    }
    rings.push(ring);
  }
  stitch(out, rings, upper, false);
}

/**
 * The tongue: a tapering body with a groove along the middle, its root low in the throat. It lies lower than the
 * lower teeth, so that the gap between the teeth is dark while the mouth opens little.
 */
function buildTongue(edge: number, front: number, mouth: MouthFrame, out: Builder): void {
  const stations = 16;
  const around = 14;
  const rings: number[][] = [];
  for (let i = 0; i <= stations; i++) {
    const t = i / stations; // 0 root, 1 tip
    const z = front - 0.058 + 0.051 * t;
    const half = 0.0215 * Math.sqrt(Math.max(0, 1 - Math.max(0, (t - 0.3) / 0.705) ** 3)) + 0.0003;
    const thick = 0.0075 * Math.sqrt(Math.max(0, 1 - Math.max(0, (t - 0.25) / 0.755) ** 2.2)) + 0.0004;
    const y = edge - 0.0024 - thick - 0.0028 * smoothstep(1, 0.6, t) - 0.006 * smoothstep(0.2, 0, t);
    const ring: number[] = [];
    for (let k = 0; k < around; k++) {
      const angle = (2 * Math.PI * k) / around;
      const x = Math.cos(angle) * half;
      const top = Math.sin(angle) > 0;
      const groove = top ? -0.0022 * Math.exp(-((x / 0.004) ** 2)) * smoothstep(1, 0.75, t) : 0;
      // Papillae: small bumps, paler than the flesh between them; the edges are redder.
      const grain = Math.sin(i * 12.9898 + k * 78.233) * 43758.5453;
      const bump = top && i > 2 && i < stations - 1 ? grain - Math.floor(grain) - 0.5 : 0;
      const shade =
        (0.14 + 0.52 * smoothstep(0.3, 1, t)) * (top ? 1 : 0.8) * (1 - 0.2 * Math.exp(-((x / 0.0025) ** 2))) +
        0.07 * bump;
      const coat = top ? 0.045 * Math.sin(angle) * smoothstep(0.95, 0.6, t) : 0;
      ring.push(
        out.vertex(
          [mouth.middle[0] + x, y + Math.sin(angle) * thick * (top ? 1 : 1.3) + groove + 0.00035 * bump, z],
          [0.48 * shade, (0.15 + coat) * shade, (0.13 + coat) * shade],
          // The tip stays behind the lower teeth.
          0.85 + 0.15 * smoothstep(0.3, 0.9, t),
        ),
      );
    }
    rings.push(ring);
  }
  stitch(out, rings, true);
  out.close(rings[0], false);
  out.close(rings[stations], true);
}

/**
 * Teeth, gums and tongue behind the closed lips; `enamel` is linear RGB. The upper incisors' edge lies 1.8 mm
 * below the line of the lips and overlaps the lower ones by 1.4 mm, as at rest in most people.
 */
export function buildMouthInside(
  mouth: MouthFrame,
  enamel: Vector,
): Record<'teeth' | 'gums' | 'tongue', MouthPart> {
  const front = mouth.middle[2] - 0.0052;
  const upperEdge = mouth.middle[1] - 0.0018;
  const lowerEdge = mouth.middle[1] - 0.0004;
  const teeth = new Builder();
  buildTeeth(true, upperEdge, front, mouth, enamel, teeth);
  buildTeeth(false, lowerEdge, front - 0.0034, mouth, enamel, teeth);
  const gums = new Builder();
  buildGum(true, upperEdge, front, mouth, gums);
  buildGum(false, lowerEdge, front - 0.0034, mouth, gums);
  const tongue = new Builder();
  buildTongue(lowerEdge, front - 0.004, mouth, tongue);
  return { teeth: teeth.done(), gums: gums.done(), tongue: tongue.done() };
}
