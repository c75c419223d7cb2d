import type { Language } from '@likeness/messages';
import { languageOf } from '../../settings/settings.ts';

/** The language of a terminal, by the first of the variables that POSIX has for its messages which is set. */
export const terminalLanguage = (environment: Readonly<Record<string, string | undefined>>): Language =>
  languageOf(environment.LC_ALL || environment.LC_MESSAGES || environment.LANG || '');
