import { z } from 'zod';

export const id = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9_-]+$/, 'letters, digits, - and _ only');

export const ids = z.array(id).min(1).max(20_000);

/** Milliseconds since 1970-01-01 UTC. */
export const time = z.number().int().nonnegative();

export const name = z.string().trim().min(1, 'a name').max(120);

export const tags = z.array(z.string().trim().min(1).max(60)).max(50);

export const namePattern = z.string().min(1).max(200);
/** How several are named: a pattern, then a text replaced by another one wherever it stands. */
export const NameRule = z.object({
  pattern: namePattern,
  find: z.string().max(200).default(''),
  replacement: z.string().max(200).default(''),
});
export type NameRule = z.input<typeof NameRule>;

export const page = { offset: z.number().int().nonnegative(), limit: z.number().int().min(1).max(500) };

/** The first of the new names, the number of names, and the number of those that change. */
export const Renamed = z.object({
  names: z.array(z.object({ id, from: z.string(), to: z.string() })),
  total: z.number().int(),
  changed: z.number().int(),
});

/** A rectangle within a picture, as fractions 0..1 of its upright width and height. */
export const Box = z.object({
  x: z.number().min(0).max(1),
  y: z.number().min(0).max(1),
  width: z.number().min(0).max(1),
  height: z.number().min(0).max(1),
});

/** The vocabulary for names of face shapes: an id of the room `names`, or the head's own. */
export const ShapeNames = z.union([z.literal('as-is'), id]);

/** A file for the user to save: the renderer offers it as a download. */
export const TextFile = z.object({ fileName: z.string(), mediaType: z.string(), text: z.string() });
