import type { TFunction } from 'i18next';

/**
 * A connection's name; the built-in one's is the studio's own word, so it is said in the person's language.
 */
export const profileName = (
  t: TFunction<'app'>,
  profile: { id?: string; builtIn?: boolean; name: string },
): string => (profile.builtIn ? t('builtIn') : profile.name);
