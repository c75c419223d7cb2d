import type { ModelQuery } from '#contract';

export const sameQuery = (one: ModelQuery, other: ModelQuery): boolean => {
  const ordered = (query: ModelQuery): string => JSON.stringify(Object.entries(query).sort());
  return ordered(one) === ordered(other);
};
