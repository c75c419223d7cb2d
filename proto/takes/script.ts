import { z } from 'zod';
import { maxScriptCharacters } from './script_limits.ts';

/** The text of a recording and its language; `auto` detects it from the letters. */
export const Script = z.object({
  text: z.string().max(maxScriptCharacters),
  language: z.enum(['auto', 'en', 'zh']),
  /** The file that it was read from; empty where it was typed. */
  fileName: z.string().max(255),
});
export type Script = z.output<typeof Script>;
