import type { Material } from '@gltf-transform/core';
import type { FlatScene } from './flat_scene.ts';

/** A material's surface without its pictures: linear colours, 0..1. */
export interface Surface {
  name: string;
  /** Includes the factor moved from its vertex colours. */
  base: number[];
  /** 1 if the material asks for no transparency, whatever its colour's alpha is. */
  opacity: number;
  isOpaque: boolean;
  roughness: number;
  metallic: number;
  emissive: number[];
  normalScale: number;
}

/** @param material - null for glTF's default, used by a primitive without a material */
export function surfaceOf(material: Material | null, tints: FlatScene['tints']): Surface {
  const [red, green, blue, alpha] = material?.getBaseColorFactor() ?? [0.8, 0.8, 0.8, 1];
  const tint = (material && tints.get(material)) ?? [1, 1, 1];
  const isOpaque = (material?.getAlphaMode() ?? 'OPAQUE') === 'OPAQUE';
  return {
    name: material?.getName().replace(/\p{Cc}+/gu, ' ') || 'Default',
    base: [red * tint[0], green * tint[1], blue * tint[2]],
    opacity: isOpaque ? 1 : alpha,
    isOpaque,
    roughness: material?.getRoughnessFactor() ?? 1,
    metallic: material?.getMetallicFactor() ?? 0,
    emissive: material?.getEmissiveFactor() ?? [0, 0, 0],
    normalScale: material?.getNormalScale() ?? 1,
  };
}
