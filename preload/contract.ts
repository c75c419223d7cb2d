/**
 * The border between the studio (main) and what a person sees (renderer): one table that names every call,
 * event and stream, with a zod schema for what goes in and what comes out.
 *
 * Everything else derives from it: the types the renderer sees (`StudioApi`), the names the bridge exposes
 * (`contractNames`), the handlers' types (`Handlers`), the validation in `main/ipc`. A call that is not in
 * this table does not exist.
 *
 * Outputs are validated too, and unknown fields are dropped on the way out, so that a handler that returns
 * too much (a key, a path) leaks nothing.
 */

import { z } from 'zod';
import type { Sentence as SentenceOfTable } from '#sentences';

// ── Errors ──────────────────────────────────────────────────────────────────────────────────────────────

/** The closed list of what can go wrong at the border. The renderer may switch over it exhaustively. */
export const studioErrorCodes = [
  'invalid_input', // what was sent does not fit the contract; `field` names the part at fault
  'forbidden', // the sender is not our own page
  'not_found', // the thing named does not exist (any more)
  'conflict', // it exists already, or is in use
  'not_allowed', // the studio's own rules forbid it (deleting the built-in profile)
  'locked', // keys are locked behind a passphrase
  'key_missing', // the profile has no key for this group
  'cap_reached', // the spending cap would be passed
  'upstream_refused', // the server answered, and its answer is no
  'upstream_broken', // the server answered with something that is not the interface
  'unreachable', // no answer: no network, no such host, refused, TLS
  'timeout', // an answer did not come in time
  'cancelled', // somebody cancelled it
  'storage', // disk full, folder read-only, file damaged
  'unsupported', // this machine, shell or file can't do it
  'internal', // a defect of ours; the log has the details
] as const;
export type StudioErrorCode = (typeof studioErrorCodes)[number];

/** A key of the table in `sentences/` with its values: worded where it is read, in the language of that moment. */
const Sentence: z.ZodType<SentenceOfTable, SentenceOfTable> = z.object({
  key: z.string().max(80),
  values: z.record(
    z.string().max(40),
    z.union([
      z.string(),
      z.number(),
      z.object({ en: z.string(), zh: z.string() }),
      z.lazy((): z.ZodType<SentenceOfTable, SentenceOfTable> => Sentence),
    ]),
  ),
  text: z.string(),
});
/** What main says to a person; a plain text is shown as it is. */
export const Said = z.union([z.string(), Sentence]);

export const StudioError = z.object({
  code: z.enum(studioErrorCodes),
  /** What happened, in a sentence a person understands. */
  message: Said,
  /** What to do about it; empty where there is nothing to do. */
  hint: Said,
  /** True where the same call may succeed later without any change. */
  retryable: z.boolean(),
  /** Dotted path of the input field at fault, for `invalid_input`. */
  field: z.string().optional(),
});
export type StudioError = z.output<typeof StudioError>;

/** Errors travel as values: Electron's `invoke` would strip an Error of its own fields. */
export type Result<T> = { ok: true; value: T } | { ok: false; error: StudioError };

// ── Building blocks of the table ────────────────────────────────────────────────────────────────────────

interface Call<I extends z.ZodType, O extends z.ZodType> {
  in: I;
  out: O;
}
interface Stream<I extends z.ZodType> {
  /** Options given when it is opened; messages themselves are binary, both ways. */
  in: I;
}
interface Room {
  calls: Record<string, Call<z.ZodType, z.ZodType>>;
  events: Record<string, z.ZodType>;
  streams: Record<string, Stream<z.ZodType>>;
}
const call = <I extends z.ZodType, O extends z.ZodType>(input: I, out: O): Call<I, O> => ({ in: input, out });
const nothing = z.undefined();

// ── Records ─────────────────────────────────────────────────────────────────────────────────────────────

const id = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9_-]+$/, 'letters, digits, - and _ only');
/** Milliseconds since 1970-01-01 UTC. */
const time = z.number().int().nonnegative();
const serverUrl = z
  .string()
  .trim()
  .max(2048)
  .refine(
    (text) => text === '' || /^https?:\/\/[^\s@]+$/i.test(text),
    'an http:// or https:// address, without user name or password',
  );

export const languages = ['en', 'zh-CN'] as const;
/** Shapes of one face; a head has 68 of ours, a foreign one perhaps some hundreds. */
const mostPoseShapes = 500;
const PoseWeights = z
  .record(z.string().max(100), z.number())
  .refine((weights) => Object.keys(weights).length <= mostPoseShapes, 'too many face shapes')
  .meta({ maxProperties: mostPoseShapes });

export const Settings = z.object({
  language: z.enum(languages),
  theme: z.enum(['system', 'dark', 'light']),
  reducedMotion: z.enum(['system', 'on', 'off']),
  notifications: z.boolean(),
  /** How large everything is drawn, percent of its own size, beside what the browser or the window zooms. */
  interfaceSize: z.number().int().min(90).max(150),
  /** The first-run screen was finished or put aside. */
  welcomed: z.boolean(),
  /** Whether the studio may look for new versions by itself. Nothing is asked of anybody before it is `yes`. */
  lookForUpdates: z.enum(['unasked', 'yes', 'no']),
  /** A version that was downloaded is installed when the person quits, without a further question. */
  installOnQuit: z.boolean(),
  /** Faces that were kept under a name: weights of face shapes, 0..1, for any head that has them. */
  poses: z.array(z.object({ name: z.string().trim().min(1).max(60), weights: PoseWeights })).max(200),
  /** Pictures of a moving head a second: as many as the display shows, or no more than so many. */
  frameRate: z.enum(['display', '60', '30']),
  /** How sharp heads are drawn. `auto`: as sharp as this machine draws in time. */
  drawQuality: z.enum(['auto', 'low', 'high']),
  /** What the dialogs begin with; the formats are listed further down. */
  headExport: z.lazy(() => z.object({ format: z.enum(exportFormats), names: ShapeNames })),
  takeExport: z.lazy(() => z.enum(takeFormats)),
  /** What was exported last is what the dialogs begin with from then on. */
  rememberExport: z.boolean(),
});
export type Settings = z.output<typeof Settings>;

/** Most characters of a back-up of settings: poses and certificates are what is large in one. */
export const longestBackUp = 8_388_608;
/** What the page keeps itself, each as the text that it keeps. */
export const PageSettings = z.object({
  live: z.string().max(65_536).optional(),
  libraryView: z.string().max(4096).optional(),
});
export type PageSettings = z.output<typeof PageSettings>;

/** A thing that reading a back-up changes, or has changed. `from` and `to` are JSON; empty where there is nothing. */
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
  /** Why nothing of it can be read; null where it can. */
  problem: z.enum(['too_large', 'not_json', 'not_settings', 'newer', 'empty']).nullable(),
  /** When it was made; null where it does not say. */
  madeAt: time.nullable(),
  changes: z.array(SettingChange),
  /** What the page kept when it was made: the page looks itself what of it differs. */
  page: PageSettings,
  /** What in it makes no sense and is passed over, by place. */
  leftOut: z.array(Said),
});
export type BackUpReading = z.output<typeof BackUpReading>;

export const AppInfo = z.object({
  version: z.string(),
  shell: z.enum(['electron', 'browser', 'none']),
  platform: z.string(),
  /** Where the studio keeps its data, for showing only. */
  dataFolder: z.string(),
  runtime: z.string(),
  /** Pages run without Chromium's sandbox, and the person chose to go on all the same. */
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
  /** When was looked last, and an answer came. */
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

/** The secrets that a profile can have. They go in by `connections.setSecret` and never come out. */
export const secretNames = ['accessToken', 'apiKey', 'clientKey', 'proxyPassword'] as const;
export type SecretName = (typeof secretNames)[number];
/** Most characters of a secret. */
const longestSecret = 16_384;
/** Where a key goes that stays behind: it is not sent where the connection leads now. */
const BoundElsewhere = z.object({
  /** `https://api.example.com`; several, divided by blanks, for a client key. Empty: nowhere yet. */
  origin: z.string(),
  /** Empty: without a proxy. */
  proxy: z.string(),
  /** Certificates of the connection's own were trusted besides the system's. */
  ownCa: z.boolean(),
  /** The environment variable that the key comes from; empty where it is stored. */
  variable: z.string(),
});
export type BoundElsewhere = z.output<typeof BoundElsewhere>;
const SecretState = z.object({
  /** There is one, and it goes where the connection leads now. */
  configured: z.boolean(),
  /** The last four characters, where the secret is long enough (≥ 12) that four give nothing away. */
  lastFour: z.string().max(4),
  /** True where it comes from an environment variable and can't be changed here. */
  fromEnvironment: z.boolean(),
  /** There is a key, but it was entered for another server, proxy or certificate authority. Null: none such. */
  boundElsewhere: BoundElsewhere.nullable(),
});

/** Which field of a user's own message holds which part of a face frame. */
export const StreamMapping = z.object({
  /** Full name of the message that the server streams, for instance `acme.FaceFrame`. */
  message: z.string().max(200),
  /** `length-delimited`: varint length before each message; `single`: the body is one message. */
  framing: z.enum(['length-delimited', 'single']),
  /** Path of the time code within the message, for instance `frame.time`. */
  timeCode: z.string().max(200),
  timeCodeUnit: z.enum(['seconds', 'milliseconds', 'microseconds', 'frames']),
  /** Path of the repeated weights. */
  weights: z.string().max(200),
  /** Path of the repeated channel names; empty where `channels` lists them. */
  names: z.string().max(200),
  /** Channel names by position, where the stream does not carry them. */
  channels: z.array(z.string().max(80)).max(512),
  /** Path of repeated frames within a `single` message; empty where a message is a frame. */
  frames: z.string().max(200),
  /** Frames per second; needed where `timeCodeUnit` is `frames`. */
  frameRate: z.number().positive().max(1000),
});
export type StreamMapping = z.output<typeof StreamMapping>;

/** What a person can set on a connection. `interface.md` leaves much open: each guess is a visible default. */
export const ProfileDraft = z.object({
  name: z.string().trim().min(1, 'a name').max(80),
  /** Group A (audio to face, image tasks): base URL before `/v1`. Empty: not used. */
  groupAUrl: serverUrl,
  /** Group B (models): base URL before `/open-api`. Empty: not used. */
  groupBUrl: serverUrl,
  /** The neutral word in the paths that carry the product name (`svc`). */
  pathWord: z
    .string()
    .trim()
    .min(1)
    .max(40)
    .regex(/^[A-Za-z0-9._~-]+$/, 'letters, digits and . _ ~ - only')
    .refine((word) => !/^\.+$/.test(word), 'not only dots'),
  /** Write Group B paths with `//open-api`, as their published form does. */
  doubledSlash: z.boolean(),
  stream: z.object({
    schema: z.enum(['likeness', 'custom']),
    /** The text of the user's `.proto`, for `custom`. */
    proto: z.string().max(262_144),
    mapping: StreamMapping,
    /** Words for the position in the stream. Only `start` is documented. */
    words: z.object({
      first: z.string().min(1).max(40),
      middle: z.string().min(1).max(40),
      last: z.string().min(1).max(40),
    }),
  }),
  prices: z.object({
    currency: z.string().regex(/^[A-Z]{3}$/, 'three capital letters, such as USD'),
    perSecond: z.number().nonnegative().max(1e6),
    perFrame: z.number().nonnegative().max(1e6),
    perModel: z.number().nonnegative().max(1e6),
  }),
  /** Most that may be spent in a calendar month (UTC), in `prices.currency`. Null: no cap. */
  monthlyCap: z.number().nonnegative().max(1e9).nullable(),
  /** PEM certificates trusted besides the system's. */
  customCa: z.string().max(1_048_576),
  /** PEM client certificate; its private key is the secret `clientKey`. */
  clientCertificate: z.string().max(1_048_576),
  /** Proxy, `http://host:port`; empty: none. A password is the secret `proxyPassword`. */
  proxyUrl: serverUrl,
  proxyUser: z.string().max(200),
  /** Requests under way at once. */
  concurrency: z.number().int().min(1).max(32),
  /** Most requests started in a minute. 0: no limit. */
  requestsPerMinute: z.number().int().min(0).max(100_000),
  /** Seconds between two questions for a model's state: first and longest pause. */
  polling: z.object({ least: z.number().min(0.05).max(600), most: z.number().min(0.1).max(3600) }),
});
export type ProfileDraft = z.output<typeof ProfileDraft>;

/** The built-in engine's profile: always there, can't be deleted, its addresses and keys are the engine's. */
export const builtInProfileId = 'built-in';

/** A connection as lists have it: without certificates and schema, which may be large (`connections.details`). */
export const Profile = ProfileDraft.omit({ stream: true, customCa: true, clientCertificate: true }).extend({
  id,
  builtIn: z.boolean(),
  isDefault: z.boolean(),
  createdAt: time,
  changedAt: time,
  secrets: z.object({
    accessToken: SecretState,
    apiKey: SecretState,
    clientKey: SecretState,
    proxyPassword: SecretState,
  }),
});
export type Profile = z.output<typeof Profile>;

/** What a new connection starts from; the same defaults fill fields that an imported file leaves out. */
export const newProfile: ProfileDraft = {
  name: 'New connection',
  groupAUrl: '',
  groupBUrl: '',
  pathWord: 'svc',
  doubledSlash: false,
  stream: {
    schema: 'likeness',
    proto: '',
    mapping: {
      message: '',
      framing: 'length-delimited',
      timeCode: '',
      timeCodeUnit: 'seconds',
      weights: '',
      names: '',
      channels: [],
      frames: '',
      frameRate: 60,
    },
    words: { first: 'start', middle: 'continue', last: 'end' },
  },
  prices: { currency: 'USD', perSecond: 0, perFrame: 0, perModel: 0 },
  monthlyCap: null,
  customCa: '',
  clientCertificate: '',
  proxyUrl: '',
  proxyUser: '',
  concurrency: 2,
  requestsPerMinute: 0,
  polling: { least: 1, most: 30 },
};

/** What is not in lists has a default: a connection can be made from what a list says of another. */
const NewConnection = ProfileDraft.extend({
  stream: ProfileDraft.shape.stream.default(newProfile.stream),
  customCa: ProfileDraft.shape.customCa.default(''),
  clientCertificate: ProfileDraft.shape.clientCertificate.default(''),
});

export const KeyStoreState = z.object({
  /** What wraps the key that encrypts the keys. */
  protection: z.enum(['system', 'passphrase', 'this-run-only', 'none']),
  /** The system's own name for its key store: `keychain`, `dpapi`, `gnome_libsecret`, `kwallet6`, `basic_text`, … */
  backend: z.string(),
  locked: z.boolean(),
  /** The system's store protects nothing (Linux `basic_text`): the person must choose. */
  needsChoice: z.boolean(),
  /** A damaged store that was kept aside, by file name, with what was wrong. */
  damaged: z.array(z.object({ fileName: z.string(), reason: Said, at: time })),
});
export type KeyStoreState = z.output<typeof KeyStoreState>;

export const operations = [
  'audio_to_face',
  'submit_image',
  'generate_model',
  'get_model',
  'download',
  'probe',
] as const;
export type Operation = (typeof operations)[number];

export const ConnectionStep = z.object({
  operation: z.enum(operations),
  /** Method and address tried, without secrets. */
  request: z.string(),
  outcome: z.enum(['ok', 'warning', 'failed', 'skipped']),
  httpStatus: z.number().int().nullable(),
  milliseconds: z.number().nonnegative(),
  /** What came back, in a sentence. */
  detail: Said,
  hint: Said,
});
/** What a server can do beyond the interface, as it announces it. */
export const serverFeatures = [
  'idempotencyKey',
  'deleteModel',
  'health',
  'streamWords',
  'faceOptions',
  'headCorrections',
  'headAnyway',
  'modelStage',
] as const;
export const ConnectionReport = z.object({
  profileId: id,
  at: time,
  ok: z.boolean(),
  /** Milliseconds of the fastest answer; null where none came. */
  latencyMs: z.number().nonnegative().nullable(),
  features: z.array(z.enum(serverFeatures)),
  steps: z.array(ConnectionStep),
});
export type ConnectionReport = z.output<typeof ConnectionReport>;

export const JournalEntry = z.object({
  sequence: z.number().int().positive(),
  at: time,
  /** What is recorded: a call to a server, or something the studio itself did. */
  kind: z.enum(['call', 'event']),
  profileId: z.string(),
  profileName: z.string(),
  operation: z.string(),
  /** Trace id, model id or task id. */
  subject: z.string(),
  outcome: z.enum(['ok', 'failed', 'cancelled', 'refused']),
  httpStatus: z.number().int().nullable(),
  envelopeCode: z.number().nullable(),
  /** Short reason where it failed. */
  message: Said,
  bytesSent: z.number().int().nonnegative(),
  bytesReceived: z.number().int().nonnegative(),
  /** Milliseconds to the first byte of the answer; null where none came. */
  firstByteMs: z.number().nonnegative().nullable(),
  totalMs: z.number().nonnegative(),
  billedSeconds: z.number().nonnegative(),
  billedFrames: z.number().nonnegative(),
  billedModels: z.number().nonnegative(),
  cost: z.number().nonnegative(),
  currency: z.string(),
  /** SHA-256 over the entry and the one before it, hex. */
  hash: z.string(),
});
export type JournalEntry = z.output<typeof JournalEntry>;

const JournalFilter = z.object({
  profileId: z.string().max(64).optional(),
  operation: z.string().max(40).optional(),
  outcome: JournalEntry.shape.outcome.optional(),
  /** Free text over subject, message and profile name. */
  text: z.string().max(200).optional(),
  from: time.optional(),
  to: time.optional(),
});

/** `2026-11`. UTC. */
const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'a month such as 2026-11');
export const Usage = z.object({
  month,
  profiles: z.array(
    z.object({
      profileId: z.string(),
      profileName: z.string(),
      calls: z.number().int(),
      failed: z.number().int(),
      seconds: z.number(),
      frames: z.number(),
      models: z.number(),
      cost: z.number(),
      currency: z.string(),
      monthlyCap: z.number().nullable(),
    }),
  ),
});
export type Usage = z.output<typeof Usage>;

/** The interface's stated latency target: P95 in milliseconds. */
export const latencyTargetMs = 900;
export const Latency = z.object({
  operations: z.array(
    z.object({
      operation: z.string(),
      count: z.number().int(),
      /** To the first byte of the answer, milliseconds. */
      p50: z.number(),
      p95: z.number(),
      withinTarget: z.boolean(),
    }),
  ),
  /** The newest measurements, oldest first, for a plot. */
  recent: z.array(z.object({ at: time, operation: z.string(), milliseconds: z.number(), ok: z.boolean() })),
});
export type Latency = z.output<typeof Latency>;

export const EngineStatus = z.object({
  state: z.enum(['stopped', 'starting', 'running', 'failed']),
  /** Why it failed, and what the last exit was. */
  message: Said,
  restarts: z.number().int(),
  queued: z.number().int(),
  running: z.number().int(),
  /** Open to other programs on this machine, on a fixed port, with a key of its own. */
  external: z.object({
    enabled: z.boolean(),
    port: z.number().int(),
    url: z.string(),
    keyLastFour: z.string().max(4),
  }),
});
export type EngineStatus = z.output<typeof EngineStatus>;

/** A file for the person to save: the renderer offers it as a download. */
const TextFile = z.object({ fileName: z.string(), mediaType: z.string(), text: z.string() });

/** Where a secret went that the person asked to take out of the studio. It never passes through the page. */
const HandedOver = z.object({ to: z.enum(['clipboard', 'terminal']) });

// ── Portraits ───────────────────────────────────────────────────────────────────────────────────────────

export const sexes = ['female', 'male'] as const;
export type Sex = (typeof sexes)[number];
export const eyelidTypes = ['single', 'double'] as const;
export type EyelidType = (typeof eyelidTypes)[number];
const ids = z.array(id).min(1).max(20_000);
const name = z.string().trim().min(1, 'a name').max(120);
const tags = z.array(z.string().trim().min(1).max(60)).max(50);
const namePattern = z.string().min(1).max(200);
/** What names became, or would: the first of them, and how many there are. */
const Renamed = z.object({
  names: z.array(z.object({ id, from: z.string(), to: z.string() })),
  total: z.number().int(),
});
const page = { offset: z.number().int().nonnegative(), limit: z.number().int().min(1).max(500) };

/** A rectangle within a picture, as fractions 0..1 of its upright width and height. */
const Box = z.object({
  x: z.number().min(0).max(1),
  y: z.number().min(0).max(1),
  width: z.number().min(0).max(1),
  height: z.number().min(0).max(1),
});

/** Places in a picture, x, y, x, y … as fractions of its upright width and height; a stroke may leave it. */
const places = z
  .array(z.number().min(-1).max(2))
  .min(2)
  .max(4000)
  .refine(({ length }) => length % 2 === 0, 'x without its y');
const HairStroke = z.object({
  kind: z.enum(['hair', 'background']),
  /** Fraction of the picture's width. */
  radius: z.number().positive().max(1),
  points: places,
});
/** What a person set right in the outline of head and hair that the built-in engine found. */
export const HeadCorrections = z.object({
  strokes: z
    .array(HairStroke)
    .max(200)
    .refine(
      (strokes) => strokes.reduce((sum, { points }) => sum + points.length, 0) <= 6000,
      'so many places',
    ),
  /** Raises the top of the head, in parts of the face's height; 0 leaves it. */
  crown: z.number().min(-0.3).max(0.3),
});
export type HeadCorrections = z.output<typeof HeadCorrections>;

/** Where the built-in engine sees head and hair end. */
export const PhotoOutline = z.object({
  /** Closed, each x, y, x, y … as fractions of the upright picture. */
  rings: z.array(z.array(z.number())),
  /** How sure the engine is, 0..1. */
  score: z.number().min(0).max(1),
  /** False where a person should look. */
  sure: z.boolean(),
});
export type PhotoOutline = z.output<typeof PhotoOutline>;

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
/** What a head shows that is made although a rule of quality speaks against its photo. */
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
export const PhotoFinding = z.object({
  code: z.enum(findingCodes),
  /** Where a head can be made in spite of this: what to expect of it. Undefined where none can. */
  anyway: z.array(z.enum(expectations)).optional(),
  /** `blocking` stops this photo and no other. */
  severity: z.enum(['blocking', 'warning']),
  /** A sentence for a person. */
  message: Said,
  figure: z.number().nullable(),
  limit: z.number().nullable(),
  unit: z.string(),
});
export type PhotoFinding = z.output<typeof PhotoFinding>;

/** A photo in the tray: taken in, tagged and checked, not yet queued. */
export const Photo = z.object({
  id,
  fileName: z.string(),
  /** Folder below what was dropped or picked, with `/`; empty at the top. */
  folder: z.string(),
  format: z.string(),
  bytes: z.number().int(),
  /** Upright, after EXIF orientation. 0 until the photo was checked. */
  width: z.number().int(),
  height: z.number().int(),
  addedAt: time,
  /** The user's word; null until given. Never guessed. */
  sex: z.enum(sexes).nullable(),
  eyelidType: z.enum(eyelidTypes).nullable(),
  name: z.string(),
  tags: z.array(z.string()),
  check: z.enum(['pending', 'ok', 'warning', 'blocked']),
  findings: z.array(PhotoFinding),
  face: Box.nullable(),
  /** A crop that would do the head better; null where the photo is fine as it is. */
  suggestedCrop: Box.nullable(),
  /** The crop that will be sent; null: the whole photo. */
  crop: Box.nullable(),
  /** For servers that can take it; null: the outline as it is found. */
  corrections: HeadCorrections.nullable(),
  /** The person wants a head although the check speaks against it; only the built-in engine takes that. */
  anyway: z.boolean(),
  /** A model made of this photo with these parameters, by any profile; null where there is none. */
  inLibrary: id.nullable(),
});
export type Photo = z.output<typeof Photo>;

export const photoSorts = ['name', 'newest', 'added'] as const;
export const PhotoFilter = z.object({
  text: z.string().max(200).optional(),
  sex: z.enum(['female', 'male', 'unset']).optional(),
  /** `usable`: whatever is not blocked. */
  check: z.enum([...Photo.shape.check.options, 'usable']).optional(),
  folder: z.string().max(1000).optional(),
  /** Order; `name`, that of the file, where none is given. */
  sort: z.enum(photoSorts).optional(),
});
export type PhotoFilter = z.output<typeof PhotoFilter>;

/** Either these, or all that a filter lets through. */
const PhotoSelection = z.union([z.object({ ids }).strict(), z.object({ filter: PhotoFilter }).strict()]);

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

export const manifestColumns = ['file', 'sex', 'eyelidType', 'name', 'tags'] as const;
/** What a manifest can have wrong, in short; the value it is about stands beside it. */
export const manifestFaults = [
  'empty',
  'unknown_column',
  'no_file_column',
  'too_many_cells',
  'no_sex',
  'no_eyelid',
  'name_too_long',
  'too_many_tags',
  'file_missing',
  'open_quote',
  'no_photo',
  'several_photos',
] as const;
const ManifestProblem = z.object({
  /** 1-based, as a text editor counts. */
  line: z.number().int().positive(),
  column: z.number().int().positive(),
  fault: z.enum(manifestFaults),
  value: z.string(),
  /** The same in a sentence. */
  problem: Said,
});
/** What became of a manifest: of how many photos it told, what it said of how many, and what could not be taken. */
const ManifestTaken = z.object({
  applied: z.number().int(),
  set: z.object({
    sex: z.number().int(),
    eyelidType: z.number().int(),
    name: z.number().int(),
    tags: z.number().int(),
  }),
  problems: z.array(ManifestProblem),
});

export const Intake = z.object({
  id,
  state: z.enum(['running', 'done', 'cancelled', 'failed']),
  found: z.number().int(),
  added: z.number().int(),
  skipped: z.array(z.object({ reason: z.enum(skipReasons), count: z.number().int() })),
  /** The first 200 that were not taken in, by name, with a sentence each. */
  examples: z.array(z.object({ fileName: z.string(), reason: z.enum(skipReasons), detail: Said })),
  /** Tables that told of photos: those that lay beside them or were given by themselves, once the photos are there. */
  manifests: z.array(ManifestTaken.extend({ fileName: z.string() })),
  message: Said,
});
export type Intake = z.output<typeof Intake>;

/** Why a photo can't be queued; `uncertain`: it was sent before, and only the person knows whether it was taken. */
export const startLeft = ['no_sex', 'blocked', 'in_library', 'in_queue', 'uncertain'] as const;

/** Photos that stay behind when heads are made, each under one reason. */
const LeftBehind = z.array(z.object({ reason: z.enum(startLeft), count: z.number().int() }));

/** The states of a job; `main/batch/job_state.ts` holds the transitions. */
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

/** Where a job's order stands with the server; `main/batch/job_state.ts` says what each means. */
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

/** One photo on its way to a head. Its settings are those it was queued with, whatever was changed since. */
export const Job = z.object({
  id,
  /** For `assetUrl(id, 'photo-small')`. */
  photoId: id,
  state: z.enum(jobStates),
  fileName: z.string(),
  name: z.string(),
  sex: z.enum(sexes),
  eyelidType: z.enum(eyelidTypes).nullable(),
  profileId: id,
  profileName: z.string(),
  libraryId: id,
  /** The server's id of the model; empty until it gave one. */
  remoteModelId: z.string(),
  standing: z.enum(jobStandings),
  /** The model in the library; null until it is there. */
  modelId: id.nullable(),
  /** Submits so far. */
  attempts: z.number().int(),
  /** What is going on or what went wrong, in a sentence; empty where there is nothing to say. */
  message: Said,
  hint: Said,
  code: z.enum(studioErrorCodes).nullable(),
  /** Downloaded so far, 0..1; null where that is not known. */
  fraction: z.number().min(0).max(1).nullable(),
  /** Waits behind others: to be looked at, or, where that is known, for the engine that makes others first. */
  inLine: z.boolean(),
  /** What the engine does just now; null where it doesn't tell. */
  stage: z.enum(headStages).nullable(),
  /** Share of its way that it has come, 0..1: what is known of each stage, the rest by how stages usually divide. */
  progress: z.number().min(0).max(1),
  /** Seconds until it is done, learned from earlier ones; null where nothing is known. */
  secondsLeft: z.number().nonnegative().nullable(),
  queuedAt: time,
  changedAt: time,
  /** Order in the queue: ascending. */
  position: z.number(),
});
export type Job = z.output<typeof Job>;
const jobState = z.enum(jobStates);

export const BatchOverview = z.object({
  photos: z.number().int(),
  /** Photos without a sex, which can't be queued. */
  untagged: z.number().int(),
  /** Photos whose outline was corrected. */
  corrected: z.number().int(),
  checks: z.record(Photo.shape.check, z.number().int()),
  jobs: z.record(jobState, z.number().int()),
  /** Jobs that are neither done, failed nor cancelled. */
  open: z.number().int(),
  paused: z.boolean(),
  /** Why nothing moves although nobody paused it: the disk is full, the keys are locked; empty where it does. */
  held: Said,
  /** What kind of thing that is, and the connection it is about; null where there is none. */
  heldCode: z.enum(studioErrorCodes).nullable(),
  heldProfileId: id.nullable(),
  /** The present batch: jobs since the queue was last empty. */
  batch: z.object({
    total: z.number().int(),
    finished: z.number().int(),
    /** How far it is, 0..1, with the parts of those under way. */
    share: z.number().min(0).max(1),
  }),
  /** Seconds until all open jobs are done; null where nothing is known. */
  secondsLeft: z.number().nonnegative().nullable(),
  /** What the next undo would take back; empty where there is nothing. */
  undo: z.string(),
  intake: Intake.nullable(),
});
export type BatchOverview = z.output<typeof BatchOverview>;

/** A2: the interface returns an id and has no way to ask after it. */
export const ImageTask = z.object({
  id,
  at: time,
  fileName: z.string(),
  profileId: id,
  profileName: z.string(),
  /** The server's id of the task; empty where the submit failed. */
  taskId: z.string(),
  message: Said,
});
export type ImageTask = z.output<typeof ImageTask>;

/** Images on their way to a server, one after the other. */
export const ImageSubmission = z.object({
  total: z.number().int(),
  submitted: z.number().int(),
  failed: z.number().int(),
});
export type ImageSubmission = z.output<typeof ImageSubmission>;

// ── Library ─────────────────────────────────────────────────────────────────────────────────────────────

export const Library = z.object({
  id,
  name: z.string(),
  /** Where it is, for showing only. */
  folder: z.string(),
  isDefault: z.boolean(),
  /** False where its disk is not there; its models can't be seen until it is. */
  available: z.boolean(),
  /** New heads can be put into it: false on a disk that may only be read. */
  writable: z.boolean(),
  models: z.number().int(),
  trashed: z.number().int(),
  bytes: z.number().int(),
  /** New models keep a copy of their photo, or only know where it is. */
  keepPhotos: z.enum(['copy', 'reference']),
});
export type Library = z.output<typeof Library>;

const Consent = z.object({
  who: z.string().max(200),
  basis: z.string().max(500),
  until: time.nullable(),
});

/** `ok`, or what is wrong with the model's folder. */
export const modelStates = ['ok', 'missing_model', 'broken_model', 'broken_record'] as const;
export const modelSources = ['portrait', 'import'] as const;
/** What a person who looks heads through said of one. */
export const flags = ['pick', 'reject'] as const;

/** A model as the grid and the list show it. */
export const ModelCard = z.object({
  id,
  libraryId: id,
  name: z.string(),
  state: z.enum(modelStates),
  source: z.enum(modelSources),
  sex: z.enum(sexes).nullable(),
  eyelidType: z.enum(eyelidTypes).nullable(),
  profileId: z.string(),
  profileName: z.string(),
  rating: z.number().int().min(0).max(5),
  flag: z.enum(flags).nullable(),
  tags: z.array(z.string()),
  createdAt: time,
  changedAt: time,
  /** Of `model.glb`. */
  bytes: z.number().int(),
  hasThumbnail: z.boolean(),
  hasPortrait: z.boolean(),
  /** Changes with the thumbnail: put it into the address to get past the cache. */
  version: z.number().int(),
  consentExpired: z.boolean(),
  trashedAt: time.nullable(),
  /** What is wrong with its file, in a sentence; empty where nothing is, or nobody has looked. */
  fault: z.string(),
});
export type ModelCard = z.output<typeof ModelCard>;

export const Model = ModelCard.extend({
  fileName: z.string(),
  notes: z.string(),
  collections: z.array(id),
  consent: Consent,
  /** SHA-256 of the photo, hex; empty for an import. */
  photoHash: z.string(),
  /** The part of the photo that was sent; null: all of it. */
  crop: Box.nullable(),
  /** What spoke against the photo and was passed over. */
  overridden: z.array(z.enum(findingCodes)),
  remoteModelId: z.string(),
  timings: z.object({
    submittedAt: time.nullable(),
    doneAt: time.nullable(),
    /** Seconds from submit to the finished download. */
    seconds: z.number().nonnegative().nullable(),
  }),
  cost: z.number().nonnegative(),
  currency: z.string(),
});
export type Model = z.output<typeof Model>;

const sorts = ['name', 'created', 'changed', 'rating', 'size'] as const;
export const ModelQuery = z.object({
  libraryId: id.optional(),
  /**
   * Words over name, tags, notes, file name, date, profile and state; each must be found, at the start of a word
   * (Chinese, Japanese and Korean: anywhere). `"two words"` together; `-word` not there; `field:value` as
   * `searchFields` has them.
   */
  text: z.string().max(200).optional(),
  sex: z.enum(['female', 'male', 'unset']).optional(),
  eyelidType: z.enum(['single', 'double', 'unset']).optional(),
  profileId: z.string().max(64).optional(),
  source: z.enum(modelSources).optional(),
  state: z.enum(modelStates).optional(),
  tag: z.string().max(60).optional(),
  /** True: those without any tag. */
  untagged: z.boolean().optional(),
  flag: z.enum([...flags, 'none']).optional(),
  collectionId: id.optional(),
  /** At least so many stars. */
  rating: z.number().int().min(1).max(5).optional(),
  consentExpired: z.boolean().optional(),
  createdFrom: time.optional(),
  createdTo: time.optional(),
  /** True: what is in the trash, and nothing else. */
  trash: z.boolean().optional(),
  sort: z.enum(sorts).optional(),
  descending: z.boolean().optional(),
});
export type ModelQuery = z.output<typeof ModelQuery>;

/**
 * The fields that words of a search can name (`sex:male`), each with the values it knows; where it has none, any text
 * or what `kind` says: `stars` and `day` with `<`, `<=`, `>`, `>=` before them.
 */
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
} as const satisfies Record<string, { kind: 'word' | 'text' | 'stars' | 'day'; values: readonly string[] }>;
export type SearchField = keyof typeof searchFields;

/** Why a word of a search was passed over. */
export const SearchProblem = z.object({
  /** The word as it was typed. */
  word: z.string(),
  problem: z.enum(['unknown_field', 'unknown_value', 'not_stars', 'not_a_day', 'open_quote']),
  /** The field it is about; empty where there is none. */
  field: z.string(),
});
export type SearchProblem = z.output<typeof SearchProblem>;

const Facet = z.array(z.object({ value: z.string(), label: z.string(), count: z.number().int() }));
export const ModelFacets = z.object({
  sex: Facet,
  eyelidType: Facet,
  profile: Facet,
  source: Facet,
  state: Facet,
  rating: Facet,
  /** `pick`, `reject` and `none`. */
  flag: Facet,
  /** The 50 most used. */
  tag: Facet,
  /** How many have no tag. */
  untagged: z.number().int(),
});
export type ModelFacets = z.output<typeof ModelFacets>;

/** Either these, or all that a query finds. */
const ModelSelection = z.union([z.object({ ids }).strict(), z.object({ query: ModelQuery }).strict()]);

export const Collection = z.object({ id, libraryId: id, name: z.string(), models: z.number().int() });
export type Collection = z.output<typeof Collection>;
export const SavedSearch = z.object({ id, libraryId: id, name: z.string(), query: ModelQuery });
export type SavedSearch = z.output<typeof SavedSearch>;

/** Whether a head can do what faces are driven with. */
export const Readiness = z.object({
  /** Of the 52 ARKit channels, those found on a mesh, and those missing. */
  arkit: z.object({ found: z.number().int(), missing: z.array(z.string()) }),
  /** Of the 15 Oculus visemes. */
  visemes: z.object({ found: z.number().int(), missing: z.array(z.string()) }),
  tongue: z.boolean(),
  eyeBones: z.array(z.string()),
  morphTargets: z.array(z.string()),
  triangles: z.number().int(),
  vertices: z.number().int(),
  meshes: z.number().int(),
  materials: z.number().int(),
  textures: z.array(
    z.object({ name: z.string(), mediaType: z.string(), width: z.number().int(), height: z.number().int() }),
  ),
  extensions: z.array(z.string()),
  bytes: z.number().int(),
  /** The Khronos glTF-Validator's report. */
  validator: z.object({
    version: z.string(),
    errors: z.number().int(),
    warnings: z.number().int(),
    infos: z.number().int(),
    hints: z.number().int(),
    messages: z.array(
      z.object({ code: z.string(), severity: z.number().int(), message: z.string(), pointer: z.string() }),
    ),
  }),
});
export type Readiness = z.output<typeof Readiness>;

export const LibraryProblem = z.object({
  modelId: id.nullable(),
  libraryId: id,
  /** Folder within the library. */
  folder: z.string(),
  problem: Said,
  hint: Said,
});
export type LibraryProblem = z.output<typeof LibraryProblem>;

export const exportFormats = [
  'glb',
  'glb-meshopt',
  'fbx',
  'vrm',
  'vrm0',
  'usdz',
  'gltf',
  'obj',
  'zip',
] as const;
/** Whose names face shapes get: an id of the room `names`, or the head's own. */
const ShapeNames = z.union([z.literal('as-is'), id]);
const ExportOrder = z.object({
  selection: ModelSelection,
  format: z.enum(exportFormats),
  names: ShapeNames,
  /** Pattern of the files' names: `{name}`, `{date}` (made), `{today}`, `{number}`, `{sex}`, `{id}`. Default `{name}`. */
  fileName: z.string().max(200).optional(),
});

// ── Names of face shapes ────────────────────────────────────────────────────────────────────────────────

/** The vocabularies of other programs that come with the studio; `docs/formats/names.md` says where each is from. */
export const builtInNameTables = [
  'arkit',
  'arkit-pascal',
  'arkit-snake',
  'arkit-short',
  'oculus',
  'oculus-short',
  'vrchat',
  'vrm',
  'vrm0',
  'cc4',
  'metahuman',
  'preston-blair',
  'rhubarb',
] as const;
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
/** A share of one face shape in one name: a name of several shapes has several entries. */
export const NameEntry = z.object({
  name: z.string().trim().min(1).max(100),
  /** From 1: of several ways to make a name the first is taken whose shapes a head has. */
  way: z.number().int().min(1).max(9),
  /** ARKit's, Oculus' or the head's own name. Empty: the face at rest. */
  shape: z.string().trim().max(100),
  weight: z.number().min(-10).max(10),
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

// ── Takes ───────────────────────────────────────────────────────────────────────────────────────────────

/** A recording of voice and face. Its sound is at `assetUrl(id, 'take-audio')`, its face at `…'take-face'`. */
export const Take = z.object({
  id,
  name: z.string(),
  notes: z.string(),
  createdAt: time,
  /** Of the sound. */
  seconds: z.number().nonnegative(),
  /** The studio ended while it was recorded: it holds what had come until then. */
  recovered: z.boolean(),
  source: z.enum(['microphone', 'file']),
  profileId: z.string(),
  profileName: z.string(),
  /** The head it was made with, by its id in the library; empty: the default head. */
  model: z.string(),
  frameRate: z.number(),
  /** Seconds of the face that did not come while it was recorded: missing still, and made from the sound afterwards. */
  missingSeconds: z.number().nonnegative(),
  addedSeconds: z.number().nonnegative(),
  /** Whose faces it holds: the built-in engine's, that of the connection's server, or both. */
  tiers: z.array(z.enum(['local', 'server'])),
  /** Milliseconds from sound to screen while it was recorded; null where nobody watched. */
  latency: z.object({ p50: z.number(), p95: z.number() }).nullable(),
  /** Why it can't be read, in a sentence; empty where it can. Of one that can't, only its folder's name is known. */
  damaged: Said,
});
export type Take = z.output<typeof Take>;
export const takeFormats = ['livelink', 'glb', 'fbx', 'vrma', 'jsonl'] as const;

/** How the live head's own window is. Pixels of its content, as a capture has them on a screen of plain density. */
export const PopOut = z.object({
  width: z.number().int().min(160).max(3840),
  height: z.number().int().min(160).max(2160),
  /** What is behind the window shows through; it can't be resized by hand then. */
  transparent: z.boolean(),
  onTop: z.boolean(),
});
export type PopOut = z.output<typeof PopOut>;

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
const liveAction = z.enum(liveActions);

/** A key that holds whatever program is in front. */
export const Hotkey = z.object({
  action: liveAction,
  /**
   * As Electron writes it: `Control+Alt+R`, `F9`. Only function keys go without Control, Alt or Command: other programs
   * would lose a plain key.
   */
  accelerator: z
    .string()
    .max(60)
    .regex(
      /^(?=.*(?:Control|Alt|Command)\+|F\d)(?:(?:Control|Alt|Shift|Command)\+){0,4}(?:[A-Z0-9]|Space|F(?:[1-9]|1\d|2[0-4]))$/,
      'a function key, or a key with Control, Alt or Command',
    ),
});
export type Hotkey = z.output<typeof Hotkey>;

// ── The table ───────────────────────────────────────────────────────────────────────────────────────────

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

/** Proof of an erasing: what is gone, what is not. It names nobody but servers. */
export const ErasureReceipt = z.object({
  at: time,
  /** Of the heads that are gone, and how many they are. */
  ids: z.array(id),
  erased: z.number().int(),
  removed: z.array(z.object({ what: z.enum(erasedParts), count: z.number().int() })),
  /** `count` 0: nobody can tell how many. `names`: of connections. */
  kept: z.array(
    z.object({ what: z.enum(unerasedParts), count: z.number().int(), names: z.array(z.string()) }),
  ),
  /** Heads that the disk refused to give up, and why. */
  failed: z.number().int(),
  problem: Said,
  /** False where something of the databases was in use: the next start finishes it. */
  isFinished: z.boolean(),
});
export type ErasureReceipt = z.output<typeof ErasureReceipt>;

export const contract = {
  app: {
    calls: {
      info: call(nothing, AppInfo),
      settings: call(nothing, Settings),
      changeSettings: call(Settings.partial().strict(), Settings),
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
      /** Ends the desktop app as its menu does: it asks where work is under way. */
      quit: call(nothing, nothing),
      updates: call(nothing, Updates),
      /** Looks for a new version now, whatever the setting. What goes wrong stands in the answer. */
      checkForUpdates: call(nothing, Updates),
      /** Begins; events tell how far it is. It waits while heads are made or a take is recorded. */
      downloadUpdate: call(nothing, Updates),
      stopUpdateDownload: call(nothing, Updates),
      /** Quits the studio, installs what was downloaded and starts it again. */
      installUpdate: call(nothing, Updates),
      /** Who has the studio open; only in a browser. */
      openPages: call(nothing, z.array(OpenPage)),
      /** Ends pages at once, the asking one too where it is among them. */
      endPages: call(z.object({ ids: z.array(id).min(1).max(1000) }), z.array(OpenPage)),
      /** Shows a link for one more page in the terminal: a link is a key, and passes through no page. */
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
        title: Said,
        text: Said,
      }),
    },
    streams: {},
  },

  connections: {
    calls: {
      list: call(nothing, z.array(Profile)),
      /** All that a person set on one, with certificates and schema. */
      details: call(z.object({ id }), ProfileDraft),
      create: call(NewConnection, Profile),
      update: call(z.object({ id, changes: ProfileDraft.partial().strict() }), Profile),
      duplicate: call(z.object({ id }), Profile),
      remove: call(z.object({ id }), nothing),
      setDefault: call(z.object({ id }), z.array(Profile)),
      /** Never with keys, and never the built-in one. */
      exportProfiles: call(z.object({ ids: z.array(id).max(1000) }), TextFile),
      importProfiles: call(
        z.object({ text: z.string().max(8_388_608) }),
        z.object({
          added: z.array(Profile),
          problems: z.array(z.object({ where: z.string(), problem: Said })),
        }),
      ),
      setSecret: call(
        z.object({
          id,
          secret: z.enum(secretNames),
          /** A private key of 16,384 bits has 12,700 characters; the rest are far shorter. */
          value: z.string().min(1, 'a key').max(longestSecret),
        }),
        Profile,
      ),
      clearSecret: call(z.object({ id, secret: z.enum(secretNames) }), Profile),
      /**
       * Asks for the keys that stayed behind to go where the connection leads now. The question is put by main, in a
       * dialog of the system or in the terminal: a page can't answer it. `bound` is false where the answer was no.
       */
      rebind: call(z.object({ id }), z.object({ bound: z.boolean(), profile: Profile })),
      /** Says what it tried and what came back. Sends nothing that could be billed. */
      test: call(z.object({ id }), ConnectionReport),
      keyStore: call(nothing, KeyStoreState),
      unlock: call(z.object({ passphrase: z.string().min(1).max(1024) }), KeyStoreState),
      /** Wraps the keys with a passphrase (scrypt) from now on, besides or instead of the system's store. */
      protectWithPassphrase: call(
        z.object({ passphrase: z.string().min(8, 'at least 8 characters').max(1024) }),
        KeyStoreState,
      ),
      /** Keeps keys in memory until the studio is closed; nothing is written. */
      keepForThisRun: call(nothing, KeyStoreState),
      /** Puts keys that can't be opened any more (a forgotten passphrase) aside, never away, and starts with none. */
      startOver: call(nothing, KeyStoreState),
    },
    events: { changed: z.array(Profile), keyStoreChanged: KeyStoreState },
    streams: {},
  },

  journal: {
    calls: {
      entries: call(
        z.object({
          before: z.number().int().positive().optional(),
          limit: z.number().int().min(1).max(500),
          filter: JournalFilter,
        }),
        z.object({ entries: z.array(JournalEntry), total: z.number().int() }),
      ),
      /**
       * Whose heads these are: the names of what the library has, or of the photos they are ordered for. The journal
       * itself knows only what servers call them. Those that nobody knows (any more) are left out.
       */
      namesOf: call(
        z.object({
          subjects: z
            .array(z.object({ profileId: z.string().max(64), subject: z.string().max(200) }))
            .max(500),
        }),
        z.array(z.object({ profileId: z.string(), subject: z.string(), name: z.string() })),
      ),
      verify: call(
        nothing,
        z.object({
          ok: z.boolean(),
          entries: z.number().int(),
          firstBroken: z.number().int().nullable(),
          detail: Said,
        }),
      ),
      export: call(z.object({ format: z.enum(['csv', 'jsonl']), filter: JournalFilter }), TextFile),
      usage: call(z.object({ month }), Usage),
      latency: call(z.object({ days: z.number().int().min(1).max(366) }), Latency),
    },
    events: { appended: JournalEntry },
    streams: {},
  },

  engine: {
    calls: {
      status: call(nothing, EngineStatus),
      restart: call(nothing, EngineStatus),
      setExternal: call(
        z.object({ enabled: z.boolean(), port: z.number().int().min(1024).max(65_535) }),
        EngineStatus,
      ),
      /** Makes a new key for other programs; the old one ends at once. */
      renewExternalKey: call(nothing, EngineStatus),
      handOverExternalKey: call(nothing, HandedOver),
    },
    events: { changed: EngineStatus },
    streams: {},
  },

  batch: {
    calls: {
      overview: call(nothing, BatchOverview),

      /** Asks the shell's dialog; null when dismissed. Taking in goes on by itself, see `intakeChanged`. */
      pickFiles: call(nothing, Intake.nullable()),
      pickFolder: call(nothing, Intake.nullable()),
      /** Files and folders that the shell took from a drop or an upload and gave ids. */
      addDropped: call(z.object({ dropIds: ids }), Intake),
      cancelIntake: call(z.object({ id }), nothing),

      photos: call(
        z.object({ ...page, filter: PhotoFilter }),
        z.object({ photos: z.array(Photo), total: z.number().int() }),
      ),
      photo: call(z.object({ id }), Photo),
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
       * Names by a pattern of text and `{name}`, `{file}`, `{folder}`, `{sex}`, `{number}`, `{number:3}`. With `preview`
       * nothing is changed.
       */
      rename: call(
        z.object({ selection: PhotoSelection, pattern: namePattern, preview: z.boolean() }),
        Renamed,
      ),
      /** Takes the sex from sub-folders whose name says it (female, f, women, 女, …). */
      tagByFolder: call(
        z.object({ selection: PhotoSelection }),
        z.object({ female: z.number().int(), male: z.number().int(), unclear: z.number().int() }),
      ),
      /** The outline as a head would be made with these corrections; for looking at, nothing is kept. */
      outline: call(z.object({ id, corrections: HeadCorrections.nullable() }), PhotoOutline),
      /** Puts the photo of a model back into the tray, with what was said of it. */
      reopen: call(z.object({ modelId: id }), z.object({ photoId: id })),
      removePhotos: call(z.object({ selection: PhotoSelection }), z.object({ removed: z.number().int() })),
      /** Takes back the last tagging or removal. Empty where there was nothing to take back. */
      undo: call(nothing, z.object({ undone: z.string() })),
      recheck: call(z.object({ selection: PhotoSelection }), nothing),
      importManifest: call(z.object({ text: z.string().max(8_388_608) }), ManifestTaken),
      exportManifest: call(z.object({ selection: PhotoSelection }), TextFile),

      /** Queues photos with their settings as they are now. What can't be queued is said, and stays in the tray. */
      start: call(
        z.object({
          selection: PhotoSelection,
          profileId: id,
          libraryId: id.optional(),
          /** Send also what the library has already. */
          again: z.boolean(),
        }),
        z.object({ queued: z.number().int(), left: LeftBehind }),
      ),
      /** What `start` would do with these photos, each counted once: heads that it would make, and what would stay. */
      forecast: call(
        z.object({ selection: PhotoSelection, profileId: id, again: z.boolean() }),
        z.object({ heads: z.number().int(), left: LeftBehind }),
      ),
      jobs: call(
        z.object({ ...page, states: z.array(jobState).max(9) }),
        z.object({ jobs: z.array(Job), total: z.number().int() }),
      ),
      pause: call(nothing, nothing),
      resume: call(nothing, nothing),
      /** Null: all that are open. What was submitted stays billed; its result is not fetched. */
      cancel: call(z.object({ ids: ids.nullable() }), z.object({ cancelled: z.number().int() })),
      /** Puts queued jobs before another one; null: at the end. */
      reorder: call(z.object({ ids, before: id.nullable() }), nothing),
      /**
       * Null: all that failed. What is paid for is fetched, not ordered again; with another profile it is ordered there,
       * beside the job that it was. `anew` orders what the server no longer knows; without, it is asked for once more.
       */
      retry: call(
        z.object({ ids: ids.nullable(), profileId: id.optional(), anew: z.boolean().optional() }),
        z.object({ retried: z.number().int() }),
      ),
      /**
       * Settles a job whose submit was lost: `resend` may be billed a second time, `give_up` leaves it, and
       * `found` names the model that the person saw in their account with the server.
       */
      settleUncertain: call(
        z.object({
          ids,
          answer: z.enum(['resend', 'give_up', 'found']),
          remoteModelId: z.string().trim().min(1).max(200).optional(),
        }),
        nothing,
      ),
      /**
       * Takes finished jobs out of the list: done, failed and cancelled. Models stay, and so do jobs that are paid for (or
       * may be) and not fetched, unless `owed` says that they are to be forgotten too.
       */
      clearFinished: call(
        z.object({ owed: z.boolean() }),
        z.object({ cleared: z.number().int(), kept: z.number().int() }),
      ),
      /** What became of every job, as CSV. */
      report: call(nothing, TextFile),

      submitImages: call(
        z.object({ selection: PhotoSelection, profileId: id }),
        z.object({ submitted: z.number().int(), failed: z.number().int() }),
      ),
      /** Leaves out those that are not under way yet; what was sent stays. */
      cancelImages: call(nothing, nothing),
      imageTasks: call(
        z.object(page),
        z.object({
          tasks: z.array(ImageTask),
          total: z.number().int(),
          /** What is being submitted now; null where nothing is. */
          underWay: ImageSubmission.nullable(),
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
      intakeChanged: Intake,
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
  },

  names: {
    calls: {
      /** Built-in tables first, then the person's own by name. */
      list: call(nothing, z.array(NameTableCard)),
      table: call(z.object({ id }), NameTableCard.extend({ entries: z.array(NameEntry) })),
      /** Makes a table of the person's own, or changes one. A built-in one stays: it can be saved under a name. */
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
    },
    events: { changed: z.array(NameTableCard) },
    streams: {},
  },

  library: {
    calls: {
      libraries: call(nothing, z.array(Library)),
      /** Asks the shell's dialog for a folder: opens the library in it, or makes one. Null when dismissed. */
      addLibrary: call(z.object({ name: name.optional() }), Library.nullable()),
      /** Forgets a library; its folder stays as it is. */
      removeLibrary: call(z.object({ id }), z.array(Library)),
      /** Shows its folder in the system's file manager. */
      revealLibrary: call(z.object({ id }), nothing),
      /** Moves a library's folder to where the shell's dialog says. Null when dismissed. */
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
          /** What of the text was not understood and is passed over. */
          problems: z.array(SearchProblem),
        }),
      ),
      /** What the found ones are like, counted. */
      facets: call(z.object({ query: ModelQuery }), ModelFacets),
      model: call(z.object({ id }), Model),
      readiness: call(z.object({ id }), Readiness),

      /** Changes what is given and leaves the rest. */
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
            })
            .partial()
            .strict(),
        }),
        z.object({ changed: z.number().int() }),
      ),
      /**
       * Names by a pattern of text and `{name}`, `{file}`, `{date}`, `{sex}`, `{profile}`, `{number}`, `{number:3}`.
       * With `preview` nothing is changed.
       */
      rename: call(
        z.object({ selection: ModelSelection, pattern: namePattern, preview: z.boolean() }),
        Renamed,
      ),
      /** Takes back the last edit, renaming or trashing. */
      undo: call(nothing, z.object({ undone: z.string() })),
      trash: call(z.object({ selection: ModelSelection }), z.object({ trashed: z.number().int() })),
      restore: call(z.object({ selection: ModelSelection }), z.object({ restored: z.number().int() })),
      /** What an erasing would take along, to be asked before it. */
      beforeErase: call(
        z.object({ selection: ModelSelection }),
        z.object({
          heads: z.number().int(),
          /** Takes that were recorded with these heads. */
          takes: z.number().int(),
          /** Those in the trash go in any case. */
          trashedTakes: z.number().int(),
        }),
      ),
      /**
       * For good: model, photo, thumbnail, rows, exports, what the built-in engine kept; with `takes` the takes of
       * these heads too. The journal keeps that it was done, without personal data.
       */
      erase: call(z.object({ selection: ModelSelection, takes: z.boolean().default(false) }), ErasureReceipt),

      collections: call(nothing, z.array(Collection)),
      createCollection: call(z.object({ libraryId: id.optional(), name }), Collection),
      renameCollection: call(z.object({ id, name }), Collection),
      removeCollection: call(z.object({ id }), nothing),
      savedSearches: call(nothing, z.array(SavedSearch)),
      saveSearch: call(z.object({ libraryId: id.optional(), name, query: ModelQuery }), SavedSearch),
      removeSavedSearch: call(z.object({ id }), nothing),

      /** Models of the same photo, or with the same bytes. */
      duplicates: call(
        nothing,
        z.array(z.object({ reason: z.enum(['same_photo', 'same_model']), models: z.array(ModelCard) })),
      ),
      /** Looks at every file: missing, broken, changed outside. */
      verify: call(
        z.object({ libraryId: id.optional() }),
        z.object({ models: z.number().int(), problems: z.array(LibraryProblem) }),
      ),
      /** Makes the index anew from the folders. */
      rebuild: call(z.object({ libraryId: id.optional() }), z.object({ models: z.number().int() })),
      /** Looks for what was changed outside, when a person comes back to the studio; cheap to ask often. */
      look: call(nothing, nothing),
      reveal: call(z.object({ id }), nothing),

      /** GLB and VRM files that the shell gave ids. */
      importDropped: call(
        z.object({ dropIds: ids, libraryId: id.optional() }),
        z.object({
          added: z.array(ModelCard),
          problems: z.array(z.object({ fileName: z.string(), problem: Said })),
        }),
      ),
      /**
       * Makes a file to be fetched at `assetUrl(exportId, 'export')` within the hour: of one model its file, zipped where
       * the format has several; of several models a zip. `zip` is each model's whole folder, its photo too.
       */
      exportModels: call(
        ExportOrder,
        z.object({
          exportId: id,
          fileName: z.string(),
          bytes: z.number().int(),
          models: z.number().int(),
          /** Heads that are not in it, and why. */
          problems: z.array(z.object({ name: z.string(), problem: Said })),
        }),
      ),
      /** What `exportModels` would make of the first model: its size, and which face shapes don't move in it. */
      previewExport: call(
        ExportOrder,
        z.object({
          fileName: z.string(),
          bytes: z.number().int(),
          moving: z.number().int(),
          still: z.array(z.string()),
        }),
      ),
      /** Where Blender is, null where it is not; `chooseBlender` asks the person by the system's dialog. */
      blender: call(nothing, z.object({ path: z.string().nullable() })),
      chooseBlender: call(nothing, z.object({ path: z.string().nullable() })),
      openInBlender: call(z.object({ id, names: ShapeNames }), nothing),
      /** Ends the exports under way; their calls fail with `cancelled`. */
      cancelExports: call(nothing, nothing),
      exportRecords: call(z.object({ selection: ModelSelection, format: z.enum(['csv', 'json']) }), TextFile),
      /** A picture that the viewer rendered of a model that came without one: WebP, base64. */
      setThumbnail: call(z.object({ id, webp: z.base64().max(1_400_000) }), ModelCard),
    },
    events: {
      /** At most ten a second; `stale` where more than 200 changed: ask again for what is on screen. */
      changed: z.object({
        models: z.array(ModelCard),
        removed: z.array(id),
        stale: z.boolean(),
        libraries: z.array(Library),
        /** Collections or saved searches are other than before. */
        shelves: z.boolean(),
      }),
      /** Long work under way: rebuild, verify, move, export, import. `done` = `total` when it is over. */
      working: z.object({
        what: z.enum(['rebuild', 'verify', 'move', 'export', 'import', 'erase']),
        done: z.number().int(),
        total: z.number().int(),
      }),
    },
    streams: {},
  },

  live: {
    calls: {
      /**
       * Opens the live head's own window, or changes the one that is open. Only on the desktop: in a browser the page
       * opens one itself, which nobody but it may do.
       */
      popOut: call(PopOut, nothing),
      /**
       * Takes these keys from the whole system, and gives back those of before; none gives back all. Only on the
       * desktop. Says which another program has.
       */
      setHotkeys: call(z.array(Hotkey).max(liveActions.length), z.object({ refused: z.array(liveAction) })),
    },
    events: {
      /** One of the keys was pressed. Systems do not tell when it is let go. */
      hotkey: z.object({ action: liveAction }),
    },
    streams: {
      /**
       * A voice and its face. What travels is in `proto/live_message.ts`: to main, blocks of mono float32 sound and
       * orders (record, interrupt, end); from main, faces of both tiers and reports.
       */
      open: {
        in: z.object({
          profileId: id,
          sampleRate: z.number().int().min(8000).max(96_000),
          frameRate: z.union([z.literal(30), z.literal(60)]),
          /** Milliseconds of sound after a moment that its face waits for; where the server takes a wish. */
          lookahead: z.union([z.literal(0), z.literal(20), z.literal(40), z.literal(60)]).default(20),
          /** A file's sound comes as fast as it can be sent; nothing of it is given up. */
          source: z.enum(['microphone', 'file']).default('microphone'),
        }),
      },
    },
  },

  takes: {
    calls: {
      /** Newest first. */
      list: call(nothing, z.array(Take)),
      /** Changes what is given and leaves the rest. */
      edit: call(
        z.object({
          id,
          changes: z
            .object({ name, notes: z.string().max(20_000) })
            .partial()
            .strict(),
        }),
        Take,
      ),
      trash: call(z.object({ id }), nothing),
      restore: call(z.object({ id }), Take),
      /** What is in the trash, newest first. It stays there until it is brought back or erased. */
      trashed: call(nothing, z.array(Take)),
      /** For good: voice, face and record, from the list or the trash. */
      erase: call(z.object({ ids }), z.object({ erased: z.number().int() })),
      emptyTrash: call(nothing, z.object({ erased: z.number().int() })),
      reveal: call(z.object({ id }), nothing),
      /**
       * Makes files to be fetched at `assetUrl(exportId, 'take-export')` while the studio runs: Live Link Face CSV, GLB
       * or FBX with the take as its animation, VRM animation, or JSON lines; the sound as WAV beside each.
       */
      export: call(
        z.object({
          id,
          format: z.enum(takeFormats),
          /** The head of a GLB or FBX, by its id in the library; null: the default head. */
          modelId: id.nullable(),
        }),
        z.object({
          files: z.array(z.object({ exportId: id, fileName: z.string(), bytes: z.number().int() })),
        }),
      ),
    },
    events: { changed: z.array(Take) },
    streams: {},
  },
} as const satisfies Record<string, Room>;

// ── What derives from the table ─────────────────────────────────────────────────────────────────────────

export type Contract = typeof contract;
export type RoomName = keyof Contract;
type Calls<R extends RoomName> = Contract[R]['calls'];
type Events<R extends RoomName> = Contract[R]['events'];
type Streams<R extends RoomName> = Contract[R]['streams'];
type InputOf<C> = C extends { in: infer I extends z.ZodType } ? z.input<I> : never;
type ParsedInputOf<C> = C extends { in: infer I extends z.ZodType } ? z.output<I> : never;
type OutputOf<C> = C extends { out: infer O extends z.ZodType } ? z.output<O> : never;
type HandlerOutputOf<C> = C extends { out: infer O extends z.ZodType } ? z.input<O> : never;

export type CallInput<R extends RoomName, C extends keyof Calls<R>> = InputOf<Calls<R>[C]>;
export type CallOutput<R extends RoomName, C extends keyof Calls<R>> = OutputOf<Calls<R>[C]>;
export type EventPayload<R extends RoomName, E extends keyof Events<R>> = Events<R>[E] extends z.ZodType
  ? z.output<Events<R>[E]>
  : never;

/** A duplex of binary messages, as either side of the border holds it. */
export interface StudioStream {
  send(message: Uint8Array): void;
  /** Called for each message from the other side, in order. */
  onMessage(listener: (message: Uint8Array) => void): void;
  /** Called once, when either side closed it; with the error where it broke. */
  onClose(listener: (error?: StudioError) => void): void;
  close(): void;
}

type CallFunction<C> =
  undefined extends InputOf<C> ? () => Promise<OutputOf<C>> : (input: InputOf<C>) => Promise<OutputOf<C>>;

/** What the renderer holds: `studio.connections.list()`, `studio.journal.onAppended(listener)`, `studio.live.open(options)`. */
export type StudioApi = {
  [R in RoomName]: { [C in keyof Calls<R>]: CallFunction<Calls<R>[C]> } & {
    /** A subscription returns its own end: the bridge changes a listener's identity, so it can't be removed by passing it again. */
    [E in keyof Events<R> as `on${Capitalize<E & string>}`]: (
      listener: (payload: EventPayload<R, E>) => void,
    ) => () => void;
  } & { [S in keyof Streams<R>]: (options: InputOf<Streams<R>[S]>) => Promise<StudioStream> };
};

/** What main must provide: one handler a call, one a stream. Inputs arrive parsed. */
export type Handlers = {
  [R in RoomName]: {
    [C in keyof Calls<R>]: (
      input: ParsedInputOf<Calls<R>[C]>,
    ) => Promise<HandlerOutputOf<Calls<R>[C]>> | HandlerOutputOf<Calls<R>[C]>;
  } & {
    [S in keyof Streams<R>]: (
      options: ParsedInputOf<Streams<R>[S]>,
      stream: StudioStream,
    ) => Promise<void> | void;
  };
};

/** How a room of main tells the page that something happened. */
export type Emit = <R extends RoomName, E extends keyof Events<R> & string>(
  room: R,
  event: E,
  payload: EventPayload<R, E>,
) => void;

/** Names only, for the bridge: it carries no schemas, so that the preload stays small. */
export interface ContractNames {
  [room: string]: { calls: string[]; events: string[]; streams: string[] };
}
export const contractNames: ContractNames = Object.fromEntries(
  Object.entries(contract).map(([room, { calls, events, streams }]) => [
    room,
    { calls: Object.keys(calls), events: Object.keys(events), streams: Object.keys(streams) },
  ]),
);

// ── Files ───────────────────────────────────────────────────────────────────────────────────────────────

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
  'take-export',
] as const;
export type AssetKind = (typeof assetKinds)[number];
/**
 * Where a file is by its id, on the page's own origin; the shell serves it, with range requests. Never a path on disk.
 * The page asks at `assetUrl` of its own, which puts in front what the browser shell wants there.
 */
export const assetPath = (assetId: string, kind: AssetKind): string =>
  `/asset/${kind}/${encodeURIComponent(assetId)}`;
