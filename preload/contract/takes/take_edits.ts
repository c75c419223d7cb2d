import { editLimits, faceRegions } from '@likeness/proto/takes/edits/edit_limits.ts';
import { EditOperation, TakeEdits } from '@likeness/proto/takes/edits/take_edits.ts';
import { startsAt, triedRegions } from '@likeness/proto/takes/overdub_target.ts';
import { z } from 'zod';
import { call, type Room } from '../call.ts';
import { id, name, time } from '../fields.ts';
import { Message } from '../studio_error.ts';
import { Take } from './takes.ts';

/** A take's edits, and the current position in their history. */
const EditState = z.object({
  id,
  edits: TakeEdits,
  /** Grows with every change, undo and redo: an operation names the one before it. */
  revision: z.number().int().nonnegative(),
  canUndo: z.boolean(),
  canRedo: z.boolean(),
  /** Named by the user. */
  versions: z.array(z.object({ name: z.string(), revision: z.number().int(), at: time })),
  /** Duration after cuts and retiming, seconds. */
  seconds: z.number().nonnegative(),
  /**
   * Why its edits can't be read or changed: the take then plays as recorded. Empty if there is no problem.
   */
  problem: Message,
});
export type EditState = z.output<typeof EditState>;

/**
 * An overdub of a take. Its face is at `assetUrl(attempt, 'take-overdub')`, as for `…'take-face'`, its audio
 * at `…'take-overdub-audio'`.
 */
const TakeOverdub = z.object({
  id,
  name: z.string(),
  createdAt: time,
  seconds: z.number().nonnegative(),
  /** Start in seconds of the take; below 0: before it. */
  startsAt: z.number(),
  /** The reason for its recording. */
  regions: triedRegions,
  /** The studio exited during its recording; it contains the data up to then. */
  recovered: z.boolean(),
});
export type TakeOverdub = z.output<typeof TakeOverdub>;

/** The problem of a take's file, and a suggested solution. */
const TakeProblem = z.object({ file: z.string(), problem: Message, hint: Message });
export type TakeProblem = z.output<typeof TakeProblem>;

const at = z.object({ id, after: z.number().int().nonnegative() });

/**
 * Edits of takes: an append-only list in the take's folder. The edited audio is at `assetUrl(id,
 * 'take-edited-audio')`; the face is the recorded one after `editedFace` of proto/takes.
 */
export const takeEditsRoom = {
  calls: {
    open: call(z.object({ id }), EditState),
    /** @throws `conflict` if another window changed it first: open it again. */
    apply: call(
      at.extend({ operations: z.array(EditOperation).min(1).max(editLimits.operations) }),
      EditState,
    ),
    undo: call(at, EditState),
    redo: call(at, EditState),
    nameVersion: call(at.extend({ name }), EditState),
    /** Returns to an earlier or later version; later steps stay in the list and can be redone. */
    /** The take's overdubs, oldest first. */
    overdubs: call(z.object({ id }), z.array(TakeOverdub)),
    /**
     * Makes a take an overdub of this one: it leaves the list of takes, and moves with this one.
     *
     * @throws `conflict` during its recording or analysis
     */
    addOverdub: call(
      z.object({ id, take: id, startsAt, regions: triedRegions.default([...faceRegions]) }),
      z.array(TakeOverdub),
    ),
    changeOverdub: call(
      z.object({ id, attempt: id, changes: z.object({ name, startsAt }).partial().strict() }),
      z.array(TakeOverdub),
    ),
    /** `takes.restore` restores it. @throws `conflict` if the edits use a part of it */
    trashOverdub: call(z.object({ id, attempt: id }), z.array(TakeOverdub)),
    /** Splits a take into two new ones; the original stays unchanged. @param at seconds of the recording */
    split: call(
      z.object({ id, at: z.number().min(0).max(editLimits.seconds) }),
      z.object({ takes: z.array(Take) }),
    ),
    /**
     * Joins several takes, in sequence and with their edits, into a new one; the originals stay unchanged.
     */
    join: call(z.object({ ids: z.array(id).min(2).max(editLimits.joined), name }), Take),
    /** Reads every file of a take; nothing is changed. */
    verify: call(z.object({ id }), z.object({ files: z.array(z.string()), problems: z.array(TakeProblem) })),
    openVersion: call(at.extend({ revision: z.number().int().nonnegative() }), EditState),
  },
  events: { changed: EditState },
  streams: {},
} as const satisfies Room;
