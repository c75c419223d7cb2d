/**
 * The shape of a place's English words with any text in them: what its words in another language must have.
 */
export type SameKeys<T> = { [K in keyof T]: T[K] extends string ? string : SameKeys<T[K]> };
