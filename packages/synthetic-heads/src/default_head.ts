import { buildHead } from '@likeness/portrait/assembly/assemble_head.ts';
import type { HeadModel } from '@likeness/portrait/contract/head_model.ts';
import type { Sex } from '@likeness/portrait/contract/head_request.ts';
import { engineVersion } from '@likeness/portrait/contract/head_request.ts';
import { leanHead } from '@likeness/portrait/gltf/lean_head.ts';
import { writeGlb } from '@likeness/portrait/gltf/write_glb.ts';
import type { DefaultHead } from '@likeness/proto/heads/default_heads.ts';
import { MeshoptEncoder, MeshoptSimplifier } from 'meshoptimizer';
import { drawnAppearance } from './drawn_appearance.ts';
import { type DrawnColours, neutralColours } from './drawn_colours.ts';
import type { HairCut } from './hair_cuts.ts';
import { inventedHeads } from './invented_heads.ts';
import { fitPortrayed, restingFace } from './resting_face.ts';

/** The model of an invented head; face, colours and cut can be given for the sample face and for tests. */
export async function defaultHeadModel(
  sex: Sex = 'female',
  face: Float32Array = restingFace,
  colours: DrawnColours = neutralColours,
  cut?: HairCut,
): Promise<HeadModel> {
  const fit = fitPortrayed(face);
  return buildHead({
    fit,
    appearance: drawnAppearance(fit, colours, sex, cut),
    sex,
    extras: { engine: engineVersion, default: true, sex },
  });
}

/** The model of one of the heads that ship with the studio. */
export async function inventedHeadModel(name: DefaultHead): Promise<HeadModel> {
  const { sex, face, colours, cut } = inventedHeads[name];
  const fit = fitPortrayed(face);
  return buildHead({
    fit,
    appearance: drawnAppearance(fit, colours, sex, cut),
    sex,
    extras: { engine: engineVersion, default: true, sex, ...(name === 'default' ? {} : { name }) },
  });
}

/**
 * The default head's shape and movement without textures, in a fifth of the time. Surfaces and vertices lie
 * in the order of {@link defaultHead}'s file.
 */
export async function defaultShape(): Promise<HeadModel> {
  await Promise.all([MeshoptEncoder.ready, MeshoptSimplifier.ready]);
  const { sex, face, colours, cut } = inventedHeads.default;
  const fit = fitPortrayed(face);
  // Shape does not depend on the textures' size.
  const appearance = { ...drawnAppearance(fit, colours, sex, cut), skinSize: 8, hairSize: 8 };
  return leanHead(buildHead({ fit, appearance, sex, extras: {} }));
}

/** The head for when there is no photo yet, or another of those that ship with the studio. */
export async function defaultHead(name: DefaultHead = 'default'): Promise<Uint8Array> {
  return writeGlb(await inventedHeadModel(name));
}
