import type { Handlers } from '#contract';
import type { TakeEditStore } from './take_edit_store.ts';

/** The room `takeEdits` of the contract. */
export const editsCalls = (store: TakeEditStore): Handlers['takeEdits'] => ({
  open: ({ id }) => store.open(id),
  apply: ({ id, after, operations }) => store.step(id, after, { do: 'apply', operations }),
  undo: ({ id, after }) => store.step(id, after, { do: 'undo' }),
  redo: ({ id, after }) => store.step(id, after, { do: 'redo' }),
  nameVersion: ({ id, after, name }) => store.step(id, after, { do: 'name', name }),
  openVersion: ({ id, after, revision }) => store.step(id, after, { do: 'open', revision }),
});
