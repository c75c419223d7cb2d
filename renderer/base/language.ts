import i18next from 'i18next';
import type { Settings } from '#contract';

export type Language = Settings['language'];

/** Each language by its own name, so that a person who landed in the wrong one finds the way out. */
export const languageNames: Record<Language, string> = { en: 'English', 'zh-CN': '简体中文' };

/**
 * Changes the language; the screen is re-rendered by itself. `frame/init-languages.ts` has loaded the words.
 */
export async function speak(language: Language): Promise<void> {
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}
