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

export const StudioError = z.object({
  code: z.enum(studioErrorCodes),
  /** What happened, in a sentence a person understands. */
  message: z.string(),
  /** What to do about it; empty where there is nothing to do. */
  hint: z.string(),
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
export const Settings = z.object({
  language: z.enum(languages),
  theme: z.enum(['system', 'dark', 'light']),
  reducedMotion: z.enum(['system', 'on', 'off']),
  notifications: z.boolean(),
  /** The first-run screen was finished or put aside. */
  welcomed: z.boolean(),
});
export type Settings = z.output<typeof Settings>;

export const AppInfo = z.object({
  version: z.string(),
  shell: z.enum(['electron', 'browser', 'none']),
  platform: z.string(),
  /** Where the studio keeps its data, for showing only. */
  dataFolder: z.string(),
  runtime: z.string(),
});
export type AppInfo = z.output<typeof AppInfo>;

/** The secrets that a profile can have. They go in by `connections.setSecret` and never come out. */
export const secretNames = ['accessToken', 'apiKey', 'clientKey', 'proxyPassword'] as const;
export type SecretName = (typeof secretNames)[number];
const SecretState = z.object({
  configured: z.boolean(),
  /** The last four characters, where the secret is long enough (≥ 12) that four give nothing away. */
  lastFour: z.string().max(4),
  /** True where it comes from an environment variable and can't be changed here. */
  fromEnvironment: z.boolean(),
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

export const Profile = ProfileDraft.extend({
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

export const KeyStoreState = z.object({
  /** What wraps the key that encrypts the keys. */
  protection: z.enum(['system', 'passphrase', 'this-run-only', 'none']),
  /** The system's own name for its key store: `keychain`, `dpapi`, `gnome_libsecret`, `kwallet6`, `basic_text`, … */
  backend: z.string(),
  locked: z.boolean(),
  /** The system's store protects nothing (Linux `basic_text`): the person must choose. */
  needsChoice: z.boolean(),
  /** A damaged store that was kept aside, by file name, with what was wrong. */
  damaged: z.array(z.object({ fileName: z.string(), reason: z.string(), at: time })),
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
  detail: z.string(),
  hint: z.string(),
});
export const ConnectionReport = z.object({
  profileId: id,
  at: time,
  ok: z.boolean(),
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
  message: z.string(),
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
  message: z.string(),
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

// ── The table ───────────────────────────────────────────────────────────────────────────────────────────

export const contract = {
  app: {
    calls: {
      info: call(nothing, AppInfo),
      settings: call(nothing, Settings),
      changeSettings: call(Settings.partial().strict(), Settings),
      /** The page reports its own uncaught errors, so that they are in the log with everything else. */
      reportError: call(z.object({ message: z.string().max(4000), stack: z.string().max(20_000) }), nothing),
      /** Asks the system for the microphone where it wants to be asked (macOS); elsewhere always `granted`. */
      askForMicrophone: call(nothing, z.enum(['granted', 'denied'])),
    },
    events: {
      settingsChanged: Settings,
      /** A menu item or a second start asks the page to go somewhere. */
      navigate: z.object({
        to: z.enum(['portraits', 'library', 'live', 'takes', 'activity', 'settings', 'palette', 'shortcuts']),
      }),
      notice: z.object({
        level: z.enum(['info', 'success', 'warning', 'error']),
        title: z.string(),
        text: z.string(),
      }),
    },
    streams: {},
  },

  connections: {
    calls: {
      list: call(nothing, z.array(Profile)),
      create: call(ProfileDraft, Profile),
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
          problems: z.array(z.object({ where: z.string(), problem: z.string() })),
        }),
      ),
      setSecret: call(
        z.object({ id, secret: z.enum(secretNames), value: z.string().min(1, 'a key').max(65_536) }),
        Profile,
      ),
      clearSecret: call(z.object({ id, secret: z.enum(secretNames) }), Profile),
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
      verify: call(
        nothing,
        z.object({
          ok: z.boolean(),
          entries: z.number().int(),
          firstBroken: z.number().int().nullable(),
          detail: z.string(),
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

  live: {
    calls: {},
    events: {},
    streams: {
      /**
       * A microphone session. To main: 20 ms blocks of mono float32 PCM, little endian. From main: messages of
       * `proto/face_animation.proto`, one a message, without length prefix.
       */
      open: {
        in: z.object({
          profileId: id,
          sampleRate: z.number().int().min(8000).max(96_000),
          frameRate: z.union([z.literal(30), z.literal(60)]),
        }),
      },
    },
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

export const assetKinds = ['model', 'thumbnail', 'portrait', 'default-head'] as const;
export type AssetKind = (typeof assetKinds)[number];
/** Address of a file by id, on the page's own origin; the shell serves it, with range requests. Never a path. */
export const assetUrl = (assetId: string, kind: AssetKind): string =>
  `/asset/${kind}/${encodeURIComponent(assetId)}`;
