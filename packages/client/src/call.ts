import { changed, type Message, t } from '@likeness/messages';
import { Failure, messageOf } from '@likeness/node-kit/failure.ts';
import type { Dispatcher } from 'undici';
import { BadAnswer } from './bad_answer.ts';
import type { FinishedCall, PlannedCall } from './call_record.ts';
import type { ClientContext } from './client_context.ts';
import { operationNames, UpstreamError } from './error.ts';
import type { CallContext } from './explain/call_context.ts';
import { explainBroken } from './explain/explain_broken.ts';
import { explainEnvelope, explainRefusal } from './explain/explain_refusal.ts';
import { explainUnreadable } from './explain/explain_unreadable.ts';
import { type Operation, secretNames } from './interface_names.ts';
import { withoutSecrets } from './operations/quote.ts';
import { BrokenRoundTrip } from './transport/broken_round_trip.ts';
import {
  type Address,
  credentialHeader,
  type Endpoint,
  type Group,
  groupSecret,
  groupSecretName,
} from './transport/endpoint.ts';
import { pauseBeforeRetry } from './transport/retry.ts';
import { closedFailure, type Purpose } from './transport/transport.ts';
import { type Meter, newMeter } from './transport/wire.ts';

/** A call before its first attempt. */
export interface CallPlan {
  operation: Operation;
  /** Null for a download, which uses no key. */
  group: Group | null;
  host: string;
  subject?: string;
  idempotent: boolean;
  purpose: Purpose;
  priority: number;
  seconds?: number;
  frames?: number;
  models?: number;
  /** Sent with the order, so that repeating it creates no second model. */
  idempotencyKey?: string | undefined;
  /**
   * Names of the uploaded files. They may name a person, so they must not get into the journal, which never
   * changes.
   */
  fileNames?: readonly string[];
  /** False: one attempt only. */
  repeat?: boolean;
  /** The attempt waits for its turn by itself, because the turn lasts longer than the attempt. */
  ownTurn?: boolean;
  /** Ends the turn of the first attempt; further attempts take their own. */
  turn?: () => void;
}

/** The context of one attempt. */
export interface Attempt {
  dispatcher: Dispatcher;
  meter: Meter;
  /** The group's credential as header name and value; empty if the group is null. */
  credential: string[];
  signal: AbortSignal | undefined;
}

/** Errors that the next attempt may avoid; a full disk or a locked key store needs a person. */
const passing: ReadonlySet<string> = new Set([
  'unreachable',
  'timeout',
  'upstream_refused',
  'upstream_broken',
]);

/** One call: spending cap, key, turn, attempts with pauses, and its single journal entry. */
export class Call {
  readonly exchange: FinishedCall;
  readonly #context: ClientContext;
  readonly #plan: CallPlan;
  readonly #signal: AbortSignal | undefined;
  readonly #began = performance.now();
  #reported = false;
  /** The call that `beforeCall` allowed; null before that or if it refused. */
  #planned: PlannedCall | null = null;

  constructor(context: ClientContext, plan: CallPlan, signal?: AbortSignal) {
    this.#context = context;
    this.#plan = plan;
    this.#signal = signal;
    this.exchange = {
      profileId: context.endpoint.profileId,
      profileName: context.endpoint.profileName,
      operation: plan.operation,
      subject: plan.subject ?? '',
      outcome: 'ok',
      httpStatus: null,
      envelopeCode: null,
      message: '',
      bytesSent: 0,
      bytesReceived: 0,
      firstByteMs: null,
      totalMs: 0,
      billedSeconds: 0,
      billedFrames: 0,
      billedModels: 0,
      attempts: 0,
      uncertain: false,
    };
  }

  /**
   * Repeats the attempt until it succeeds or must not be repeated.
   *
   * @throws UpstreamError, or the Failure of the spending cap or the key store
   */
  async withRetries<T>(attempt: (attempt: Attempt) => Promise<T>): Promise<T> {
    const { beforeCall, endpoint } = this.#context;
    const { operation, seconds = 0, frames = 0, models = 0, idempotencyKey } = this.#plan;
    if (beforeCall) {
      const planned = { profileId: endpoint.profileId, operation, seconds, frames, models, idempotencyKey };
      await beforeCall(planned);
      this.#planned = planned;
    }
    for (let { turn } = this.#plan; ; turn = undefined) {
      try {
        return await this.#inTurn(() => this.#try(attempt), turn);
      } catch (error) {
        await this.#pauseOrThrow(error);
      }
    }
  }

  #inTurn<T>(task: () => Promise<T>, turn: (() => void) | undefined): Promise<T> {
    if (turn) return task().finally(turn);
    return this.#plan.ownTurn ? task() : this.#context.pace.run(task, this.#plan.priority, this.#signal);
  }

  /** Turns any thrown error into this call's error. */
  async explain(error: unknown): Promise<Failure> {
    const cancelled = this.#signal?.aborted === true || this.#context.closing.aborted;
    if (error instanceof Failure) return error;
    const context = await this.#failedCall();
    if (error instanceof BrokenRoundTrip) return explainBroken(error, context);
    if (error instanceof BadAnswer) {
      if (error.kind === 'envelope' && error.envelope) {
        return explainEnvelope(error.envelope, error.answer.status, context);
      }
      if (error.kind === 'unreadable' && error.problem) {
        return explainUnreadable(error.problem, error.answer, context);
      }
      return explainRefusal({ body: Buffer.alloc(0), cut: false, ...error.answer }, context);
    }
    if (cancelled) {
      const broken = new BrokenRoundTrip('cancelled', {
        phase: 'connect',
        neverReceived: true,
        bytesReceived: 0,
      });
      return explainBroken(broken, context);
    }
    // A defect of ours, which main/ipc handles.
    throw error;
  }

  /** Passes the entry to the journal, once. */
  report(error?: unknown): void {
    if (this.#reported) return;
    this.#reported = true;
    const { exchange } = this;
    exchange.totalMs = performance.now() - this.#began;
    if (error !== undefined) {
      exchange.outcome = outcomeOf(error, exchange.attempts);
      exchange.message = withoutFileNames(messageOf(error), this.#plan.fileNames);
      if (error instanceof UpstreamError) {
        exchange.httpStatus = error.httpStatus ?? exchange.httpStatus;
        exchange.envelopeCode = error.envelopeCode ?? exchange.envelopeCode;
        exchange.uncertain = error.uncertain && exchange.billedSeconds === 0 && exchange.billedModels === 0;
      }
    }
    this.#context.onExchange?.(exchange, this.#planned);
  }

  async #try<T>(attempt: (attempt: Attempt) => Promise<T>): Promise<T> {
    const { transport, closing } = this.#context;
    if (closing.aborted) throw closedFailure();
    const { group, purpose } = this.#plan;
    const credential = group ? await this.#credential(group) : [];
    const made = transport.dispatcher(purpose);
    const dispatcher = made instanceof Promise ? await made : made;
    const meter = newMeter();
    const { exchange } = this;
    exchange.attempts++;
    try {
      return await attempt({ dispatcher, meter, credential, signal: this.#signal });
    } finally {
      this.count(meter);
    }
  }

  /** Adds an attempt's traffic to the entry. */
  count(meter: Meter): void {
    const { exchange } = this;
    exchange.bytesSent += meter.bytesSent;
    exchange.bytesReceived += meter.bytesReceived;
    exchange.firstByteMs = meter.firstByteMs;
    exchange.httpStatus = meter.httpStatus;
    meter.bytesSent = 0;
    meter.bytesReceived = 0;
  }

  async #credential(group: Group): Promise<string[]> {
    const { endpoint } = this.#context;
    const secret = (await endpoint.secret(groupSecret[group]))?.trim();
    const name = groupSecretName[group];
    if (!secret) {
      throw new UpstreamError(
        'key_missing',
        t('upstream.of', {
          operation: operationNames[this.#plan.operation],
          text: t('upstream.no_key', { profileName: endpoint.profileName, name }),
        }),
        { operation: this.#plan.operation, hint: t('upstream.enter_key', { name }) },
      );
    }
    if (!/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(secret)) {
      throw new UpstreamError(
        'invalid_input',
        t('upstream.of', {
          operation: operationNames[this.#plan.operation],
          text: t('upstream.key_bad_character', { name, profileName: endpoint.profileName }),
        }),
        { operation: this.#plan.operation, hint: t('upstream.enter_key_again', { name }) },
      );
    }
    return credentialHeader(group, secret);
  }

  async #pauseOrThrow(error: unknown): Promise<void> {
    const { clock, random, retry, closing } = this.#context;
    const { idempotent, repeat = true } = this.#plan;
    const explained = await this.explain(error);
    const upstream = explained instanceof UpstreamError ? explained : null;
    const pause = repeat
      ? pauseBeforeRetry(
          {
            idempotent,
            neverReceived: error instanceof BrokenRoundTrip && error.neverReceived,
            transient: explained.retryable && passing.has(explained.code),
            turnedAway: upstream?.httpStatus === 429 || upstream?.httpStatus === 503,
            retryAfter: upstream?.retryAfter ?? null,
          },
          this.exchange.attempts,
          random,
          retry,
        )
      : null;
    if (pause === null) throw explained;
    try {
      await clock.wait(pause, this.#signal ? AbortSignal.any([this.#signal, closing]) : closing);
    } catch (reason) {
      throw await this.explain(reason);
    }
  }

  async #failedCall(): Promise<CallContext> {
    const { endpoint, clock } = this.#context;
    const { operation, group, host, idempotent, idempotencyKey } = this.#plan;
    const secrets: string[] = [];
    for (const name of secretNames) {
      // A locked key store must not hide the original error.
      const secret = await endpoint.secret(name).catch(() => undefined);
      if (secret) secrets.push(secret);
    }
    const password =
      secrets.length > 0 && endpoint.proxyUser !== ''
        ? await endpoint.secret('proxyPassword').catch(() => undefined)
        : undefined;
    if (password) secrets.push(Buffer.from(`${endpoint.proxyUser}:${password}`).toString('base64'));
    return {
      operation,
      profileName: endpoint.profileName,
      builtIn: endpoint.builtIn === true,
      host: endpoint.builtIn ? t('engine.this_machine') : host,
      addressName: group ? t('term.group_address', { group }) : t('term.download_link'),
      keyName: group ? groupSecretName[group] : '',
      idempotent,
      protectedFromRepetition: idempotencyKey !== undefined,
      proxyHost: URL.canParse(endpoint.proxyUrl) ? new URL(endpoint.proxyUrl).host : '',
      secrets,
      now: () => clock.now(),
    };
  }
}

/** Runs a call from beginning to end, journal entry included. */
export async function call<T>(
  context: ClientContext,
  plan: CallPlan,
  signal: AbortSignal | undefined,
  attempt: (attempt: Attempt, exchange: FinishedCall) => Promise<T>,
): Promise<T> {
  const running = new Call(context, plan, signal);
  try {
    const result = await running.withRetries((tools) => attempt(tools, running.exchange));
    running.report();
    return result;
  } catch (error) {
    running.report(error);
    throw error;
  }
}

/** Resolves an address of the endpoint, or throws the operation's error. */
export function addressFor(operation: Operation, address: () => Address): Address {
  try {
    return address();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new UpstreamError(
      error.code,
      t('upstream.of', { operation: operationNames[operation], text: error.userMessage }),
      {
        operation,
        hint: error.advice,
        ...(error.field !== undefined && { field: error.field }),
      },
    );
  }
}

/** Removes this profile's keys from a server's text. */
export async function scrubbed(endpoint: Endpoint, text: string): Promise<string> {
  if (text === '') return '';
  const secrets = await Promise.all(secretNames.map((name) => endpoint.secret(name).catch(() => undefined)));
  return withoutSecrets(
    text,
    secrets.filter((secret) => secret !== undefined),
  );
}

/** An error of the server or the disk may contain a file's name. */
function withoutFileNames(message: Message, fileNames: readonly string[] = []): Message {
  const stems = fileNames.map((fileName) => fileName.replace(/\.[^.]*$/, ''));
  // The longest first: one name may be a prefix of another.
  return [...fileNames, ...stems.filter((stem) => stem.length > 3)]
    .sort((a, b) => b.length - a.length)
    .filter((name) => name !== '')
    .reduce<Message>((text, name) => changed(text, (text) => text.replaceAll(name, 'the file')), message);
}

function outcomeOf(error: unknown, attempts: number): FinishedCall['outcome'] {
  if (!(error instanceof Failure)) return 'failed';
  if (error.code === 'cancelled') return 'cancelled';
  return attempts === 0 && error.code === 'cap_reached' ? 'refused' : 'failed';
}
