import { type Message, t } from '@likeness/messages';

/**
 * A line of a terminal out of names, figures and sentences: what stands between them is in no language.
 *
 * @example mixed`✗ ${fileName}: ${reason}`
 */
export const mixed = (between: TemplateStringsArray, ...values: readonly (Message | number)[]): Message =>
  values.reduce<Message>(
    (first, value, at) =>
      t('side_by_side', {
        first: t('side_by_side', { first, second: value }),
        second: between[at + 1] ?? '',
      }),
    between[0] ?? '',
  );
