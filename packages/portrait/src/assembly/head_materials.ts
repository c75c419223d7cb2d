import type { Material } from '../contract/head_model.ts';
import { maxRoughness } from '../texture/skin_gloss.ts';

/** Places of the textures in the model's list. */
export const textureOrder = [
  'Skin',
  'EyeLeft',
  'Eyelashes',
  'Hair',
  'EyeRight',
  'SkinRoughness',
  'SkinNormals',
  'HairStrands',
] as const;
const texture = (name: (typeof textureOrder)[number]): number => textureOrder.indexOf(name);

const white = [1, 1, 1, 1] as const;

const table = [
  {
    name: 'Skin',
    colour: white,
    roughness: maxRoughness,
    texture: texture('Skin'),
    roughnessTexture: texture('SkinRoughness'),
    normalTexture: texture('SkinNormals'),
  },
  { name: 'EyeLeft', colour: white, roughness: 0.8, texture: texture('EyeLeft') },
  // A mirror that lets nine tenths through reflects as much as a wet eye does, whatever the light.
  { name: 'Cornea', colour: [0.4, 0.4, 0.4, 0.1], metallic: 1, roughness: 0.1, alphaMode: 'BLEND' },
  // Most viewers cast no shadows, so wet surfaces behind the lips must not shine as if in the open.
  { name: 'Teeth', colour: white, roughness: 0.55 },
  { name: 'MouthInside', colour: white, roughness: 0.95 },
  {
    name: 'Eyelashes',
    colour: [1, 1, 1, 0.75],
    roughness: 0.8,
    texture: texture('Eyelashes'),
    alphaMode: 'BLEND',
    doubleSided: true,
  },
  { name: 'Hair', colour: white, roughness: 1, texture: texture('Hair'), doubleSided: true },
  { name: 'EyeRight', colour: white, roughness: 0.8, texture: texture('EyeRight') },
  { name: 'Gums', colour: white, roughness: 0.95 },
  { name: 'Tongue', colour: white, roughness: 0.95 },
  { name: 'EyelidMargins', colour: white, roughness: 0.95 },
  // Most viewers cast no shadows inside hair either; a ray tracer’s come on top.
  { name: 'HairInside', colour: [1, 0.9, 0.8, 1], roughness: 1, texture: texture('Hair') },
  // Last, with its picture: a head without ribbons goes without both.
  {
    name: 'HairStrands',
    colour: white,
    roughness: 1,
    texture: texture('HairStrands'),
    alphaMode: 'BLEND',
    doubleSided: true,
  },
] as const satisfies readonly Material[];

export type MaterialName = (typeof table)[number]['name'];

/** Materials of every head, in this order. */
export const headMaterials: readonly Material[] = table;

/** A material's place in {@link headMaterials}. */
export const material = (name: MaterialName): number => table.findIndex((one) => one.name === name);
