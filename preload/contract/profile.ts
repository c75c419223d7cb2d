import { z } from 'zod';
import { id, time } from './fields.ts';
import {
  channelName,
  maxChannels,
  type NumberLimit,
  profileNumbers,
  profileTexts,
  type TextLimit,
} from './profile_limits.ts';

/** As `profile_limits.ts` has it at that path. */
function text(path: keyof typeof profileTexts): z.ZodString {
  const { least = 0, asking, most, patterns = [], isTrimmed }: TextLimit = profileTexts[path];
  let schema = isTrimmed ? z.string().trim() : z.string();
  for (const { pattern, saying } of patterns) schema = schema.regex(pattern, saying);
  return schema.min(least, asking).max(most);
}
function number(path: keyof typeof profileNumbers): z.ZodNumber {
  const { least, most, isWhole, isAboveLeast }: NumberLimit = profileNumbers[path];
  const schema = (isWhole ? z.number().int() : z.number()).max(most);
  return isAboveLeast ? schema.gt(least) : schema.min(least);
}

/**
 * The address that a key is bound to if it differs from the connection's current one; the key is not sent
 * there.
 */
const BoundElsewhere = z.object({
  /** `https://api.example.com`; several, separated by blanks, for a client key. Empty: none yet. */
  origin: z.string(),
  /** Empty: without a proxy. */
  proxy: z.string(),
  /** Custom certificates were trusted besides the system's. */
  ownCa: z.boolean(),
  /** The environment variable of the key; empty if it is stored. */
  variable: z.string(),
});
export type BoundElsewhere = z.output<typeof BoundElsewhere>;

const SecretState = z.object({
  /** The key exists and is bound to the connection's current server. */
  configured: z.boolean(),
  /** The last four characters, if the secret is long enough (≥ 12) that they reveal nothing. */
  lastFour: z.string().max(4),
  /** True if it comes from an environment variable and can't be changed here. */
  fromEnvironment: z.boolean(),
  /**
   * Set if there is a key, but it was entered for another server, proxy or certificate authority.
   */
  boundElsewhere: BoundElsewhere.nullable(),
});

/** Maps the fields of a custom message to the parts of a face frame. */
export const StreamMapping = z.object({
  /** Full name of the message that the server streams, for instance `acme.FaceFrame`. */
  message: text('stream.mapping.message'),
  /** `length-delimited`: varint length before each message; `single`: the body is one message. */
  framing: z.enum(['length-delimited', 'single']),
  /** Path of the time code within the message, for instance `frame.time`. */
  timeCode: text('stream.mapping.timeCode'),
  timeCodeUnit: z.enum(['seconds', 'milliseconds', 'microseconds', 'frames']),
  /** Path of the repeated weights. */
  weights: text('stream.mapping.weights'),
  /** Path of the repeated channel names; empty if `channels` lists them. */
  names: text('stream.mapping.names'),
  /** Channel names by position, if the stream does not contain them. */
  channels: z.array(z.string().max(channelName.most)).max(maxChannels),
  /** Path of repeated frames within a `single` message; empty if a message is a frame. */
  frames: text('stream.mapping.frames'),
  /** Frames per second; required if `timeCodeUnit` is `frames`. */
  frameRate: number('stream.mapping.frameRate'),
});
export type StreamMapping = z.output<typeof StreamMapping>;

/** The settings of a connection. `interface.md` leaves much open: each assumption is a visible default. */
export const ProfileDraft = z.object({
  name: text('name'),
  /** Group A (audio to face, image tasks): base URL before `/v1`. Empty: not used. */
  groupAUrl: text('groupAUrl'),
  /** Group B (models): base URL before `/open-api`. Empty: not used. */
  groupBUrl: text('groupBUrl'),
  /** The neutral word in the paths that carry the product name (`svc`). */
  pathWord: text('pathWord'),
  /** Write Group B paths with `//open-api`, as their published form does. */
  doubledSlash: z.boolean(),
  stream: z.object({
    schema: z.enum(['likeness', 'custom']),
    /** The text of the user's `.proto`, for `custom`. */
    proto: text('stream.proto'),
    mapping: StreamMapping,
    /** Values of the stream position. Only `start` is documented. */
    words: z.object({
      first: text('stream.words.first'),
      middle: text('stream.words.middle'),
      last: text('stream.words.last'),
    }),
  }),
  prices: z.object({
    currency: text('prices.currency'),
    perSecond: number('prices.perSecond'),
    perFrame: number('prices.perFrame'),
    perModel: number('prices.perModel'),
  }),
  /** Spending cap per calendar month (UTC), in `prices.currency`. Null: none. */
  monthlyCap: number('monthlyCap').nullable(),
  /** PEM certificates trusted besides the system's. */
  customCa: text('customCa'),
  /** PEM client certificate; its private key is the secret `clientKey`. */
  clientCertificate: text('clientCertificate'),
  /** Proxy, `http://host:port`; empty: none. A password is the secret `proxyPassword`. */
  proxyUrl: text('proxyUrl'),
  proxyUser: text('proxyUser'),
  /** Concurrent requests. */
  concurrency: number('concurrency'),
  /** Maximum requests per minute. 0: no limit. */
  requestsPerMinute: number('requestsPerMinute'),
  /** Polling interval for a model's state, seconds: first and longest. */
  polling: z.object({ least: number('polling.least'), most: number('polling.most') }),
});
export type ProfileDraft = z.output<typeof ProfileDraft>;

/** A connection in lists: without certificates and schema, which may be large (`connections.details`). */
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
