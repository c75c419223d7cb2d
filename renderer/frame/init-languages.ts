import { initI18n } from '@likeness/messages/i18n.ts';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { type Language, speak } from '../base/language.ts';
import { dictionary } from './dictionary.ts';

/** Must be awaited before the first render; later changes (`speak`) re-render by themselves. */
export async function initLanguages(language: Language): Promise<void> {
  if (!i18next.isInitialized)
    initI18n(i18next.use(initReactI18next), {
      lng: language,
      defaultNS: 'app',
      ns: Object.keys(dictionary.en),
      resources: dictionary,
    });
  await speak(language);
}
