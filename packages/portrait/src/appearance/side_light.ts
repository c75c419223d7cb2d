import { median } from '../math/median.ts';
import { averageAbout } from '../math/mesh_mean.ts';
import { clamp, smoothstep } from '../math/vector.ts';
import { layout } from '../topology/face_topology.ts';
import { fineFace } from '../topology/fine_face.ts';
import { landmark } from '../topology/landmark.ts';
import { mirrorPairs } from '../topology/mirror_pairs.ts';
import { wayFromMiddle } from './edge_light.ts';

/** What a photo shows of a face's two sides, by vertex of the fine face. */
export interface SideSamples {
  /** × 3: colours of the photo with its light taken out as far as the normals tell it, sRGB 0..255. */
  readonly colours: Float32Array;
  /** 0..1: how sure a vertex shows the face, and nothing that hangs before it. */
  readonly weight: Float32Array;
}

export interface SideLight {
  /** × 3: what the colours are multiplied by. */
  readonly gains: Float32Array;
  /** 0..1: how far a vertex lies in a shadow too deep to be lifted, whose other side shows the skin. */
  readonly lost: Float32Array;
}

interface Scale {
  /** Rounds of averaging, each over some 2 mm. */
  readonly rounds: number;
  /** Differences of the sides, ln, from which on they are light's, and from which on wholly. */
  readonly alike: number;
  readonly apart: number;
}

const scales: readonly Scale[] = [
  { rounds: 10, alike: 0.06, apart: 0.25 },
  { rounds: 3, alike: 0.12, apart: 0.35 },
];
/** More that the sides may differ amid the face, ln: shade of nose and mouth tells of their shape. */
const amid = { alike: 0.24, apart: 0.42, gloss: 0.3 } as const;
/** How far, ln, a side may lie from the skin's tone before the other one is believed. */
const plausible = 0.12;
/** Most that a side is lightened or darkened, ln. */
const most = 1;
/** Lifts, ln, from which on a shadow shows more noise than skin, and from which on nothing else. */
const [deep, deepest] = [0.5, 0.9];
/** How much lighter than its tone, ln, skin is without gloss, and how much of what is above that is taken out. */
const [free, glossTaken] = [0.25, 0.8];
/** How far, ln, the colour of cheeks, jaw and temples may be from the skin's, and how much of the rest is taken out: a blue sky's. */
const [usualTint, tintTaken] = [0.05, 1];
/** Rounds over which gains are led on to where the photo shows too little. */
const ledOn = 8;

const { layout: flat } = fineFace;
/** The vertex of the fine face on the other side, by vertex. */
export const otherSide: Uint16Array = mirrorPairs(flat);
const browLine = layout[2 * landmark.leftBrowPeak + 1];

/** 1 about eyes, nose and mouth, by vertex, and 0 from there to the oval and above the brows, where hair may hang. */
export const innerFace: Float32Array = wayFromMiddle.map(
  (way, i) => smoothstep(0.8, 0.65, way) * smoothstep(browLine - 0.03, browLine, flat[2 * i + 1]),
);
/** 1 amid the face, by vertex, and 0 on cheeks, jaw and temples, which are what a turned head shows. */
export const middle: Float32Array = wayFromMiddle.map((way) => smoothstep(0.75, 0.4, way));

/**
 * Takes out the light that falls on one side of a face alone (a cast shadow, a window close by) and gloss. Skin is
 * alike on both sides, so where they differ the side that is nearer to the skin's tone is believed. Light that the
 * normals explain is gone already (`shadingOf`).
 */
export function sideLight({ colours, weight }: SideSamples): SideLight {
  const { count } = fineFace;
  const light: LightOfSides = {
    logs: [0, 1, 2].map(() => new Float32Array(count)),
    lost: new Float32Array(count),
    told: new Float32Array(count),
  };
  const shown = weight.subarray(0, count);
  for (const scale of scales) compareSides(scale, { colours, weight: shown }, light);
  const { logs, lost, told } = light;
  const gains = new Float32Array(3 * count);
  const near = averaged(told, ledOn);
  for (const [c, log] of logs.entries()) {
    const around = averaged(log, ledOn);
    for (let i = 0; i < count; i++)
      gains[3 * i + c] = Math.exp(
        clamp(log[i] + ((1 - told[i]) * around[i]) / Math.max(1e-3, near[i]), -most, most),
      );
  }
  return { gains, lost };
}

interface LightOfSides {
  /** ln of the gains, a field for each channel; and how far the photo tells them, 0..1. */
  readonly logs: readonly Float32Array[];
  readonly told: Float32Array;
  readonly lost: Float32Array;
}

/** Adds what one scale tells to what is known of the light. */
function compareSides(
  { rounds, alike, apart }: Scale,
  { colours, weight }: SideSamples,
  { logs, told, lost }: LightOfSides,
): void {
  const known = averaged(weight, rounds);
  const means = [0, 1, 2].map((c) => {
    const sum = averaged(
      weight.map((w, i) => w * (Math.log(1 + colours[3 * i + c]) + logs[c][i])),
      rounds,
    );
    return sum.map((value, i) => value / Math.max(1e-4, known[i]));
  });
  const bright = known.map((_, i) => (means[0][i] + means[1][i] + means[2][i]) / 3);
  const sure = (_: number, i: number): boolean => known[i] > 0.6;
  const count = known.filter(sure).length;
  if (count < 50) return;
  const middleOf = (values: Float32Array): number => median(values.filter(sure));
  const tone = middleOf(bright);
  const tones = means.map(middleOf);
  for (let i = 0; i < known.length; i++) {
    const tells = smoothstep(0.02, 0.25, known[i]);
    if (!tells) continue;
    told[i] = Math.max(told[i], tells);
    const m = otherSide[i];
    const both = smoothstep(0.02, 0.2, Math.min(known[i], known[m]));
    const [own, other] = [i, m].map((k) => Math.exp(-Math.abs(bright[k] - tone) / plausible));
    const off = means.map((mean) => (other / (own + other)) * (mean[m] - mean[i]));
    const lift = (off[0] + off[1] + off[2]) / 3;
    const lights = smoothstep(
      alike + amid.alike * middle[i],
      apart + amid.apart * middle[i],
      Math.abs(bright[i] - bright[m]),
    );
    const share = both * lights * Math.min(1, most / Math.abs(lift));
    lost[i] = Math.max(lost[i], both * smoothstep(deep, deepest, lift));
    const brightness = bright[i] + share * lift - tone;
    for (let c = 0; c < 3; c++) {
      const above = means[c][i] + share * off[c] - tones[c];
      const tint = above - brightness;
      const strange = Math.sign(tint) * Math.max(0, Math.abs(tint) - usualTint) * (1 - middle[i]);
      const gloss = Math.max(0, above - free - amid.gloss * middle[i]);
      logs[c][i] += tells * (share * off[c] - glossTaken * gloss - tintTaken * strange);
    }
  }
}

const averaged = (values: Float32Array, rounds: number): Float32Array =>
  averageAbout(values, fineFace.triangles, rounds);
