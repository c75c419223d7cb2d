import { STATUS_CODES } from 'node:http';
import type { Operation } from '#contract';
import { inEnglish, oneAfterAnother, type Said, type Sentence, say } from '#sentences';
import { Failure } from '../failure.ts';
import { operationNames, type Refusal, UpstreamError, type UpstreamErrorOptions } from './error.ts';
import { type JsonObject, parseJsonObject, readEnvelope, UnreadableAnswer } from './operations/envelope.ts';
import { quote, withoutSecrets } from './operations/quote.ts';
import { ForbiddenAddress } from './transport/address_scope.ts';
import { longestAskedPause, parseRetryAfter } from './transport/retry.ts';
import type { BrokenRoundTrip, CollectedAnswer, WireHead } from './transport/round_trip.ts';

/** What the texts of an error need to know about the call. */
export interface CallContext {
  operation: Operation;
  profileName: string;
  /** Host and port, as a person wrote them. */
  host: string;
  /** How the address is called in Settings: `Group A address`, `Group B address`, `download link`. */
  addressName: Said;
  /** How the key is called: `Group A access token`, `Group B API key`; empty where none is sent. */
  keyName: Said;
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

const checkBeforeRepeating = say('upstream.check_before_repeating');

/** What a try that did not come to an answer means to a person. */
export function explainBroken(broken: BrokenRoundTrip, context: CallContext): UpstreamError {
  const { operation, host } = context;
  const what = operationNames[operation];
  const uncertain = !context.idempotent && !broken.neverReceived;
  const repeatable = !uncertain || context.protectedFromRepetition;
  const base: UpstreamErrorOptions = { operation, uncertain, httpStatus: broken.status };
  const explained = (
    code: ConstructorParameters<typeof UpstreamError>[0],
    text: Said,
    hint: Said,
    retryable: boolean,
  ): UpstreamError =>
    new UpstreamError(code, say('upstream.of', { operation: what, text }), {
      ...base,
      hint:
        uncertain && !context.protectedFromRepetition ? oneAfterAnother(hint, checkBeforeRepeating) : hint,
      retryable: retryable && repeatable,
    });

  switch (broken.reason) {
    case 'cancelled':
      return explained('cancelled', say('upstream.cancelled'), '', true);
    case 'too_large':
      return explained(
        'upstream_broken',
        say('upstream.too_large', { host, bytes: bytes(broken.bytesReceived) }),
        say('upstream.check_leads_to_service', { addressName: context.addressName }),
        false,
      );
    case 'timeout':
      return explained('timeout', timeoutText(broken, host), timeoutHint(broken), true);
    case 'network':
      break;
  }
  const { error } = broken;
  if (error instanceof Failure) {
    return new UpstreamError(error.code, say('upstream.of', { operation: what, text: error.said }), {
      ...base,
      hint: error.advice,
      retryable: error.retryable && repeatable,
      ...(error.field !== undefined && { field: error.field }),
    });
  }
  const { code, text, hint, retryable } = networkWords(broken, context);
  const failure = explained(code, text, hint, retryable);
  // Its own words may quote what was sent; its stack and fields are not needed.
  failure.cause = new Error(
    withoutSecrets(`${errorCode(error)} ${error?.message ?? ''}`.trim(), context.secrets),
  );
  return failure;
}

function timeoutText({ phase, limit, whole, bytesReceived }: BrokenRoundTrip, host: string): Said {
  const time = seconds(limit);
  if (phase === 'connect') return say('upstream.no_connection_within', { host, time });
  if (whole) {
    const came =
      phase === 'body'
        ? say('upstream.bytes_came', { bytes: bytes(bytesReceived) })
        : say('upstream.no_answer_came');
    return say('upstream.not_done_within', { host, time, came });
  }
  switch (phase) {
    case 'send':
      return say('upstream.upload_stuck', { host, time });
    case 'firstByte':
      return say('upstream.no_first_byte', { host, time });
    case 'body':
      return say('upstream.body_stuck', { host, time, bytes: bytes(bytesReceived) });
  }
}

function timeoutHint({ phase }: BrokenRoundTrip): Said {
  return phase === 'connect' ? say('upstream.check_network_address_proxy') : say('upstream.slow_or_stuck');
}

interface Words {
  code: 'unreachable' | 'timeout' | 'upstream_broken' | 'not_allowed' | 'cancelled';
  text: Said;
  hint: Said;
  retryable: boolean;
}

/** What OpenSSL and Node call the faults of a server's certificate. */
const certificateFaults: Readonly<Record<string, Sentence>> = {
  CERT_HAS_EXPIRED: say('certificate.expired'),
  CERT_NOT_YET_VALID: say('certificate.not_yet_valid'),
  DEPTH_ZERO_SELF_SIGNED_CERT: say('certificate.self_signed'),
  SELF_SIGNED_CERT_IN_CHAIN: say('certificate.unknown_authority'),
  UNABLE_TO_GET_ISSUER_CERT: say('certificate.unknown_authority'),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: say('certificate.unknown_authority'),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: say('certificate.unknown_authority'),
  CERT_SIGNATURE_FAILURE: say('certificate.false_signature'),
  CERT_REVOKED: say('certificate.revoked'),
  INVALID_CA: say('certificate.invalid_authority'),
  INVALID_PURPOSE: say('certificate.wrong_purpose'),
  CERT_UNTRUSTED: say('certificate.untrusted'),
};

function networkWords(broken: BrokenRoundTrip, context: CallContext): Words {
  const { host, proxyHost } = context;
  const error = rootOf(broken.error);
  const code = errorCode(error);
  const message = error?.message ?? '';
  const where = proxyHost === '' ? host : say('upstream.through_proxy', { host, proxyHost });

  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') {
    return { code: 'cancelled', text: say('upstream.closed_by_studio'), hint: '', retryable: true };
  }
  if (error instanceof ForbiddenAddress) return forbiddenWords(error);
  const proxy = proxyWords(code, message, context);
  if (proxy) return proxy;

  const fault = certificateFaults[code];
  if (fault) {
    const dated = code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID';
    return {
      code: 'unreachable',
      text: say('upstream.certificate_fault', { host, fault, code }),
      hint: dated ? say('upstream.check_clock') : say('upstream.add_ca'),
      retryable: false,
    };
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return {
      code: 'unreachable',
      text: say('upstream.other_name', { host, code }),
      hint: say('upstream.check_host_name', { addressName: context.addressName }),
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
      text: say('upstream.refused_tls', { host, code }),
      hint: say('upstream.client_certificate_wanted'),
      retryable: false,
    };
  }
  if (/^ERR_SSL_|^EPROTO$/.test(code)) {
    return {
      code: 'unreachable',
      text: say('upstream.not_tls', { host, code }),
      hint: say('upstream.write_http', { addressName: context.addressName }),
      retryable: false,
    };
  }
  switch (code) {
    case 'ECONNREFUSED':
      return {
        code: 'unreachable',
        text: say('upstream.nothing_answers', { host }),
        hint: say('upstream.check_server_runs', { addressName: context.addressName }),
        retryable: true,
      };
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_FAIL':
    case 'EAI_NODATA':
      return {
        code: 'unreachable',
        text: say('upstream.name_unknown', { host, code }),
        hint: say('upstream.check_spelling', { addressName: context.addressName }),
        retryable: true,
      };
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
    case 'ENETDOWN':
    case 'EHOSTDOWN':
    case 'EADDRNOTAVAIL':
      return {
        code: 'unreachable',
        text: say('upstream.no_way', { host, code }),
        hint: say('upstream.check_network_vpn'),
        retryable: true,
      };
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return {
        code: 'timeout',
        text: say('upstream.no_connection_in_time', { where }),
        hint: say('upstream.check_network_address_proxy'),
        retryable: true,
      };
  }
  if (error?.name === 'HTTPParserError' || /^HPE_|^UND_ERR_HEADERS_OVERFLOW/.test(code)) {
    return {
      code: 'upstream_broken',
      text: say('upstream.not_http', { host }),
      hint: say('upstream.check_scheme', { addressName: context.addressName }),
      retryable: false,
    };
  }
  if (broken.phase === 'send') {
    return {
      code: 'unreachable',
      text: say('upstream.closed_during_upload', { host, fault: faultOf(code) }),
      hint: say('upstream.try_again_same_place'),
      retryable: true,
    };
  }
  if (broken.phase === 'body') {
    return {
      code: 'upstream_broken',
      text: say('upstream.answer_broke_off', { host, bytes: bytes(broken.bytesReceived) }),
      hint: say('upstream.closed_early'),
      retryable: true,
    };
  }
  return {
    code: 'unreachable',
    text: say('upstream.broke_before_answer', { where, fault: faultOf(code) }),
    hint: say('upstream.try_again_check'),
    retryable: true,
  };
}

/** A code for those who can use it; the everyday ones say no more than the sentence. */
function faultOf(code: string): Said {
  return ['', 'ECONNRESET', 'EPIPE', 'ECONNABORTED', 'UND_ERR_SOCKET'].includes(code)
    ? ''
    : say('upstream.in_brackets', { code });
}

function proxyWords(
  code: string,
  message: string,
  { proxyHost, profileName }: CallContext,
): Words | undefined {
  if (proxyHost === '') return undefined;
  const hint = say('upstream.check_proxy', { profileName });
  const status =
    /^Proxy response \((\d+)\)/.exec(message)?.[1] ?? (/\(407\)/.test(message) ? '407' : undefined);
  if (status === '407') {
    return {
      code: 'unreachable',
      text: say('upstream.proxy_password', { proxyHost }),
      hint,
      retryable: false,
    };
  }
  if (status) {
    return {
      code: 'unreachable',
      text: say('upstream.proxy_refused', { proxyHost, status }),
      hint: say('upstream.proxy_may_not'),
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
      text: say('upstream.proxy_unreachable', { proxyHost, code }),
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
    text: say('upstream.private_link', { where }),
    hint: say('upstream.links_not_followed'),
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
  // Group A's error bodies are not documented: what kind it is may help whoever reads it.
  const bare = `HTTP ${status}${STATUS_CODES[status] ? ` ${STATUS_CODES[status]}` : ''}`;
  const http: Said =
    inEnvelope || answer.body.byteLength === 0
      ? bare
      : say('upstream.http_of_kind', { http: bare, kind: contentType(answer) });
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
  const explained = (
    code: ConstructorParameters<typeof UpstreamError>[0],
    text: Said,
    hint: Said,
    options: { retryable?: boolean; uncertain?: boolean } = {},
  ): UpstreamError => {
    const uncertain = options.uncertain === true && !idempotent;
    const safe = !uncertain || context.protectedFromRepetition;
    return new UpstreamError(
      code,
      serverWords === ''
        ? say('upstream.of', { operation: what, text })
        : say('upstream.of_said', { operation: what, text, words: serverWords }),
      {
        ...base,
        hint: safe ? hint : oneAfterAnother(hint, checkBeforeRepeating),
        retryable: options.retryable === true && safe,
        uncertain,
      },
    );
  };

  if (status >= 300 && status < 400) {
    return explained(
      'upstream_refused',
      say('upstream.sends_on', { host, place: redirectTarget(headers), http }),
      say('upstream.keys_stay', { addressName, profileName }),
    );
  }
  switch (status) {
    case 401:
    case 403:
      return explained(
        'upstream_refused',
        keyName === ''
          ? say('upstream.refused_access', { host, http })
          : say('upstream.refused_key', { host, keyName, http }),
        keyName === ''
          ? say('upstream.link_expired')
          : say('upstream.check_key_why', { keyName, profileName }),
      );
    case 402:
      return explained(
        'upstream_refused',
        say('upstream.wants_payment', { host, http }),
        say('upstream.check_balance'),
      );
    case 404:
      return inEnvelope
        ? explained('not_found', say('upstream.has_not', { host, http }), say('upstream.deleted_or_other'))
        : explained(
            'upstream_refused',
            say('upstream.no_such_address', { host, http }),
            operation === 'download'
              ? say('upstream.link_expired')
              : say('upstream.check_address_path', { addressName, profileName }),
          );
    case 405:
    case 501:
      return explained(
        'upstream_refused',
        say('upstream.not_offered', { host, http }),
        say('upstream.check_address_path', { addressName, profileName }),
      );
    case 408:
      return explained(
        'timeout',
        say('upstream.tired_of_waiting', { host, http }),
        say('upstream.upload_slow'),
        {
          retryable: true,
        },
      );
    case 413:
      return explained(
        'upstream_refused',
        say('upstream.sent_too_large', { host, http }),
        operation === 'audio_to_face' ? say('upstream.shorter_audio') : say('upstream.smaller_photo'),
      );
    case 415:
      return explained(
        'upstream_refused',
        say('upstream.kind_not_taken', { host, http }),
        operation === 'audio_to_face' ? say('upstream.other_audio_format') : say('upstream.jpeg_or_png'),
      );
    case 429:
      return explained(
        'upstream_refused',
        say('upstream.slow_down', { host, http }),
        say('upstream.wait_lower_rate', { wait: waitWords(asked), profileName }),
        { retryable: true },
      );
    case 503:
      return explained('upstream_refused', say('upstream.busy', { host, http }), waitWords(asked), {
        retryable: true,
        // With Retry-After it says that it wants the call again; without, it may have failed half-way.
        uncertain: retryAfter === null,
      });
  }
  if (status >= 500) {
    return explained(
      'upstream_refused',
      say('upstream.failed_there', { host, http }),
      say('upstream.try_later_tell'),
      {
        retryable: true,
        uncertain: true,
      },
    );
  }
  return explained(
    'upstream_refused',
    say('upstream.refused', { host, http }),
    say('upstream.own_words_why'),
  );
}

/**
 * Whether an answer says that the server doesn't know the model it was asked for. `interface.md` lists no code values, so
 * this is decided narrowly: an envelope (not a page, not a gateway's own JSON) whose `code` is 404 or 410, as a number
 * or a string, under HTTP 2xx, 404 or 410. Any other code may mean anything ("busy" is 1001 somewhere), and a plain
 * 404 page is what a wrong address or a wrong deploy answers: neither says anything of a model that is paid for.
 */
function saysUnknownModel(httpStatus: number, envelopeCode: number | null): boolean {
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
  const said =
    serverWords === '' ? say('upstream.and_no_reason') : say('upstream.quoted', { words: serverWords });
  // The codes are not documented; those that repeat HTTP's numbers are taken to mean the same.
  const key = envelope.code === 401 || envelope.code === 403;
  const busy = [429, 500, 502, 503, 504].includes(envelope.code);
  return new UpstreamError(
    'upstream_refused',
    say('upstream.of', {
      operation: operationNames[operation],
      text: say('upstream.answered_code', { host, code: envelope.code, said }),
    }),
    {
      operation,
      httpStatus,
      envelopeCode: envelope.code,
      envelopeMessage: serverWords,
      refusal: refusalOf(httpStatus, envelope.code, context),
      retryable: busy && (idempotent || envelope.code === 429),
      hint: key
        ? say('upstream.check_key', { keyName, profileName })
        : envelope.code === 404
          ? say('upstream.deleted_or_other')
          : say('upstream.codes_documented'),
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
  const html = /html/i.test(inEnglish(type)) || looksLikeHtml(answer.body);
  const what =
    html && problem.field === ''
      ? say('upstream.web_page_not_data')
      : quote(problem.message, context.secrets);
  const uncertain = !idempotent && !context.protectedFromRepetition;
  const hint = html ? say('upstream.portal_in_way', { addressName }) : say('upstream.check_leads_tell');
  return new UpstreamError(
    'upstream_broken',
    say('upstream.of', {
      operation: operationNames[operation],
      text: oneAfterAnother(
        say('upstream.answered_but', { host, status: answer.status, type, what }),
        excerpt === '' ? '' : say('upstream.it_begins', { excerpt }),
      ),
    }),
    {
      operation,
      httpStatus: answer.status,
      hint: uncertain ? oneAfterAnother(hint, checkBeforeRepeating) : hint,
      uncertain: !idempotent,
      retryable: false,
      ...(problem.field !== '' && { field: problem.field }),
    },
  );
}

/** The media type of an answer as a message can show it. */
export function contentType({ headers }: WireHead): Said {
  const type = headers['content-type'];
  const media = (Array.isArray(type) ? type[0] : type)?.split(';')[0]?.trim() ?? '';
  if (media === '') return say('upstream.no_content_type');
  // Whole or not at all: a key that was cut can't be recognised (see `without_keys.ts`).
  return media.length > 80 ? say('upstream.long_content_type') : media;
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

function redirectTarget(headers: WireHead['headers']): Said {
  const { location } = headers;
  return location && URL.canParse(location) ? new URL(location).origin : say('upstream.another_address');
}

function waitWords(retryAfter: number | null): Said {
  if (retryAfter !== null && retryAfter > longestAskedPause) {
    return say('upstream.longer_than_hour');
  }
  return retryAfter === null
    ? say('upstream.wait_a_moment')
    : say('upstream.try_again_in', { seconds: seconds(Math.max(1000, retryAfter)) });
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

function seconds(milliseconds: number): Said {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const rounded = Math.round(milliseconds / 1000);
  return rounded < 120
    ? say('amount.seconds', { seconds: rounded })
    : say('amount.minutes', { minutes: Math.round(rounded / 60) });
}

/** Bytes as a person reads them. */
export function bytes(count: number): Said {
  if (count < 1000) return say('amount.bytes', { bytes: count });
  if (count < 1e6) return `${(count / 1e3).toFixed(count < 1e4 ? 1 : 0)} kB`;
  return count < 1e9 ? `${(count / 1e6).toFixed(count < 1e7 ? 1 : 0)} MB` : `${(count / 1e9).toFixed(1)} GB`;
}
