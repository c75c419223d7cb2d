import type { HeadOptions } from '@likeness/proto/heads/head_options.ts';
import { builtInProfileId } from '#contract';

/** Head options go only to the built-in engine: no other server is known to support them. */
export const optionsFor = (profileId: string, options: HeadOptions | null): HeadOptions | null =>
  profileId === builtInProfileId ? options : null;
