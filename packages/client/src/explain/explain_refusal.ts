import { STATUS_CODES } from 'node:http';
import { type Message, t } from '@likeness/messages';
import { operationNames, type Refusal, UpstreamError, type UpstreamErrorOptions } from '../error.ts';
import { quote } from '../operations/quote.ts';
import { longestAskedPause, parseRetryAfter } from '../transport/retry.ts';
import type { CollectedAnswer } from '../transport/wire.ts';
import { seconds } from './amounts.ts';
import { contentType, envelopeIn, readableBody } from './answer_text.ts';
import { adviceOn, beforeRepeating, type CallContext } from './call_context.ts';

/** Explains an HTTP answer that is not a success. */
export function explainRefusal(answer: CollectedAnswer, context: CallContext): UpstreamError {
  const { operation, idempotent } = context;
  const { status, headers } = answer;
  const what = operationNames[operation];
  const inEnvelope = envelopeIn(answer);
  const serverWords = quote(inEnvelope?.message || readableBody(answer), context.secrets);
  // Group A's error bodies are not documented, so show the content type too.
  const bare = `HTTP ${status}${STATUS_CODES[status] ? ` ${STATUS_CODES[status]}` : ''}`;
  const http: Message =
    inEnvelope || answer.body.byteLength === 0
      ? bare
      : t('upstream.http_of_kind', { http: bare, kind: contentType(answer) });
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
  const {
    code,
    text,
    hint,
    retryable,
    uncertain: mayHaveActed,
  } = meaningOf(status, http, {
    ...context,
    location: headers.location,
    // A gateway's own JSON has a message, but no code.
    inEnvelope: typeof inEnvelope?.code === 'number',
    asked,
  });
  const uncertain = mayHaveActed && !idempotent;
  const safe = !uncertain || context.protectedFromRepetition;
  const advice = aboutTheCall.includes(status) ? hint : aboutServer(code, hint, context);
  return new UpstreamError(
    code,
    serverWords === ''
      ? t('upstream.of', { operation: what, text })
      : t('upstream.of_said', { operation: what, text, words: serverWords }),
    {
      ...base,
      hint: safe ? advice : beforeRepeating(context, advice, retryable),
      retryable: retryable && safe,
      uncertain,
    },
  );
}

/** Statuses whose advice also applies to the built-in engine. */
const aboutTheCall: readonly number[] = [408, 413, 415, 429, 503];

/** The built-in engine has no other account that could contain the item, and asking again doesn't find it. */
const aboutServer = (code: RefusalMeaning['code'], hint: Message, context: CallContext): Message =>
  context.builtIn && code === 'not_found' ? '' : adviceOn(context, hint);

/** Explains an HTTP status. */
interface RefusalMeaning {
  code: ConstructorParameters<typeof UpstreamError>[0];
  text: Message;
  hint: Message;
  retryable: boolean;
  /** The server may have acted on the call, and may bill it. */
  uncertain: boolean;
}

const meaning = (
  code: RefusalMeaning['code'],
  text: Message,
  hint: Message,
  { retryable = false, uncertain = false } = {},
): RefusalMeaning => ({ code, text, hint, retryable, uncertain });

interface RefusalFacts extends CallContext {
  /** Header of a redirection. */
  location: string | undefined;
  /** The body was an envelope: the service itself answered. */
  inEnvelope: boolean;
  /** Milliseconds that the server asked to wait. */
  asked: number | null;
}

/** @param http - The status as text: `HTTP 404 Not Found` */
function meaningOf(
  status: number,
  http: Message,
  { operation, host, keyName, addressName, profileName, location, inEnvelope, asked }: RefusalFacts,
): RefusalMeaning {
  if (status >= 300 && status < 400) {
    return meaning(
      'upstream_refused',
      t('upstream.sends_on', { host, place: redirectTarget(location), http }),
      t('upstream.keys_stay', { addressName, profileName }),
    );
  }
  switch (status) {
    case 401:
    case 403:
      return meaning(
        'upstream_refused',
        keyName === ''
          ? t('upstream.refused_access', { host, http })
          : t('upstream.refused_key', { host, keyName, http }),
        keyName === '' ? t('upstream.link_expired') : t('upstream.check_key_why', { keyName, profileName }),
      );
    case 402:
      return meaning(
        'upstream_refused',
        t('upstream.wants_payment', { host, http }),
        t('upstream.check_balance'),
      );
    case 404:
      return inEnvelope
        ? meaning('not_found', t('upstream.has_not', { host, http }), t('upstream.deleted_or_other'))
        : meaning(
            'upstream_refused',
            t('upstream.no_such_address', { host, http }),
            operation === 'download'
              ? t('upstream.link_expired')
              : t('upstream.check_address_path', { addressName, profileName }),
          );
    case 405:
    case 501:
      return meaning(
        'upstream_refused',
        t('upstream.not_offered', { host, http }),
        t('upstream.check_address_path', { addressName, profileName }),
      );
    case 408:
      return meaning('timeout', t('upstream.request_timeout', { host, http }), t('upstream.upload_slow'), {
        retryable: true,
      });
    case 413:
      return meaning(
        'upstream_refused',
        t('upstream.sent_too_large', { host, http }),
        operation === 'audio_to_face' ? t('upstream.shorter_audio') : t('upstream.smaller_photo'),
      );
    case 415:
      return meaning(
        'upstream_refused',
        t('upstream.kind_not_taken', { host, http }),
        operation === 'audio_to_face' ? t('upstream.other_audio_format') : t('upstream.jpeg_or_png'),
      );
    case 429:
      return meaning(
        'upstream_refused',
        t('upstream.slow_down', { host, http }),
        t('upstream.wait_lower_rate', { wait: waitWords(asked), profileName }),
        { retryable: true },
      );
    case 503:
      return meaning('upstream_refused', t('upstream.busy', { host, http }), waitWords(asked), {
        retryable: true,
        // With Retry-After the server asks for a repetition; without it, the call may have failed half-way.
        uncertain: asked === null,
      });
  }
  if (status >= 500) {
    return meaning(
      'upstream_refused',
      t('upstream.failed_there', { host, http }),
      t('upstream.try_later_tell'),
      {
        retryable: true,
        uncertain: true,
      },
    );
  }
  return meaning('upstream_refused', t('upstream.refused', { host, http }), t('upstream.own_words_why'));
}

/**
 * Whether an answer says that the server doesn't know the requested model.
 *
 * `interface.md` lists no code values, so the test is narrow. The answer must be an envelope (not a page, not
 * a gateway's own JSON) whose `code` is 404 or 410, as a number or a string, under HTTP 2xx, 404 or 410. Any
 * other code may mean anything ("busy" is 1001 somewhere). A plain 404 page is the answer of a wrong address
 * or a failed deploy: it says nothing about a paid model.
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
  // A download has no key, so its link has expired.
  if (keyName !== '' && (ofAccess(httpStatus) || (httpStatus < 500 && ofAccess(envelopeCode))))
    return 'access';
  return operation === 'get_model' && saysUnknownModel(httpStatus, envelopeCode) ? 'unknown_model' : null;
}

/** Explains an envelope whose `code` is not 200, whatever the HTTP status. */
export function explainEnvelope(
  envelope: { code: number; message: string },
  httpStatus: number,
  context: CallContext,
): UpstreamError {
  const { operation, host, keyName, profileName, idempotent } = context;
  const serverWords = quote(envelope.message, context.secrets);
  // The codes are not documented; those that equal an HTTP status count as that status.
  const key = envelope.code === 401 || envelope.code === 403;
  const busy = [429, 500, 502, 503, 504].includes(envelope.code);
  return new UpstreamError(
    'upstream_refused',
    t('upstream.of', {
      operation: operationNames[operation],
      text: t('upstream.answered_code', {
        host,
        code: envelope.code,
        said: serverWords === '' ? 'and_no_reason' : 'quoted',
        words: serverWords,
      }),
    }),
    {
      operation,
      httpStatus,
      envelopeCode: envelope.code,
      envelopeMessage: serverWords,
      refusal: refusalOf(httpStatus, envelope.code, context),
      retryable: busy && (idempotent || envelope.code === 429),
      hint: aboutServer(
        envelope.code === 404 ? 'not_found' : 'upstream_refused',
        key
          ? t('upstream.check_key', { keyName, profileName })
          : envelope.code === 404
            ? t('upstream.deleted_or_other')
            : t('upstream.codes_documented'),
        context,
      ),
    },
  );
}

const redirectTarget = (location: string | undefined): string =>
  location && URL.canParse(location) ? new URL(location).origin : 'another_address';

function waitWords(retryAfter: number | null): Message {
  if (retryAfter !== null && retryAfter > longestAskedPause) {
    return t('upstream.longer_than_hour');
  }
  return retryAfter === null
    ? t('upstream.wait_a_moment')
    : t('upstream.try_again_in', { seconds: seconds(Math.max(1000, retryAfter)) });
}
