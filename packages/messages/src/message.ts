/**
 * A message from main to the user: a key of the table and its values. It is sent and stored in this form and
 * translated on display, so old messages follow the language too.
 */
import i18next, { type InterpolationMap, type i18n } from 'i18next';
import { initI18n } from './i18n.ts';
import { table } from './table.ts';

export type Language = 'en' | 'zh-CN';
export type Key = keyof typeof table;

/** A text that came in both languages from elsewhere, such as the built-in engine. */
export interface Both {
  en: string;
  zh: string;
}
export type Value = string | number | readonly string[] | Both | KeyedMessage;

/** Names, shown as a list in the message's language. */
const isList = (value: Value): value is readonly string[] => Array.isArray(value);

export interface KeyedMessage {
  key: string;
  values: Record<string, Value>;
  /** In English: for logs, for programs, and for a studio that does not know the key. */
  text: string;
}

/**
 * A sentence of the table, or a text that is shown as it is: a server's own words, a row of an earlier
 * version.
 */
export type Message = string | KeyedMessage;

declare module 'i18next' {
  interface CustomTypeOptions {
    parseInterpolation: 'icu';
  }
}
type NamesIn<K extends Key> = keyof InterpolationMap<(typeof table)[K]['en']>;

/**
 * Creates a message; {@link translate} turns it into text when it is shown.
 * @example t('photo.gone', { file: 'Ada.jpg' }) */
export const t = <K extends Key>(
  key: K,
  // A text without values is typed as one with any.
  ...[values]: string extends NamesIn<K> ? [] : [values: Record<NamesIn<K>, Value>]
): KeyedMessage => messageOf(key, values ?? {});

/** As {@link t}, where the key and its values come from elsewhere. */
export const messageOf = (key: Key, values: Record<string, Value>): KeyedMessage => ({
  key,
  values,
  // Only when it is read: most messages of a start are never shown.
  get text() {
    return fill(key, values, 'en');
  },
});

/** The sentence as text. An unknown key falls back to its English. */
export function translate(message: Message, language: Language): string {
  if (typeof message === 'string') return message;
  return fill(message.key, message.values, language) || message.text;
}

/** For answers that carry both languages, as the engine's do. */
export const inBoth = (message: KeyedMessage): Both => ({
  en: translate(message, 'en'),
  zh: translate(message, 'zh-CN'),
});

/** For logs and for programs. */
export const inEnglish = (message: Message): string => (typeof message === 'string' ? message : message.text);

/**
 * Joins messages to one text of whole sentences; empty ones are left out. A fragment gets its full stop and, in English,
 * its capital letter.
 */
export function joinMessages(first: Message, second: Message): Message {
  if (first === '' || second === '') return wholeSentence(first === '' ? second : first);
  return t('and_then', { first, second });
}

/** As it is where it ends as a sentence does, in both languages. */
const wholeSentence = (message: Message): Message =>
  message === '' || (['en', 'zh-CN'] as const).every((language) => isEnded(translate(message, language)))
    ? message
    : t('whole_sentence', { message });

/**
 * Maps every text in it, for instance to remove a name. If the change only applies to the complete sentence,
 * only the English text is kept.
 */
export function changed(message: Message, change: (text: string) => string): Message {
  if (typeof message === 'string') return change(message);
  const text = change(message.text);
  const values = Object.fromEntries(
    Object.entries(message.values).map(([name, value]): [string, Value] => {
      if (typeof value === 'number') return [name, value];
      if (isList(value)) return [name, value.map(change)];
      if (typeof value === 'string' || 'key' in value) return [name, changed(value, change) as Value];
      return [name, { en: change(value.en), zh: change(value.zh) }];
    }),
  );
  return restoredMessage(text, JSON.stringify({ key: message.key, values }));
}

/**
 * Returns the database form of a message: JSON of key and values, stored beside its English text; null for
 * plain text.
 */
export const storedMessage = (message: Message): string | null =>
  typeof message === 'string' ? null : JSON.stringify({ key: message.key, values: message.values });

/**
 * A sentence as it was stored beside its English. Where the two don't say the same (one of them was changed
 * by somebody else, or the table was), the text holds.
 */
export function restoredMessage(text: string, stored: unknown): Message {
  if (typeof stored !== 'string') return text;
  try {
    const { key, values } = JSON.parse(stored) as Pick<KeyedMessage, 'key' | 'values'>;
    return lettersOf(fill(key, values, 'en')) === lettersOf(text) ? { key, values, text } : text;
  } catch {
    return text;
  }
}

/** Without capitals and stops, which a later version may change. */
const lettersOf = (text: string): string => text.toLowerCase().replace(/[.,:;]/g, '');

let instance: i18n | undefined;

/** Created by the first message, because many processes show none. */
const messages = (): i18n =>
  (instance ??= initI18n(i18next.createInstance(), {
    lng: 'en',
    keySeparator: false,
    nsSeparator: false,
    resources: {
      en: { translation: mapValues(table, ({ en }) => en) },
      'zh-CN': { translation: mapValues(table, ({ zh }) => zh) },
    },
  }));

const mapValues = (entries: Readonly<Record<string, Both>>, map: (entry: Both) => string) =>
  Object.fromEntries(Object.entries(entries).map(([key, entry]) => [key, map(entry)]));

/** The message's text; '' for a key that is not in the table, or where a value is missing. */
function fill(key: string, values: Readonly<Record<string, Value>>, language: Language): string {
  if (!(key in table)) return '';
  const shown = Object.fromEntries(
    Object.entries(merged(values)).map(([name, value]): [string, string] => {
      const text = textOf(value, language);
      return [name, wholeIn[key]?.includes(name) ? asSentence(text, language, name) : text];
    }),
  );
  const text = messages().t(key, { ...shown, lng: language });
  return Object.values(shown).some(endsSentence) ? text.replace(doubleStop, '$1') : text;
}

/**
 * Parts of sentences were messages in earlier studios, and are branches of a `select` now. A stored part becomes the
 * branch's name (the end of its key), and its values go to the whole message; `nowPlace` is the `place` of the part
 * `now` where the message has a `place` too.
 */
function merged(values: Readonly<Record<string, Value>>): Record<string, Value> {
  const all = { ...values };
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== 'object' || !('key' in value) || value.key in table) continue;
    all[name] = value.key.replace(/^.*\./, '');
    for (const [inner, of] of Object.entries(merged(value.values)))
      all[inner in all ? name + inner.charAt(0).toUpperCase() + inner.slice(1) : inner] = of;
  }
  return all;
}

/** Values that are shown as whole sentences. */
const wholeIn: Readonly<Record<string, readonly string[]>> = {
  and_then: ['first', 'second'],
  whole_sentence: ['message'],
  'upstream.alone': ['text'],
  'upstream.alone_said': ['text'],
};

/** A full stop after a value that brings its own. */
const doubleStop = /([.!?…。！？]["'”’」』)）\]】]*)(?:\.(?=\s|$)|。)/g;

/** Quotes and brackets may close after the mark. */
const endsSentence = (text: string): boolean => /[.!?…。！？]["'”’」』)）\]】]*$/u.test(text);

/** It introduces what follows, or ends with somebody else's words: “It begins: “<html>””. */
const needsNoStop = /[:;：；]$|[:：] ?“[^“”]*”$/;

const isEnded = (text: string): boolean => endsSentence(text) || needsNoStop.test(text);

/** With the full stop that it lacks and, where it is English, a capital letter in place of a small one. */
function asSentence(text: string, language: Language, name: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  const isChinese =
    /\p{Script=Han}/u.test(trimmed) && (language === 'zh-CN' || !/\p{Script=Latin}/u.test(trimmed));
  const ended = isEnded(trimmed) ? trimmed : trimmed + (isChinese ? '。' : '.');
  // Names of files, commands and fields keep their letters: only a plain first word gets a capital.
  const sentence = /^[a-z]+(?:['’][a-z]+)?(?=[\s,.!?:;]+(?:\s|$)|\s)/.test(ended)
    ? ended.charAt(0).toUpperCase() + ended.slice(1)
    : ended;
  // Chinese sentences follow each other without a space; one in English needs it.
  return language === 'zh-CN' && name === 'first' && /[.!?:;]\P{L}?$/u.test(sentence)
    ? `${sentence} `
    : sentence;
}

/** Names with commas between them, as the language writes them. */
export const listed = (names: readonly string[], language: Language): string =>
  new Intl.ListFormat(language, { type: 'conjunction', style: 'narrow' }).format(names);

function textOf(value: Value, language: Language): string {
  if (typeof value !== 'object') return String(value);
  if (isList(value)) return listed(value, language);
  if ('key' in value) return translate(value, language);
  return language === 'en' ? value.en : value.zh;
}
