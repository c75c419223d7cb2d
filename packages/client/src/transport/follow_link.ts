import { lookup as lookupAddress } from 'node:dns/promises';
import { t } from '@likeness/messages';
import {
  type AddressRule,
  ForbiddenAddress,
  literalAddress,
} from '@likeness/node-kit/network/address_scope.ts';
import type { Attempt } from '../call.ts';
import { type ClientContext, timeoutsFor } from '../client_context.ts';
import { UpstreamError } from '../error.ts';
import { forbiddenFault } from '../explain/network_faults.ts';
import { credentialHeader } from './endpoint.ts';
import { open } from './stream_answer.ts';
import type { StreamedAnswer } from './wire.ts';

const fileTimeouts = { connect: 10_000, firstByte: 60_000, betweenBytes: 60_000, whole: 6 * 3_600_000 };
const maxRedirects = 5;

/**
 * Parses a link that a server gave. It is untrusted, so only harmless ones pass.
 *
 * @throws UpstreamError `not_allowed` for anything but http(s) without user name and password
 */
export function parseLink(link: string): URL {
  const url = URL.canParse(link) ? new URL(link) : null;
  const web = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url && web && url.username === '' && url.password === '') {
    url.hash = '';
    return url;
  }
  throw new UpstreamError(
    'not_allowed',
    url && !web
      ? t('upstream.link_no_web_address', {
          url: url.protocol.length > 20 ? 'something_long' : url.protocol,
        })
      : t('upstream.link_bad'),
    {
      operation: 'download',
      hint: t('upstream.only_plain_links'),
    },
  );
}

/**
 * Requests a link's target, following at most 5 redirects. Every hop's address is checked: an IP address
 * here, a host name when it is resolved for the connection. Only the Group B server's own origin receives the
 * key.
 *
 * @param headers In addition to the usual ones, such as `range`.
 * @throws UpstreamError, BrokenRoundTrip
 */
export async function followLink(
  context: ClientContext,
  attempt: Attempt,
  link: URL,
  rule: AddressRule,
  headers: string[],
): Promise<StreamedAnswer> {
  let url = link;
  for (let hops = 0; hops <= maxRedirects; hops++) {
    await checkAddress(url, rule, context.transport.proxied);
    const answer = await ask(context, attempt, url, headers);
    if (![301, 302, 303, 307, 308].includes(answer.status)) return answer;
    await leave(answer);
    url = redirectTarget(answer, url);
  }
  throw new UpstreamError(
    'upstream_broken',
    t('upstream.redirects_on_and_on', { host: link.host, most: maxRedirects }),
    { operation: 'download', hint: t('upstream.get_again_tell') },
  );
}

async function ask(
  context: ClientContext,
  attempt: Attempt,
  url: URL,
  headers: string[],
): Promise<StreamedAnswer> {
  const { groupBUrl } = context.endpoint;
  const own = URL.canParse(groupBUrl) && new URL(groupBUrl).origin === url.origin;
  const secret = own ? (await context.endpoint.secret('apiKey'))?.trim() : undefined;
  return open({
    dispatcher: own ? await context.transport.dispatcher('own-download') : attempt.dispatcher,
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'GET',
    headers: [
      'accept',
      '*/*',
      'accept-encoding',
      'identity',
      ...headers,
      ...(secret ? credentialHeader('B', secret) : []),
    ],
    timeouts: timeoutsFor(context, fileTimeouts),
    meter: attempt.meter,
    signal: attempt.signal,
  });
}

async function checkAddress(url: URL, rule: AddressRule, proxied: boolean): Promise<void> {
  const literal = literalAddress(url.hostname);
  if (literal) {
    if (!rule(literal)) throw forbidden(literal, literal);
    return;
  }
  if (!proxied) return;
  // A proxy resolves names itself and may know some that we don't; those that we can resolve must not be
  // internal.
  const addresses = await lookupAddress(url.hostname, { all: true }).catch(() => []);
  const inside = addresses.find(({ address }) => !rule(address));
  if (inside) throw forbidden(url.hostname, inside.address);
}

function forbidden(hostname: string, address: string): UpstreamError {
  const { code, text, hint } = forbiddenFault(new ForbiddenAddress(hostname, address));
  return new UpstreamError(code, t('upstream.download_of', { text }), { operation: 'download', hint });
}

function redirectTarget({ status, headers }: StreamedAnswer, from: URL): URL {
  const location = Array.isArray(headers.location) ? headers.location[0] : headers.location;
  if (location && URL.canParse(location, from.href)) return parseLink(new URL(location, from.href).href);
  throw new UpstreamError('upstream_broken', t('upstream.redirect_nowhere', { host: from.host, status }), {
    operation: 'download',
    httpStatus: status,
    hint: t('upstream.get_again_tell'),
  });
}

/** Discards an answer's body. */
export async function leave(answer: StreamedAnswer): Promise<void> {
  await answer.body[Symbol.asyncIterator]().return?.();
}
