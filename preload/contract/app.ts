import { defaultHeads } from '@likeness/proto/heads/default_heads.ts';
import { z } from 'zod';
import { call, nothing, type Room } from './call.ts';
import { drawQualities, exportFormats, frameRates, languages, longestBackUp } from './constants.ts';
import { HeadPreset, maxPresets, TakePreset } from './export_presets.ts';
import { id, ShapeNames, TextFile, time } from './fields.ts';
import { Message, StudioError } from './studio_error.ts';
import { takeFormats } from './takes/take_constants.ts';

/** Maximum shapes of one face; our heads have 68, a foreign one may have hundreds. */
const maxPoseShapes = 500;

const PoseWeights = z
  .record(z.string().max(100), z.number())
  .refine((weights) => Object.keys(weights).length <= maxPoseShapes, 'too many face shapes')
  .meta({ maxProperties: maxPoseShapes });

/** Actions whose keys can be changed, at most. */
const maxShortcuts = 300;

/** Keys that the user chose, by the action's id; an empty list: no key. Other actions have their default keys. */
const Shortcuts = z
  .record(z.string().max(60), z.array(z.string().min(1).max(40)).max(4))
  .refine((shortcuts) => Object.keys(shortcuts).length <= maxShortcuts, 'too many shortcuts')
  .meta({ maxProperties: maxShortcuts });

export const Settings = z.object({
  language: z.enum(languages),
  theme: z.enum(['system', 'dark', 'light']),
  reducedMotion: z.enum(['system', 'on', 'off']),
  notifications: z.boolean(),
  /** Scale of the user interface, percent, in addition to the zoom of browser or window. */
  interfaceSize: z.number().int().min(90).max(150),
  /** The first-run screen was finished or dismissed. */
  welcomed: z.boolean(),
  /**
   * Whether the studio may check for new versions automatically. No server is contacted before it is `yes`.
   */
  lookForUpdates: z.enum(['unasked', 'yes', 'no']),
  /** Installs a downloaded version when the user quits, without a further question. */
  installOnQuit: z.boolean(),
  /** Saved poses: weights of face shapes, 0..1, for any head that has them. */
  poses: z.array(z.object({ name: z.string().trim().min(1).max(60), weights: PoseWeights })).max(200),
  /** Pronunciations that are missing in the dictionaries or override them: phones separated by spaces. */
  pronunciations: z
    .array(z.object({ word: z.string().trim().min(1).max(60), phones: z.string().trim().min(1).max(300) }))
    .max(1000),
  frameRate: z.enum(frameRates),
  drawQuality: z.enum(drawQualities),
  /** The default head, shown if none from a photo is chosen. */
  defaultHead: z.enum(defaultHeads),
  /** Initial values of the dialogs. */
  headExport: z.object({ format: z.enum(exportFormats), names: ShapeNames }),
  takeExport: z.enum(takeFormats),
  /** The last export's options, the initial values of the dialogs. */
  rememberExport: z.boolean(),
  /** The user's own presets of the dialogs and `--preset`. */
  headPresets: z.array(HeadPreset).max(maxPresets),
  takePresets: z.array(TakePreset).max(maxPresets),
  shortcuts: Shortcuts,
});
export type Settings = z.output<typeof Settings>;

/** The page's own stored values, each as text. */
export const PageSettings = z.object({
  live: z.string().max(65_536).optional(),
  libraryView: z.string().max(4096).optional(),
});
export type PageSettings = z.output<typeof PageSettings>;

/** A change that restoring a back-up makes or made. `from` and `to` are JSON; empty if there is no value. */
const SettingChange = z.object({
  what: z.enum(['setting', 'connection_added', 'connection_changed', 'default_connection']),
  /** Name of the setting in `Settings`, or of the connection. */
  name: z.string(),
  /** Fields of a connection that change. */
  fields: z.array(z.string()),
  from: z.string(),
  to: z.string(),
});
export type SettingChange = z.output<typeof SettingChange>;

export const BackUpReading = z.object({
  /** Why it can't be read; null if it can. */
  problem: z.enum(['too_large', 'not_json', 'not_settings', 'newer', 'empty']).nullable(),
  /** Date of the back-up; null if unknown. */
  madeAt: time.nullable(),
  changes: z.array(SettingChange),
  /** The page's stored values at the time of the back-up; the page computes the differences. */
  page: PageSettings,
  /** Paths of invalid parts, which are skipped. */
  leftOut: z.array(Message),
});
export type BackUpReading = z.output<typeof BackUpReading>;

export const AppInfo = z.object({
  version: z.string(),
  shell: z.enum(['electron', 'browser', 'none']),
  platform: z.string(),
  /** Where the studio keeps its data, for showing only. */
  dataFolder: z.string(),
  runtime: z.string(),
  /** Pages run without Chromium's sandbox, and the user chose to continue. */
  unprotected: z.boolean(),
});
export type AppInfo = z.output<typeof AppInfo>;

/** The parts of the studio's files. */
export const StoragePart = z.enum([
  'library',
  'takes',
  'photos',
  'engine',
  'caches',
  'logs',
  'journal',
  'other',
]);
export type StoragePart = z.output<typeof StoragePart>;

export const StorageUse = z.object({
  parts: z.array(
    z.object({
      part: StoragePart,
      bytes: z.number().int().nonnegative(),
      files: z.number().int().nonnegative(),
    }),
  ),
  /** Bytes that `clearCaches` would free. */
  clearable: z.number().int().nonnegative(),
  /** Folders that couldn't be read and aren't counted: a library on a disk that is away, for example. */
  unreadable: z.array(z.string()),
});
export type StorageUse = z.output<typeof StorageUse>;

export const Updates = z.object({
  /** Why this studio can't be updated; null if it can. */
  unavailable: z.enum(['no_address', 'not_installed', 'other_means']).nullable(),
  /** The update server's host; empty if there is none. */
  address: z.string(),
  stage: z.enum(['idle', 'looking', 'current', 'found', 'downloading', 'ready']),
  /** The newer version, from `found` on. */
  version: z.string(),
  /** Of the download. */
  fraction: z.number().min(0).max(1),
  /** Running work that delays the download. */
  waitsFor: z.enum(['heads', 'take']).nullable(),
  /** Time of the last check that got an answer. */
  checkedAt: time.nullable(),
  /** The last error. */
  problem: StudioError.nullable(),
});
export type Updates = z.output<typeof Updates>;

/** A page in a browser that has the studio open. */
export const OpenPage = z.object({
  id,
  /** `Firefox 145, Linux`; empty if unknown. */
  browser: z.string(),
  openedAt: time,
  seenAt: time,
  /** It is connected now. */
  connected: z.boolean(),
});
export type OpenPage = z.output<typeof OpenPage>;

export const appRoom = {
  calls: {
    info: call(nothing, AppInfo),
    settings: call(nothing, Settings),
    /** Changes the given settings only. */
    changeSettings: call(Settings.partial().strict(), Settings),
    /** The settings with their revision, for `changeSettingsFrom`. */
    settingsRevision: call(nothing, z.object({ settings: Settings, revision: z.number().int() })),
    /** Sets changes that derive from older settings, unless there is a newer revision. */
    changeSettingsFrom: call(
      z.object({ revision: z.number().int(), changes: Settings.partial().strict() }),
      z.object({ isChanged: z.boolean(), settings: Settings }),
    ),
    /** All of the user's settings, and the connections without their keys, as one file. */
    backUpSettings: call(z.object({ page: PageSettings }), TextFile),
    /** Returns the changes that `readBackUp` would make. Changes nothing. */
    compareBackUp: call(z.object({ text: z.string().max(longestBackUp) }), BackUpReading),
    /** Restores the settings of a back-up. Connections get no keys, and those that it does not name stay. */
    readBackUp: call(z.object({ text: z.string().max(longestBackUp) }), BackUpReading),
    /** Undoes the last `readBackUp`. */
    undoBackUp: call(nothing, Settings),
    /** The page reports its own uncaught errors, so that they are in the log with everything else. */
    reportError: call(z.object({ message: z.string().max(4000), stack: z.string().max(20_000) }), nothing),
    /** Requests the microphone permission if the system requires it (macOS); elsewhere always `granted`. */
    askForMicrophone: call(nothing, z.enum(['granted', 'denied'])),
    /** Quits the desktop app as its menu does: asks first if work is running. */
    quit: call(nothing, nothing),
    /** Measures all files of the studio: seconds, with tens of thousands of them. */
    storageUse: call(nothing, StorageUse),
    /** Removes copies that exports left and that are older than ten minutes. */
    clearCaches: call(nothing, z.object({ bytes: z.number().int().nonnegative() })),
    updates: call(nothing, Updates),
    /** Checks for a new version now, whatever the setting. Returns errors as part of the result. */
    checkForUpdates: call(nothing, Updates),
    /**
     * Starts the download; events report its progress. It waits while heads are made or a take is recorded.
     */
    downloadUpdate: call(nothing, Updates),
    stopUpdateDownload: call(nothing, Updates),
    /** Quits the studio, installs the download and starts it again. */
    installUpdate: call(nothing, Updates),
    /** The pages that have the studio open; only in a browser. */
    openPages: call(nothing, z.array(OpenPage)),
    /** Ends the sessions of pages at once, including the calling one if it is among them. */
    endPages: call(z.object({ ids: z.array(id).min(1).max(1000) }), z.array(OpenPage)),
    /**
     * Prints a link for one more page in the terminal: a link is a key, so it never passes through a page.
     */
    offerLink: call(nothing, nothing),
  },
  events: {
    settingsChanged: Settings,
    updatesChanged: Updates,
    openPagesChanged: z.array(OpenPage),
    /** A menu item or a second start asks the page to open a route. */
    navigate: z.object({
      to: z.enum(['portraits', 'library', 'live', 'takes', 'activity', 'settings', 'palette', 'shortcuts']),
    }),
    notice: z.object({
      level: z.enum(['info', 'success', 'warning', 'error']),
      title: Message,
      text: Message,
    }),
  },
  streams: {},
} as const satisfies Room;
