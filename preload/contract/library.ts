import { z } from 'zod';
import { call, nothing, type Room } from './call.ts';
import { erasedParts, exportFormats, flags, unerasedParts } from './constants.ts';
import { id, ids, NameRule, name, page, Renamed, ShapeNames, TextFile, tags, time } from './fields.ts';
import {
  Consent,
  Model,
  ModelCard,
  ModelFacets,
  ModelQuery,
  ModelSelection,
  Readiness,
  SearchProblem,
} from './models.ts';
import { Message } from './studio_error.ts';

export const Library = z.object({
  id,
  name: z.string(),
  /** Where it is, for showing only. */
  folder: z.string(),
  isDefault: z.boolean(),
  /** False if its disk is missing; its models are hidden until it is back. */
  available: z.boolean(),
  /** New heads can be added: false on a read-only disk. */
  writable: z.boolean(),
  models: z.number().int(),
  trashed: z.number().int(),
  bytes: z.number().int(),
  /** New models keep a copy of their photo, or only its path. */
  keepPhotos: z.enum(['copy', 'reference']),
});
export type Library = z.output<typeof Library>;

export const Collection = z.object({ id, libraryId: id, name: z.string(), models: z.number().int() });
export type Collection = z.output<typeof Collection>;

export const SavedSearch = z.object({ id, libraryId: id, name: z.string(), query: ModelQuery });
export type SavedSearch = z.output<typeof SavedSearch>;

export const LibraryProblem = z.object({
  modelId: id.nullable(),
  libraryId: id,
  /** Folder within the library. */
  folder: z.string(),
  problem: Message,
  hint: Message,
});
export type LibraryProblem = z.output<typeof LibraryProblem>;

const ExportOrder = z.object({
  selection: ModelSelection,
  /** Ignored by formats without face shapes, or with shape names of their own. */
  names: ShapeNames,
  /**
   * Pattern of the files' names: `{name}`, `{date}` (made), `{today}`,
   * `{number}`, `{sex}`, `{id}`. Default `{name}`.
   */
  fileName: z.string().max(200).optional(),
});

/** Receipt of an erasure: the data that was removed and that remains. It names only servers. */
export const ErasureReceipt = z.object({
  at: time,
  /** The erased heads and their number. */
  ids: z.array(id),
  erased: z.number().int(),
  removed: z.array(z.object({ what: z.enum(erasedParts), count: z.number().int() })),
  /** `count` 0: the number is unknown. `names`: of connections. */
  kept: z.array(
    z.object({ what: z.enum(unerasedParts), count: z.number().int(), names: z.array(z.string()) }),
  ),
  /** Heads that could not be deleted, and why. */
  failed: z.number().int(),
  problem: Message,
  /** False if a database was in use: the next start finishes it. */
  isFinished: z.boolean(),
});
export type ErasureReceipt = z.output<typeof ErasureReceipt>;

export const libraryRoom = {
  calls: {
    libraries: call(nothing, z.array(Library)),
    /** Opens the shell's folder dialog, then opens or creates the library in it. Null if dismissed. */
    addLibrary: call(z.object({ name: name.optional() }), Library.nullable()),
    /** Removes a library from the list; its folder stays unchanged. */
    removeLibrary: call(z.object({ id }), z.array(Library)),
    /** Shows its folder in the system's file manager. */
    revealLibrary: call(z.object({ id }), nothing),
    /** Moves a library's folder to the target of the shell's dialog. Null if dismissed. */
    moveLibrary: call(z.object({ id }), Library.nullable()),
    changeLibrary: call(
      z.object({
        id,
        changes: z
          .object({ name, isDefault: z.literal(true), keepPhotos: Library.shape.keepPhotos })
          .partial()
          .strict(),
      }),
      z.array(Library),
    ),

    search: call(
      z.object({ ...page, query: ModelQuery }),
      z.object({
        models: z.array(ModelCard),
        total: z.number().int(),
        /** Parts of the text that were not understood and are ignored. */
        problems: z.array(SearchProblem),
      }),
    ),
    /** Counts of the results by facet. */
    facets: call(z.object({ query: ModelQuery }), ModelFacets),
    model: call(z.object({ id }), Model),
    readiness: call(z.object({ id }), Readiness),

    /** Changes the given fields only. */
    edit: call(
      z.object({
        selection: ModelSelection,
        changes: z
          .object({
            name,
            rating: z.number().int().min(0).max(5),
            flag: z.enum(flags).nullable(),
            notes: z.string().max(20_000),
            addTags: tags,
            removeTags: tags,
            addCollection: id,
            removeCollection: id,
            consent: Consent,
            /** The user has answered the engine's question about hair or outline. */
            uncertaintyAnswered: z.boolean(),
          })
          .partial()
          .strict(),
      }),
      z.object({ changed: z.number().int() }),
    ),
    /**
     * Names by a pattern of text and `{name}`, `{file}`, `{date}`, `{sex}`, `{profile}`, `{number}`,
     * `{number:3}`. With `preview` nothing is changed.
     */
    rename: call(z.object({ selection: ModelSelection, ...NameRule.shape, preview: z.boolean() }), Renamed),
    /** Number of the last undo step; 0 if there was none since the studio started. */
    lastStep: call(nothing, z.object({ step: z.number().int() })),
    /**
     * Undoes the last step: an edit, trashing, new version or change of collections and saved searches. Empty
     * if there is none with a number above `after`.
     */
    undo: call(z.object({ after: z.number().int().default(0) }), z.object({ undone: z.string() })),
    /** Does the step again that was undone last. Empty if there is none, or if a new step followed. */
    redo: call(nothing, z.object({ redone: z.string() })),
    trash: call(z.object({ selection: ModelSelection }), z.object({ trashed: z.number().int() })),
    restore: call(z.object({ selection: ModelSelection }), z.object({ restored: z.number().int() })),
    /** Number of heads from older versions of the built-in engine, and the current version. */
    outdated: call(nothing, z.object({ count: z.number().int(), engine: z.string() })),
    /** Restores an earlier file of a head; the current one becomes an earlier version. */
    bringBack: call(z.object({ id, version: id }), Model),
    /** Deletes an earlier file of a head; `undo` brings it back. */
    removeEarlier: call(z.object({ id, version: id }), Model),
    /** Counts the other data that an erasure would remove, for confirmation. */
    beforeErase: call(
      z.object({ selection: ModelSelection }),
      z.object({
        heads: z.number().int(),
        /** Takes that were recorded with these heads. */
        takes: z.number().int(),
        /** Trashed takes are removed in any case. */
        trashedTakes: z.number().int(),
      }),
    ),
    /**
     * Permanently: model, photo, thumbnail, rows, exports, the built-in engine's data; with `takes` also the
     * takes of these heads. The journal records the erasure, without personal data.
     */
    erase: call(z.object({ selection: ModelSelection, takes: z.boolean().default(false) }), ErasureReceipt),

    collections: call(nothing, z.array(Collection)),
    createCollection: call(z.object({ libraryId: id.optional(), name }), Collection),
    renameCollection: call(z.object({ id, name }), Collection),
    removeCollection: call(z.object({ id }), nothing),
    savedSearches: call(nothing, z.array(SavedSearch)),
    saveSearch: call(z.object({ libraryId: id.optional(), name, query: ModelQuery }), SavedSearch),
    removeSavedSearch: call(z.object({ id }), nothing),

    /** Models with the same photo or the same bytes. */
    duplicates: call(
      nothing,
      z.array(z.object({ reason: z.enum(['same_photo', 'same_model']), models: z.array(ModelCard) })),
    ),
    /** Checks every file: missing, broken, changed outside. */
    verify: call(
      z.object({ libraryId: id.optional() }),
      z.object({ models: z.number().int(), problems: z.array(LibraryProblem) }),
    ),
    /** Rebuilds the index from the folders. */
    rebuild: call(z.object({ libraryId: id.optional() }), z.object({ models: z.number().int() })),
    /** Looks for changes made outside, when the user returns to the studio; cheap to call often. */
    checkFolders: call(nothing, nothing),
    reveal: call(z.object({ id }), nothing),

    /** GLB and VRM files that the shell gave ids. */
    importDropped: call(
      z.object({ dropIds: ids, libraryId: id.optional() }),
      z.object({
        added: z.array(ModelCard),
        problems: z.array(z.object({ fileName: z.string(), problem: Message })),
      }),
    ),
    /**
     * Makes a file for download at `assetUrl(exportId, 'export')` within an hour. One model gives its file,
     * zipped if the format has several; several models give a zip. `zip` contains each model's whole folder
     * with its photo.
     */
    exportModels: call(
      ExportOrder.extend({ formats: z.array(z.enum(exportFormats)).min(1).max(exportFormats.length) }),
      z.object({
        exportId: id,
        fileName: z.string(),
        bytes: z.number().int(),
        models: z.number().int(),
        /** Heads that are not in it, or not in each format, and why. */
        problems: z.array(z.object({ name: z.string(), problem: Message })),
      }),
    ),
    /**
     * Previews one format of `exportModels` for the first model: its size, the face shapes that don't move, and the VRM
     * parts (springs, a licence) that the format can't contain.
     */
    previewExport: call(
      ExportOrder.extend({ format: z.enum(exportFormats) }),
      z.object({
        fileName: z.string(),
        bytes: z.number().int(),
        moving: z.number().int(),
        still: z.array(z.string()),
        leftOut: z.array(Message),
      }),
    ),
    /** Path of Blender, or null; `chooseBlender` opens the system's dialog. */
    blender: call(nothing, z.object({ path: z.string().nullable() })),
    chooseBlender: call(nothing, z.object({ path: z.string().nullable() })),
    openInBlender: call(z.object({ id, names: ShapeNames }), nothing),
    /** Aborts the running exports; their calls fail with `cancelled`. */
    cancelExports: call(nothing, nothing),
    exportRecords: call(z.object({ selection: ModelSelection, format: z.enum(['csv', 'json']) }), TextFile),
    /** A picture that the viewer rendered for a model without one: WebP, base64. */
    setThumbnail: call(z.object({ id, webp: z.base64().max(1_400_000) }), ModelCard),
  },
  events: {
    /** At most ten a second; `stale` if more than 200 changed: request the visible items again. */
    changed: z.object({
      models: z.array(ModelCard),
      removed: z.array(id),
      stale: z.boolean(),
      libraries: z.array(Library),
      /** Collections or saved searches changed. */
      collections: z.boolean(),
    }),
    /** Long-running work: rebuild, verify, move, export, import. `done` = `total` at its end. */
    working: z.object({
      what: z.enum(['rebuild', 'verify', 'move', 'export', 'import', 'erase']),
      done: z.number().int(),
      total: z.number().int(),
    }),
  },
  streams: {},
} as const satisfies Room;
