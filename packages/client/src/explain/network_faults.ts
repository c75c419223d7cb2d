import { type Message, t } from '@likeness/messages';
import { ForbiddenAddress } from '@likeness/node-kit/network/address_scope.ts';
import type { BrokenRoundTrip } from '../transport/broken_round_trip.ts';
import { bytes } from './amounts.ts';
import type { CallContext } from './call_context.ts';

interface NetworkFault {
  code: 'unreachable' | 'timeout' | 'upstream_broken' | 'not_allowed' | 'cancelled';
  text: Message;
  hint: Message;
  retryable: boolean;
}

/** Branches of `upstream.certificate_fault`, by OpenSSL's and Node's codes. */
const certificateFaults: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not_yet_valid',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self_signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'unknown_authority',
  UNABLE_TO_GET_ISSUER_CERT: 'unknown_authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknown_authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unknown_authority',
  CERT_SIGNATURE_FAILURE: 'false_signature',
  CERT_REVOKED: 'revoked',
  INVALID_CA: 'invalid_authority',
  INVALID_PURPOSE: 'wrong_purpose',
  CERT_UNTRUSTED: 'untrusted',
};

/** OpenSSL's messages when the server rejected our certificate, or required one. */
const refusedCertificate =
  /ALERT_(CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|BAD_CERTIFICATE|UNKNOWN_CA|CERTIFICATE_UNKNOWN|ACCESS_DENIED|CERTIFICATE_EXPIRED|UNSUPPORTED_CERTIFICATE)|BAD_CERTIFICATE|CERTIFICATE_REQUIRED/;

export function networkFault(broken: BrokenRoundTrip, context: CallContext): NetworkFault {
  const error = rootOf(broken.error);
  const code = errorCode(error);
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') {
    return { code: 'cancelled', text: t('upstream.closed_by_studio'), hint: '', retryable: true };
  }
  if (error instanceof ForbiddenAddress) return forbiddenFault(error);
  return (
    proxyFault(code, error?.message ?? '', context) ??
    tlsFault(code, context) ??
    connectionFault(code, context) ??
    (isNoHttp(error, code) ? noHttpFault(context) : brokenOffFault(broken, code, context))
  );
}

/** The server's certificate, ours, or no TLS at all. */
function tlsFault(code: string, { host, addressName }: CallContext): NetworkFault | undefined {
  const unreachable = (text: Message, hint: Message): NetworkFault => ({
    code: 'unreachable',
    text,
    hint,
    retryable: false,
  });
  const fault = certificateFaults[code];
  if (fault) {
    const dated = code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID';
    return unreachable(
      t('upstream.certificate_fault', { host, fault, code }),
      dated ? t('upstream.check_clock') : t('upstream.add_ca'),
    );
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return unreachable(
      t('upstream.other_name', { host, code }),
      t('upstream.check_host_name', { addressName }),
    );
  }
  if (refusedCertificate.test(code)) {
    return unreachable(t('upstream.refused_tls', { host, code }), t('upstream.client_certificate_wanted'));
  }
  if (/^ERR_SSL_|^EPROTO$/.test(code)) {
    return unreachable(t('upstream.not_tls', { host, code }), t('upstream.write_http', { addressName }));
  }
  return undefined;
}

/** No connection was established. */
function connectionFault(
  code: string,
  { host, proxyHost, addressName }: CallContext,
): NetworkFault | undefined {
  switch (code) {
    case 'ECONNREFUSED':
      return {
        code: 'unreachable',
        text: t('upstream.nothing_answers', { host }),
        hint: t('upstream.check_server_runs', { addressName }),
        retryable: true,
      };
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_FAIL':
    case 'EAI_NODATA':
      return {
        code: 'unreachable',
        text: t('upstream.name_unknown', { host, code }),
        hint: t('upstream.check_spelling', { addressName }),
        retryable: true,
      };
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
    case 'ENETDOWN':
    case 'EHOSTDOWN':
    case 'EADDRNOTAVAIL':
      return {
        code: 'unreachable',
        text: t('upstream.no_way', { host, code }),
        hint: t('upstream.check_network_vpn'),
        retryable: true,
      };
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return {
        code: 'timeout',
        text: t('upstream.no_connection_in_time', { where: hostText(host, proxyHost) }),
        hint: t('upstream.check_network_address_proxy'),
        retryable: true,
      };
    default:
      return undefined;
  }
}

const isNoHttp = (error: Error | undefined, code: string): boolean =>
  error?.name === 'HTTPParserError' || /^HPE_|^UND_ERR_HEADERS_OVERFLOW/.test(code);

const noHttpFault = ({ host, addressName }: CallContext): NetworkFault => ({
  code: 'upstream_broken',
  text: t('upstream.not_http', { host }),
  hint: t('upstream.check_scheme', { addressName }),
  retryable: false,
});

/** A connection broke; the phase of the call decides the meaning. */
function brokenOffFault(
  { phase, bytesReceived }: BrokenRoundTrip,
  code: string,
  { host, proxyHost }: CallContext,
): NetworkFault {
  if (phase === 'send') {
    return {
      code: 'unreachable',
      text: t('upstream.closed_during_upload', { host, fault: faultOf(code), code }),
      hint: t('upstream.try_again_same_place'),
      retryable: true,
    };
  }
  if (phase === 'body') {
    return {
      code: 'upstream_broken',
      text: t('upstream.answer_broke_off', { host, bytes: bytes(bytesReceived) }),
      hint: t('upstream.closed_early'),
      retryable: true,
    };
  }
  return {
    code: 'unreachable',
    text: t('upstream.broke_before_answer', { where: hostText(host, proxyHost), fault: faultOf(code), code }),
    hint: t('upstream.try_again_check'),
    retryable: true,
  };
}

const hostText = (host: Message, proxyHost: string): Message =>
  proxyHost === '' ? host : t('upstream.through_proxy', { host, proxyHost });

/** Whether the sentence names the code, for experts; common codes add nothing to it. */
const faultOf = (code: string): 'none' | 'in_brackets' =>
  ['', 'ECONNRESET', 'EPIPE', 'ECONNABORTED', 'UND_ERR_SOCKET'].includes(code) ? 'none' : 'in_brackets';

function proxyFault(
  code: string,
  message: string,
  { proxyHost, profileName }: CallContext,
): NetworkFault | undefined {
  if (proxyHost === '') return undefined;
  const hint = t('upstream.check_proxy', { profileName });
  const status =
    /^Proxy response \((\d+)\)/.exec(message)?.[1] ?? (/\(407\)/.test(message) ? '407' : undefined);
  if (status === '407') {
    return {
      code: 'unreachable',
      text: t('upstream.proxy_password', { proxyHost }),
      hint,
      retryable: false,
    };
  }
  if (status) {
    return {
      code: 'unreachable',
      text: t('upstream.proxy_refused', { proxyHost, status }),
      hint: t('upstream.proxy_may_not'),
      retryable: status.startsWith('5'),
    };
  }
  if (
    code === 'ECONNREFUSED' ||
    code === 'ENOTFOUND' ||
    code === 'EAI_AGAIN' ||
    code === 'UND_ERR_PRX_TLS' ||
    code === 'UND_ERR_PRX_CONN'
  ) {
    return {
      code: 'unreachable',
      text: t('upstream.proxy_unreachable', { proxyHost, code }),
      hint,
      retryable: true,
    };
  }
  return undefined;
}

/** A link to a forbidden address. */
export function forbiddenFault({
  hostname,
  address,
}: ForbiddenAddress): NetworkFault & { code: 'not_allowed' } {
  const where = hostname === address ? address : `${hostname} (${address})`;
  return {
    code: 'not_allowed',
    text: t('upstream.private_link', { where }),
    hint: t('upstream.links_not_followed'),
    retryable: false,
  };
}

/** The innermost meaningful error: undici and happy eyeballs wrap errors. */
function rootOf(error: Error | undefined): Error | undefined {
  let current = error;
  for (let depth = 0; depth < 5 && current; depth++) {
    if (current instanceof ForbiddenAddress) return current;
    const inner =
      current instanceof AggregateError && errorCode(current) === '' ? current.errors[0] : current.cause;
    const wrapped = /^UND_ERR_(PRX|SECURE)/.test(errorCode(current));
    if (!(inner instanceof Error) || (errorCode(current) !== '' && !wrapped)) return current;
    current = inner;
  }
  return current;
}

export function errorCode(error: Error | undefined): string {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return typeof code === 'string' ? code : '';
}
