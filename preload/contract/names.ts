import { driveLimits } from '@likeness/proto/face/shape_drives.ts';
import { z } from 'zod';
import { call, nothing, type Room } from './call.ts';
import { nameEntryLimits, nameTableFaults } from './constants.ts';
import { id, name, TextFile } from './fields.ts';

/** One shape's part of a name: a name of several shapes has several entries. */
export const NameEntry = z.object({
  name: z.string().trim().min(nameEntryLimits.name.least).max(nameEntryLimits.name.most),
  /** From 1: the first alternative whose shapes a head has is used. */
  variant: z.number().int().min(nameEntryLimits.variant.least).max(nameEntryLimits.variant.most),
  /** ARKit's, Oculus' or the head's own name. Empty: the neutral face. */
  shape: z.string().trim().max(nameEntryLimits.shape.most),
  weight: z.number().min(nameEntryLimits.weight.least).max(nameEntryLimits.weight.most),
  /** Only the shape's effect on this half of the face, its own left or right; null: all of it. */
  side: z.enum(['left', 'right']).nullable(),
});
export type NameEntry = z.output<typeof NameEntry>;

const nameEntries = z.array(NameEntry).min(1).max(2000);

/** A vocabulary: a built-in one, which the page names by its id, or a custom one. */
export const NameTableCard = z.object({
  id,
  /** Empty for a built-in one. */
  name: z.string(),
  builtIn: z.boolean(),
  /** Number of names. */
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

const channel = z.string().min(1).max(driveLimits.name);

/** The channels that drive one of a head's shapes: see proto/face/shape_drives.ts. */
export const ShapeDriveRow = z.object({
  shape: channel,
  parts: z
    .array(z.object({ channel, weight: z.number().min(-driveLimits.weight).max(driveLimits.weight) }))
    .max(driveLimits.parts),
  gain: z.number().min(driveLimits.gain.least).max(driveLimits.gain.most),
  curve: z.number().min(driveLimits.curve.least).max(driveLimits.curve.most),
});

/** How a face with all ARKit channels and Oculus visemes drives a head. */
const HeadDrives = z.object({
  /** The vocabulary of most of its shapes; null: unknown. */
  vocabulary: z.string().nullable(),
  rows: z.array(ShapeDriveRow.extend({ isOwn: z.boolean() })),
  /** Shapes without a channel, except those that others replace. */
  still: z.array(z.string()),
  /** Channels without a shape. */
  unheard: z.array(z.string()),
});
export type HeadDrives = z.output<typeof HeadDrives>;

export const namesRoom = {
  calls: {
    /** Built-in tables first, then custom ones by name. */
    list: call(nothing, z.array(NameTableCard)),
    table: call(z.object({ id }), NameTableCard.extend({ entries: z.array(NameEntry) })),
    /**
     * Creates or changes a custom table. A built-in one can't change, but can be saved under another name.
     */
    save: call(z.object({ id: id.optional(), name, entries: nameEntries }), NameTableCard),
    /** Removes a custom table. */
    remove: call(z.object({ id }), z.array(NameTableCard)),
    /** Imports a table from CSV. With an invalid line, nothing is saved. */
    importTable: call(
      z.object({ name, csv: z.string().max(1_000_000) }),
      z.object({ table: NameTableCard.nullable(), faults: z.array(NameTableFault) }),
    ),
    exportTable: call(z.object({ id }), TextFile),
    /** Previews a table on a head's shapes (null: the default head's), with the shapes that will not move. */
    check: call(
      z.object({ id, modelId: id.nullable() }),
      z.object({
        /** `lacking`: missing shapes of a name. */
        made: z.array(z.object({ name: z.string(), lacking: z.array(z.string()) })),
        missing: z.array(z.object({ name: z.string(), needs: z.array(z.string()) })),
        /** Shapes of the head without a name in the table: they keep their own. */
        unused: z.array(z.string()),
      }),
    ),
    /** The mapping to a head's shapes (null: the default head's): by name, and as the user set it. */
    drives: call(z.object({ modelId: id.nullable() }), HeadDrives),
    /** Saves the user's rows for a head; none: resets to the names. */
    saveDrives: call(
      z.object({ modelId: id.nullable(), rows: z.array(ShapeDriveRow).max(driveLimits.rows) }),
      HeadDrives,
    ),
  },
  events: {
    changed: z.array(NameTableCard),
    /** The user's rows for a head changed; null: the default head's. */
    drivesChanged: z.object({ modelId: id.nullable() }),
  },
  streams: {},
} as const satisfies Room;
