import type { ModelOrder } from '@likeness/engine/models/model_jobs.ts';

/** An order with nothing special about it. */
export const plainOrder: ModelOrder = {
  owner: null,
  kind: 'head',
  priority: 0,
  sex: 1,
  eyelidType: null,
  corrections: null,
  options: null,
  anyway: false,
  idempotencyKey: null,
};
