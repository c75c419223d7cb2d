import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { join } from 'node:path';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { readFileIfThere, writeFileAtomically } from '@likeness/node-kit/storage/atomic_file.ts';
import { withFileLock } from '@likeness/node-kit/storage/file_lock.ts';

const cipher = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts the secrets of webhooks: a signature needs the secret itself, so storing a hash isn't enough. Signs the
 * keys that nodes share.
 */
export class WebhookSeal {
  readonly #key: Buffer;
  /** Identifies the encryption key without revealing it. */
  readonly name: string;

  constructor(key: Buffer) {
    this.#key = key;
    this.name = createHash('sha256').update('likeness webhook seal').update(key).digest('hex').slice(0, 16);
  }

  sign(text: string): string {
    return createHmac('sha256', this.#key).update(`likeness service key\n${text}`).digest('base64url');
  }

  isSigned(text: string, signature: string): boolean {
    const [right, given] = [Buffer.from(this.sign(text)), Buffer.from(signature)];
    return right.length === given.length && timingSafeEqual(right, given);
  }

  /** @param about The secret's owner: sealed for another owner, it doesn't open. */
  seal(secret: string, about: string): string {
    const nonce = randomBytes(nonceBytes);
    const sealing = createCipheriv(cipher, this.#key, nonce).setAAD(Buffer.from(about));
    const sealed = Buffer.concat([sealing.update(secret, 'utf8'), sealing.final()]);
    return Buffer.concat([nonce, sealing.getAuthTag(), sealed]).toString('base64');
  }

  /** @throws if it was sealed by another key, for another owner, or was altered */
  open(sealed: string, about: string): string {
    const bytes = Buffer.from(sealed, 'base64');
    const opening = createDecipheriv(cipher, this.#key, bytes.subarray(0, nonceBytes))
      .setAAD(Buffer.from(about))
      .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    return Buffer.concat([opening.update(bytes.subarray(nonceBytes + tagBytes)), opening.final()]).toString();
  }
}

/**
 * Reads the encryption key from a file with 32 bytes as base64; creates the file if it is missing.
 *
 * @param file Absolute path; null: in the service's folder.
 * @throws Failure `invalid_input` if the file has other content, `storage`
 */
export async function openWebhookSeal(folder: string, file: string | null): Promise<WebhookSeal> {
  const path = file ?? join(folder, 'webhook.key');
  const text = await withFileLock(join(folder, 'webhook.lock'), async () => {
    const there = await readFileIfThere(path);
    if (there || file) return there?.toString('utf8') ?? '';
    const fresh = randomBytes(keyBytes).toString('base64');
    await writeFileAtomically(path, `${fresh}\n`);
    return fresh;
  });
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== keyBytes)
    throw new Failure('invalid_input', t('service.webhook_key_wrong', { file: path }));
  return new WebhookSeal(key);
}

/** Prefix of secrets in Standard Webhooks. */
const secretMark = 'whsec_';

export const newWebhookSecret = (): string => secretMark + randomBytes(keyBytes).toString('base64');

/**
 * Returns a message's headers as Standard Webhooks defines them. @param seconds Time of this attempt, since
 * 1970 UTC.
 */
export function signedHeaders(
  secret: string,
  { id, body, seconds }: { id: string; body: string; seconds: number },
): Record<string, string> {
  const key = Buffer.from(secret.slice(secretMark.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` };
}
