import { STATUS_CODES } from 'node:http';
import type { Operation } from '#contract';
import { Failure } from '../failure.ts';
import { ForbiddenAddress } from './address_scope.ts';
import { type JsonObject, parseJsonObject, readEnvelope, UnreadableAnswer } from './envelope.ts';
import { operationNames, type Refusal, UpstreamError, type UpstreamErrorOptions } from './error.ts';
import { quote, withoutSecrets } from './quote.ts';
import { longestAskedPause, parseRetryAfter } from './retry.ts';
import type { BrokenRoundTrip, CollectedAnswer, WireHead } from './round_trip.ts';

/** What the texts of an error need to know about the call. */
export interface CallContext {
  operation: Operation;
  profileName: string;
  /** Host and port, as a person wrote them. */
  host: string;
  /** How the address is called in Settings: `Group A address`, `Group B address`, `download link`. */
  addressName: string;
  /** How the key is called: `Group A access token`, `Group B API key`; empty where none is sent. */
  keyName: string;
  /** True for GET. */
  idempotent: boolean;
  /** An idempotency key was sent, so that a repetition can't be billed. */
  protectedFromRepetition: boolean;
  /** Host and port of the proxy; empty: none. */
  proxyHost: string;
  /** What was sent and must not come back in a text. */
  secrets: readonly string[];
  now(): number;
}

const checkBeforeRepeating =
  'The server may have received it and may bill it: look in your account there before you send it again.';

/** What a try that did not come to an answer means to a person. */
export function explainBroken(broken: BrokenRoundTrip, context: CallContext): UpstreamError {
  const { operation, host } = context;
  const what = operationNames[operation];
  const uncertain = !context.idempotent && !broken.neverReceived;
  const repeatable = !uncertain || context.protectedFromRepetition;
  const base: UpstreamErrorOptions = { operation, uncertain, httpStatus: broken.status };
  const say = (
    code: ConstructorParameters<typeof UpstreamError>[0],
    text: string,
    hint: string,
    retryable: boolean,
  ): UpstreamError =>
    new UpstreamError(code, `${what}: ${text}`, {
      ...base,
      hint: uncertain && !context.protectedFromRepetition ? `${hint} ${checkBeforeRepeating}`.trim() : hint,
      retryable: retryable && repeatable,
    });

  switch (broken.reason) {
    case 'cancelled':
      return say('cancelled', 'cancelled.', '', true);
    case 'too_large':
      return say(
        'upstream_broken',
        `${host} answers with more than can be right for this call; it was stopped after ${bytes(broken.bytesReceived)}.`,
        `Check that the ${context.addressName} leads to the service.`,
        false,
      );
    case 'timeout':
      return say('timeout', timeoutText(broken, host), timeoutHint(broken), true);
    case 'network':
      break;
  }
  const { error } = broken;
  if (error instanceof Failure) {
    return new UpstreamError(error.code, `${what}: ${error.message}`, {
      ...base,
      hint: error.hint,
      retryable: error.retryable && repeatable,
      ...(error.field !== undefined && { field: error.field }),
    });
  }
  const { code, text, hint, retryable } = networkWords(broken, context);
  const explained = say(code, text, hint, retryable);
  // Its own words may quote what was sent; its stack and fields are not needed.
  explained.cause = new Error(
    withoutSecrets(`${errorCode(error)} ${error?.message ?? ''}`.trim(), context.secrets),
  );
  return explained;
}

function timeoutText({ phase, limit, whole, bytesReceived }: BrokenRoundTrip, host: string): string {
  const time = seconds(limit);
  if (phase === 'connect') return `no connection to ${host} within ${time}.`;
  if (whole) {
    const came = phase === 'body' ? `${bytes(bytesReceived)} of its answer came` : 'no answer came';
    return `${host} was not done within ${time}; ${came}.`;
  }
  switch (phase) {
    case 'send':
      return `${host} stopped taking the upload: nothing for ${time}.`;
    case 'firstByte':
      return `${host} has the request, but did not begin to answer within ${time}.`;
    case 'body':
      return `${host} stopped in the middle of its answer: nothing for ${time} after ${bytes(bytesReceived)}.`;
  }
}

function timeoutHint({ phase }: BrokenRoundTrip): string {
  return phase === 'connect'
    ? 'Check the network, the address and the proxy, then try again.'
    : 'The server or the network is slow or stuck. Try again later.';
}

interface Words {
  code: 'unreachable' | 'timeout' | 'upstream_broken' | 'not_allowed' | 'cancelled';
  text: string;
  hint: string;
  retryable: boolean;
}

/** What OpenSSL and Node call the faults of a server's certificate. */
const certificateFaults: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is signed by nobody but itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'comes from an authority that this computer does not know',
  UNABLE_TO_GET_ISSUER_CERT: 'comes from an authority that this computer does not know',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'comes from an authority that this computer does not know',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'comes from an authority that this computer does not know',
  CERT_SIGNATURE_FAILURE: 'has a false signature',
  CERT_REVOKED: 'was revoked',
  INVALID_CA: 'comes from an authority that may not issue it',
  INVALID_PURPOSE: 'is not meant for a server',
  CERT_UNTRUSTED: 'is not trusted',
};

function networkWords(broken: BrokenRoundTrip, context: CallContext): Words {
  const { host, proxyHost } = context;
  const error = rootOf(broken.error);
  const code = errorCode(error);
  const message = error?.message ?? '';
  const where = proxyHost === '' ? host : `${host} through the proxy ${proxyHost}`;

  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') {
    return { code: 'cancelled', text: 'the connection was closed by the studio.', hint: '', retryable: true };
  }
  if (error instanceof ForbiddenAddress) return forbiddenWords(error);
  const proxy = proxyWords(code, message, context);
  if (proxy) return proxy;

  const fault = certificateFaults[code];
  if (fault) {
    const dated = code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID';
    return {
      code: 'unreachable',
      text: `${host} can't prove who it is: its certificate ${fault} (${code}).`,
      hint: dated
        ? "Check this computer's clock; if it is right, the server's operator must renew the certificate."
        : "If it is your organisation's own server, add its CA certificate to the connection. Otherwise don't use it.",
      retryable: false,
    };
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return {
      code: 'unreachable',
      text: `${host} shows a certificate for another name (${code}).`,
      hint: `Check the host name in the ${context.addressName}.`,
      retryable: false,
    };
  }
  if (
    /ALERT_(CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|BAD_CERTIFICATE|UNKNOWN_CA|CERTIFICATE_UNKNOWN|ACCESS_DENIED|CERTIFICATE_EXPIRED|UNSUPPORTED_CERTIFICATE)|BAD_CERTIFICATE|CERTIFICATE_REQUIRED/.test(
      code,
    )
  ) {
    return {
      code: 'unreachable',
      text: `${host} refused the encrypted connection (${code}).`,
      hint: "It may want a client certificate, or another one: see the connection's client certificate and key.",
      retryable: false,
    };
  }
  if (/^ERR_SSL_|^EPROTO$/.test(code)) {
    return {
      code: 'unreachable',
      text: `${host} does not speak TLS as expected (${code}).`,
      hint: `If the server is without encryption, write http:// instead of https:// in the ${context.addressName}.`,
      retryable: false,
    };
  }
  switch (code) {
    case 'ECONNREFUSED':
      return {
        code: 'unreachable',
        text: `nothing answers at ${host} (connection refused).`,
        hint: `Check that the server runs and that the ${context.addressName} has the right host and port.`,
        retryable: true,
      };
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_FAIL':
    case 'EAI_NODATA':
      return {
        code: 'unreachable',
        text: `the name ${host} is not known (${code}).`,
        hint: `Check the network, and the spelling of the ${context.addressName}.`,
        retryable: true,
      };
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
    case 'ENETDOWN':
    case 'EHOSTDOWN':
    case 'EADDRNOTAVAIL':
      return {
        code: 'unreachable',
        text: `there is no way to ${host} from here (${code}).`,
        hint: 'Check the network connection and the VPN.',
        retryable: true,
      };
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return {
        code: 'timeout',
        text: `no connection to ${where} in time.`,
        hint: 'Check the network, the address and the proxy, then try again.',
        retryable: true,
      };
  }
  if (error?.name === 'HTTPParserError' || /^HPE_|^UND_ERR_HEADERS_OVERFLOW/.test(code)) {
    return {
      code: 'upstream_broken',
      text: `${host} answers with something that is not HTTP.`,
      hint: `Check scheme, host and port in the ${context.addressName}.`,
      retryable: false,
    };
  }
  if (broken.phase === 'send') {
    return {
      code: 'unreachable',
      text: `${host} closed the connection during the upload${faultOf(code)}.`,
      hint: 'Try again; if it happens at the same place, the file may be larger than the server takes.',
      retryable: true,
    };
  }
  if (broken.phase === 'body') {
    return {
      code: 'upstream_broken',
      text: `the answer of ${host} broke off after ${bytes(broken.bytesReceived)}.`,
      hint: 'The server or something on the way closed the connection early. Try again.',
      retryable: true,
    };
  }
  return {
    code: 'unreachable',
    text: `the connection to ${where} broke before an answer came${faultOf(code)}.`,
    hint: 'Try again; if it goes on, check the network and the server.',
    retryable: true,
  };
}

/** A code for those who can use it; the everyday ones say no more than the sentence. */
function faultOf(code: string): string {
  return ['', 'ECONNRESET', 'EPIPE', 'ECONNABORTED', 'UND_ERR_SOCKET'].includes(code) ? '' : ` (${code})`;
}

function proxyWords(
  code: string,
  message: string,
  { proxyHost, profileName }: CallContext,
): Words | undefined {
  if (proxyHost === '') return undefined;
  const hint = `Check the proxy's address, user and password in the connection “${profileName}”.`;
  const status =
    /^Proxy response \((\d+)\)/.exec(message)?.[1] ?? (/\(407\)/.test(message) ? '407' : undefined);
  if (status === '407') {
    return {
      code: 'unreachable',
      text: `the proxy ${proxyHost} wants another user or password (HTTP 407).`,
      hint,
      retryable: false,
    };
  }
  if (status) {
    return {
      code: 'unreachable',
      text: `the proxy ${proxyHost} would not connect us (HTTP ${status}).`,
      hint: "The proxy's operator may not allow this server, or the server can't be reached from there.",
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
      text: `the proxy ${proxyHost} can't be reached (${code}).`,
      hint,
      retryable: true,
    };
  }
  return undefined;
}

/** A link that leads where none may lead. */
export function forbiddenWords({ hostname, address }: ForbiddenAddress): Words & { code: 'not_allowed' } {
  const where = hostname === address ? address : `${hostname} (${address})`;
  return {
    code: 'not_allowed',
    text: `the server gave a link to ${where}, which is inside a private network and not the server's own.`,
    hint: "The studio does not follow such links. Tell the server's operator.",
    retryable: false,
  };
}

/** What an HTTP answer that is not a success means to a person. */
export function explainRefusal(answer: CollectedAnswer, context: CallContext): UpstreamError {
  const { operation, host, keyName, addressName, profileName, idempotent } = context;
  const { status, headers } = answer;
  const what = operationNames[operation];
  const inEnvelope = envelopeIn(answer);
  const serverWords = quote(inEnvelope?.message || readableBody(answer), context.secrets);
  const said = serverWords === '' ? '' : ` It said: “${serverWords}”`;
  // Group A's error bodies are not documented: what kind it is may help whoever reads it.
  const kind = inEnvelope || answer.body.byteLength === 0 ? '' : `, ${contentType(answer)}`;
  const http = `HTTP ${status}${STATUS_CODES[status] ? ` ${STATUS_CODES[status]}` : ''}${kind}`;
  const asked = parseRetryAfter(headers['retry-after'], context.now());
  const retryAfter = asked === null ? null : Math.min(asked, longestAskedPause);
  const base: UpstreamErrorOptions = {
    operation,
    httpStatus: status,
    envelopeCode: inEnvelope?.code ?? null,
    envelopeMessage: inEnvelope ? serverWords : '',
    refusal: refusalOf(status, inEnvelope?.code ?? null, context),
    retryAfter,
  };
  const say = (
    code: ConstructorParameters<typeof UpstreamError>[0],
    text: string,
    hint: string,
    options: { retryable?: boolean; uncertain?: boolean } = {},
  ): UpstreamError => {
    const uncertain = options.uncertain === true && !idempotent;
    const safe = !uncertain || context.protectedFromRepetition;
    return new UpstreamError(code, `${what}: ${text}${said}`, {
      ...base,
      hint: safe ? hint : `${hint} ${checkBeforeRepeating}`,
      retryable: options.retryable === true && safe,
      uncertain,
    });
  };

  if (status >= 300 && status < 400) {
    return say(
      'upstream_refused',
      `${host} sends us on to ${redirectTarget(headers)} (${http}).`,
      `Keys are not sent to another address unasked. If it is right, make it the ${addressName} of “${profileName}”.`,
    );
  }
  switch (status) {
    case 401:
    case 403:
      return say(
        'upstream_refused',
        keyName === '' ? `${host} refused access (${http}).` : `${host} refused the ${keyName} (${http}).`,
        keyName === ''
          ? 'The link may have expired: get the model again.'
          : `Check the ${keyName} of “${profileName}” in Settings → Connections; it may be wrong, expired, or not allowed to do this.`,
      );
    case 402:
      return say(
        'upstream_refused',
        `${host} wants payment first (${http}).`,
        'Check the balance of your account there.',
      );
    case 404:
      return inEnvelope
        ? say(
            'not_found',
            `${host} does not have it (${http}).`,
            'It may have been deleted there, or belong to another account.',
          )
        : say(
            'upstream_refused',
            `${host} has no such address (${http}).`,
            operation === 'download'
              ? 'The link may have expired: get the model again.'
              : `Check the ${addressName} and the path word of “${profileName}”.`,
          );
    case 405:
    case 501:
      return say(
        'upstream_refused',
        `${host} does not offer this at this address (${http}).`,
        `Check the ${addressName} and the path word of “${profileName}”.`,
      );
    case 408:
      return say(
        'timeout',
        `${host} grew tired of waiting for the request (${http}).`,
        'The upload may be too slow for the server. Try again.',
        { retryable: true },
      );
    case 413:
      return say(
        'upstream_refused',
        `what was sent is too large for ${host} (${http}).`,
        operation === 'audio_to_face'
          ? 'Send shorter audio.'
          : 'Use a smaller photo: fewer pixels or stronger compression.',
      );
    case 415:
      return say(
        'upstream_refused',
        `${host} does not take this kind of file (${http}).`,
        operation === 'audio_to_face' ? 'Use another audio format.' : 'Use a JPEG or PNG photo.',
      );
    case 429:
      return say(
        'upstream_refused',
        `${host} asks us to slow down (${http}).`,
        `${waitWords(asked)} If it happens often, lower “requests per minute” or “at once” of “${profileName}”.`,
        { retryable: true },
      );
    case 503:
      return say('upstream_refused', `${host} is busy or under maintenance (${http}).`, waitWords(asked), {
        retryable: true,
        // With Retry-After it says that it wants the call again; without, it may have failed half-way.
        uncertain: retryAfter === null,
      });
  }
  if (status >= 500) {
    return say(
      'upstream_refused',
      `${host} failed on its side (${http}).`,
      "Try again later; if it goes on, tell the server's operator.",
      {
        retryable: true,
        uncertain: true,
      },
    );
  }
  return say(
    'upstream_refused',
    `${host} refused the request (${http}).`,
    "The server's own words say why, where it gave any.",
  );
}

/**
 * Whether an answer says that the server doesn't know the model it was asked for. `interface.md` lists no code values, so
 * this is decided narrowly: an envelope (not a page, not a gateway's own JSON) whose `code` is 404 or 410, as a number
 * or a string, under HTTP 2xx, 404 or 410. Any other code may mean anything ("busy" is 1001 somewhere), and a plain
 * 404 page is what a wrong address or a wrong deploy answers: neither says anything of a model that is paid for.
 */
export function saysUnknownModel(httpStatus: number, envelopeCode: number | null): boolean {
  const answered = (httpStatus >= 200 && httpStatus < 300) || httpStatus === 404 || httpStatus === 410;
  return answered && (envelopeCode === 404 || envelopeCode === 410);
}

function refusalOf(
  httpStatus: number,
  envelopeCode: number | null,
  { operation, keyName }: CallContext,
): Refusal | null {
  const ofAccess = (code: number | null): boolean => code === 401 || code === 402 || code === 403;
  // A download has no key: there it is the link that has expired.
  if (keyName !== '' && (ofAccess(httpStatus) || (httpStatus < 500 && ofAccess(envelopeCode))))
    return 'access';
  return operation === 'get_model' && saysUnknownModel(httpStatus, envelopeCode) ? 'unknown_model' : null;
}

/** What an envelope whose `code` is not 200 means, whatever HTTP said. */
export function explainEnvelope(
  envelope: { code: number; message: string },
  httpStatus: number,
  context: CallContext,
): UpstreamError {
  const { operation, host, keyName, profileName, idempotent } = context;
  const serverWords = quote(envelope.message, context.secrets);
  const said = serverWords === '' ? 'and no reason' : `“${serverWords}”`;
  // The codes are not documented; those that repeat HTTP's numbers are taken to mean the same.
  const key = envelope.code === 401 || envelope.code === 403;
  const busy = [429, 500, 502, 503, 504].includes(envelope.code);
  return new UpstreamError(
    'upstream_refused',
    `${operationNames[operation]}: ${host} answered with code ${envelope.code} ${said}.`,
    {
      operation,
      httpStatus,
      envelopeCode: envelope.code,
      envelopeMessage: serverWords,
      refusal: refusalOf(httpStatus, envelope.code, context),
      retryable: busy && (idempotent || envelope.code === 429),
      hint: key
        ? `Check the ${keyName} of “${profileName}” in Settings → Connections.`
        : envelope.code === 404
          ? 'It may have been deleted there, or belong to another account.'
          : "The server's provider documents what its codes mean.",
    },
  );
}

/** What an answer that should have been a success, but can't be read, means. */
export function explainUnreadable(
  problem: UnreadableAnswer,
  answer: WireHead & { body?: Buffer },
  context: CallContext,
): UpstreamError {
  const { operation, host, addressName, idempotent } = context;
  const type = contentType(answer);
  const excerpt =
    problem.field === '' && answer.body
      ? quote(readableBody({ ...answer, body: answer.body }), context.secrets)
      : '';
  const html = /html/i.test(type) || looksLikeHtml(answer.body);
  const what =
    html && problem.field === ''
      ? 'the answer is a web page, not data'
      : quote(problem.message, context.secrets);
  const uncertain = !idempotent && !context.protectedFromRepetition;
  const hint = html
    ? `Check the ${addressName}: a login page, a proxy or a portal may stand in the way.`
    : "Check that the address leads to the service; if it does, tell the server's operator.";
  return new UpstreamError(
    'upstream_broken',
    `${operationNames[operation]}: ${host} answered with HTTP ${answer.status} (${type}), but ${what}.${excerpt === '' ? '' : ` It begins: “${excerpt}”`}`,
    {
      operation,
      httpStatus: answer.status,
      hint: uncertain ? `${hint} ${checkBeforeRepeating}` : hint,
      uncertain: !idempotent,
      retryable: false,
      ...(problem.field !== '' && { field: problem.field }),
    },
  );
}

/** The media type of an answer as a message can show it. */
export function contentType({ headers }: WireHead): string {
  const type = headers['content-type'];
  const media = (Array.isArray(type) ? type[0] : type)?.split(';')[0]?.trim() || 'no content type';
  // Whole or not at all: a key that was cut can't be recognised (see `without_keys.ts`).
  return media.length > 80 ? 'an overlong content type' : media;
}

/** Code and words of a failure, where a body has them; null where it is not JSON. */
export function envelopeIn(answer: CollectedAnswer): { code: number | null; message: string } | null {
  let object: JsonObject;
  try {
    object = parseJsonObject(answer.body);
  } catch {
    return null;
  }
  try {
    return readEnvelope(object);
  } catch (error) {
    if (!(error instanceof UnreadableAnswer)) throw error;
    // Not an envelope; other services put their words under one of these.
    const { message, error: reason, detail } = object;
    const words = [message, reason, detail].find((value) => typeof value === 'string');
    return typeof words === 'string' ? { code: null, message: words } : null;
  }
}

/** Bytes of a body that are looked at for readable words. */
const longestExcerpt = 16_384;

/** Whether a body begins as a web page does. */
export function looksLikeHtml(body: Buffer | undefined): boolean {
  const start =
    body
      ?.subarray(0, 512)
      .toString('latin1')
      .replace(/^\xef\xbb\xbf/, '')
      .trimStart() ?? '';
  return /^<(!doctype html|html|head|body|!--)/i.test(start);
}

/** The readable beginning of a body; empty where it is not text. */
function readableBody({ body }: { body: Buffer } & WireHead): string {
  const text = body.subarray(0, longestExcerpt).toString('utf8');
  const odd = [...text.slice(0, 2000)].filter((character) =>
    /[^\P{Cc}\t\r\n]|\ufffd/u.test(character),
  ).length;
  if (odd > text.slice(0, 2000).length / 20) return '';
  // A web page's words, without its markup, styles and scripts.
  return /<(!doctype html|html|body)\b/i.test(text)
    ? text
        .replace(/<(script|style|head)\b[\s\S]*?(<\/\1>|$)/gi, ' ')
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
    : text;
}

function redirectTarget(headers: WireHead['headers']): string {
  const { location } = headers;
  return location && URL.canParse(location) ? new URL(location).origin : 'another address';
}

function waitWords(retryAfter: number | null): string {
  if (retryAfter !== null && retryAfter > longestAskedPause) {
    return 'It asks for a longer pause than an hour; the studio asks again in an hour.';
  }
  return retryAfter === null
    ? 'Wait a moment, then try again.'
    : `Try again in ${seconds(Math.max(1000, retryAfter))}.`;
}

/** The innermost error that says something: undici and happy eyeballs wrap. */
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

function errorCode(error: Error | undefined): string {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return typeof code === 'string' ? code : '';
}

function seconds(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const rounded = Math.round(milliseconds / 1000);
  return rounded < 120 ? `${rounded} s` : `${Math.round(rounded / 60)} minutes`;
}

/** Bytes as a person reads them. */
export function bytes(count: number): string {
  if (count < 1000) return `${count} bytes`;
  if (count < 1e6) return `${(count / 1e3).toFixed(count < 1e4 ? 1 : 0)} kB`;
  return count < 1e9 ? `${(count / 1e6).toFixed(count < 1e7 ? 1 : 0)} MB` : `${(count / 1e9).toFixed(1)} GB`;
}
