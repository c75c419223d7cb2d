/** The languages in which the engine speaks to people. */
export type Language = 'en' | 'zh';

/**
 * Returns the supported language with the highest weight in `Accept-Language` (RFC 9110 §12.5.4). The first
 * named wins among equal weights; English if none is supported.
 *
 * @example preferredLanguage('zh-CN,zh;q=0.9,en;q=0.8') // 'zh'
 */
export function preferredLanguage(acceptLanguage: string | undefined): Language {
  let best: Language = 'en';
  let bestWeight = 0;
  for (const range of (acceptLanguage ?? '').slice(0, 1000).split(',')) {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const language = tag.split('-')[0];
    if (language !== 'en' && language !== 'zh') continue;
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    const weight = q === undefined ? 1 : Number(q.slice(2));
    if (weight > bestWeight) {
      best = language;
      bestWeight = weight;
    }
  }
  return best;
}
