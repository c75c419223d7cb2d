import type { Language } from '@likeness/messages';
import { languageOf } from '../../settings/settings.ts';

/** Returns the terminal's language: the first POSIX message variable that is set. */
export const terminalLanguage = (environment: Readonly<Record<string, string | undefined>>): Language =>
  languageOf(environment.LC_ALL || environment.LC_MESSAGES || environment.LANG || '');
