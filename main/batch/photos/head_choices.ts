import type { HeadOptions } from '@likeness/proto/heads/head_options.ts';
import { builtInProfileId } from '#contract';

/** What was chosen of a head goes to the built-in engine alone: no other server is known to take it. */
export const optionsFor = (profileId: string, options: HeadOptions | null): HeadOptions | null =>
  profileId === builtInProfileId ? options : null;
