import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { isPublicHost } from '@likeness/node-kit/network/address_scope.ts';

/**
 * The checked address of a webhook's connection, which stays even if the name resolves differently a moment
 * later.
 */
export interface PinnedAddress {
  address: string;
  family: 4 | 6;
}

/** Resolves a name to all its addresses. Rejects if it has none. */
export type ResolveName = (name: string) => Promise<PinnedAddress[]>;

/** The address may not be called; the message is for the person who registered it. */
export class WebhookAddressRefused extends Error {
  override readonly name = 'WebhookAddressRefused';
}

/** @throws Failure `invalid_input` with the entry that is neither name nor range */
export function allowedWebhooks(entries: readonly string[]): WebhookAllowList {
  try {
    return new WebhookAllowList(entries);
  } catch (error) {
    throw new Failure('invalid_input', t('service.webhook_to_wrong', { entry: (error as Error).message }));
  }
}

/** Private names and ranges that the operator allows for webhooks. */
export class WebhookAllowList {
  readonly #names = new Set<string>();
  readonly #ranges = new BlockList();

  /** @param entries Host names, addresses, or ranges such as `10.1.0.0/16`. @throws if an entry is neither */
  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const [address = '', bits] = entry.split('/', 2);
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
      if (isIP(address) !== 0) {
        if (bits !== undefined && !/^\d{1,3}$/.test(bits)) throw new Error(entry);
        this.#ranges.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
      } else if (/^[a-z0-9.-]{1,253}$/i.test(entry)) this.#names.add(entry.toLowerCase());
      else throw new Error(entry);
    }
  }

  has(name: string, address: string): boolean {
    return this.#names.has(name) || this.#ranges.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  }
}

export const resolveName: ResolveName = async (name) =>
  (await lookup(name, { all: true })).map(({ address, family }) => ({
    address,
    family: family === 6 ? 6 : 4,
  }));

/** Returns a URL's host in the form of DNS and sockets: IPv6 without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').toLowerCase();

/**
 * Returns the address to connect to: a public one by HTTPS, or one that the operator allows. Runs at each
 * delivery; the connection uses the returned address.
 *
 * @throws {WebhookAddressRefused}
 */
export async function pinAddress(
  url: URL,
  allowed: WebhookAllowList,
  resolve: ResolveName,
): Promise<PinnedAddress> {
  const host = hostOf(url);
  if (url.username !== '' || url.password !== '')
    throw new WebhookAddressRefused('the address may not hold a name or a password');
  const found = await resolve(host).catch(() => []);
  const [first] = found;
  if (!first) throw new WebhookAddressRefused(`the name ${host} is not known`);
  const isAllowed = found.every(({ address }) => allowed.has(host, address));
  if (url.protocol !== 'https:' && !(isAllowed && url.protocol === 'http:'))
    throw new WebhookAddressRefused('the address must begin with https://');
  // Checks every address: a name with a public and a private address may connect to either.
  if (!isAllowed && !found.every(({ address }) => isPublicHost(address) || allowed.has(host, address)))
    throw new WebhookAddressRefused(`${host} is not a public address`);
  return first;
}
