import type { IncomingHttpHeaders } from 'node:http';
import { type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { BadAnswer } from '../bad_answer.ts';
import { type Attempt, addressFor, call } from '../call.ts';
import { type ClientContext, timeoutsFor } from '../client_context.ts';
import { UpstreamError } from '../error.ts';
import { looksLikeHtml } from '../explain/answer_text.ts';
import type { Operation } from '../interface_names.ts';
import { collect } from '../transport/collect_answer.ts';
import {
  type Address,
  audioToFaceAddress,
  type Group,
  getModelAddress,
  groupSecretName,
  submitImageAddress,
} from '../transport/endpoint.ts';
import { priorities } from '../transport/pace.ts';
import type { CollectedAnswer } from '../transport/wire.ts';
import { type Envelope, readEnvelope } from './envelope.ts';
import { jsonOf, longestJson, readable } from './json_answer.ts';
import { quote } from './quote.ts';

/** One request of a connection test, and its result. */
export interface ConnectionStep {
  operation: Operation;
  /** Method and address, without secrets. */
  request: string;
  outcome: 'ok' | 'warning' | 'failed' | 'skipped';
  httpStatus: number | null;
  milliseconds: number;
  /** The result as a sentence. */
  detail: Message;
  hint: Message;
}
type StepResult = Pick<ConnectionStep, 'outcome' | 'httpStatus' | 'detail' | 'hint'>;

/** A model that no server has: requesting it tests address and key for free. */
const unknownModelId = 'likeness-connection-test';

const probeTimeouts = { connect: 10_000, firstByte: 15_000, betweenBytes: 10_000, whole: 30_000 };

/**
 * "Test connection": reports the attempt and the result for each operation. Sends only free requests: GET to
 * Group A's addresses, which they don't support, and to Group B for an unknown model. A server's behaviour
 * never makes it throw.
 */
export async function probe(context: ClientContext, signal?: AbortSignal): Promise<ConnectionStep[]> {
  const { endpoint } = context;
  const [audio, image, model] = await Promise.all([
    step(context, 'audio_to_face', 'A', () => audioToFaceAddress(endpoint), judgeGroupA, signal),
    step(context, 'submit_image', 'A', () => submitImageAddress(endpoint), judgeGroupA, signal),
    step(context, 'get_model', 'B', () => getModelAddress(endpoint, unknownModelId), judgeGroupB, signal),
  ]);
  const generate: ConnectionStep = {
    operation: 'generate_model',
    request: '',
    outcome: 'skipped',
    httpStatus: null,
    milliseconds: 0,
    detail: t('probe.generate_not_tried'),
    hint: '',
  };
  return [audio, image, model, generate];
}

/**
 * Requests the server's extensions by the cheapest request; `context.onGroupBAnswer` reads them.
 *
 * @throws UpstreamError if no answer came, or it isn't the service's own (a refused key, a busy gateway, a
 * login page). The extensions then stay unknown.
 * @param hasTurn The caller already has a turn: waiting for another one could never end.
 */
export async function askForExtensions(
  context: ClientContext,
  signal?: AbortSignal,
  hasTurn = false,
): Promise<void> {
  if (context.endpoint.groupBUrl.trim() === '') return;
  const { origin, path, host } = addressFor('get_model', () =>
    getModelAddress(context.endpoint, unknownModelId),
  );
  await call(
    context,
    {
      operation: 'get_model',
      group: 'B',
      host,
      subject: unknownModelId,
      idempotent: true,
      purpose: 'call',
      priority: priorities.question,
      repeat: false,
      ownTurn: hasTurn,
    },
    signal,
    async (attempt) => {
      const answer = await askAt({ origin, path }, context, attempt);
      if (context.onGroupBAnswer(answer)) return;
      const object = jsonOf(answer);
      readable(answer, () => readEnvelope(object));
    },
  );
}

const askAt = (
  { origin, path }: Pick<Address, 'origin' | 'path'>,
  context: ClientContext,
  { dispatcher, meter, credential, signal }: Attempt,
): Promise<CollectedAnswer> =>
  collect(
    {
      dispatcher,
      origin,
      path,
      method: 'GET',
      headers: ['accept', 'application/json', ...credential],
      timeouts: timeoutsFor(context, probeTimeouts),
      meter,
      signal,
    },
    longestJson,
    'cut',
  );

interface Seen {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  host: string;
  group: Group;
  profileName: string;
}

async function step(
  context: ClientContext,
  operation: ConnectionStep['operation'],
  group: Group,
  address: () => Address,
  judge: (seen: Seen) => StepResult,
  signal: AbortSignal | undefined,
): Promise<ConnectionStep> {
  const began = performance.now();
  const done = (result: StepResult, request = ''): ConnectionStep => ({
    operation,
    request,
    milliseconds: performance.now() - began,
    ...result,
  });
  const { endpoint } = context;
  if ((group === 'A' ? endpoint.groupAUrl : endpoint.groupBUrl).trim() === '') {
    return done({
      outcome: 'skipped',
      httpStatus: null,
      detail: t('probe.no_address', { group }),
      hint: '',
    });
  }
  let target: Address;
  try {
    target = address();
  } catch (error) {
    return done(stepResultOf(error));
  }
  const { origin, path, host } = target;
  const request = `GET ${origin}${path}`;
  try {
    const result = await call(
      context,
      {
        operation: 'probe',
        group,
        host,
        subject: operation,
        idempotent: true,
        purpose: 'call',
        priority: priorities.question,
        repeat: false,
      },
      signal,
      async (attempt) => {
        const { credential } = attempt;
        const answer = await askAt({ origin, path }, context, attempt);
        if (group === 'B') context.onGroupBAnswer(answer);
        // Refusals with the same meaning for every operation are explained as everywhere else.
        const { status } = answer;
        if (
          status === 401 ||
          status === 403 ||
          status === 429 ||
          status >= 500 ||
          (status >= 300 && status < 400)
        ) {
          throw BadAnswer.refused(answer);
        }
        const secrets = credential[1] ? [credential[1], credential[1].replace(/^Bearer /, '')] : [];
        if (group === 'B' && (answer.status < 300 || isEnvelope(answer))) {
          const object = jsonOf({ ...answer, status: 200 });
          const envelope = readable(answer, () => readEnvelope(object));
          return judgeEnvelope(
            { ...envelope, message: quote(envelope.message, secrets) },
            status,
            host,
            endpoint.profileName,
          );
        }
        return judge({ ...answer, host, group, profileName: endpoint.profileName });
      },
    );
    return done(result, request);
  } catch (error) {
    return done(stepResultOf(error), request);
  }
}

function isEnvelope(answer: { body: Buffer }): boolean {
  try {
    readEnvelope(JSON.parse(answer.body.toString('utf8')));
    return true;
  } catch {
    return false;
  }
}

function judgeGroupA({ status, headers, body, host, profileName }: Seen): StepResult {
  const key = groupSecretName.A;
  if (looksLikeHtml(body) || /html/i.test(String(headers['content-type'] ?? ''))) {
    return {
      outcome: 'warning',
      httpStatus: status,
      detail: t('probe.web_page', { host, status }),
      hint: t('probe.check_group_a'),
    };
  }
  if (status === 404) {
    return {
      outcome: 'warning',
      httpStatus: status,
      detail: t('probe.nothing_here', { host }),
      hint: t('probe.if_calls_fail', { profileName }),
    };
  }
  return {
    outcome: 'ok',
    httpStatus: status,
    detail:
      status === 405 ? t('probe.knows_address', { host, key }) : t('probe.answers', { host, status, key }),
    hint: '',
  };
}

function judgeGroupB({ status, host, profileName }: Seen): StepResult {
  return {
    outcome: 'warning',
    httpStatus: status,
    detail: t('probe.not_as_service', { host, status }),
    hint: t('probe.check_group_b', { profileName }),
  };
}

function judgeEnvelope(
  { code, message }: Envelope,
  status: number,
  host: string,
  profileName: string,
): StepResult {
  const answer = {
    host,
    key: groupSecretName.B,
    code,
    said: message === '' ? 'without_a_word' : 'quoted',
    words: message,
  };
  const keyHint = t('probe.check_key', { key: groupSecretName.B, profileName });
  if (code === 401 || code === 403) {
    return {
      outcome: 'failed',
      httpStatus: status,
      detail: t('probe.refused_key', answer),
      hint: keyHint,
    };
  }
  if (
    code !== 200 &&
    /\b(auth|token|api.?key|ak|sign|permission|unauthori[sz]ed|forbidden)|鉴权|密钥|授权|权限|认证/i.test(
      message,
    )
  ) {
    return {
      outcome: 'warning',
      httpStatus: status,
      detail: t('probe.perhaps_key', answer),
      hint: keyHint,
    };
  }
  return {
    outcome: 'ok',
    httpStatus: status,
    detail: t('probe.fine', answer),
    hint: '',
  };
}

function stepResultOf(error: unknown): StepResult {
  if (!(error instanceof Failure)) throw error;
  const busy = error instanceof UpstreamError && (error.httpStatus === 429 || error.httpStatus === 503);
  return {
    outcome: busy ? 'warning' : 'failed',
    httpStatus: error instanceof UpstreamError ? error.httpStatus : null,
    detail: withoutOperation(error.userMessage),
    hint: error.advice,
  };
}

/** Removes the parts that the step already shows. */
function withoutOperation(message: Message): Message {
  if (typeof message === 'string') return message;
  const { text, words } = message.values;
  if (message.key === 'upstream.of' && text !== undefined) return t('upstream.alone', { text });
  return message.key === 'upstream.of_said' && text !== undefined && words !== undefined
    ? t('upstream.alone_said', { text, words })
    : message;
}
