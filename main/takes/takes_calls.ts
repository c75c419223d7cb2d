import type { Handlers } from '#contract';
import type { Takes } from './takes.ts';

export interface TakesCallsOptions {
  takes: Takes;
  reveal: (path: string) => Promise<void>;
}

/** The room `takes` of the contract. */
export function takesCalls({ takes, reveal }: TakesCallsOptions): Handlers['takes'] {
  return {
    list: () => takes.list(),
    edit: ({ id, changes: { name, notes } }) =>
      takes.edit(id, { ...(name === undefined ? {} : { name }), ...(notes === undefined ? {} : { notes }) }),
    async trash({ id }) {
      await takes.trash(id);
      return undefined;
    },
    restore: ({ id }) => takes.restore(id),
    async reveal({ id }) {
      await reveal(takes.folderOf(id));
      return undefined;
    },
  };
}
