/** What main says, in the language of this moment. */
import i18next from 'i18next';
import { inWords, type Said } from '#sentences';

export const worded = (said: Said): string => inWords(said, i18next.language === 'zh-CN' ? 'zh-CN' : 'en');

/** Words in a row, as the language of this moment parts them. */
export const listedInWords = (words: readonly string[]): string =>
  words.join(i18next.language === 'zh-CN' ? '、' : ', ');
