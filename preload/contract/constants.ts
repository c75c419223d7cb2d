/**
 * Lists and limits of the contract that both sides need as values. No schema, and imports of plain lists only:
 * the page loads this file, and zod stays out of it.
 */

export {
  type Operation,
  operations,
  type SecretName,
  secretNames,
} from '@likeness/client/interface_names.ts';
export { builtInNameTables, exportFormats } from '@likeness/gltf/formats/format_names.ts';
export { journalOutcomes, latencyTargetMs } from '@likeness/journal/journal_entry.ts';
export { type StudioErrorCode, studioErrorCodes } from '@likeness/messages/failure_codes.ts';

// ── Settings ──────────────────────────────────────────────────────────────────────────────────────────────

export const languages = ['en', 'zh-CN'] as const;
/** Pictures of a moving head a second: as many as the display shows, or no more than so many. */
export const frameRates = ['display', '60', '30'] as const;
/** How sharp heads are drawn. `auto`: as sharp as this machine draws in time. */
export const drawQualities = ['auto', 'low', 'high'] as const;

/** Most characters of a back-up of settings: poses and certificates are what is large in one. */
export const longestBackUp = 8_388_608;

// ── Connections ───────────────────────────────────────────────────────────────────────────────────────────

/** The built-in engine's profile: always there, can't be deleted, its addresses and keys are the engine's. */
export const builtInProfileId = 'built-in';

/** What a server can do beyond the interface, as it announces it. */
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

/** What the local check can find; `figure` and `limit` are in `unit`. */
export const findingCodes = [
  'not_an_image',
  'too_large',
  'no_face',
  'several_faces',
  'face_too_small',
  'face_cut_off',
  'turned_too_far',
  'covered_face',
  'blurred',
  'too_dark',
  'too_bright',
  'eyes_not_neutral',
  'mouth_not_neutral',
  'uncertain_outline',
  'hair_cut_off',
  'no_colour',
  'not_a_person',
  'check_failed',
] as const;

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

/** Why a file was not taken in. */
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

/** By what photos are taken for those of one person. */
export const personSigns = ['folder', 'views', 'numbers', 'burst'] as const;

/** People that are put together in one step. */
export const maxPeople = 2000;

/** What can be wrong with a manifest; the value concerned is given beside it. */
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
 * Why a photo can't be queued; `uncertain`: it was sent before, and
 * only the person knows whether it was taken.
 */
export const startLeft = ['no_sex', 'blocked', 'in_library', 'in_queue', 'uncertain'] as const;

/** Why a head can't be made again: its photo is not kept or gone, its sex isn't known, it's being made. */
export const againLeft = ['no_photo', 'no_sex', 'in_queue'] as const;

/** The states of a job; `main/batch/jobs/job_state.ts` holds the transitions. */
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
 * The states of a photo, whatever list it is in; `main/batch/photos/photo_state.ts` tells one by its check and its
 * job. `needs`: a person must say or decide something first.
 */
export const photoStates = ['needs', 'ready', 'waiting', 'making', 'done', 'failed', 'cancelled'] as const;
export type PhotoState = (typeof photoStates)[number];

/** Where a job's order stands with the server; `main/batch/jobs/job_state.ts` says what each means. */
export const jobStandings = ['none', 'doubt', 'made', 'ended', 'gone'] as const;
export type JobStanding = (typeof jobStandings)[number];

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

/** `ok`, or what is wrong with the model's folder. */
export const modelStates = ['ok', 'missing_model', 'broken_model', 'broken_record'] as const;

export const modelSources = ['portrait', 'import'] as const;

/** A reviewer's verdict on a head. */
export const flags = ['pick', 'reject'] as const;

/**
 * The fields that words of a search can name (`sex:male`), each with the values it knows; where it has none,
 * any text or what `kind` says: `stars` and `day` with `<`, `<=`, `>`, `>=` before them.
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

/** What an erasing removed, in the order in which it is told. */
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

/** What an erasing leaves, and can't or may not reach. */
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

/** Columns of a table of names as CSV, in the order in which it is written. */
export const nameTableColumns = ['name', 'way', 'shape', 'weight', 'side'] as const;

/** What can be wrong with a line of such a CSV. */
export const nameTableFaults = [
  'empty',
  'unknown_column',
  'no_column',
  'name_missing',
  'too_long',
  'no_way',
  'no_weight',
  'no_side',
  'too_many',
  'open_quote',
] as const;

// ── Takes and Live ────────────────────────────────────────────────────────────────────────────────────────

/** What is done while one speaks, and can have a key. */
export const liveActions = [
  'speak',
  'interrupt',
  'talk',
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
 * A system-wide key as Electron writes it: `Control+Alt+R`, `F9`. Only function keys go without Control, Alt
 * or Command: other programs would lose a plain key.
 */
export const acceleratorPattern =
  /^(?=.*(?:Control|Alt|Command)\+|F\d)(?:(?:Control|Alt|Shift|Command)\+){0,4}(?:[A-Z0-9]|Space|F(?:[1-9]|1\d|2[0-4]))$/;

// ── Files ─────────────────────────────────────────────────────────────────────────────────────────────────

export const assetKinds = [
  'model',
  'thumbnail',
  'portrait',
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
  'take-attempt',
  'take-attempt-audio',
  'take-export',
  'film-source',
] as const;
export type AssetKind = (typeof assetKinds)[number];

/**
 * Where a file is by its id, on the page's own origin; the shell serves it, with range requests. Never a path
 * on disk. The page asks at `assetUrl` of its own, which puts in front what the browser shell wants there.
 */
export const assetPath = (assetId: string, kind: AssetKind): string =>
  `/asset/${kind}/${encodeURIComponent(assetId)}`;

/** What a line of a vocabulary of face shapes may hold, without zod: for the schema and for the page's table. */
export const nameEntryLimits = {
  /** Characters. */
  name: { least: 1, most: 100 },
  shape: { most: 100 },
  way: { least: 1, most: 9 },
  weight: { least: -10, most: 10 },
} as const;
