import { editLimits, faceRegions } from '@likeness/proto/takes/edits/edit_limits.ts';
import { EditOperation, TakeEdits } from '@likeness/proto/takes/edits/take_edits.ts';
import { startsAt, triedRegions } from '@likeness/proto/takes/overdub_target.ts';
import { z } from 'zod';
import { call, type Room } from '../call.ts';
import { id, name, time } from '../fields.ts';
import { Message } from '../studio_error.ts';
import { Take } from './takes.ts';

/** A take's edits, and where in their history it stands. */
const EditState = z.object({
  id,
  edits: TakeEdits,
  /** Grows with every change, undo and redo: an operation says after which it comes. */
  revision: z.number().int().nonnegative(),
  canUndo: z.boolean(),
  canRedo: z.boolean(),
  /** Named by the person. */
  versions: z.array(z.object({ name: z.string(), revision: z.number().int(), at: time })),
  /** Seconds that play, after cuts and retiming. */
  seconds: z.number().nonnegative(),
  /** Why its edits can't be read or changed: the take plays as it was recorded. Empty where all is well. */
  problem: Message,
});
export type EditState = z.output<typeof EditState>;

/**
 * Another try of a take. Its face is at `assetUrl(attempt, 'take-attempt')`, as `…'take-face'` is, its sound at
 * `…'take-attempt-audio'`.
 */
const TakeAttempt = z.object({
  id,
  name: z.string(),
  createdAt: time,
  seconds: z.number().nonnegative(),
  /** Seconds of the take at which it begins; below 0: before it. */
  startsAt: z.number(),
  /** What it was recorded for. */
  regions: triedRegions,
  /** The studio ended during its recording; it holds what had arrived until then. */
  recovered: z.boolean(),
});
export type TakeAttempt = z.output<typeof TakeAttempt>;

/** What is wrong with a file of a take, and what to do. */
const TakeProblem = z.object({ file: z.string(), problem: Message, hint: Message });
export type TakeProblem = z.output<typeof TakeProblem>;

const at = z.object({ id, after: z.number().int().nonnegative() });

/**
 * Edits of takes: an append-only list in the take's folder. The edited sound is at
 * `assetUrl(id, 'take-edited-audio')`; the face is the recorded one with `editedFace` of proto/takes.
 */
export const takeEditsRoom = {
  calls: {
    open: call(z.object({ id }), EditState),
    /** @throws `conflict` where another window was quicker: open it again. */
    apply: call(
      at.extend({ operations: z.array(EditOperation).min(1).max(editLimits.operations) }),
      EditState,
    ),
    undo: call(at, EditState),
    redo: call(at, EditState),
    nameVersion: call(at.extend({ name }), EditState),
    /** Goes back (or on) to a version; what came after stays in the list and can be redone. */
    /** The take's other tries, oldest first. */
    attempts: call(z.object({ id }), z.array(TakeAttempt)),
    /**
     * Makes a take another try of this one: it leaves the list of takes, and goes with this one.
     *
     * @throws `conflict` where it is recorded or heard
     */
    addAttempt: call(
      z.object({ id, take: id, startsAt, regions: triedRegions.default([...faceRegions]) }),
      z.array(TakeAttempt),
    ),
    changeAttempt: call(
      z.object({ id, attempt: id, changes: z.object({ name, startsAt }).partial().strict() }),
      z.array(TakeAttempt),
    ),
    /** `takes.restore` brings it back. @throws `conflict` where the edits take something of it */
    trashAttempt: call(z.object({ id, attempt: id }), z.array(TakeAttempt)),
    /** Two new takes, each of which plays its part; the take stays as it is. @param at seconds of the recording */
    split: call(
      z.object({ id, at: z.number().min(0).max(editLimits.seconds) }),
      z.object({ takes: z.array(Take) }),
    ),
    /** A new take of several, one after the other as they play; they stay as they are. */
    join: call(z.object({ ids: z.array(id).min(2).max(editLimits.joined), name }), Take),
    /** Reads every file of a take; nothing is changed. */
    verify: call(z.object({ id }), z.object({ files: z.array(z.string()), problems: z.array(TakeProblem) })),
    openVersion: call(at.extend({ revision: z.number().int().nonnegative() }), EditState),
  },
  events: { changed: EditState },
  streams: {},
} as const satisfies Room;
