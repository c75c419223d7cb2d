import { chosenOptions, type HeadOptions, headOptionNames } from '@likeness/proto/heads/head_options.ts';
import { HeadOptionsSchema } from '@likeness/proto/heads/head_options_schema.ts';

/** Formats head options for a table cell: `smile=1; eyeColour=#5a7fa0`. Empty: none. */
export const writeOptions = (options: HeadOptions | null): string =>
  headOptionNames
    .filter((name) => options?.[name] !== undefined)
    .map((name) => `${name}=${options?.[name] ?? 'none'}`)
    .join('; ');

/**
 * Parses the text of `writeOptions`; names in any case, separated by `;` or `,`.
 *
 * @returns The options, null if there are none; `wrong`: the first invalid part, null if all are valid.
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
