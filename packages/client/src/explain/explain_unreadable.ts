import { inEnglish, joinMessages, messageOf, t, type Value } from '@likeness/messages';
import { operationNames, UpstreamError } from '../error.ts';
import type { UnreadableAnswer } from '../operations/envelope.ts';
import { quote } from '../operations/quote.ts';
import type { WireHead } from '../transport/wire.ts';
import { contentType, looksLikeHtml, readableBody } from './answer_text.ts';
import { adviceOn, type CallContext, checkBeforeRepeating } from './call_context.ts';

/** Explains a successful answer that can't be read. */
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
  const values = Object.entries(problem.values).map(([name, value]): [string, Value] => [
    name,
    typeof value === 'string' ? quote(value, context.secrets) : value,
  ]);
  const uncertain = !idempotent && !context.protectedFromRepetition;
  const hint = adviceOn(
    context,
    html ? t('upstream.portal_in_way', { addressName }) : t('upstream.check_leads_tell'),
  );
  return new UpstreamError(
    'upstream_broken',
    t('upstream.of', {
      operation: operationNames[operation],
      text: joinMessages(
        messageOf('upstream.answered_but', {
          host,
          status: answer.status,
          type,
          what: problem.field !== '' ? 'at' : html ? 'web_page_not_data' : problem.problem,
          field: problem.field,
          problem: problem.problem,
          ...Object.fromEntries(values),
        }),
        excerpt === '' ? '' : t('upstream.it_begins', { excerpt }),
      ),
    }),
    {
      operation,
      httpStatus: answer.status,
      hint: uncertain ? joinMessages(hint, checkBeforeRepeating(context)) : hint,
      uncertain: !idempotent,
      retryable: false,
      ...(problem.field !== '' && { field: problem.field }),
    },
  );
}
