import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RequiredKey } from './listener_refusals.ts';

/** The secrets that open a listener. */
export interface ServiceKeys {
  /** Group A: `Authorization: Bearer …`. */
  accessToken: string;
  /** Group B: `auth_ak: …`. */
  apiKey: string;
}

/** The keys that a request shows. */
export interface ShownKeys {
  a: boolean;
  b: boolean;
}

export function createKeyReader({
  accessToken,
  apiKey,
}: ServiceKeys): (request: IncomingMessage) => ShownKeys {
  const opensA = keyCheck(accessToken);
  const opensB = keyCheck(apiKey);
  return ({ headers }) => {
    const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
    const key = headers.auth_ak;
    return { a: bearer !== undefined && opensA(bearer), b: typeof key === 'string' && opensB(key) };
  };
}

export const isOpenedBy = (auth: RequiredKey, { a, b }: ShownKeys): boolean =>
  auth === 'none' || (auth !== 'B' && a) || (auth !== 'A' && b);

/** Compares hashes in constant time, so that timing reveals neither content nor length. */
function keyCheck(secret: string): (given: string) => boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  const expected = hash(secret);
  return (given) => timingSafeEqual(hash(given), expected);
}
