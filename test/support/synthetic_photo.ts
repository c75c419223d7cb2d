import type { DrawnColours } from '@likeness/portrait/appearance/drawn_colours.ts';
import { defaultHeadModel } from '@likeness/portrait/default_head/default_head.ts';
import { photograph } from './drawn_photo.ts';
import { sharedPhoto } from './shared_heads.ts';

/** A photo of the default head, or of one of another shape or colour. */
export async function photographDefault(face?: Float32Array, colours?: DrawnColours): Promise<Uint8Array> {
  if (!face && !colours) return sharedPhoto('female');
  return (await photograph(await defaultHeadModel('female', face, colours))).png;
}
