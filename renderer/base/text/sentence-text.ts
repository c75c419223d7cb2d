/** Main's messages in the current language. */

import { type Message, translate } from '@likeness/messages';
import i18next from 'i18next';

export const worded = (message: Message): string =>
  translate(message, i18next.language === 'zh-CN' ? 'zh-CN' : 'en');

/** A list of words, joined as the current language does. */
export const listedInWords = (words: readonly string[]): string =>
  words.join(i18next.language === 'zh-CN' ? '、' : ', ');
