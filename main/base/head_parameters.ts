import type { Crop } from '#proto/crop.ts';
import type { HeadCorrections } from '#proto/head_corrections.ts';

/** What a head is made by, besides its photo. */
export interface HeadParameters {
  sex: 'female' | 'male' | null;
  eyelidType: 'single' | 'double' | null;
  crop: Crop | null;
  corrections: HeadCorrections | null;
}
