import { type Accessor, ColorUtils, type Material, type TextureInfo } from '@gltf-transform/core';
import type { Transform } from '@gltf-transform/extensions';
import { t } from '@likeness/messages';
import { glbFailure } from '../../glb_bounds.ts';
import type { Block, Influences } from './mesh_data.ts';

const uvSemantics = ['TEXCOORD_0', 'TEXCOORD_1'];

/** Attributes beside place and normal that a merged mesh keeps. */
export const rowSemantics = [...uvSemantics, 'COLOR_0', 'JOINTS_0', 'WEIGHTS_0', 'JOINTS_1', 'WEIGHTS_1'];

/**
 * An accessor's values as plain numbers, dequantised.
 *
 * @param width - Values wanted of each element; those that it lacks are 1.
 * @param count - Elements wanted; those that it lacks are 0.
 * @throws Failure `unsupported` where one of them is no number
 */
export function valuesOf(accessor: Accessor, width: number, count = accessor.getCount()): Float32Array {
  const size = accessor.getElementSize();
  const array = accessor.getArray();
  const values = new Float32Array(count * width);
  const there = Math.min(count, accessor.getCount());
  if (array instanceof Float32Array && size === width) {
    values.set(array.subarray(0, there * width));
    return checked(values);
  }
  const element: number[] = [];
  for (let i = 0; i < there; i++) {
    accessor.getElement(i, element);
    for (let k = 0; k < width; k++) values[i * width + k] = k < size ? element[k]! : 1;
  }
  return checked(values);
}

function checked(values: Float32Array): Float32Array {
  for (let i = 0; i < values.length; i++)
    if (!Number.isFinite(values[i])) throw glbFailure(t('glb.not_finite'));
  return values;
}

/** Picks the elements at `places`, each of so many values. */
export function pick<Values extends Float32Array | Uint16Array>(
  values: Values,
  indexes: Uint32Array,
  width: number,
): Values {
  const picked = new (values.constructor as new (length: number) => Values)(indexes.length * width);
  for (const [i, index] of indexes.entries())
    for (let k = 0; k < width; k++) picked[i * width + k] = values[index * width + k]!;
  return picked;
}

/** Texture coordinates of all vertices, set by set. */
export function uvsOf(blocks: readonly Block[], count: number): Float32Array[] {
  return uvSemantics.flatMap((semantic) => {
    if (!blocks.some(({ primitive }) => primitive.getAttribute(semantic))) return [];
    const rows = new Float32Array(count * 2);
    for (const { primitive, first, count: length } of blocks) {
      const accessor = primitive.getAttribute(semantic);
      if (!accessor) continue;
      const values = valuesOf(accessor, 2, length);
      const matrix = uvTransform(primitive.getMaterial());
      if (matrix) transformUv(values, matrix);
      rows.set(values, first * 2);
    }
    return [rows];
  });
}

/** Index of a texture's coordinates. The texture's transform may override the texture's own index. */
export const uvSetOf = (info: TextureInfo | null | undefined): number =>
  info?.getExtension<Transform>('KHR_texture_transform')?.getTexCoord() ?? info?.getTexCoord() ?? 0;

/**
 * A material's KHR_texture_transform as a matrix of 2 × 3, row by row; null if there is none. FBX and USD
 * readers seldom support it, so it is baked into the coordinates.
 */
export function uvTransform(material: Material | null): readonly number[] | null {
  const info = material?.getBaseColorTextureInfo() ?? material?.getNormalTextureInfo();
  const transform = info?.getExtension<Transform>('KHR_texture_transform');
  if (!transform) return null;
  const [sin, cos] = [Math.sin(transform.getRotation()), Math.cos(transform.getRotation())];
  const [x, y] = transform.getScale();
  const [u, v] = transform.getOffset();
  return [cos * x, sin * y, u, -sin * x, cos * y, v];
}

function transformUv(values: Float32Array, [a, b, c, d, e, f]: readonly number[]): void {
  for (let i = 0; i < values.length; i += 2) {
    const [u, v] = [values[i]!, values[i + 1]!];
    values[i] = a! * u + b! * v + c!;
    values[i + 1] = d! * u + e! * v + f!;
  }
}

/** Vertex colours, divided by the factor moved to their material; null if there are none. */
export function colorsOf(
  blocks: readonly Block[],
  count: number,
  tints: ReadonlyMap<Material, readonly [number, number, number]>,
): Float32Array | null {
  if (!blocks.some(({ primitive }) => primitive.getAttribute('COLOR_0'))) return null;
  const rows = new Float32Array(count * 4).fill(1);
  for (const { primitive, first, count: length } of blocks) {
    const accessor = primitive.getAttribute('COLOR_0');
    if (!accessor) continue;
    const values = valuesOf(accessor, 4, length);
    const tint = tints.get(primitive.getMaterial()!);
    if (tint) for (let i = 0; i < values.length; i++) if (i % 4 < 3) values[i]! /= tint[i % 4]! || 1;
    rows.set(values, first * 4);
  }
  return rows;
}

/** Linear 0..1 as sRGB, in which FBX readers take vertex colours to be. */
export const encoded = (rgba: readonly number[]): number[] => {
  const out = [1, 1, 1, rgba[3] ?? 1];
  for (let k = 0; k < 3; k++) out[k] = ColorUtils.convertLinearToSRGB([rgba[k]!, 0, 0], [0, 0, 0])[0]!;
  return out;
};

/** Returns the joints and weights of each vertex; null if no primitive has a skin. */
export function influencesOf(blocks: readonly Block[], count: number): Influences | null {
  const sets = [0, 1].filter((set) =>
    blocks.some(({ primitive }) => primitive.getAttribute(`JOINTS_${set}`)),
  );
  if (sets.length === 0) return null;
  const width = sets.length * 4;
  const joints = new Uint16Array(count * width);
  const weights = new Float32Array(count * width);
  for (const { primitive, first, count: length } of blocks) {
    for (const [at, set] of sets.entries()) {
      const jointIndices = primitive.getAttribute(`JOINTS_${set}`);
      const by = primitive.getAttribute(`WEIGHTS_${set}`);
      if (!jointIndices || !by) continue;
      const jointValues = valuesOf(jointIndices, 4, length);
      const byValues = valuesOf(by, 4, length);
      for (let i = 0; i < length * 4; i++) {
        const index = (first + (i >> 2)) * width + at * 4 + (i & 3);
        joints[index] = jointValues[i]!;
        weights[index] = Math.max(0, byValues[i]!);
      }
    }
  }
  for (let i = 0; i < weights.length; i += width) {
    let sum = 0;
    for (let k = i; k < i + width; k++) sum += weights[k]!;
    // A vertex without weights would not follow the head.
    if (sum === 0) weights[i] = 1;
    else for (let k = i; k < i + width; k++) weights[k]! /= sum;
  }
  return { width, joints, weights };
}

/** The least and the greatest of points × 3, axis by axis. */
export function bounds(positions: Float32Array): [low: number[], high: number[]] {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3]!, positions[i]!);
    high[i % 3] = Math.max(high[i % 3]!, positions[i]!);
  }
  return [low, high];
}
