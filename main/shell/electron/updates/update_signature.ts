/**
 * The signature that proves the origin of a new version. electron-updater compares a download with the
 * SHA-512 from the same server, which does not prove its author. Beyond that it checks an Authenticode
 * signature on Windows if the build names a publisher. Squirrel checks the code signature on macOS, and Linux
 * has no check. So we sign each announcement, with one key for every system: whoever controls the server but
 * not the key cannot offer a version.
 */
import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** Name of a system's announcement, such as `linux-x64.yml`; its signature adds `.sig`. */
export const feedName = (platform: NodeJS.Platform, arch: string): string =>
  `${{ win32: 'windows', darwin: 'macos' }[platform as string] ?? platform}-${arch}.yml`;

/** The signature covers the name: one system's announcement is invalid for another. */
const signed = (name: string, text: string): Buffer => Buffer.from(`${name}\n${text}`, 'utf8');

/** Base64 of the Ed25519 signature of an announcement. `key` is the private one, PEM. */
export const signFeed = (name: string, text: string, key: string): string =>
  sign(null, signed(name, text), key).toString('base64');

export const isSigned = (name: string, text: string, signature: string, key: KeyObject): boolean =>
  /^[A-Za-z0-9+/]{86}==$/.test(signature) &&
  verify(null, signed(name, text), key, Buffer.from(signature, 'base64'));

/** The public key in a build: base64 of an Ed25519 key's SPKI form. Null if invalid. */
export function publicKeyFrom(text: string): KeyObject | null {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}
