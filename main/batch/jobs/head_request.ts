import type { UploadFile } from '@likeness/node-kit/upload_file.ts';
import { correctionsFor, withinCrop } from '../photos/corrections.ts';
import { optionsFor } from '../photos/head_choices.ts';
import type { ModelService } from '../ports.ts';
import type { JobRow } from './job_row.ts';

interface WantedHead extends Pick<JobRow, 'sex' | 'eyelidType' | 'crop' | 'corrections' | 'options'> {
  profileId: string;
  file: UploadFile;
  /** Additional photos of the person. */
  others: readonly UploadFile[];
  /** Overrides findings about the photo. */
  anyway: boolean;
  /** A coarser head, to try options with. */
  preview?: boolean;
}

/** Returns the request for a head: what its profile's server does not support is left out. */
export function headRequest(wanted: WantedHead): Parameters<ModelService['generateModel']>[0] {
  const { profileId, file, others, sex, eyelidType, crop, anyway, preview } = wanted;
  const corrections = correctionsFor(profileId, wanted.corrections);
  const options = optionsFor(profileId, wanted.options);
  return {
    file,
    ...(others.length > 0 ? { others } : {}),
    sex,
    ...(eyelidType ? { eyelidType } : {}),
    ...(corrections ? { corrections: withinCrop(corrections, crop) } : {}),
    ...(options ? { options } : {}),
    ...(anyway ? { anyway: true } : {}),
    ...(preview ? { preview: true } : {}),
  };
}
