import type { TFunction } from 'i18next';
import { type Operation, operations } from '#contract';

/** An operation in the person's words; what the studio does not know by name (its own events) is shown as it is. */
export const operationName = (t: TFunction<'activity'>, operation: string): string =>
  operations.includes(operation as Operation) ? t(`operations.${operation as Operation}`) : operation;
