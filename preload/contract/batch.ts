import { HeadOptionsSchema } from '@likeness/proto/heads/head_options_schema.ts';
import { z } from 'zod';
import { BoardFilter, BoardReasonCount, BoardTile } from './board.ts';
import { call, nothing, type Room } from './call.ts';
import { againLeft, eyelidTypes, maxPeople, personSigns, sexes } from './constants.ts';
import { Box, id, ids, NameRule, name, page, Renamed, TextFile, tags } from './fields.ts';
import { BatchOverview, ImageSubmission, ImageTask, Job, jobState, SkippedPhotos } from './jobs.ts';
import { ModelSelection } from './models.ts';
import {
  HeadCorrections,
  ManifestTaken,
  PersonOfPhotos,
  Photo,
  PhotoFilter,
  PhotoImport,
  PhotoOutline,
  PhotoSelection,
  SuggestedPerson,
} from './photos.ts';

export const batchRoom = {
  calls: {
    overview: call(nothing, BatchOverview),

    /**
     * Opens the shell's dialog; null if dismissed. The import continues in the background, see
     * `intakeChanged`.
     */
    pickFiles: call(nothing, PhotoImport.nullable()),
    pickFolder: call(nothing, PhotoImport.nullable()),
    /** Files and folders that the shell took from a drop or an upload and gave ids. */
    addDropped: call(z.object({ dropIds: ids }), PhotoImport),
    cancelImport: call(z.object({ id }), nothing),

    /**
     * Ids of the board's tiles that match now, in order. The page keeps them while a filter is open, so that
     * progress moves no tile.
     */
    board: call(z.object({ filter: BoardFilter }), z.object({ ids: z.array(id) })),
    /** Tiles in the order of their ids; without those that have left the board. */
    tiles: call(z.object({ ids: ids.max(500) }), z.object({ tiles: z.array(BoardTile) })),
    /** How many tiles are in a state for which reason; a ready photo has one if its check has a warning. */
    boardReasons: call(nothing, z.object({ reasons: z.array(BoardReasonCount) })),
    /**
     * Takes finished tiles off the board: those with a head, and submitted image tasks. One undo step. Models
     * stay. Null: all.
     */
    archive: call(z.object({ ids: ids.nullable() }), z.object({ archived: z.number().int() })),
    /**
     * Takes tiles off the board with their failed or finished jobs. One undo step. Tiles with an unfinished
     * job stay, and so do those that are or may be paid for but not downloaded (`kept`).
     */
    remove: call(z.object({ ids }), z.object({ removed: z.number().int(), kept: z.number().int() })),

    photos: call(
      z.object({ ...page, filter: PhotoFilter }),
      z.object({ photos: z.array(Photo), total: z.number().int() }),
    ),
    photo: call(z.object({ id }), Photo),
    /** Index of a photo in the filtered list; −1: not in it. */
    photoIndex: call(z.object({ id, filter: PhotoFilter }), z.object({ index: z.number().int() })),
    /** Names of the imported folders, for tagging by folder. */
    folders: call(nothing, z.array(z.object({ folder: z.string(), photos: z.number().int() }))),
    /** Changes the given fields only. */
    tag: call(
      z.object({
        selection: PhotoSelection,
        set: z
          .object({
            sex: z.enum(sexes).nullable(),
            eyelidType: z.enum(eyelidTypes).nullable(),
            name,
            tags,
            crop: Box.nullable(),
            corrections: HeadCorrections.nullable(),
            options: HeadOptionsSchema.nullable(),
            anyway: z.boolean(),
            addTags: tags,
            removeTags: tags,
          })
          .partial()
          .strict(),
      }),
      z.object({ changed: z.number().int() }),
    ),
    /**
     * Names by a pattern of text and `{name}`, `{file}`, `{folder}`, `{sex}`, `{number}`, `{number:3}`. With
     * `preview` nothing is changed.
     */
    rename: call(z.object({ selection: PhotoSelection, ...NameRule.shape, preview: z.boolean() }), Renamed),
    /** Sets the sex from sub-folder names (female, f, women, 女, …). */
    tagByFolder: call(
      z.object({ selection: PhotoSelection }),
      z.object({
        female: z.number().int(),
        male: z.number().int(),
        unclear: z.number().int(),
        /** Photos that changed. */
        changed: z.number().int(),
      }),
    ),
    /**
     * Groups photos into a person, who gets one head; a photo brings its whole person. The best front photo
     * leads unless `front` selects one. One undo step.
     */
    samePerson: call(
      z.object({ people: z.array(PersonOfPhotos).min(1).max(maxPeople) }),
      z.object({ people: z.number().int(), photos: z.number().int() }),
    ),
    /** Splits people into single photos; an additional photo alone leaves its person. */
    separate: call(z.object({ selection: PhotoSelection }), z.object({ separated: z.number().int() })),
    /** Makes another photo of a person the front photo. */
    chooseFront: call(z.object({ id }), nothing),
    /** Suggests photos in the list that may be of one person; changes nothing. */
    suggestPeople: call(
      z.object({ by: z.array(z.enum(personSigns)).min(1).max(personSigns.length) }),
      z.object({ people: z.array(SuggestedPerson) }),
    ),
    /** Whether a server accepts several photos of a person; null if it did not answer. */
    takesSeveral: call(z.object({ profileId: id }), z.object({ takes: z.boolean().nullable() })),
    /** Previews the outline of a head with these corrections; stores nothing. */
    outline: call(z.object({ id, corrections: HeadCorrections.nullable() }), PhotoOutline),
    /** Returns the photo of a model to the list, with its settings. */
    reopen: call(z.object({ modelId: id }), z.object({ photoId: id })),
    removePhotos: call(z.object({ selection: PhotoSelection }), z.object({ removed: z.number().int() })),
    /** Undoes the last tagging, grouping, removal, archiving or cancelling. Empty if there was nothing to undo. */
    undo: call(nothing, z.object({ undone: z.string() })),
    /**
     * Does the step again that was undone last. Empty if there is none, if a new step followed, or if photos
     * were queued. A cancelled order that is back in the queue is `refused`: it may be made and billed by now.
     */
    redo: call(nothing, z.object({ redone: z.string(), refused: z.boolean() })),
    recheck: call(z.object({ selection: PhotoSelection }), nothing),
    importManifest: call(z.object({ text: z.string().max(8_388_608) }), ManifestTaken),
    exportManifest: call(z.object({ selection: PhotoSelection }), TextFile),

    /**
     * Queues photos with their current settings. Photos that can't be queued are reported and stay in the
     * list.
     */
    start: call(
      z.object({
        selection: PhotoSelection,
        profileId: id,
        libraryId: id.optional(),
        /** Also sends photos whose heads are already in the library. */
        again: z.boolean(),
      }),
      z.object({ queued: z.number().int(), left: SkippedPhotos }),
    ),
    /**
     * Orders heads of the library again, from the same photos and settings. The new file replaces the old
     * one, which is kept as an earlier version; name, tags, takes and notes stay. `asNew`: as new heads.
     */
    makeAgain: call(
      z.object({
        selection: ModelSelection,
        profileId: id,
        /** Overrides the profile of each head. */
        options: HeadOptionsSchema.nullable().optional(),
        asNew: z.boolean().default(false),
      }),
      z.object({
        queued: z.number().int(),
        left: z.array(z.object({ reason: z.enum(againLeft), count: z.number().int() })),
        /** The first heads whose photo is missing. */
        withoutPhoto: z.array(z.string()),
        /** The first heads that are made although an additional photo is missing. */
        fewerPhotos: z.array(z.string()),
      }),
    ),
    /**
     * Makes a head as `makeAgain` with the built-in engine would, to look at: asset `head-preview`. It is not kept:
     * the next one replaces it, and cancels it while it is being made.
     */
    previewHead: call(
      z.object({ modelId: id, options: HeadOptionsSchema.nullable() }),
      z.object({ preview: id }),
    ),
    /**
     * Has the engine read a head's photo, so that its next preview comes sooner; nothing while heads are being made.
     * Null ends it: nobody is about to ask for a preview any more.
     */
    prepareHeadPreview: call(z.object({ modelId: id.nullable() }), z.object({})),
    /** Previews `start` for these photos, each counted once: heads to make, and photos that would stay. */
    forecast: call(
      z.object({ selection: PhotoSelection, profileId: id, again: z.boolean() }),
      z.object({
        heads: z.number().int(),
        /** Number of them with several photos. */
        several: z.number().int(),
        left: SkippedPhotos,
      }),
    ),
    jobs: call(
      z.object({ ...page, states: z.array(jobState).max(9) }),
      z.object({ jobs: z.array(Job), total: z.number().int() }),
    ),
    pause: call(nothing, nothing),
    resume: call(nothing, nothing),
    /**
     * Null: all unfinished ones. Unsent photos return to the list (`back`), and so do those of the built-in
     * engine. A server may still bill an order that it received; its head is not downloaded.
     */
    cancel: call(
      z.object({ ids: ids.nullable() }),
      z.object({ cancelled: z.number().int(), back: z.number().int() }),
    ),
    /** Returns photos of failed or cancelled jobs to the list, to be corrected and queued again. */
    bringBack: call(z.object({ ids }), z.object({ photoIds: z.array(id) })),
    /** Moves queued jobs before another one; null: to the end. */
    reorder: call(z.object({ ids, before: id.nullable() }), nothing),
    /**
     * Null: all failed ones. Paid heads are downloaded, not ordered again; with another profile they are
     * ordered there by a new job. `anew` orders models again that the server does not know; otherwise they
     * are polled once more.
     */
    retry: call(
      z.object({ ids: ids.nullable(), profileId: id.optional(), anew: z.boolean().optional() }),
      z.object({ retried: z.number().int() }),
    ),
    /**
     * Resolves a job whose submission got no answer. `resend` may be billed a second time, `give_up` abandons
     * it, and `found` names the model that the user saw in their account with the server.
     */
    resolveUncertain: call(
      z.object({
        ids,
        answer: z.enum(['resend', 'give_up', 'found']),
        remoteModelId: z.string().trim().min(1).max(200).optional(),
      }),
      nothing,
    ),
    /**
     * Removes finished jobs from the list: done, failed and cancelled. Models stay. Jobs that are (or may be)
     * paid for but not downloaded also stay, unless `owed` includes them. Photos without a head return to the
     * list (`back`).
     */
    clearFinished: call(
      z.object({ owed: z.boolean() }),
      z.object({ cleared: z.number().int(), kept: z.number().int(), back: z.number().int() }),
    ),
    /** The result of every job, as CSV. */
    report: call(nothing, TextFile),

    submitImages: call(
      z.object({ selection: PhotoSelection, profileId: id }),
      z.object({ submitted: z.number().int(), failed: z.number().int() }),
    ),
    /** Removes queued jobs; those that were sent stay. */
    cancelImages: call(nothing, nothing),
    imageTasks: call(
      z.object(page),
      z.object({
        tasks: z.array(ImageTask),
        total: z.number().int(),
        /** The series of images being submitted now; null if none. */
        submission: ImageSubmission.nullable(),
      }),
    ),
  },
  events: {
    /**
     * At most ten a second. Contains new or changed items, at most 200 of each; `stale` if there were more:
     * request the visible items again.
     */
    changed: z.object({
      overview: BatchOverview,
      photos: z.array(Photo),
      removedPhotos: z.array(id),
      jobs: z.array(Job),
      removedJobs: z.array(id),
      /** Tiles of the board that changed by these photos and jobs. */
      tiles: z.array(BoardTile),
      removedTiles: z.array(id),
      stale: z.boolean(),
    }),
    intakeChanged: PhotoImport,
    /** Null after the last image. */
    imagesChanged: ImageSubmission.nullable(),
    /** The queue has become empty. */
    finished: z.object({
      done: z.number().int(),
      failed: z.number().int(),
      cancelled: z.number().int(),
      uncertain: z.number().int(),
      seconds: z.number().nonnegative(),
    }),
  },
  streams: {},
} as const satisfies Room;
