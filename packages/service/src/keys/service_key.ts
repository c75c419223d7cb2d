import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';

/** Permissions of a key; each opens some of the service's endpoints. */
export const scopes = ['speech', 'images', 'models', 'usage', 'operator'] as const;
export type Scope = (typeof scopes)[number];

/** Default scopes of a key: everything that a user of the service needs. */
export const defaultScopes: readonly Scope[] = ['speech', 'images', 'models', 'usage'];

/** Groups of the interface: A takes a key as a Bearer token, B in the header `auth_ak`. */
export const groups = ['A', 'B'] as const;
export type KeyGroup = (typeof groups)[number];

const time = z.int().nonnegative();
const amount = z.number().nonnegative().max(1e12);

/** A key as stored: secrets appear only as hashes. */
export const ServiceKey = z.strictObject({
  id: z.string().regex(/^[a-z0-9]{10}$/),
  name: z.string().min(1).max(80),
  /** Keys of one tenant share its models; other tenants can't see them. */
  tenant: z.string().min(1).max(64),
  groups: z.array(z.enum(groups)).min(1).max(2),
  scopes: z.array(z.enum(scopes)).min(1).max(scopes.length),
  /** Hashes of its valid secrets, newest first: after a rotation the previous one stays for a while. */
  secrets: z
    .array(z.strictObject({ hash: z.string().regex(/^[0-9a-f]{64}$/), endsAt: time.nullable() }))
    .max(4),
  createdAt: time,
  /** Increases with each change, so that nodes that share their keys know which is the newest. */
  revision: z.int().nonnegative().default(0),
  /**
   * Queue priority of its orders: 1 before others, −1 after them. Absent: the default, as for older nodes.
   */
  priority: z.union([z.literal(1), z.literal(-1)]).optional(),
  /** Null: never. */
  expiresAt: time.nullable(),
  revokedAt: time.nullable(),
  /** Maximum per calendar month, UTC. Null: no cap. */
  caps: z.strictObject({
    seconds: amount.nullable(),
    frames: amount.nullable(),
    models: amount.nullable(),
  }),
  /** Sustained requests per second, and the burst allowed after a pause. 0: unlimited. */
  rate: z.strictObject({ perSecond: amount, burst: amount }),
  /** Maximum concurrent requests. */
  atOnce: z.int().min(1).max(100_000),
});
export type ServiceKey = z.output<typeof ServiceKey>;

/** Prefix of our secrets, so that scanners can find keys left in code. */
const secretMark = 'lksk_';
const secretBytes = 32;

/**
 * Hashes a secret for storage and lookup.
 *
 * Plain SHA-256 is right here. Slow hashes protect passwords, which people choose and attackers guess from
 * lists. A secret has 256 random bits: a stolen file of hashes opens nothing, however fast hashing is. A slow
 * hash would cost each call a tenth of a second.
 */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Creates a secret. It is shown once; only its hash is stored. */
export const newSecret = (): string => secretMark + randomBytes(secretBytes).toString('base64url');

const idAlphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';

export const newKeyId = (): string =>
  Array.from(randomBytes(10), (byte) => idAlphabet[byte % idAlphabet.length]).join('');
