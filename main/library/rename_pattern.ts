import type { Model } from '#contract';
import { Failure } from '../failure.ts';

const fields = ['name', 'file', 'date', 'sex', 'profile', 'number'] as const;

/**
 * A model's name by a pattern such as `{file} {number:3}`: text and fields in braces.
 *
 * @param number - Counts from 1; `{number:3}` writes it with at least three digits.
 * @throws Failure `invalid_input` for a field that there is not.
 */
export function nameByPattern(pattern: string, model: Model, number: number): string {
  const values: Record<(typeof fields)[number], string> = {
    name: model.name,
    file: model.fileName.replace(/\.[^.]*$/, '') || model.name,
    date: model.createdAt > 0 ? new Date(model.createdAt).toISOString().slice(0, 10) : '',
    sex: model.sex ?? '',
    profile: model.profileName,
    number: String(number),
  };
  const named = pattern.replace(/\{([^{}]*)\}/g, (whole, inner: string) => {
    const [word = '', digits] = inner.split(':');
    const field = fields.find((candidate) => candidate === word.trim());
    if (!field || (digits !== undefined && (field !== 'number' || !/^[1-9]$/.test(digits)))) {
      throw new Failure('invalid_input', `There is no field ${whole}.`, {
        field: 'pattern',
        hint: `There are {name}, {file}, {date}, {sex}, {profile}, {number} and {number:3}.`,
      });
    }
    return values[field].padStart(digits === undefined ? 0 : Number(digits), '0');
  });
  return named.replace(/\s+/gu, ' ').trim().slice(0, 120) || model.name;
}
