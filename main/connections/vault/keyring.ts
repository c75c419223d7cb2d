import { createCipheriv, createDecipheriv, createHmac, scrypt, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { SystemKeyStore } from '../../base/system_key_store.ts';

/** Cost of deriving a key from a passphrase, as scrypt names it. Memory is 128 · N · r bytes. */
export interface ScryptCost {
  N: number;
  r: number;
  p: number;
}

/** OWASP's recommendation for scrypt: 128 MiB, about 0.3 s. */
export const defaultScryptCost: ScryptCost = { N: 2 ** 17, r: 8, p: 1 };

const base64 = z.base64();

const Wrap = z.discriminatedUnion('method', [
  /** Sealed by the system's own key store, named by `backend`. */
  z.object({ method: z.literal('system'), backend: z.string().max(80), blob: base64 }),
  /** AES-256-GCM under scrypt(passphrase, salt); `blob` ends with the 16-byte tag. */
  z.object({
    method: z.literal('scrypt'),
    salt: base64,
    // Limits, so that a tampered file can't make the studio use up all memory.
    N: z
      .number()
      .int()
      .min(2)
      .max(2 ** 20),
    r: z.number().int().min(1).max(16),
    p: z.number().int().min(1).max(4),
    nonce: base64,
    blob: base64,
  }),
]);
export type Wrap = z.output<typeof Wrap>;
export type SystemWrap = Extract<Wrap, { method: 'system' }>;
export type PassphraseWrap = Extract<Wrap, { method: 'scrypt' }>;

/**
 * The small file beside the encrypted keys. It contains the 32-byte data key that encrypts them, wrapped once
 * for each way to open it. The desktop opens it with the system's store, `serve` and the command line with a
 * passphrase; all then read the same keys.
 */
export const Keyring = z.object({
  version: z.literal(1),
  /** Name, without extension, of the file that the data key encrypts. */
  store: z.string().regex(/^keys-[0-9a-f]{16}$/),
  /** HMAC-SHA256 under the data key, hex: verifies a data key (some systems' stores can't). */
  check: z.string().regex(/^[0-9a-f]{64}$/),
  wraps: z.array(Wrap).min(1).max(16),
});
export type Keyring = z.output<typeof Keyring>;

export const dataKeyBytes = 32;

export function keyCheck(dataKey: Uint8Array, store: string): string {
  return createHmac('sha256', dataKey).update(`likeness keyring 1 ${store}`).digest('hex');
}

export function fitsKeyring(dataKey: Uint8Array, keyring: Pick<Keyring, 'store' | 'check'>): boolean {
  if (dataKey.length !== dataKeyBytes) return false;
  return timingSafeEqual(
    Buffer.from(keyCheck(dataKey, keyring.store), 'hex'),
    Buffer.from(keyring.check, 'hex'),
  );
}

export async function wrapWithSystem(dataKey: Uint8Array, system: SystemKeyStore): Promise<SystemWrap> {
  const sealed = await system.encrypt(Buffer.from(dataKey).toString('base64'));
  return { method: 'system', backend: await system.backend(), blob: Buffer.from(sealed).toString('base64') };
}

/** @throws whatever the system's store throws; returns arbitrary bytes if the wrap is not of this system. */
export async function openSystemWrap(wrap: SystemWrap, system: SystemKeyStore): Promise<Buffer> {
  return Buffer.from(await system.decrypt(Buffer.from(wrap.blob, 'base64')), 'base64');
}

/** @param store - Bound into the wrap, so that it opens no other file's key. */
export async function wrapWithPassphrase(
  dataKey: Uint8Array,
  store: string,
  passphrase: string,
  cost: ScryptCost,
  randomBytes: (count: number) => Uint8Array,
): Promise<PassphraseWrap> {
  const salt = randomBytes(16);
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', await passphraseKey(passphrase, salt, cost), nonce);
  cipher.setAAD(Buffer.from(store));
  const blob = Buffer.concat([cipher.update(dataKey), cipher.final(), cipher.getAuthTag()]);
  return {
    method: 'scrypt',
    salt: Buffer.from(salt).toString('base64'),
    ...cost,
    nonce: Buffer.from(nonce).toString('base64'),
    blob: blob.toString('base64'),
  };
}

/** @returns null if the passphrase is wrong. */
export async function openPassphraseWrap(
  wrap: PassphraseWrap,
  store: string,
  passphrase: string,
): Promise<Buffer | null> {
  const key = await passphraseKey(passphrase, Buffer.from(wrap.salt, 'base64'), wrap);
  const sealed = Buffer.from(wrap.blob, 'base64');
  const nonce = Buffer.from(wrap.nonce, 'base64');
  if (sealed.length !== dataKeyBytes + 16 || nonce.length !== 12) return null;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 });
    decipher.setAAD(Buffer.from(store));
    decipher.setAuthTag(sealed.subarray(dataKeyBytes));
    return Buffer.concat([decipher.update(sealed.subarray(0, dataKeyBytes)), decipher.final()]);
  } catch {
    return null;
  }
}

function passphraseKey(passphrase: string, salt: Uint8Array, { N, r, p }: ScryptCost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Normalized, because another keyboard may encode the same passphrase as other code points.
    const text = passphrase.toWellFormed().normalize('NFKC');
    scrypt(text, salt, 32, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
