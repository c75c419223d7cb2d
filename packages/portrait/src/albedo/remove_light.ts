import { clamp, smoothstep, type Vector } from '@likeness/geometry/vector.ts';
import { defaultHeadOptions } from '@likeness/proto/heads/head_options.ts';
import { toLinear, toSrgb } from '../photo/linear_light.ts';
import type { Picture } from '../photo/photo.ts';
import { type Cranium, craniumColumns, craniumRows } from '../skull/skull.ts';
import type { Colour } from '../texture/skin_texture.ts';
import { fineFace } from '../topology/fine_face.ts';
import type { LightEstimate } from './light_estimate.ts';

/** Way from the face's oval over which its gains fade into the cast alone, metres. */
const reach = 0.05;
/** Limits of the factors, sRGB. */
const [darkest, lightest] = [0.3, 3] as const;
/** The power that brings linear factors to sRGB. */
const gamma = 2.2;

/** How much of the light is removed: all at the default choice of light, nothing at 1. */
export const lightToRemove = (light: number = defaultHeadOptions.light): number =>
  Math.min(1, (1 - light) / (1 - defaultHeadOptions.light));

/**
 * Factors that remove the photo's light from a colour (sRGB) at a vertex of the skin, × 3.
 *
 * @param share - How much of the light is removed, 0..1.
 * @param fringe - How sure a vertex of the face shows a fringe, 0..1: as of the hair behind it, only the cast is removed.
 */
export function skinGains(
  { tone, gain }: LightEstimate,
  share: number,
  fringe: Float32Array,
  count: number,
  { columnDistance }: Pick<Cranium, 'columnDistance'>,
): Float32Array {
  const logs = new Float32Array(3 * count);
  for (let i = 0; i < gain.length; i++) logs[i] = (1 - fringe[Math.floor(i / 3)]) * gain[i];
  for (let k = 0; k < craniumRows * craniumColumns; k++) {
    const rim = fineFace.oval[k % craniumColumns];
    const near = 1 - smoothstep(0, reach, columnDistance[k + craniumColumns]);
    for (let c = 0; c < 3; c++)
      logs[3 * (fineFace.count + k) + c] = near * (1 - fringe[rim]) * gain[3 * rim + c];
  }
  return logs.map((log, i) => clamp(Math.exp((share * (log + tone[i % 3])) / gamma), darkest, lightest));
}

/**
 * How far the photo isn't to be trusted at a vertex of the face, 0..1, for its shade is too deep. A dark fringe looks
 * like that, and stays.
 */
export const lostInShade = ({ lost }: LightEstimate, share: number, fringe: Float32Array): Float32Array =>
  fringe.map((hair, i) => share * lost[i] * (1 - hair));

/** The photo's cast as the factors that it has on linear colours. */
export const castOf = ({ tone }: LightEstimate, share: number): Vector =>
  tone.map((log) => Math.exp(-share * log)) as Vector;

export function withoutCast(picture: Picture, cast: Vector): Picture {
  const tables = cast.map(tableOf);
  const data = new Uint8Array(picture.data.length);
  for (let i = 0; i < data.length; i += 3) {
    data[i] = tables[0][picture.data[i]];
    data[i + 1] = tables[1][picture.data[i + 1]];
    data[i + 2] = tables[2][picture.data[i + 2]];
  }
  return { ...picture, data };
}

/** An sRGB colour without a cast. */
export const colourWithoutCast = (colour: Colour, cast: Vector): Colour =>
  colour.map((value, c) => toSrgb(Math.min(1, toLinear(value) / cast[c]))) as unknown as Colour;

const tableOf = (factor: number): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, v) => Math.round(toSrgb(Math.min(1, toLinear(v) / factor))));
