/** What a line of a vocabulary of face shapes may hold, without zod: for the schema and for the page's table. */
export const nameEntryLimits = {
  /** Characters. */
  name: { least: 1, most: 100 },
  shape: { most: 100 },
  way: { least: 1, most: 9 },
  weight: { least: -10, most: 10 },
} as const;
