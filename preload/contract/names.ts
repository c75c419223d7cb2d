import { z } from 'zod';
import { call, nothing, type Room } from './call.ts';
import { nameEntryLimits, nameTableFaults } from './constants.ts';
import { id, name, TextFile } from './fields.ts';

/** A share of one face shape in one name: a name of several shapes has several entries. */
export const NameEntry = z.object({
  name: z.string().trim().min(nameEntryLimits.name.least).max(nameEntryLimits.name.most),
  /** From 1: of several ways to make a name the first is taken whose shapes a head has. */
  way: z.number().int().min(nameEntryLimits.way.least).max(nameEntryLimits.way.most),
  /** ARKit's, Oculus' or the head's own name. Empty: the face at rest. */
  shape: z.string().trim().max(nameEntryLimits.shape.most),
  weight: z.number().min(nameEntryLimits.weight.least).max(nameEntryLimits.weight.most),
  /** Only what the shape does to this half of the face, its own left or right; null: all of it. */
  side: z.enum(['left', 'right']).nullable(),
});
export type NameEntry = z.output<typeof NameEntry>;

const nameEntries = z.array(NameEntry).min(1).max(2000);

/** A vocabulary: a built-in one, whose name the page knows by its id, or the person's own. */
export const NameTableCard = z.object({
  id,
  /** Empty for a built-in one. */
  name: z.string(),
  builtIn: z.boolean(),
  /** How many names it has. */
  names: z.number().int(),
});
export type NameTableCard = z.output<typeof NameTableCard>;

const NameTableFault = z.object({
  /** Line and column from 1. */
  line: z.number().int(),
  column: z.number().int(),
  fault: z.enum(nameTableFaults),
  value: z.string(),
});

export const namesRoom = {
  calls: {
    /** Built-in tables first, then the person's own by name. */
    list: call(nothing, z.array(NameTableCard)),
    table: call(z.object({ id }), NameTableCard.extend({ entries: z.array(NameEntry) })),
    /**
     * Makes a table of the person's own, or changes one. A built-in one stays: it can be saved under a name.
     */
    save: call(z.object({ id: id.optional(), name, entries: nameEntries }), NameTableCard),
    /** Removes one of the person's own. */
    remove: call(z.object({ id }), z.array(NameTableCard)),
    /** A table from CSV. Where a line has a fault nothing is kept. */
    importTable: call(
      z.object({ name, csv: z.string().max(1_000_000) }),
      z.object({ table: NameTableCard.nullable(), faults: z.array(NameTableFault) }),
    ),
    exportTable: call(z.object({ id }), TextFile),
    /** What a table makes of a head's shapes (null: the default head's), and what will not move. */
    check: call(
      z.object({ id, modelId: id.nullable() }),
      z.object({
        /** `lacking`: shapes that a name is made without. */
        made: z.array(z.object({ name: z.string(), lacking: z.array(z.string()) })),
        missing: z.array(z.object({ name: z.string(), needs: z.array(z.string()) })),
        /** Shapes of the head that no name uses: they keep their own. */
        unused: z.array(z.string()),
      }),
    ),
  },
  events: { changed: z.array(NameTableCard) },
  streams: {},
} as const satisfies Room;
