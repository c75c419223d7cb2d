import type { Crop } from '@likeness/proto/crop.ts';
import type { HeadCorrections } from '@likeness/proto/heads/head_corrections.ts';
import type { HeadOptions } from '@likeness/proto/heads/head_options.ts';

/** Parameters of a head, besides its photo. */
export interface HeadParameters {
  sex: 'female' | 'male' | null;
  eyelidType: 'single' | 'double' | null;
  crop: Crop | null;
  corrections: HeadCorrections | null;
  /** Only values that differ from the defaults. */
  options: HeadOptions | null;
}
