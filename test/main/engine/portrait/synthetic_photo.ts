import type { DrawnColours } from '../../../../main/engine/portrait/appearance/drawn_colours.ts';
import { defaultHeadModel } from '../../../../main/engine/portrait/default_head/default_head.ts';
import { photograph } from '../../../support/drawn_photo.ts';
import { sharedPhoto } from '../../../support/shared_heads.ts';

/** A photo of the default head, or of one of another shape or colour. */
export async function photographDefault(face?: Float32Array, colours?: DrawnColours): Promise<Uint8Array> {
  if (!face && !colours) return sharedPhoto('female');
  return (await photograph(await defaultHeadModel('female', face, colours))).png;
}
