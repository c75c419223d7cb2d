import { driveLimits } from '@likeness/proto/face/shape_drives.ts';
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

const channel = z.string().min(1).max(driveLimits.name);

/** What moves one of a head's shapes: see proto/face/shape_drives.ts. */
export const ShapeDriveRow = z.object({
  shape: channel,
  parts: z
    .array(z.object({ channel, weight: z.number().min(-driveLimits.weight).max(driveLimits.weight) }))
    .max(driveLimits.parts),
  gain: z.number().min(driveLimits.gain.least).max(driveLimits.gain.most),
  curve: z.number().min(driveLimits.curve.least).max(driveLimits.curve.most),
});

/** How a face with all of ARKit's channels and Oculus' visemes moves a head. */
const HeadDrives = z.object({
  /** The vocabulary that most of its shapes are named in; null: none is known. */
  vocabulary: z.string().nullable(),
  rows: z.array(ShapeDriveRow.extend({ isOwn: z.boolean() })),
  /** Shapes that nothing moves, without those that others stand in for. */
  still: z.array(z.string()),
  /** Channels that move nothing of it. */
  unheard: z.array(z.string()),
});
export type HeadDrives = z.output<typeof HeadDrives>;

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
    /** What moves a head's shapes (null: the default head's): by their names, and as the person set it. */
    drives: call(z.object({ modelId: id.nullable() }), HeadDrives),
    /** Keeps the person's own rows of a head; none: as its names have it. */
    saveDrives: call(
      z.object({ modelId: id.nullable(), rows: z.array(ShapeDriveRow).max(driveLimits.rows) }),
      HeadDrives,
    ),
  },
  events: {
    changed: z.array(NameTableCard),
    /** The person's own rows of a head have changed; null: the default head's. */
    drivesChanged: z.object({ modelId: id.nullable() }),
  },
  streams: {},
} as const satisfies Room;
