import Conf from 'conf';
import { z } from 'zod';

/** Options that `electron-store` and `conf` share; both write the same file. */
export interface SecretFileOptions {
  /** Absolute folder. */
  cwd: string;
  /** File name without extension. `conf` calls it `configName`. */
  name: string;
  fileExtension: 'json';
  encryptionKey: Uint8Array;
  /** GCM: the default (CBC) accepts altered and even plain files. */
  encryptionAlgorithm: 'aes-256-gcm';
  configFileMode: 0o600;
  /** Never set it: it deletes an unreadable file. */
  clearInvalidConfig: false;
  accessPropertiesByDotNotation: false;
}

/**
 * The one property of `Conf` and `ElectronStore` that the key store uses. Reading throws if GCM
 * authentication fails.
 */
export interface SecretFile {
  store: Record<string, unknown>;
}

/**
 * Opens an encrypted file. The desktop passes `(options) => new ElectronStore(options)`, all others
 * `openConfFile`. Both write the same bytes for the same content, key and random numbers: `ElectronStore`
 * only adds a default folder to `Conf`.
 */
export type OpenSecretFile = (options: SecretFileOptions) => SecretFile;

export const openConfFile: OpenSecretFile = ({ name, ...options }) =>
  new Conf<Record<string, unknown>>({ ...options, configName: name });

export function secretFileOptions(folder: string, name: string, key: Uint8Array): SecretFileOptions {
  return {
    cwd: folder,
    name,
    fileExtension: 'json',
    encryptionKey: key,
    encryptionAlgorithm: 'aes-256-gcm',
    configFileMode: 0o600,
    clearInvalidConfig: false,
    accessPropertiesByDotNotation: false,
  };
}

/** A secret and its destination (see `Destination`): it is sent nowhere else. */
export const StoredSecret = z.object({
  value: z.string(),
  origin: z.string(),
  /** Missing in files of older studios, which bound keys to their origin only. */
  proxy: z.string().optional(),
  trust: z.string().optional(),
});
export type StoredSecret = z.output<typeof StoredSecret>;

/** Version of the encrypted file's content. */
export const secretsVersion = 1;

/** All secrets: by profile id, then by the secret's name. */
export const StoredSecrets = z.object({
  version: z.literal(secretsVersion),
  secrets: z.record(z.string(), z.record(z.string(), StoredSecret)),
});
export type StoredSecrets = z.output<typeof StoredSecrets>;
