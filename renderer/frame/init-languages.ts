import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { type Language, speak } from '../base/language.ts';
import { dictionary } from './dictionary.ts';

/** Must be awaited before the first render; later changes (`speak`) re-render by themselves. */
export async function initLanguages(language: Language): Promise<void> {
  if (!i18next.isInitialized)
    await i18next.use(initReactI18next).init({
      lng: language,
      fallbackLng: 'en',
      defaultNS: 'app',
      ns: Object.keys(dictionary.en),
      resources: dictionary,
      interpolation: { escapeValue: false }, // React escapes
    });
  await speak(language);
}
