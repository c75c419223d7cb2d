import type { TFunction } from 'i18next';

/**
 * A connection's name; the built-in one's is translated.
 */
export const profileName = (
  t: TFunction<'app'>,
  profile: { id?: string; builtIn?: boolean; name: string },
): string => (profile.builtIn ? t('builtIn') : profile.name);
