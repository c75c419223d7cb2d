import { z } from 'zod';
import { maxScriptCharacters } from './script_limits.ts';

/** What is said, and in which language; `auto` by the letters. */
export const Script = z.object({
  text: z.string().max(maxScriptCharacters),
  language: z.enum(['auto', 'en', 'zh']),
  /** The file that it was read from; empty where it was typed. */
  fileName: z.string().max(255),
});
export type Script = z.output<typeof Script>;
