import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';

/**
 * Makes a name from a pattern such as `{file} {number:3}`: text, and fields in braces. Repeated white space
 * becomes one space.
 *
 * @param values - The value of each field. A number of digits in the pattern pads it with zeros.
 * @param otherwise - The name if the result is empty.
 * @throws Failure `invalid_input` for an unknown field.
 */
export function nameByPattern(
  pattern: string,
  values: Readonly<Record<string, string>>,
  otherwise: string,
): string {
  const named = pattern.replace(/\{([^{}]*)\}/g, (whole, inner: string) => {
    const [word = '', digits] = inner.split(':');
    const field = word.trim();
    const value = Object.hasOwn(values, field) ? values[field] : undefined;
    if (value === undefined || (digits !== undefined && (field !== 'number' || !/^[1-9]$/.test(digits)))) {
      const fields = Object.keys(values).map((name) => `{${name}}`);
      throw new Failure('invalid_input', t('names.no_field', { whole }), {
        field: 'pattern',
        hint: t('names.there_are', { fields: [...fields, '{number:3}'].join(', ') }),
      });
    }
    return value.padStart(digits === undefined ? 0 : Number(digits), '0');
  });
  return named.replace(/\s+/gu, ' ').trim().slice(0, 120) || otherwise;
}
