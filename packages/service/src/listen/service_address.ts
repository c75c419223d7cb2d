import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';
import type { ListenAddress, TlsFiles } from '@likeness/engine/http/listen_address.ts';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';

export interface ServiceAddressOptions {
  /** The local address to listen on. */
  host: string;
  /** 0: any free port. */
  port: number;
  /** The service's host names, without a port. */
  names: readonly string[];
  /** Addresses, or ranges such as `10.0.0.0/8`, of proxies whose `X-Forwarded-*` headers are trusted. */
  proxies: readonly string[];
  /** PEM files. Null: plain HTTP. */
  tls: { certFile: string; keyFile: string } | null;
  /** Allows plain HTTP on an address that others can reach, at the user's explicit wish. */
  insecure: boolean;
}

/**
 * Returns the service's listening address, host names and trusted proxies.
 *
 * @throws Failure `invalid_input`; `not_allowed` if keys would cross a network unencrypted
 */
export function serviceAddress(options: ServiceAddressOptions): ListenAddress {
  const { host, port, tls, insecure } = options;
  if (isIP(host) === 0 && host !== 'localhost')
    throw new Failure('invalid_input', t('service.not_an_address', { host }), {
      hint: t('service.name_address'),
    });
  if (!isLoopback(host) && !tls && !insecure)
    throw new Failure('not_allowed', t('service.needs_tls', { host }), {
      hint: t('service.give_certificate'),
    });
  const names = new Set(options.names.map((name) => name.toLowerCase()));
  const proxies = proxyList(options.proxies);
  return {
    host,
    port,
    ...(tls && { tls: readTlsFiles(tls) }),
    originOf: (request, open) => {
      const asked = askedFor(request, { proxies, isTls: tls !== null });
      const { name, port: called } = splitHost(asked.host);
      if (names.has(name)) return `${asked.scheme}://${asked.host}`;
      // The address itself with the listener's own port: DNS can't point another name here.
      const isOwn = isLoopback(name) || name === request.socket.localAddress || name === 'localhost';
      return isOwn && (called === open || asked.isForwarded) ? `${asked.scheme}://${asked.host}` : null;
    },
    wrongName: t('refusal.service_host_unknown'),
  };
}

/** @throws Failure `invalid_input` if a file can't be read */
export function readTlsFiles({ certFile, keyFile }: { certFile: string; keyFile: string }): TlsFiles {
  const read = (file: string): Buffer => {
    try {
      return readFileSync(file);
    } catch (error) {
      throw new Failure('invalid_input', t('service.no_certificate', { file }), {
        hint: t('service.check_certificate'),
        cause: error,
      });
    }
  };
  return { cert: read(certFile), key: read(keyFile) };
}

/** @throws Failure `invalid_input` */
function proxyList(proxies: readonly string[]): BlockList {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/', 2);
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    try {
      if (bits === undefined) list.addAddress(address, family);
      else list.addSubnet(address, /^\d{1,3}$/.test(bits) ? Number(bits) : -1, family);
    } catch (error) {
      throw new Failure('invalid_input', t('service.not_a_proxy', { proxy }), {
        hint: t('service.name_proxy'),
        cause: error,
      });
    }
  }
  return list;
}

interface AskedFor {
  scheme: 'http' | 'https';
  /** Host name, with its port unless it is the scheme's default. */
  host: string;
  isForwarded: boolean;
}

function askedFor(
  { headers, socket }: IncomingMessage,
  { proxies, isTls }: { proxies: BlockList; isTls: boolean },
): AskedFor {
  const own = isTls ? 'https' : 'http';
  const host = (headers.host ?? '').toLowerCase();
  if (!isFrom(proxies, plainAddress(socket.remoteAddress ?? '')))
    return { scheme: own, host, isForwarded: false };
  const first = (header: string | string[] | undefined): string =>
    String(header ?? '')
      .split(',', 1)[0]!
      .trim()
      .toLowerCase();
  const scheme = first(headers['x-forwarded-proto']);
  return {
    scheme: scheme === 'https' || scheme === 'http' ? scheme : own,
    host: first(headers['x-forwarded-host']) || host,
    isForwarded: true,
  };
}

const isFrom = (list: BlockList, address: string): boolean =>
  isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

/** Returns the IPv4 form of an IPv4 caller on an IPv6 socket. */
const plainAddress = (address: string): string => address.replace(/^::ffff:(?=[\d.]+$)/, '');

const loopback = proxyList(['127.0.0.0/8', '::1']);
const isLoopback = (host: string): boolean => host === 'localhost' || isFrom(loopback, host);

/** Splits `name:port` or `[::1]:port`; the port is 0 if there is none. */
function splitHost(host: string): { name: string; port: number } {
  const match = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(host);
  return { name: match?.[1]?.replace(/^\[|\]$/g, '') ?? '', port: Number(match?.[2] ?? 0) };
}
