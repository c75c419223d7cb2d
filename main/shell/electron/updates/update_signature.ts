/**
 * The signature that says a new version is ours. electron-updater compares a download with the SHA-512 that
 * came from the same server, which proves nothing of who made it; beyond that it checks an Authenticode
 * signature on Windows where the build knows its publisher, Squirrel checks the code signature on macOS, and
 * nobody checks anything on Linux. So what is announced is signed by us, with one key, for every system:
 * whoever holds the server but not the key can offer nothing.
 */
import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/**
 * What the builds of a system are announced in, such as `linux-x64.yml`; its signature has `.sig` behind it.
 */
export const feedName = (platform: NodeJS.Platform, arch: string): string =>
  `${{ win32: 'windows', darwin: 'macos' }[platform as string] ?? platform}-${arch}.yml`;

/** The name is signed too: what was meant for one system is not offered to another. */
const signed = (name: string, text: string): Buffer => Buffer.from(`${name}\n${text}`, 'utf8');

/** Base64 of the Ed25519 signature of an announcement. `key` is the private one, PEM. */
export const signFeed = (name: string, text: string, key: string): string =>
  sign(null, signed(name, text), key).toString('base64');

export const isSigned = (name: string, text: string, signature: string, key: KeyObject): boolean =>
  /^[A-Za-z0-9+/]{86}==$/.test(signature) &&
  verify(null, signed(name, text), key, Buffer.from(signature, 'base64'));

/** The key that a build carries: base64 of an Ed25519 key's SPKI form. Null where it is none. */
export function publicKeyFrom(text: string): KeyObject | null {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}
