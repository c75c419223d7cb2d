/**
 * Lists and limits of the contract that both sides need as values. No schema, and only imports of plain
 * lists: the page loads this file, which must not load zod.
 */

export {
  type Operation,
  operations,
  type SecretName,
  secretNames,
} from '@likeness/client/interface_names.ts';

import { builtInNameTables, exportFormats } from '@likeness/gltf/formats/format_names.ts';

export { journalOutcomes, latencyTargetMs } from '@likeness/journal/journal_entry.ts';
export { type StudioErrorCode, studioErrorCodes } from '@likeness/messages/failure_codes.ts';
export { findingCodes } from '@likeness/proto/heads/photo_findings.ts';
export { builtInNameTables, exportFormats };

// ── Settings ──────────────────────────────────────────────────────────────────────────────────────────────

export const languages = ['en', 'zh-CN'] as const;
/** Maximum frame rate of moving heads: the display's, or this one. */
export const frameRates = ['display', '60', '30'] as const;
/** Resolution of heads. `auto`: as high as this machine renders in time. */
export const drawQualities = ['auto', 'low', 'high'] as const;

/** Maximum characters of a back-up of settings: poses and certificates are its largest parts. */
export const longestBackUp = 8_388_608;

/** Exports of heads for a purpose, by their names on the command line. */
export const headPresets = {
  /** Viewers in web pages, and Quick Look on iPhone and iPad. */
  web: { formats: ['glb-meshopt', 'usdz'], names: 'as-is' },
  /** Programs for VTubers: some read VRM 1.0, others only 0.x. */
  vtuber: { formats: ['vrm', 'vrm0'], names: 'as-is' },
  vrchat: { formats: ['fbx'], names: 'vrchat' },
} as const satisfies Record<string, { formats: (typeof exportFormats)[number][]; names: string }>;
export const headPresetNames = ['web', 'vtuber', 'vrchat'] as const satisfies (keyof typeof headPresets)[];

// ── Connections ───────────────────────────────────────────────────────────────────────────────────────────

/**
 * The built-in engine's profile: always exists, can't be deleted, gets addresses and keys from the engine.
 */
export const builtInProfileId = 'built-in';

/** Server extensions beyond the API, as announced. */
export const serverFeatures = [
  'idempotencyKey',
  'deleteModel',
  'health',
  'streamWords',
  'faceOptions',
  'headCorrections',
  'headOptions',
  'headAnyway',
  'files',
  'modelStage',
  'modelEvents',
  'noiseSuppression',
] as const;

// ── Photos ────────────────────────────────────────────────────────────────────────────────────────────────

export const sexes = ['female', 'male'] as const;
export type Sex = (typeof sexes)[number];

export const eyelidTypes = ['single', 'double'] as const;
export type EyelidType = (typeof eyelidTypes)[number];

/** Flaws to expect in a head that is made although its photo fails a quality rule. */
export const expectations = [
  'soft_left',
  'soft_right',
  'guessed_below',
  'coarse',
  'soft',
  'covered',
  'off_colours',
  'white_patches',
] as const;

export const photoSorts = ['name', 'newest', 'added'] as const;

/** Why a file was not imported. */
export const skipReasons = [
  'not_an_image',
  'unreadable',
  'undecodable',
  'duplicate',
  'hidden',
  'sidecar',
  'link_loop',
  'link_outside',
  'empty',
  'too_many',
  'no_manifest',
] as const;

export const manifestColumns = ['file', 'sex', 'eyelidType', 'name', 'tags', 'options', 'person'] as const;

/** Criteria by which photos are grouped into persons. */
export const personSigns = ['folder', 'views', 'numbers', 'burst'] as const;

/** Maximum number of persons grouped in one step. */
export const maxPeople = 2000;

/** Problems of a manifest; the invalid value is given beside it. */
export const manifestFaults = [
  'empty',
  'unknown_column',
  'no_file_column',
  'too_many_cells',
  'no_sex',
  'no_eyelid',
  'name_too_long',
  'too_many_tags',
  'no_options',
  'too_many_of_person',
  'file_missing',
  'open_quote',
  'no_photo',
  'several_photos',
] as const;

// ── The queue of heads ────────────────────────────────────────────────────────────────────────────────────

/**
 * Why a photo can't be queued; `uncertain`: it was sent before, and only the user knows whether it was
 * received.
 */
export const startLeft = ['no_sex', 'blocked', 'in_library', 'in_queue', 'uncertain'] as const;

/** Why a head can't be made again: its photo is missing, its sex is unknown, or it's being made. */
export const againLeft = ['no_photo', 'no_sex', 'in_queue'] as const;

/** The states of a job; `main/batch/jobs/job_state.ts` defines the transitions. */
export const jobStates = [
  'queued',
  'checking',
  'submitting',
  'waiting',
  'downloading',
  'done',
  'failed',
  'cancelled',
  'uncertain',
] as const;
export type JobState = (typeof jobStates)[number];

/**
 * The states of a photo in any list; `main/batch/photos/photo_state.ts` derives one from its check and its
 * job. `needs`: the user must enter or decide something first.
 */
export const photoStates = ['needs', 'ready', 'waiting', 'making', 'done', 'failed', 'cancelled'] as const;
export type PhotoState = (typeof photoStates)[number];

/**
 * The states of a tile on the board of Portraits, in the order that it shows them; `main/batch/board/board.ts`
 * derives one from a photo's check and its newest job. `unusable`: no head can be made of this photo.
 */
export const boardStates = ['needs', 'ready', 'making', 'done', 'unusable', 'checking'] as const;
export type BoardState = (typeof boardStates)[number];

/** Orders of the board. `state`: in the order of `boardStates`, newest first. */
export const boardSorts = ['newest', 'added', 'name', 'state'] as const;

/** Why a tile is in its state, other than a finding of the check: what the user must do, or what happened. */
export const boardReasons = [
  'no_sex',
  'failed',
  'cancelled',
  'uncertain',
  'key_missing',
  'refused_task',
] as const;

/** Status of a job's order at the server; `main/batch/jobs/job_state.ts` explains each. */
export const orderStates = ['none', 'unknown', 'made', 'ended', 'gone'] as const;
export type OrderState = (typeof orderStates)[number];

/** Stages of a head's making, as the built-in engine names them. */
export const headStages = [
  'decode',
  'landmarks',
  'silhouette',
  'loft',
  'shapes',
  'bake',
  'hair',
  'parts',
  'write',
] as const;

// ── Library ───────────────────────────────────────────────────────────────────────────────────────────────

/** `ok`, or the problem of the model's folder. */
export const modelStates = ['ok', 'missing_model', 'broken_model', 'broken_record'] as const;

export const modelSources = ['portrait', 'import'] as const;

/** A reviewer's rating of a head. */
export const flags = ['pick', 'reject'] as const;

/**
 * The fields of a search (`sex:male`), each with its known values. Without values, `kind` describes the
 * accepted text: `stars` and `day` with `<`, `<=`, `>`, `>=` before them.
 */
export type SearchFields<Field extends string = string> = Readonly<
  Record<Field, { kind: 'word' | 'text' | 'stars' | 'day'; values: readonly string[] }>
>;

/** Of heads in the library. */
export const searchFields = {
  sex: { kind: 'word', values: ['male', 'female', 'none'] },
  eyelid: { kind: 'word', values: ['single', 'double', 'none'] },
  flag: { kind: 'word', values: ['pick', 'reject', 'none'] },
  tag: { kind: 'text', values: ['none'] },
  rating: { kind: 'stars', values: [] },
  made: { kind: 'day', values: [] },
  by: { kind: 'text', values: [] },
  from: { kind: 'word', values: ['photo', 'import'] },
  state: { kind: 'word', values: ['ok', 'missing', 'broken'] },
  consent: { kind: 'word', values: ['expired'] },
} as const satisfies SearchFields;
export type SearchField = keyof typeof searchFields;

/** Data that an erasure removed, in the order of the receipt. */
export const erasedParts = [
  'heads',
  'photos',
  'previews',
  'jobs',
  'image_tasks',
  'uploads',
  'exports',
  'takes',
  'take_links',
  'engine',
  'log_names',
  'set_aside',
] as const;

/** Data that an erasure keeps, can't reach or must not remove. */
export const unerasedParts = [
  'takes',
  'open_jobs',
  'same_photo',
  'originals',
  'servers',
  'shelves',
  'journal',
  'saved_exports',
  'backups',
] as const;

// ── Names of face shapes ──────────────────────────────────────────────────────────────────────────────────

/** Columns of a vocabulary as CSV, in output order. */
export const nameTableColumns = ['name', 'variant', 'shape', 'weight', 'side'] as const;

/** Problems of a line of such a CSV. */
export const nameTableFaults = [
  'empty',
  'unknown_column',
  'no_column',
  'name_missing',
  'too_long',
  'no_variant',
  'no_weight',
  'no_side',
  'too_many',
  'open_quote',
] as const;

// ── Takes and Live ────────────────────────────────────────────────────────────────────────────────────────

/** Live actions that can have a key. */
export const liveActions = [
  'speak',
  'interrupt',
  'talk',
  'mute',
  'record',
  'popOut',
  'framing',
  'expression1',
  'expression2',
  'expression3',
  'expression4',
  'expression5',
  'expression6',
  'expression7',
  'expression8',
  'expression9',
] as const;
export type LiveAction = (typeof liveActions)[number];

/**
 * A system-wide key in Electron's notation: `Control+Alt+R`, `F9`. Only function keys work without Control,
 * Alt or Command: other programs would lose a plain key.
 */
export const acceleratorPattern =
  /^(?=.*(?:Control|Alt|Command)\+|F\d)(?:(?:Control|Alt|Shift|Command)\+){0,4}(?:[A-Z0-9]|Space|F(?:[1-9]|1\d|2[0-4]))$/;

// ── Files ─────────────────────────────────────────────────────────────────────────────────────────────────

export const assetKinds = [
  'model',
  'thumbnail',
  'portrait',
  'earlier-model',
  'earlier-thumbnail',
  'head-preview',
  'default-head',
  'photo',
  'photo-small',
  'export',
  'take-audio',
  'take-face',
  'take-second',
  'take-audio-view',
  'take-face-view',
  'take-second-view',
  'take-edited-audio',
  'take-overdub',
  'take-overdub-audio',
  'take-export',
  'film-source',
] as const;
export type AssetKind = (typeof assetKinds)[number];

/**
 * Path of an asset by its id, on the page's own origin; the shell serves it, with range requests. Never a
 * path on disk. The page requests it through its `assetUrl`, which adds the browser shell's prefix.
 */
export const assetPath = (assetId: string, kind: AssetKind): string =>
  `/asset/${kind}/${encodeURIComponent(assetId)}`;

/** Limits of a vocabulary's lines, without zod: for the schema and for the page's table. */
export const nameEntryLimits = {
  /** Characters. */
  name: { least: 1, most: 100 },
  shape: { most: 100 },
  variant: { least: 1, most: 9 },
  weight: { least: -10, most: 10 },
} as const;

// ── Undo ──────────────────────────────────────────────────────────────────────────────────────────────────

/** Undo steps on heads, collections and saved searches. */
export const headSteps = [
  'rename',
  'rate',
  'flag',
  'notes',
  'tag',
  'collect',
  'uncollect',
  'consent',
  'answer',
  'edit',
  'trash',
  'restore',
  'version',
  'remove version',
  'new collection',
  'rename collection',
  'remove collection',
  'save search',
  'remove search',
] as const;
/** Undo steps on photos and the queue. */
export const photoSteps = [
  'tag',
  'tag by folder',
  'manifest',
  'rename',
  'reopen',
  'remove',
  'archive',
  'cancel',
  'reorder',
  'same person',
  'separate',
  'front photo',
] as const;
/** The step, with the number of heads or photos: `tag (3)`. */
type StepName<Step extends string> = Step | `${Step} (${number})`;
export type HeadStep = (typeof headSteps)[number];
export type HeadStepName = StepName<HeadStep>;
export type PhotoStep = (typeof photoSteps)[number];
export type PhotoStepName = StepName<PhotoStep>;
