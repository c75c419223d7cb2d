import { MeshoptEncoder } from 'meshoptimizer';
import { type DrawnColours, drawnAppearance, neutralColours } from '../appearance/drawn_appearance.ts';
import { buildHead } from '../assembly/assemble_head.ts';
import type { HeadModel } from '../contract/head_model.ts';
import type { Sex } from '../contract/head_request.ts';
import { engineVersion } from '../contract/head_request.ts';
import { leanHead } from '../gltf/lean_head.ts';
import { writeGlb } from '../gltf/write_glb.ts';
import { fitPortrayed, restingFace } from './resting_face.ts';

/** The model of an invented head; `face` and colours can be given for the sample head and for tests. */
export async function defaultHeadModel(
  sex: Sex = 'female',
  face: Float32Array = restingFace,
  colours: DrawnColours = neutralColours,
): Promise<HeadModel> {
  const fit = fitPortrayed(face);
  return buildHead({
    fit,
    look: drawnAppearance(fit, colours, sex),
    sex,
    extras: { engine: engineVersion, default: true, sex },
  });
}

/**
 * The default head's shape and movement without textures, in a fifth of the time. Surfaces and vertices lie
 * in the order of {@link defaultHead}'s file.
 */
export async function defaultShape(): Promise<HeadModel> {
  await MeshoptEncoder.ready;
  const fit = fitPortrayed(restingFace);
  // Shape does not depend on the textures' size.
  const look = { ...drawnAppearance(fit, neutralColours, 'female'), skinSize: 8, hairSize: 8 };
  return leanHead(buildHead({ fit, look, sex: 'female', extras: {} }));
}

/** The default head, for when there is no photo yet: mean face, neutral colours. */
export async function defaultHead(): Promise<Uint8Array> {
  return writeGlb(await defaultHeadModel());
}
