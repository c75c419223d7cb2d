import { createPrivateKey } from 'node:crypto';
import { type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { SecretName } from '#contract';

/** Maximum characters and lines of a secret: log and journal search all their text for each line. */
const maxLength = { accessToken: 8192, apiKey: 8192, clientKey: 16_384, proxyPassword: 1024 } as const;
const maxKeyLines = 400;
const privateKeyBlock = /-----BEGIN ([A-Z0-9 ]*)PRIVATE KEY-----[\s\S]*?-----END \1PRIVATE KEY-----/;

/**
 * Cleans a secret for storage: removes blanks and quotes picked up by copying.
 *
 * @throws Failure `invalid_input`
 */
export function cleanSecret(name: SecretName, value: string): string {
  if (value.trim().length > maxLength[name]) {
    throw refused(t('connections.key_too_long', { most: maxLength[name] }), t('connections.copy_again'));
  }
  if (name === 'clientKey') return cleanPrivateKey(value);
  if (name === 'proxyPassword') {
    if (!/\p{Cc}/u.test(value)) return value;
    throw refused(t('connections.no_line_breaks'), t('connections.type_it_again'));
  }
  const clean = value.trim().replace(/^Bearer\s+/i, '');
  if (/^[\x21-\x7e]+$/.test(clean)) return clean;
  throw refused(t('connections.latin_only'), t('connections.copy_again'));
}

/** The key alone: files also hold certificates and comments. */
function cleanPrivateKey(value: string): string {
  const block = privateKeyBlock.exec(value)?.[0] ?? value;
  if (block.split('\n').length > maxKeyLines) {
    throw refused(t('connections.too_many_lines'), t('connections.write_anew'));
  }
  try {
    createPrivateKey(block);
    return block.trim().concat('\n');
  } catch (error) {
    if (/ENCRYPTED/.test(value)) throw refused(t('connections.encrypted'), t('connections.decrypt'));
    throw new Failure('invalid_input', t('connections.no_private_key'), {
      field: 'value',
      hint: t('connections.begin_private_key'),
      cause: error instanceof Error ? error.name : undefined,
    });
  }
}

const refused = (message: Message, hint: Message): Failure =>
  new Failure('invalid_input', message, { field: 'value', hint });
