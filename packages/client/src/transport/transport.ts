import { createHash } from 'node:crypto';
import { lookup as lookupAddress } from 'node:dns/promises';
import type { Socket } from 'node:net';
import { createSecureContext, getCACertificates, rootCertificates, type SecureContext } from 'node:tls';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import {
  type AddressRule,
  type AddressScope,
  addressScope,
  checkedLookup,
  literalAddress,
} from '@likeness/node-kit/network/address_scope.ts';
import { Agent, buildConnector, type Dispatcher, ProxyAgent } from 'undici';
import type { Endpoint } from './endpoint.ts';

/**
 * The purpose of a connection.
 * - `call`: an operation; connections are reused.
 * - `billed`: an upload that costs money; always a fresh connection. The server may have just closed a kept
 *   one, and then it is unknown whether it received the request.
 * - `own-download`: a file from the server's own origin; may use the client certificate.
 * - `download`: a file from anywhere else; sends no credentials.
 */
export type Purpose = 'call' | 'billed' | 'own-download' | 'download';

/** The connections of one profile. */
export interface Transport {
  dispatcher(purpose: Purpose): Dispatcher | Promise<Dispatcher>;
  /** The addresses that a `downloadLink` may point to. */
  downloadRule(): Promise<AddressRule>;
  /** True if a proxy resolves names, so that we can't pin their addresses. */
  readonly proxied: boolean;
  /** Breaks all connections. */
  destroy(): Promise<void>;
}

interface Dispatchers {
  /** Hash of the secrets that they were built with; they are rebuilt when it changes. */
  fingerprint: string;
  byPurpose: Map<Purpose, Dispatcher>;
  clientKey: string | undefined;
  proxyPassword: string | undefined;
}

/** @param connectTimeout Milliseconds for TCP and TLS. */
export function createTransport(endpoint: Endpoint, connectTimeout: number): Transport {
  const withSecrets = endpoint.clientCertificate.trim() !== '' || endpoint.proxyUrl.trim() !== '';
  let current: Dispatchers | undefined;
  let destroyed = false;
  /** The addresses that calls really connected to, by host and port of the URL. */
  const remoteAddresses = new Map<string, string>();
  let rule: AddressRule = () => false;

  const build = (purpose: Purpose, { clientKey, proxyPassword }: Dispatchers): Dispatcher => {
    const own = purpose !== 'download';
    const download = purpose === 'download' || purpose === 'own-download';
    const trust = (): SecureContext => trusting(endpoint, undefined);
    const context = (): SecureContext => (own ? trusting(endpoint, clientKey) : trust());
    const pipelining = purpose === 'billed' ? 0 : 1;
    if (endpoint.proxyUrl.trim() !== '') {
      const user = endpoint.proxyUser;
      const token = user && `Basic ${Buffer.from(`${user}:${proxyPassword ?? ''}`).toString('base64')}`;
      return new ProxyAgent({
        uri: endpoint.proxyUrl.trim(),
        ...(token && { token }),
        allowH2: false,
        pipelining,
        connectTimeout,
        requestTls: { secureContext: context(), allowH2: false, timeout: connectTimeout },
        proxyTls: { secureContext: trust(), allowH2: false, timeout: connectTimeout },
      });
    }
    const lookup = download ? checkedLookup((address) => rule(address)) : undefined;
    return new Agent({
      pipelining,
      connect: connector(context, connectTimeout, lookup && { lookup }, (host, socket) => {
        if (!download && socket.remoteAddress) remoteAddresses.set(host, socket.remoteAddress);
      }),
    });
  };

  const dispatcherOf = (purpose: Purpose, dispatchers: Dispatchers): Dispatcher => {
    if (destroyed) throw closedFailure();
    let dispatcher = dispatchers.byPurpose.get(purpose);
    if (!dispatcher) {
      dispatcher = build(purpose, dispatchers);
      dispatchers.byPurpose.set(purpose, dispatcher);
    }
    return dispatcher;
  };

  const refreshed = async (): Promise<Dispatchers> => {
    const clientKey =
      endpoint.clientCertificate.trim() === '' ? undefined : await endpoint.secret('clientKey');
    const asksPassword = endpoint.proxyUser !== '' && endpoint.proxyUrl.trim() !== '';
    const proxyPassword = asksPassword ? await endpoint.secret('proxyPassword') : undefined;
    if (endpoint.clientCertificate.trim() !== '' && clientKey === undefined) {
      throw new Failure(
        'key_missing',
        t('upstream.certificate_without_key', { profileName: endpoint.profileName }),
        {
          hint: t('upstream.enter_client_key'),
        },
      );
    }
    const fingerprint = createHash('sha256')
      .update(JSON.stringify([clientKey ?? null, proxyPassword ?? null]))
      .digest('hex');
    if (current?.fingerprint !== fingerprint) {
      // The old ones finish what they have under way.
      for (const dispatcher of current?.byPurpose.values() ?? [])
        void dispatcher.close().catch(() => undefined);
      current = { fingerprint, byPurpose: new Map(), clientKey, proxyPassword };
    }
    return current;
  };

  return {
    proxied: endpoint.proxyUrl.trim() !== '',

    dispatcher(purpose) {
      if (withSecrets) return refreshed().then((dispatchers) => dispatcherOf(purpose, dispatchers));
      current ??= { fingerprint: '', byPurpose: new Map(), clientKey: undefined, proxyPassword: undefined };
      return dispatcherOf(purpose, current);
    },

    async downloadRule() {
      const server = URL.parse(endpoint.groupBUrl);
      const own = server && literalAddress(server.hostname);
      const reach = server ? await reachOf(server, remoteAddresses.get(server.host)) : [];
      rule = (address) => address === own || reach.includes(addressScope(address));
      return rule;
    },

    async destroy() {
      destroyed = true;
      await Promise.all([...(current?.byPurpose.values() ?? [])].map((dispatcher) => dispatcher.destroy()));
    },
  };
}

export function closedFailure(): Failure {
  return new Failure('cancelled', t('upstream.connection_closed'), {
    hint: t('upstream.start_again'),
    retryable: true,
  });
}

/**
 * The scope allowed for a server's downloads: it must not point to networks closer to us than the server
 * itself.
 */
const reaches: Readonly<Record<AddressScope, readonly AddressScope[]>> = {
  public: ['public'],
  private: ['public', 'private'],
  loopback: ['public', 'private', 'loopback'],
  'link-local': ['public'],
  metadata: ['public'],
  reserved: ['public'],
};

/**
 * The scope allowed for downloads, from the scope of the profile's server. The address a call really
 * connected to counts more than DNS now: an external server can change its DNS later, but not that
 * connection. A name with several addresses gets the scope that they have in common.
 */
async function reachOf({ hostname }: URL, connectedTo: string | undefined): Promise<readonly AddressScope[]> {
  const literal = literalAddress(hostname) ?? connectedTo;
  if (literal) return reaches[addressScope(literal)];
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return reaches.loopback;
  try {
    const addresses = await lookupAddress(hostname, { all: true });
    const all = addresses.map(({ address }) => reaches[addressScope(address)]);
    return reaches.loopback.filter((scope) => all.length > 0 && all.every((reach) => reach.includes(scope)));
  } catch {
    return reaches.public;
  }
}

function connector(
  context: () => SecureContext,
  timeout: number,
  options: object | undefined,
  onConnected: (host: string, socket: Socket) => void,
): buildConnector.connector {
  const plain = buildConnector({ ...options, timeout, allowH2: false });
  // Reading the system's certificates takes a while, and plain HTTP needs none.
  let secure: buildConnector.connector | undefined;
  return (target, callback) => {
    let connect = plain;
    if (target.protocol === 'https:') {
      try {
        secure ??= buildConnector({ ...options, timeout, allowH2: false, secureContext: context() });
      } catch (error) {
        return callback(error as Error, null);
      }
      connect = secure;
    }
    connect(target, (...outcome) => {
      const [error, socket] = outcome;
      if (!error && socket) onConnected(target.host ?? target.hostname, socket);
      callback(...outcome);
    });
  };
}

let systemTrust: string[] | undefined;

/** The certificates that Node brings and those that the system trusts. */
function trustedBySystem(): string[] {
  if (!systemTrust) {
    const trusted = new Set(rootCertificates);
    try {
      for (const certificate of getCACertificates('default')) trusted.add(certificate);
      for (const certificate of getCACertificates('system')) trusted.add(certificate);
    } catch {
      // No access to the system's store: use Node's own list.
    }
    systemTrust = [...trusted];
  }
  return systemTrust;
}

/** @throws Failure `invalid_input` for PEM that can't be read, or a key that is not the certificate's. */
function trusting(endpoint: Endpoint, clientKey: string | undefined): SecureContext {
  const customCa = endpoint.customCa.trim();
  if (customCa !== '') {
    // Node silently ignores text that is not a certificate.
    if (!customCa.includes('-----BEGIN CERTIFICATE-----'))
      throw unreadable(endpoint, 'customCa', 'custom_ca');
    try {
      createSecureContext({ ca: customCa });
    } catch (error) {
      throw unreadable(endpoint, 'customCa', 'custom_ca', error);
    }
  }
  const ca = customCa === '' ? trustedBySystem() : [...trustedBySystem(), customCa];
  if (clientKey === undefined) return createSecureContext({ ca });
  try {
    return createSecureContext({ ca, cert: endpoint.clientCertificate, key: clientKey });
  } catch (error) {
    throw unreadable(endpoint, 'clientCertificate', 'client_certificate', error);
  }
}

function unreadable(
  endpoint: Endpoint,
  field: string,
  what: 'custom_ca' | 'client_certificate',
  error?: unknown,
): Failure {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const mismatch = code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH';
  return new Failure(
    'invalid_input',
    mismatch
      ? t('upstream.key_mismatch', { profileName: endpoint.profileName })
      : t('upstream.cannot_be_read', {
          what,
          profileName: endpoint.profileName,
          code: code ? 'in_brackets' : 'none',
          codeCode: code ?? '',
        }),
    { field, hint: t('upstream.paste_pem') },
  );
}
