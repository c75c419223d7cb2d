/**
 * The type of a place's English words with any text as values: its other languages must have the same keys.
 */
export type SameKeys<T> = { [K in keyof T]: T[K] extends string ? string : SameKeys<T[K]> };
