import { builtInProfileId } from '#contract';
import type { HeadOptions } from '#proto/heads/head_options.ts';

/** What was chosen of a head goes to the built-in engine alone: no other server is known to take it. */
export const optionsFor = (profileId: string, options: HeadOptions | null): HeadOptions | null =>
  profileId === builtInProfileId ? options : null;
