import { defaultHeads } from '@likeness/proto/heads/default_heads.ts';
import { z } from 'zod';
import { call, nothing, type Room } from './call.ts';
import { drawQualities, exportFormats, frameRates, languages, longestBackUp } from './constants.ts';
import { id, ShapeNames, TextFile, time } from './fields.ts';
import { Message, StudioError } from './studio_error.ts';
import { takeFormats } from './takes/take_constants.ts';

/** Shapes of one face; a head has 68 of ours, a foreign one perhaps some hundreds. */
const maxPoseShapes = 500;

const PoseWeights = z
  .record(z.string().max(100), z.number())
  .refine((weights) => Object.keys(weights).length <= maxPoseShapes, 'too many face shapes')
  .meta({ maxProperties: maxPoseShapes });

export const Settings = z.object({
  language: z.enum(languages),
  theme: z.enum(['system', 'dark', 'light']),
  reducedMotion: z.enum(['system', 'on', 'off']),
  notifications: z.boolean(),
  /** How large everything is drawn, percent of its own size, beside what the browser or the window zooms. */
  interfaceSize: z.number().int().min(90).max(150),
  /** The first-run screen was finished or dismissed. */
  welcomed: z.boolean(),
  /**
   * Whether the studio may check for new versions by itself. No server is contacted before it is `yes`.
   */
  lookForUpdates: z.enum(['unasked', 'yes', 'no']),
  /** A version that was downloaded is installed when the person quits, without a further question. */
  installOnQuit: z.boolean(),
  /** Faces that were kept under a name: weights of face shapes, 0..1, for any head that has them. */
  poses: z.array(z.object({ name: z.string().trim().min(1).max(60), weights: PoseWeights })).max(200),
  /** How words are said that no dictionary has, or other than it has them: phones by spaces. */
  pronunciations: z
    .array(z.object({ word: z.string().trim().min(1).max(60), phones: z.string().trim().min(1).max(300) }))
    .max(1000),
  frameRate: z.enum(frameRates),
  drawQuality: z.enum(drawQualities),
  /** Which of the studio's own heads is shown where none of a photo is chosen. */
  defaultHead: z.enum(defaultHeads),
  /** What the dialogs begin with. */
  headExport: z.object({ format: z.enum(exportFormats), names: ShapeNames }),
  takeExport: z.enum(takeFormats),
  /** The last export's options, which the dialogs start with. */
  rememberExport: z.boolean(),
});
export type Settings = z.output<typeof Settings>;

/** What the page stores itself, each as its stored text. */
export const PageSettings = z.object({
  live: z.string().max(65_536).optional(),
  libraryView: z.string().max(4096).optional(),
});
export type PageSettings = z.output<typeof PageSettings>;

/**
 * A thing that reading a back-up changes, or has changed. `from` and
 * `to` are JSON; empty where there is nothing.
 */
const SettingChange = z.object({
  what: z.enum(['setting', 'connection_added', 'connection_changed', 'default_connection']),
  /** Of the setting, as `Settings` has it, or of the connection. */
  name: z.string(),
  /** Fields of a connection that differ. */
  fields: z.array(z.string()),
  from: z.string(),
  to: z.string(),
});
export type SettingChange = z.output<typeof SettingChange>;

export const BackUpReading = z.object({
  /** Why it can't be read; null if it can. */
  problem: z.enum(['too_large', 'not_json', 'not_settings', 'newer', 'empty']).nullable(),
  /** When it was made; null where it does not say. */
  madeAt: time.nullable(),
  changes: z.array(SettingChange),
  /** What the page had stored when the back-up was made; the page works out what differs. */
  page: PageSettings,
  /** Invalid parts that are skipped, by path. */
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
  /** Pages run without Chromium's sandbox, and the person chose to continue. */
  unprotected: z.boolean(),
});
export type AppInfo = z.output<typeof AppInfo>;

export const Updates = z.object({
  /** Why this studio can't be replaced by a newer build; null where it can. */
  unavailable: z.enum(['no_address', 'not_installed', 'other_means']).nullable(),
  /** The host that is asked; empty where there is none. */
  address: z.string(),
  stage: z.enum(['idle', 'looking', 'current', 'found', 'downloading', 'ready']),
  /** The newer version, from `found` on. */
  version: z.string(),
  /** Of the download. */
  fraction: z.number().min(0).max(1),
  /** Work that the download waits for. */
  waitsFor: z.enum(['heads', 'take']).nullable(),
  /** Time of the last check that got an answer. */
  checkedAt: time.nullable(),
  /** What went wrong last. */
  problem: StudioError.nullable(),
});
export type Updates = z.output<typeof Updates>;

/** A page in a browser that has the studio open. */
export const OpenPage = z.object({
  id,
  /** `Firefox 145, Linux`; empty where it is not known. */
  browser: z.string(),
  openedAt: time,
  seenAt: time,
  /** It is there now. */
  connected: z.boolean(),
});
export type OpenPage = z.output<typeof OpenPage>;

export const appRoom = {
  calls: {
    info: call(nothing, AppInfo),
    settings: call(nothing, Settings),
    /** Sets these, and leaves the others. */
    changeSettings: call(Settings.partial().strict(), Settings),
    /** The settings with their revision, for `changeSettingsFrom`. */
    settingsRevision: call(nothing, z.object({ settings: Settings, revision: z.number().int() })),
    /** Sets changes that were made of other settings, unless there is a newer revision than theirs. */
    changeSettingsFrom: call(
      z.object({ revision: z.number().int(), changes: Settings.partial().strict() }),
      z.object({ isChanged: z.boolean(), settings: Settings }),
    ),
    /** All that a person set, and the connections without their keys, as one file. */
    backUpSettings: call(z.object({ page: PageSettings }), TextFile),
    /** What `readBackUp` would change. Changes nothing. */
    compareBackUp: call(z.object({ text: z.string().max(longestBackUp) }), BackUpReading),
    /** Sets what a back-up says. Connections get no keys by it, and those that it does not name stay. */
    readBackUp: call(z.object({ text: z.string().max(longestBackUp) }), BackUpReading),
    /** Takes back the last `readBackUp`. */
    undoBackUp: call(nothing, Settings),
    /** The page reports its own uncaught errors, so that they are in the log with everything else. */
    reportError: call(z.object({ message: z.string().max(4000), stack: z.string().max(20_000) }), nothing),
    /** Asks the system for the microphone where it wants to be asked (macOS); elsewhere always `granted`. */
    askForMicrophone: call(nothing, z.enum(['granted', 'denied'])),
    /** Quits the desktop app as its menu does: asks first if work is under way. */
    quit: call(nothing, nothing),
    updates: call(nothing, Updates),
    /** Checks for a new version now, whatever the setting. Errors are part of the answer. */
    checkForUpdates: call(nothing, Updates),
    /** Begins; events tell how far it is. It waits while heads are made or a take is recorded. */
    downloadUpdate: call(nothing, Updates),
    stopUpdateDownload: call(nothing, Updates),
    /** Quits the studio, installs what was downloaded and starts it again. */
    installUpdate: call(nothing, Updates),
    /** Who has the studio open; only in a browser. */
    openPages: call(nothing, z.array(OpenPage)),
    /** Ends pages at once, including the calling one if it is among them. */
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
    /** A menu item or a second start asks the page to go somewhere. */
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
