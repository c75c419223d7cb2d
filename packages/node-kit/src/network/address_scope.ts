import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { BlockList, isIP, isIPv4 } from 'node:net';

/**
 * The scope of an IP address: public, this machine, private network, link-local, a cloud's metadata service,
 * or not allowed for downloads.
 */
export type AddressScope = 'public' | 'loopback' | 'private' | 'link-local' | 'metadata' | 'reserved';

type Range = [network: string, prefix: number];

// RFC 6890 and IANA's special-purpose registries. 198.18.0.0/15 (benchmarking) counts as public on purpose:
// VPN and proxy clients answer DNS with fake addresses from it, and nothing else uses it.
const scopes: [AddressScope, Range[]][] = [
  [
    'metadata',
    [
      ['169.254.169.254', 32], // AWS, Google, Azure, …
      ['169.254.170.2', 32], // AWS ECS
      ['100.100.100.200', 32], // Alibaba
      ['168.63.129.16', 32], // Azure's wire server
      ['fd00:ec2::254', 128], // AWS over IPv6
    ],
  ],
  [
    'loopback',
    [
      ['127.0.0.0', 8],
      ['0.0.0.0', 8], // "this host": Linux connects it to loopback
      ['::', 128],
      ['::1', 128],
    ],
  ],
  [
    'private',
    [
      ['10.0.0.0', 8],
      ['172.16.0.0', 12],
      ['192.168.0.0', 16],
      ['100.64.0.0', 10], // carrier-grade NAT, and VPN meshes
      ['fc00::', 7],
      ['fec0::', 10],
      ['64:ff9b:1::', 48],
    ],
  ],
  [
    'link-local',
    [
      ['169.254.0.0', 16],
      ['fe80::', 10],
    ],
  ],
  [
    'reserved',
    [
      ['192.0.0.0', 24],
      ['192.0.2.0', 24],
      ['192.88.99.0', 24],
      ['198.51.100.0', 24],
      ['203.0.113.0', 24],
      ['224.0.0.0', 4],
      ['240.0.0.0', 4],
      ['::', 96], // IPv4-compatible, long withdrawn
      ['100::', 64],
      ['2001::', 23], // IETF protocols, Teredo among them
      ['2001:db8::', 32],
      ['3fff::', 20], // documentation
      ['ff00::', 8],
    ],
  ],
];

const lists: [AddressScope, BlockList][] = scopes.map(([scope, ranges]) => {
  const list = new BlockList();
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, isIPv4(network) ? 'ipv4' : 'ipv6');
  return [scope, list];
});

/** @param addressWithZone An IP address without brackets. @throws RangeError for anything else. */
export function addressScope(addressWithZone: string): AddressScope {
  const address = addressWithZone.replace(/%.*$/, '');
  const family = isIP(address);
  if (family === 0) throw new RangeError(`${address} is not an IP address`);
  if (family === 6) {
    const embedded = embeddedIpv4(address);
    if (embedded) return addressScope(embedded);
  }
  for (const [scope, list] of lists) if (list.check(address, family === 4 ? 'ipv4' : 'ipv6')) return scope;
  return 'public';
}

const fakeAnswers = new BlockList();
fakeAnswers.addSubnet('198.18.0.0', 15, 'ipv4');
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/**
 * Whether an address is a public host: stricter than the scope `public`, for a server whose callers choose
 * the address. In IPv4 it excludes benchmarking addresses; in IPv6 only global unicast counts, without
 * embedded IPv4 addresses.
 */
export function isPublicHost(address: string): boolean {
  if (addressScope(address) !== 'public') return false;
  return isIPv4(address)
    ? !fakeAnswers.check(address, 'ipv4')
    : globalUnicast.check(address, 'ipv6') && embeddedIpv4(address) === undefined;
}

/** The IPv4 address that an IPv6 one leads to: mapped (::ffff/96), NAT64 (64:ff9b::/96), 6to4 (2002::/16). */
function embeddedIpv4(address: string): string | undefined {
  const groups = ipv6Groups(address);
  const dotted = (high: number, low: number): string => `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
  const [a, b, c, d, e, f, g, h] = groups as [number, number, number, number, number, number, number, number];
  if (a === 0 && b === 0 && c === 0 && d === 0 && e === 0 && f === 0xffff) return dotted(g, h);
  if (a === 0x64 && b === 0xff9b && c === 0 && d === 0 && e === 0 && f === 0) return dotted(g, h);
  if (a === 0x2002) return dotted(b, c);
  return undefined;
}

function ipv6Groups(address: string): number[] {
  // URL's parser writes any spelling, dotted tail included, as plain groups.
  const plain = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = plain.split('::');
  const numbers = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const left = numbers(head);
  if (tail === undefined) return left;
  const right = numbers(tail);
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
}

/** An IP address of a URL's hostname (`[::1]` → `::1`), or null where it is a name. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) ? bare : null;
}

/** Whether a download may connect to an address. */
export type AddressRule = (address: string) => boolean;

/** The error of a checked lookup for an address that is not allowed. */
export class ForbiddenAddress extends Error {
  readonly code = 'FORBIDDEN_ADDRESS';
  readonly address: string;
  readonly hostname: string;

  constructor(hostname: string, address: string) {
    super(`${hostname} leads to ${address} (${addressScope(address)})`);
    this.name = 'ForbiddenAddress';
    this.hostname = hostname;
    this.address = address;
  }
}

/**
 * A `lookup` for `net.connect` that refuses a name when any of its addresses is forbidden. The socket
 * connects to the addresses that were checked: there is no second DNS query that could be answered
 * differently.
 */
export function checkedLookup(
  allowed: AddressRule,
  lookup: typeof systemLookup = systemLookup,
): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const forbidden = addresses.find(({ address }) => !allowed(address));
      if (forbidden) return callback(new ForbiddenAddress(hostname, forbidden.address), '', 0);
      if (options.all) return callback(null, addresses);
      const first = addresses[0];
      if (!first)
        return callback(Object.assign(new Error(`no address for ${hostname}`), { code: 'ENOTFOUND' }), '', 0);
      callback(null, first.address, first.family);
    });
  };
}
