import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';

/** What a key may be for; each opens some of the service's endpoints. */
export const scopes = ['speech', 'images', 'models', 'usage', 'operator'] as const;
export type Scope = (typeof scopes)[number];

/** Scopes of a key for which none were named: all that a person needs who works with the service. */
export const defaultScopes: readonly Scope[] = ['speech', 'images', 'models', 'usage'];

/** Groups of the interface: A takes a key as a Bearer token, B in the header `auth_ak`. */
export const groups = ['A', 'B'] as const;
export type KeyGroup = (typeof groups)[number];

const time = z.int().nonnegative();
const amount = z.number().nonnegative().max(1e12);

/** A key as it is kept: whatever could open something is there only as a hash. */
export const ServiceKey = z.strictObject({
  id: z.string().regex(/^[a-z0-9]{10}$/),
  name: z.string().min(1).max(80),
  /** Keys of one tenant see the same models; no other does. */
  tenant: z.string().min(1).max(64),
  groups: z.array(z.enum(groups)).min(1).max(2),
  scopes: z.array(z.enum(scopes)).min(1).max(scopes.length),
  /** The secrets that it answers to, newest first: after a rotation the one before for a while. */
  secrets: z
    .array(z.strictObject({ hash: z.string().regex(/^[0-9a-f]{64}$/), endsAt: time.nullable() }))
    .max(4),
  createdAt: time,
  /** Grows with each change, so that nodes that share their keys know which is the newest. */
  revision: z.int().nonnegative().default(0),
  /** Of what it orders: 1 before others, -1 after them. Absent: the usual one, which older nodes know of. */
  priority: z.union([z.literal(1), z.literal(-1)]).optional(),
  /** Null: never. */
  expiresAt: time.nullable(),
  revokedAt: time.nullable(),
  /** Most in a calendar month, UTC. Null: no cap. */
  caps: z.strictObject({
    seconds: amount.nullable(),
    frames: amount.nullable(),
    models: amount.nullable(),
  }),
  /** Requests a second in the long run, and how many may come at once after a pause. 0: any number. */
  rate: z.strictObject({ perSecond: amount, burst: amount }),
  /** Requests under way at the same time. */
  atOnce: z.int().min(1).max(100_000),
});
export type ServiceKey = z.output<typeof ServiceKey>;

/** Marks a secret as one of ours, for those who search code for keys that were left in it. */
const secretMark = 'lksk_';
const secretBytes = 32;

/**
 * The hash by which a secret is known.
 *
 * Plain SHA-256 is right here, and a slow hash would be wrong: those protect passwords, which people choose and
 * which can be guessed from lists. This is 256 random bits, of which there is no list, so a stolen file of hashes
 * opens nothing however fast hashing is; and a slow one would cost each call a tenth of a second.
 */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** A new secret. It is shown once; only its hash is kept. */
export const newSecret = (): string => secretMark + randomBytes(secretBytes).toString('base64url');

const idAlphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';

export const newKeyId = (): string =>
  Array.from(randomBytes(10), (byte) => idAlphabet[byte % idAlphabet.length]).join('');
