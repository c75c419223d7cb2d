/** The studio's own heads, for when there is none of a photo: a woman, a man, and one between person and drawing. */
export const defaultHeads = ['default', 'man', 'stylised'] as const;
export type DefaultHead = (typeof defaultHeads)[number];

/** The head of this name; the first where there is none. */
export const anyDefaultHead = (name: string): DefaultHead =>
  defaultHeads.find((candidate) => candidate === name) ?? 'default';
