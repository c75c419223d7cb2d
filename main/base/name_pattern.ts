import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { NameRule } from '#contract/fields.ts';

/** `joni-ernst` as `Joni Ernst`. Words with capital letters stay as they are. */
const asTitle = (text: string): string =>
  text
    .replace(/[-_]+/g, ' ')
    .replace(/(?<=^|\s)\p{Ll}+(?=$|\s)/gu, (word) => word.charAt(0).toUpperCase() + word.slice(1));

/**
 * Makes a name from a pattern such as `{file:title} {number:3}`: text, and fields in braces. Repeated white
 * space becomes one space.
 *
 * @param values - The value of each field. A number of digits in the pattern pads `number` with zeros; `title`
 * writes any other field as a title.
 * @param otherwise - The name if the result is empty.
 * @throws Failure `invalid_input` for an unknown field.
 */
export function nameByPattern(
  pattern: string,
  values: Readonly<Record<string, string>>,
  otherwise: string,
  { find = '', replacement = '' }: Partial<NameRule> = {},
): string {
  const named = pattern.replace(/\{([^{}]*)\}/g, (whole, inner: string) => {
    const [word = '', form] = inner.split(':');
    const field = word.trim();
    const value = Object.hasOwn(values, field) ? values[field] : undefined;
    const isForm = form === undefined || (field === 'number' ? /^[1-9]$/.test(form) : form === 'title');
    if (value === undefined || !isForm) {
      const fields = Object.keys(values).map((name) => `{${name}}`);
      throw new Failure('invalid_input', t('names.no_field', { whole }), {
        field: 'pattern',
        hint: t('names.there_are', { fields: [...fields, '{name:title}', '{number:3}'].join(', ') }),
      });
    }
    return form === 'title' ? asTitle(value) : value.padStart(Number(form ?? 0), '0');
  });
  const replaced = find === '' ? named : named.replaceAll(find, () => replacement);
  return replaced.replace(/\s+/gu, ' ').trim().slice(0, 120) || otherwise;
}
