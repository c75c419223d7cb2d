import { defaultHeadModel } from '@likeness/synthetic-heads/default_head.ts';
import type { DrawnColours } from '@likeness/synthetic-heads/drawn_colours.ts';
import { photograph } from './drawn_photo.ts';
import { sharedPhoto } from './shared_heads.ts';

/** A photo of the default head, or of one of another shape or colour. */
export async function photographDefault(face?: Float32Array, colours?: DrawnColours): Promise<Uint8Array> {
  if (!face && !colours) return sharedPhoto('female');
  return (await photograph(await defaultHeadModel('female', face, colours))).png;
}
