import type { TFunction } from 'i18next';
import { operations } from '#contract/constants.ts';

/** Events of the studio itself, which the journal keeps besides calls. */
const events = ['erase', 'journal'] as const;
const named = [...operations, ...events];

/** An operation in the person's words; one of a newer studio is shown as it is. */
export function operationName(t: TFunction<'activity'>, operation: string): string {
  const known = named.find((name) => name === operation);
  return known ? t(`operations.${known}`) : operation;
}
