import type { FaceFit } from '../fit/face_fit.ts';
import { median } from '../math/median.ts';
import { averageAbout } from '../math/mesh_mean.ts';
import { smoothstep } from '../math/vector.ts';
import type { Picture } from '../photo/photo.ts';
import { readPixel } from '../texture/skin_texture.ts';
import { landmarkCount, lowerLip, upperLip } from '../topology/face_topology.ts';
import { fineFace } from '../topology/fine_face.ts';
import type { AssembledSkin } from './appearance.ts';

/** How far in on a lip a vertex lies, by vertex of the fine face: 0 beyond its outer edge, 1 at the inner one. */
const depth: Float32Array = (() => {
  const coarse = new Float32Array(landmarkCount);
  for (const lip of [upperLip, lowerLip])
    for (const [row, places] of lip.entries()) for (const i of places) coarse[i] = (row + 1) / 4;
  return fineFace.refine(coarse, 1);
})();

/** Where a lip shows its own colour: neither skin about it nor what a badly placed inner edge lets in. */
const amidLip = depth.map((value) => smoothstep(0.22, 0.35, value) * smoothstep(0.8, 0.6, value));
/** From where on the inside of an open mouth may show on a lip. */
const outermost = 0.4;
/** Rounds of averaging over some 1 mm each on lips: a lip's colour from beside and across it. */
const rounds = 8;
/** How faint the red of teeth is against the lip's: from which share on, and surely. */
const [lessRed, hardlyRed] = [0.6, 0.35];
/** How bright, against the lip, the dark between lips is: from which share on, and surely. */
const [dark, black] = [0.55, 0.35];
/** The same of a mouth's inside, which no closed mouth shows. */
const [hollow, hollowest] = [0.4, 0.25];
/** How far the lips stood apart in the photo, metres, from which on the inside of a mouth shows, and surely. */
const [parted, open] = [0.0006, 0.002];

/** Pairs of vertices that an edge of the lips' mesh joins. */
const edges: readonly (readonly [number, number])[] = (() => {
  const found: [number, number][] = [];
  const { triangles } = fineFace;
  for (let t = 0; t < triangles.length; t += 3)
    for (let n = 0; n < 3; n++) {
      const [a, b] = [triangles[t + n], triangles[t + ((n + 1) % 3)]];
      if (depth[a] > outermost && depth[b] > outermost) found.push([a, b]);
    }
  return found;
})();

/**
 * Takes the trust from what a photo of an open mouth shows of teeth, and of the dark between and beside them, where a lip's
 * inner edge was found a little too far in: on a mouth that is closed it would lie as flecks on the lips. What is
 * like it further out and does not hang together with the mouth's inside is gloss, and stays.
 */
export function doubtMouthInside(
  { trust, photo }: Pick<AssembledSkin, 'trust' | 'photo'>,
  { closing }: Pick<FaceFit, 'closing'>,
  picture: Picture,
): void {
  const apart = smoothstep(parted, open, lipsApart(closing));
  if (!apart) return;
  const inside = insideOfMouth(photo, picture);
  for (let i = 0; i < fineFace.count; i++) trust[i] *= 1 - apart * inside[i];
}

/** How far closing the mouth moved the lips towards each other at most, metres. */
const lipsApart = (closing: Float32Array): number =>
  Math.max(...upperLip[3].map((upper, k) => closing[3 * lowerLip[3][k] + 1] - closing[3 * upper + 1]));

/** How far a vertex of the lips shows the inside of the mouth, 0..1. */
function insideOfMouth(photo: Float32Array, picture: Picture): Float32Array {
  const { light, red } = againstLip(photo, picture);
  const teeth = red.map((share, i) => (depth[i] > outermost ? smoothstep(lessRed, hardlyRed, share) : 0));
  const gap = light.map((share, i) => (depth[i] > outermost ? smoothstep(dark, black, share) : 0));
  const reached = connected(teeth.map((tooth, i) => Math.max(tooth, gap[i])));
  // The line where lips meet is in the shade, and stays: it is what is seen of a closed mouth.
  const hole = light.map((share) => smoothstep(hollow, hollowest, share));
  return widened(reached.map((share, i) => Math.min(share, Math.max(teeth[i], hole[i]))));
}

/** How bright and how red the photo is on the lips against their own colour about there, by vertex; 1 where it is alike. */
function againstLip(photo: Float32Array, picture: Picture): { light: Float32Array; red: Float32Array } {
  const light = new Float32Array(fineFace.count);
  const red = new Float32Array(fineFace.count);
  const pixel = new Float32Array(3);
  for (let i = 0; i < fineFace.count; i++) {
    if (depth[i] === 0) continue;
    readPixel(picture, photo[2 * i], photo[2 * i + 1], pixel);
    light[i] = Math.log(1 + pixel[0] + pixel[1] + pixel[2]);
    red[i] = Math.log((1 + pixel[0]) / (1 + pixel[1]));
  }
  const usual = median(red.filter((_, i) => amidLip[i] > 0.5));
  const sure = amidLip.map((share, i) => share * smoothstep(hardlyRed, lessRed, red[i] / usual));
  const sum = (values: Float32Array): Float32Array =>
    averageAbout(
      values.map((value, i) => value * sure[i]),
      fineFace.triangles,
      rounds,
    );
  const known = averageAbout(sure, fineFace.triangles, rounds);
  const [lipLight, lipRed] = [sum(light), sum(red)];
  const told = (i: number): boolean => known[i] > 1e-4 && lipRed[i] > 0;
  return {
    light: light.map((value, i) => (told(i) ? Math.exp(value - lipLight[i] / known[i]) : 1)),
    red: red.map((value, i) => (told(i) ? (value * known[i]) / lipRed[i] : 1)),
  };
}

/** What of it hangs together with the lips' inner edge. */
function connected(strange: Float32Array): Float32Array {
  const reached = new Float32Array(fineFace.count);
  for (const i of fineFace.mouthRim) reached[i] = strange[i];
  for (let changed = true; changed; ) {
    changed = false;
    for (const [a, b] of edges) {
      const [toA, toB] = [Math.min(reached[b], strange[a]), Math.min(reached[a], strange[b])];
      if (toA <= reached[a] && toB <= reached[b]) continue;
      reached[a] = Math.max(reached[a], toA);
      reached[b] = Math.max(reached[b], toB);
      changed = true;
    }
  }
  return reached;
}

/** The same one vertex further: pixels beside it are mixed with it. */
function widened(values: Float32Array): Float32Array {
  const wider = Float32Array.from(values);
  for (const [a, b] of edges) {
    wider[a] = Math.max(wider[a], values[b]);
    wider[b] = Math.max(wider[b], values[a]);
  }
  return wider;
}
