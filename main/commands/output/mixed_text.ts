import { type Said, say } from '@likeness/messages';

/**
 * A line of a terminal out of names, figures and sentences: what stands between them is in no language.
 *
 * @example mixed`✗ ${fileName}: ${reason}`
 */
export const mixed = (between: TemplateStringsArray, ...values: readonly (Said | number)[]): Said =>
  values.reduce<Said>(
    (first, value, at) =>
      say('side_by_side', {
        first: say('side_by_side', { first, second: value }),
        second: between[at + 1] ?? '',
      }),
    between[0] ?? '',
  );
