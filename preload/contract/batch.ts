import { HeadOptionsSchema } from '@likeness/proto/heads/head_options_schema.ts';
import { z } from 'zod';
import { call, nothing, type Room } from './call.ts';
import { againLeft, eyelidTypes, maxPeople, personSigns, sexes } from './constants.ts';
import { Box, id, ids, name, namePattern, page, Renamed, TextFile, tags } from './fields.ts';
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

    /** Asks the shell's dialog; null when dismissed. Taking in goes on by itself, see `intakeChanged`. */
    pickFiles: call(nothing, PhotoImport.nullable()),
    pickFolder: call(nothing, PhotoImport.nullable()),
    /** Files and folders that the shell took from a drop or an upload and gave ids. */
    addDropped: call(z.object({ dropIds: ids }), PhotoImport),
    cancelImport: call(z.object({ id }), nothing),

    photos: call(
      z.object({ ...page, filter: PhotoFilter }),
      z.object({ photos: z.array(Photo), total: z.number().int() }),
    ),
    photo: call(z.object({ id }), Photo),
    /** Where a photo is among those that a filter lets through; −1: it isn't there. */
    photoIndex: call(z.object({ id, filter: PhotoFilter }), z.object({ index: z.number().int() })),
    /** Names of the folders that the photos came in, for tagging by folder. */
    folders: call(nothing, z.array(z.object({ folder: z.string(), photos: z.number().int() }))),
    /** Changes what is given and leaves the rest. */
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
    rename: call(
      z.object({ selection: PhotoSelection, pattern: namePattern, preview: z.boolean() }),
      Renamed,
    ),
    /** Takes the sex from sub-folders whose name says it (female, f, women, 女, …). */
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
     * Makes photos one person, of which one head is made; who is a person of several already comes whole. The
     * best front photo leads unless `front` says which. As one step that can be taken back.
     */
    samePerson: call(
      z.object({ people: z.array(PersonOfPhotos).min(1).max(maxPeople) }),
      z.object({ people: z.number().int(), photos: z.number().int() }),
    ),
    /** Takes people apart into photos of their own; a photo beside a front one alone leaves its person. */
    separate: call(z.object({ selection: PhotoSelection }), z.object({ separated: z.number().int() })),
    /** Has another photo of a person lead. */
    chooseFront: call(z.object({ id }), nothing),
    /** Photos in the tray that may be of one person, by what the studio sees; nothing is changed. */
    suggestPeople: call(
      z.object({ by: z.array(z.enum(personSigns)).min(1).max(personSigns.length) }),
      z.object({ people: z.array(SuggestedPerson) }),
    ),
    /** Whether a server takes several photos of a person; null where it could not be asked. */
    takesSeveral: call(z.object({ profileId: id }), z.object({ takes: z.boolean().nullable() })),
    /** The outline as a head would be made with these corrections; for looking at, nothing is kept. */
    outline: call(z.object({ id, corrections: HeadCorrections.nullable() }), PhotoOutline),
    /** Puts the photo of a model back into the tray, with its settings. */
    reopen: call(z.object({ modelId: id }), z.object({ photoId: id })),
    removePhotos: call(z.object({ selection: PhotoSelection }), z.object({ removed: z.number().int() })),
    /** Takes back the last tagging, joining or removal. Empty where there was nothing to take back. */
    undo: call(nothing, z.object({ undone: z.string() })),
    recheck: call(z.object({ selection: PhotoSelection }), nothing),
    importManifest: call(z.object({ text: z.string().max(8_388_608) }), ManifestTaken),
    exportManifest: call(z.object({ selection: PhotoSelection }), TextFile),

    /**
     * Queues photos with their current settings. Photos that can't be queued are reported and stay in the
     * tray.
     */
    start: call(
      z.object({
        selection: PhotoSelection,
        profileId: id,
        libraryId: id.optional(),
        /** Send also what the library has already. */
        again: z.boolean(),
      }),
      z.object({ queued: z.number().int(), left: SkippedPhotos }),
    ),
    /**
     * Orders heads of the library once more, of the same photos and with the same settings. The new file
     * takes the place of the old one, which is kept beside it; name, tags, takes and notes stay. `asNew`:
     * as heads of their own.
     */
    makeAgain: call(
      z.object({
        selection: ModelSelection,
        profileId: id,
        /** Instead of what each was made with. */
        options: HeadOptionsSchema.nullable().optional(),
        asNew: z.boolean().default(false),
      }),
      z.object({
        queued: z.number().int(),
        left: z.array(z.object({ reason: z.enum(againLeft), count: z.number().int() })),
        /** The first of those whose photo is not kept, or gone. */
        withoutPhoto: z.array(z.string()),
        /** The first of those that are made although a further photo of the person is not kept, or gone. */
        fewerPhotos: z.array(z.string()),
      }),
    ),
    /**
     * What `start` would do with these photos, each counted once:
     * heads that it would make, and what would stay.
     */
    forecast: call(
      z.object({ selection: PhotoSelection, profileId: id, again: z.boolean() }),
      z.object({
        heads: z.number().int(),
        /** Heads of them that would be made of several photos. */
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
     * Null: all that are open. Photos that were not sent come back into the tray (`back`), and so do those of the
     * built-in engine. An order that a server already has stays billed, and its head is not fetched.
     */
    cancel: call(
      z.object({ ids: ids.nullable() }),
      z.object({ cancelled: z.number().int(), back: z.number().int() }),
    ),
    /** Puts photos of failed or cancelled jobs back into the tray, to be corrected and queued anew. */
    bringBack: call(z.object({ ids }), z.object({ photoIds: z.array(id) })),
    /** Puts queued jobs before another one; null: at the end. */
    reorder: call(z.object({ ids, before: id.nullable() }), nothing),
    /**
     * Null: all that failed. What is paid for is fetched, not ordered again; with another profile
     * it is ordered there, beside the job that it was. `anew` orders what the server no longer
     * knows; without, it is asked for once more.
     */
    retry: call(
      z.object({ ids: ids.nullable(), profileId: id.optional(), anew: z.boolean().optional() }),
      z.object({ retried: z.number().int() }),
    ),
    /**
     * Settles a job whose submit was lost: `resend` may be billed a second time, `give_up` leaves it, and
     * `found` names the model that the person saw in their account with the server.
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
     * Removes finished jobs from the list: done, failed and cancelled. Models stay, and so do jobs that are
     * (or may be) paid for and not fetched, unless `owed` includes them. Photos without a head come back into
     * the tray (`back`).
     */
    clearFinished: call(
      z.object({ owed: z.boolean() }),
      z.object({ cleared: z.number().int(), kept: z.number().int(), back: z.number().int() }),
    ),
    /** What became of every job, as CSV. */
    report: call(nothing, TextFile),

    submitImages: call(
      z.object({ selection: PhotoSelection, profileId: id }),
      z.object({ submitted: z.number().int(), failed: z.number().int() }),
    ),
    /** Removes jobs that are not under way yet; those that were sent stay. */
    cancelImages: call(nothing, nothing),
    imageTasks: call(
      z.object(page),
      z.object({
        tasks: z.array(ImageTask),
        total: z.number().int(),
        /** What is being submitted now; null where nothing is. */
        submission: ImageSubmission.nullable(),
      }),
    ),
  },
  events: {
    /**
     * At most ten a second. Holds what is new or changed, at most 200 of each; `stale` where there was more:
     * ask again for what is on screen.
     */
    changed: z.object({
      overview: BatchOverview,
      photos: z.array(Photo),
      removedPhotos: z.array(id),
      jobs: z.array(Job),
      removedJobs: z.array(id),
      stale: z.boolean(),
    }),
    intakeChanged: PhotoImport,
    /** Null when the last image is over. */
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
