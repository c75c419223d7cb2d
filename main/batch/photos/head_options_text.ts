import { chosenOptions, type HeadOptions, headOptionNames } from '@likeness/proto/heads/head_options.ts';
import { HeadOptionsSchema } from '@likeness/proto/heads/head_options_schema.ts';

/** Choices as a cell of a table has them: `smile=1; eyeColour=#5a7fa0`. Empty: none. */
export const writeOptions = (options: HeadOptions | null): string =>
  headOptionNames
    .filter((name) => options?.[name] !== undefined)
    .map((name) => `${name}=${options?.[name] ?? 'none'}`)
    .join('; ');

/**
 * Reads what `writeOptions` writes; names in any case, apart by `;` or `,`.
 *
 * @returns The choices, null where there are none; `wrong`: the first part that is none, null where all are.
 */
export function readOptions(text: string): { options: HeadOptions | null; wrong: string | null } {
  const found: Record<string, unknown> = {};
  for (const part of text.split(/[;,]/)) {
    if (part.trim() === '') continue;
    const [key = '', value = ''] = part.split('=').map((one) => one.trim());
    const name = headOptionNames.find((known) => known.toLowerCase() === key.toLowerCase());
    const parsed = value === 'none' ? null : /^[-+.\d]/.test(value) ? Number(value) : value;
    if (name === undefined || !HeadOptionsSchema.safeParse({ [name]: parsed }).success) {
      return { options: null, wrong: part.trim() };
    }
    found[name] = parsed;
  }
  return { options: chosenOptions(HeadOptionsSchema.parse(found)), wrong: null };
}
