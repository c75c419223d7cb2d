/** Main's messages in the current language. */

import { type Language, listed, type Message, translate } from '@likeness/messages';
import i18next from 'i18next';

const language = (): Language => (i18next.language === 'zh-CN' ? 'zh-CN' : 'en');

export const worded = (message: Message): string => translate(message, language());

/** A list of words, joined as the current language does. */
export const listedInWords = (words: readonly string[]): string => listed(words, language());
