import type { HeadCorrections } from '#proto/head_corrections.ts';

/** A rectangle within a picture, as fractions 0..1 of its upright width and height. */
export interface Crop {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What a head is made by, besides its photo. */
export interface HeadParameters {
  sex: 'female' | 'male' | null;
  eyelidType: 'single' | 'double' | null;
  crop: Crop | null;
  corrections: HeadCorrections | null;
}
