import { createHash, X509Certificate } from 'node:crypto';
import type { BoundElsewhere, ProfileDraft, SecretName } from '#contract';
import type { StoredSecret } from './vault/secret_file.ts';

/**
 * The target of a key: server, proxy, and trusted certificate authorities. Whoever controls one of the three
 * can read the key: a proxy with its own certificate authority can decrypt TLS.
 */
export interface Destination {
  /** `https://api.example.com:8443`; several, divided by blanks, for the client key. Empty: nowhere yet. */
  origin: string;
  /** `http://proxy.example.com:8080`; empty: none. */
  proxy: string;
  /** SHA-256 of the certificates that are trusted besides the system's, hex; empty: none. */
  trust: string;
}

/** The fields of a profile that determine where it connects. */
export type Leading = Pick<ProfileDraft, 'groupAUrl' | 'groupBUrl' | 'proxyUrl' | 'customCa'>;

/**
 * The addresses that receive a secret. The client key never leaves the machine, but it signs for both groups.
 */
const shownTo = {
  accessToken: ['groupAUrl'],
  apiKey: ['groupBUrl'],
  clientKey: ['groupAUrl', 'groupBUrl'],
  proxyPassword: ['proxyUrl'],
} as const satisfies Record<SecretName, readonly (keyof Leading)[]>;

/** Returns the current target of a profile's secret. */
export function destinationOf(profile: Leading, name: SecretName): Destination {
  const origins = new Set(shownTo[name].map((field) => originOf(profile[field])));
  const origin = [...origins].filter((text) => text !== '').join(' ');
  const trust = trustOf(profile.customCa);
  if (name !== 'proxyPassword') return { origin, proxy: originOf(profile.proxyUrl), trust };
  // A proxy's password is sent to the proxy, whatever the server; certificates matter only if the proxy is
  // reached by TLS.
  return { origin, proxy: '', trust: origin.startsWith('https:') ? trust : '' };
}

/** Whether a key bound to `bound` may be sent to a profile's current target. */
export function mayGo(bound: Destination, now: Destination): boolean {
  if (bound.proxy !== now.proxy || bound.trust !== now.trust) return false;
  if (bound.origin === now.origin) return true;
  const known = bound.origin.split(' ');
  return now.origin !== '' && now.origin.split(' ').every((origin) => known.includes(origin));
}

/**
 * Returns the binding of a stored key. Older versions bound keys to the server alone. Such a key counts as
 * bound to the proxy and certificates that its profile had at the update (`atUpdate`), or to none.
 */
export function boundTo(
  { origin, proxy, trust }: StoredSecret,
  name: SecretName,
  atUpdate: Leading | null,
): Destination | null {
  if (proxy !== undefined && trust !== undefined) return { origin, proxy, trust };
  if (atUpdate === null) return null;
  const before = destinationOf(atUpdate, name);
  return { ...before, origin: origin || before.origin };
}

/** For the page: the addresses, and whether there are custom certificates, but not which. */
export function asBoundElsewhere(bound: Destination | null, variable: string): BoundElsewhere {
  return {
    origin: bound?.origin ?? '',
    proxy: bound?.proxy ?? '',
    ownCa: (bound?.trust ?? '') !== '',
    variable,
  };
}

/** Returns the certificates of a PEM text in a readable form. */
export function certificatesIn(pem: string): { subject: string; fingerprint: string }[] {
  return (pem.match(certificateBlocks) ?? []).map((block) => {
    const { subject, fingerprint256 } = new X509Certificate(block);
    return { subject: subject ?? '', fingerprint: fingerprint256 };
  });
}

export const certificateBlocks = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/** `https://api.example.com:8443`; empty if the text is not an address. */
export function originOf(text: string): string {
  return URL.canParse(text) ? new URL(text).origin : '';
}

/** A hash of the whole text, not of the certificates recognised in it, because TLS has its own parser. */
function trustOf(customCa: string): string {
  const text = customCa.replace(/\r\n?/g, '\n').trim();
  return text === '' ? '' : createHash('sha256').update(text).digest('hex');
}
