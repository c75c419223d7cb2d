import { type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { operationNames, UpstreamError, type UpstreamErrorOptions } from '../error.ts';
import { withoutSecrets } from '../operations/quote.ts';
import type { BrokenRoundTrip } from '../transport/broken_round_trip.ts';
import { bytes, seconds } from './amounts.ts';
import { adviceOn, beforeRepeating, type CallContext } from './call_context.ts';
import { errorCode, networkFault } from './network_faults.ts';

/** Explains an attempt that got no complete answer. */
export function explainBroken(broken: BrokenRoundTrip, context: CallContext): UpstreamError {
  const { operation, host } = context;
  const what = operationNames[operation];
  const uncertain = !context.idempotent && !broken.neverReceived;
  const repeatable = !uncertain || context.protectedFromRepetition;
  const base: UpstreamErrorOptions = { operation, uncertain, httpStatus: broken.status };
  const explained = (
    code: ConstructorParameters<typeof UpstreamError>[0],
    text: Message,
    hint: Message,
    retryable: boolean,
  ): UpstreamError =>
    new UpstreamError(code, t('upstream.of', { operation: what, text }), {
      ...base,
      hint: uncertain && !context.protectedFromRepetition ? beforeRepeating(context, hint, retryable) : hint,
      retryable: retryable && repeatable,
    });

  switch (broken.reason) {
    case 'cancelled':
      return explained('cancelled', t('upstream.cancelled'), '', true);
    case 'too_large':
      return explained(
        'upstream_broken',
        t('upstream.too_large', { host, bytes: bytes(broken.bytesReceived) }),
        adviceOn(context, t('upstream.check_leads_to_service', { addressName: context.addressName })),
        false,
      );
    case 'timeout':
      return context.builtIn
        ? explained('timeout', engineSilent, engineComesBack, true)
        : explained('timeout', timeoutText(broken, host), timeoutHint(broken), true);
    case 'network':
      break;
  }
  const { error } = broken;
  if (error instanceof Failure) {
    return new UpstreamError(error.code, t('upstream.of', { operation: what, text: error.userMessage }), {
      ...base,
      hint: error.advice,
      retryable: error.retryable && repeatable,
      ...(error.field !== undefined && { field: error.field }),
    });
  }
  const { code, text, hint, retryable } = networkFault(broken, context);
  const failure =
    context.builtIn && code !== 'cancelled'
      ? explained('unreachable', engineSilent, engineComesBack, true)
      : explained(code, text, hint, retryable);
  // Its message may quote the request; its stack and fields are not needed.
  failure.cause = new Error(
    withoutSecrets(`${errorCode(error)} ${error?.message ?? ''}`.trim(), context.secrets),
  );
  return failure;
}

/** The built-in engine has no address that a person could check. */
const engineSilent = t('engine.no_answer');
const engineComesBack = t('engine.comes_back');

function timeoutText({ phase, limit, whole, bytesReceived }: BrokenRoundTrip, host: Message): Message {
  const time = seconds(limit);
  if (phase === 'connect') return t('upstream.no_connection_within', { host, time });
  if (whole) {
    const came = phase === 'body' ? 'bytes_came' : 'no_answer_came';
    return t('upstream.not_done_within', { host, time, came, bytes: bytes(bytesReceived) });
  }
  switch (phase) {
    case 'send':
      return t('upstream.upload_stuck', { host, time });
    case 'firstByte':
      return t('upstream.no_first_byte', { host, time });
    case 'body':
      return t('upstream.body_stuck', { host, time, bytes: bytes(bytesReceived) });
  }
}

function timeoutHint({ phase }: BrokenRoundTrip): Message {
  return phase === 'connect' ? t('upstream.check_network_address_proxy') : t('upstream.slow_or_stuck');
}
