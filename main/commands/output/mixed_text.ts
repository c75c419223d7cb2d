import { type Message, t } from '@likeness/messages';

/**
 * Joins names, numbers and messages into one line for a terminal; the text between them needs no translation.
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
