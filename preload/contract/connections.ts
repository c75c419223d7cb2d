import { z } from 'zod';
import { call, nothing, type Room } from './call.ts';
import { operations, secretNames, serverFeatures } from './constants.ts';
import { id, TextFile, time } from './fields.ts';
import { newProfile } from './new_profile.ts';
import { Profile, ProfileDraft } from './profile.ts';
import { Message } from './studio_error.ts';

/** Maximum characters of a secret. */
const longestSecret = 16_384;

/** Fields that lists omit have defaults, so that a connection can be made from another's list entry. */
const NewConnection = ProfileDraft.extend({
  stream: ProfileDraft.shape.stream.default(newProfile.stream),
  customCa: ProfileDraft.shape.customCa.default(''),
  clientCertificate: ProfileDraft.shape.clientCertificate.default(''),
});

export const KeyStoreState = z.object({
  /** How the vault's key is protected. */
  protection: z.enum(['system', 'passphrase', 'this-run-only', 'none']),
  /**
   * The system's name for its key store: `keychain`, `dpapi`, `gnome_libsecret`, `kwallet6`, `basic_text`, …
   */
  backend: z.string(),
  locked: z.boolean(),
  /** The system's store does not protect keys (Linux `basic_text`): the user must choose. */
  needsChoice: z.boolean(),
  /** The backup of a damaged store, by file name, with the problem. */
  damaged: z.array(z.object({ fileName: z.string(), reason: Message, at: time })),
});
export type KeyStoreState = z.output<typeof KeyStoreState>;

export const ConnectionStep = z.object({
  operation: z.enum(operations),
  /** Method and address of the request, without secrets. */
  request: z.string(),
  outcome: z.enum(['ok', 'warning', 'failed', 'skipped']),
  httpStatus: z.number().int().nullable(),
  milliseconds: z.number().nonnegative(),
  /** The result, as a sentence. */
  detail: Message,
  hint: Message,
});

export const ConnectionReport = z.object({
  profileId: id,
  at: time,
  ok: z.boolean(),
  /** Milliseconds of the fastest response; null if there was none. */
  latencyMs: z.number().nonnegative().nullable(),
  features: z.array(z.enum(serverFeatures)),
  steps: z.array(ConnectionStep),
});
export type ConnectionReport = z.output<typeof ConnectionReport>;

export const connectionsRoom = {
  calls: {
    list: call(nothing, z.array(Profile)),
    /** All settings of a connection, with certificates and schema. */
    details: call(z.object({ id }), ProfileDraft),
    create: call(NewConnection, Profile),
    update: call(z.object({ id, changes: ProfileDraft.partial().strict() }), Profile),
    duplicate: call(z.object({ id }), Profile),
    remove: call(z.object({ id }), nothing),
    setDefault: call(z.object({ id }), z.array(Profile)),
    /** Keys and the built-in connection are never included. */
    exportProfiles: call(z.object({ ids: z.array(id).max(1000) }), TextFile),
    importProfiles: call(
      z.object({ text: z.string().max(8_388_608) }),
      z.object({
        added: z.array(Profile),
        problems: z.array(z.object({ where: z.string(), problem: Message })),
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
     * Requests to bind the connection's keys to its new address. Main asks the user in a system dialog or in
     * the terminal: a page can't answer. `bound` is false if the answer was no.
     */
    rebind: call(z.object({ id }), z.object({ bound: z.boolean(), profile: Profile })),
    /** Tests a connection and reports requests and responses. Sends nothing that could be billed. */
    test: call(z.object({ id }), ConnectionReport),
    keyStore: call(nothing, KeyStoreState),
    unlock: call(z.object({ passphrase: z.string().min(1).max(1024) }), KeyStoreState),
    /** Protects the keys with a passphrase (scrypt) from now on, besides or instead of the system's store. */
    protectWithPassphrase: call(
      z.object({ passphrase: z.string().min(8, 'at least 8 characters').max(1024) }),
      KeyStoreState,
    ),
    /** Keeps keys in memory until the studio is closed; nothing is written. */
    keepForThisRun: call(nothing, KeyStoreState),
    /**
     * Quarantines keys that can't be opened any more (a forgotten passphrase), without deleting them, and
     * starts with none.
     */
    startOver: call(nothing, KeyStoreState),
  },
  events: { changed: z.array(Profile), keyStoreChanged: KeyStoreState },
  streams: {},
} as const satisfies Room;
