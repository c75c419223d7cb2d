/** The one setup of i18next, for main, the engine, the service, the command line and the page. */
import type { InitOptions, i18n } from 'i18next';
import ICU from 'i18next-icu';
import { IntlMessageFormat } from 'intl-messageformat';

// The default asks V8 for all locales, which takes longer than all else here; both of ours are always there.
IntlMessageFormat.resolveLocale = (locales) => new Intl.Locale(String(locales));

/** Texts are ICU messages: `{name}`, `{count, plural, one {head} other {heads}}`, `{kind, select, …}`. */
export const initI18n = (instance: i18n, options: InitOptions): i18n => {
  void instance
    .use(new ICU({ parseErrorHandler: withGaps }))
    .init({ fallbackLng: 'en', initAsync: false, ...options });
  return instance;
};

/** A message with a missing value: a studio of another version stored it. */
const withGaps = (_error: Error, _key: string, text: string, options: object): string => {
  const values = options as Record<string, string>;
  return String(
    new IntlMessageFormat(text, values.lng ?? 'en', undefined, { ignoreTag: true }).format(
      new Proxy(values, { has: () => true, get: (given, name) => given[String(name)] ?? '' }),
    ),
  );
};
