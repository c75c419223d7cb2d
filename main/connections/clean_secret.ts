import { createPrivateKey } from 'node:crypto';
import { type Said, say } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { SecretName } from '#contract';

/**
 * Most characters and lines of a secret: log and journal search for each line in everything they write.
 */
const mostOf = { accessToken: 8192, apiKey: 8192, clientKey: 16_384, proxyPassword: 1024 } as const;
const mostKeyLines = 400;
const privateKeyBlock = /-----BEGIN ([A-Z0-9 ]*)PRIVATE KEY-----[\s\S]*?-----END \1PRIVATE KEY-----/;

/**
 * A secret as it is stored and sent, without blanks and quotes picked up by copying.
 *
 * @throws Failure `invalid_input`
 */
export function cleanSecret(name: SecretName, value: string): string {
  if (value.trim().length > mostOf[name]) {
    throw refused(say('connections.key_too_long', { most: mostOf[name] }), say('connections.copy_again'));
  }
  if (name === 'clientKey') return cleanPrivateKey(value);
  if (name === 'proxyPassword') {
    if (!/\p{Cc}/u.test(value)) return value;
    throw refused(say('connections.no_line_breaks'), say('connections.type_it_again'));
  }
  const clean = value.trim().replace(/^Bearer\s+/i, '');
  if (/^[\x21-\x7e]+$/.test(clean)) return clean;
  throw refused(say('connections.latin_only'), say('connections.copy_again'));
}

/** The key alone: files also hold certificates and comments. */
function cleanPrivateKey(value: string): string {
  const block = privateKeyBlock.exec(value)?.[0] ?? value;
  if (block.split('\n').length > mostKeyLines) {
    throw refused(say('connections.too_many_lines'), say('connections.write_anew'));
  }
  try {
    createPrivateKey(block);
    return block.trim().concat('\n');
  } catch (error) {
    if (/ENCRYPTED/.test(value)) throw refused(say('connections.encrypted'), say('connections.decrypt'));
    throw new Failure('invalid_input', say('connections.no_private_key'), {
      field: 'value',
      hint: say('connections.begin_private_key'),
      cause: error instanceof Error ? error.name : undefined,
    });
  }
}

const refused = (message: Said, hint: Said): Failure =>
  new Failure('invalid_input', message, { field: 'value', hint });
