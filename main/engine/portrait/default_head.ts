import { fitFace } from './face_fit.ts';
import { writeGlb } from './glb.ts';
import { buildHead } from './head.ts';
import type { HeadModel } from './head_model.ts';
import { engineVersion } from './head_request.ts';
import { loadOpenCv } from './silhouette.ts';
import type { Sex } from './skull.ts';
import { paintPortrait, type SyntheticColours } from './synthetic_portrait.ts';

/** The model of a head of nobody; `face` and colours for tests that need a known one. */
export async function defaultHeadModel(
  sex: Sex = 'female',
  face?: Float32Array,
  colours?: SyntheticColours,
): Promise<HeadModel> {
  const { picture, landmarks } = paintPortrait(face, colours);
  const { cv } = await loadOpenCv();
  return buildHead({
    picture,
    landmarks,
    cv,
    fit: fitFace(landmarks),
    sex,
    extras: { engine: engineVersion, default: true, sex },
  }).model;
}

/** The head that the studio has before anyone has given it a photo: mean face, neutral colours. Compressed. */
export async function defaultHead(): Promise<Uint8Array> {
  return writeGlb(await defaultHeadModel(), true);
}
