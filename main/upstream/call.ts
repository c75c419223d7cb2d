import type { Dispatcher } from 'undici';
import { type Operation, secretNames } from '#contract';
import { changed, type Said, say } from '#sentences';
import type { Clock } from '../base/clock.ts';
import { Failure, saidOf } from '../failure.ts';
import type { FinishedCall, PlannedCall } from './call_record.ts';
import { operationNames, UpstreamError } from './error.ts';
import {
  type CallContext,
  explainBroken,
  explainEnvelope,
  explainRefusal,
  explainUnreadable,
} from './explain.ts';
import type { UnreadableAnswer } from './operations/envelope.ts';
import { withoutSecrets } from './operations/quote.ts';
import {
  type Address,
  credentialHeader,
  type Endpoint,
  type Group,
  groupSecret,
  groupSecretName,
} from './transport/endpoint.ts';
import type { Pace } from './transport/pace.ts';
import { pauseBeforeRetry, type RetryLimits } from './transport/retry.ts';
import {
  BrokenRoundTrip,
  type CollectedAnswer,
  type Meter,
  newMeter,
  type PhaseTimeouts,
  type WireHead,
} from './transport/round_trip.ts';
import { closedFailure, type Purpose, type Transport } from './transport/transport.ts';

/** What all calls of one client share. */
export interface ClientContext {
  endpoint: Endpoint;
  transport: Transport;
  pace: Pace;
  /** Files have turns of their own, so that a large one does not stop a voice. */
  downloadPace: Pace;
  clock: Pick<Clock, 'now' | 'wait'>;
  random: () => number;
  retry: RetryLimits;
  /** Timeouts that the client's owner set; they go before the operation's own. */
  timeouts: Partial<PhaseTimeouts>;
  /** Aborted when the client is closed. */
  closing: AbortSignal;
  beforeCall: ((call: PlannedCall) => Promise<void>) | undefined;
  onExchange: ((exchange: FinishedCall, planned: PlannedCall | null) => void) | undefined;
  /**
   * Sees every Group B answer: extensions are announced in their headers.
   *
   * @returns Whether this one says what the server can do (see `speaksForServer`).
   */
  onGroupBAnswer(answer: CollectedAnswer): boolean;
}

/** What is known of a call before its first try. */
export interface CallPlan {
  operation: Operation;
  /** Null for a download: it has no key of its own. */
  group: Group | null;
  host: string;
  subject?: string;
  idempotent: boolean;
  purpose: Purpose;
  priority: number;
  seconds?: number;
  frames?: number;
  models?: number;
  /** An idempotency key goes with it. */
  protectedFromRepetition?: boolean;
  /** Name of the file that is sent. The journal is never altered, so it must not hold what may name a person. */
  fileName?: string;
  /** False: one try only. */
  repeat?: boolean;
  /** The attempt takes its own turn, which lasts longer than the attempt itself. */
  ownTurn?: boolean;
}

/** What one try has to work with. */
export interface Attempt {
  dispatcher: Dispatcher;
  meter: Meter;
  /** The group's credential as header name and value; empty where the group is null. */
  credential: string[];
  signal: AbortSignal | undefined;
}

/** An HTTP answer that is not what was asked for; thrown by an attempt, explained by the call. */
export class BadAnswer extends Error {
  readonly kind: 'refused' | 'envelope' | 'unreadable';
  readonly answer: WireHead & { body?: Buffer };
  readonly envelope: { code: number; message: string } | undefined;
  readonly problem: UnreadableAnswer | undefined;

  private constructor(
    kind: BadAnswer['kind'],
    answer: WireHead & { body?: Buffer },
    envelope?: { code: number; message: string },
    problem?: UnreadableAnswer,
  ) {
    super(kind);
    this.name = 'BadAnswer';
    this.kind = kind;
    this.answer = answer;
    this.envelope = envelope;
    this.problem = problem;
  }

  /** HTTP says no. */
  static refused(answer: CollectedAnswer): BadAnswer {
    return new BadAnswer('refused', answer);
  }

  /** HTTP says yes, the envelope no. */
  static envelope(answer: WireHead, envelope: { code: number; message: string }): BadAnswer {
    return new BadAnswer('envelope', answer, envelope);
  }

  /** HTTP says yes, but what it brought can't be read. */
  static unreadable(answer: WireHead & { body?: Buffer }, problem: UnreadableAnswer): BadAnswer {
    return new BadAnswer('unreadable', answer, undefined, problem);
  }
}

/** Faults that may be gone at the next try; a full disk or a locked key store waits for a person. */
const passing: ReadonlySet<string> = new Set([
  'unreachable',
  'timeout',
  'upstream_refused',
  'upstream_broken',
]);

/** One call: cap, key, turn, tries with pauses, and the one entry that the journal gets. */
export class Call {
  readonly exchange: FinishedCall;
  readonly #line: ClientContext;
  readonly #plan: CallPlan;
  readonly #signal: AbortSignal | undefined;
  readonly #began = performance.now();
  #reported = false;
  /** What `beforeCall` let through; null before, and where it refused. */
  #planned: PlannedCall | null = null;

  constructor(line: ClientContext, plan: CallPlan, signal?: AbortSignal) {
    this.#line = line;
    this.#plan = plan;
    this.#signal = signal;
    this.exchange = {
      profileId: line.endpoint.profileId,
      profileName: line.endpoint.profileName,
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
   * Tries until one succeeds or must not be repeated.
   *
   * @throws UpstreamError, or the Failure of the spending cap or the key store
   */
  async tries<T>(attempt: (attempt: Attempt) => Promise<T>): Promise<T> {
    const { pace, beforeCall, endpoint } = this.#line;
    const { operation, priority, seconds = 0, frames = 0, models = 0 } = this.#plan;
    if (beforeCall) {
      const planned = { profileId: endpoint.profileId, operation, seconds, frames, models };
      await beforeCall(planned);
      this.#planned = planned;
    }
    for (;;) {
      try {
        const task = (): Promise<T> => this.#try(attempt);
        return await (this.#plan.ownTurn ? task() : pace.run(task, priority, this.#signal));
      } catch (error) {
        await this.#pauseOrThrow(error);
      }
    }
  }

  /** Puts whatever was thrown into the words of this call. */
  async explain(error: unknown): Promise<Failure> {
    const cancelled = this.#signal?.aborted === true || this.#line.closing.aborted;
    if (error instanceof Failure) return error;
    const context = await this.#context();
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
    // A defect of ours: the border knows what to do with it.
    throw error;
  }

  /** Hands the entry to the journal, once. */
  report(error?: unknown): void {
    if (this.#reported) return;
    this.#reported = true;
    const { exchange } = this;
    exchange.totalMs = performance.now() - this.#began;
    if (error !== undefined) {
      exchange.outcome = outcomeOf(error, exchange.attempts);
      exchange.message = withoutFileName(saidOf(error), this.#plan.fileName);
      if (error instanceof UpstreamError) {
        exchange.httpStatus = error.httpStatus ?? exchange.httpStatus;
        exchange.envelopeCode = error.envelopeCode ?? exchange.envelopeCode;
        exchange.uncertain = error.uncertain && exchange.billedSeconds === 0 && exchange.billedModels === 0;
      }
    }
    this.#line.onExchange?.(exchange, this.#planned);
  }

  async #try<T>(attempt: (attempt: Attempt) => Promise<T>): Promise<T> {
    const { transport, closing } = this.#line;
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

  /** Adds what a try moved to the entry. */
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
    const { endpoint } = this.#line;
    const secret = (await endpoint.secret(groupSecret[group]))?.trim();
    const name = groupSecretName[group];
    if (!secret) {
      throw new UpstreamError(
        'key_missing',
        say('upstream.of', {
          operation: operationNames[this.#plan.operation],
          text: say('upstream.no_key', { profileName: endpoint.profileName, name }),
        }),
        { operation: this.#plan.operation, hint: say('upstream.enter_key', { name }) },
      );
    }
    if (!/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(secret)) {
      throw new UpstreamError(
        'invalid_input',
        say('upstream.of', {
          operation: operationNames[this.#plan.operation],
          text: say('upstream.key_bad_character', { name, profileName: endpoint.profileName }),
        }),
        { operation: this.#plan.operation, hint: say('upstream.enter_key_again', { name }) },
      );
    }
    return credentialHeader(group, secret);
  }

  async #pauseOrThrow(error: unknown): Promise<void> {
    const { clock, random, retry, closing } = this.#line;
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

  async #context(): Promise<CallContext> {
    const { endpoint, clock } = this.#line;
    const { operation, group, host, idempotent, protectedFromRepetition = false } = this.#plan;
    const secrets: string[] = [];
    for (const name of secretNames) {
      // A locked key store must not hide what went wrong.
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
      host,
      addressName: group ? say('term.group_address', { group }) : say('term.download_link'),
      keyName: group ? groupSecretName[group] : '',
      idempotent,
      protectedFromRepetition,
      proxyHost: URL.canParse(endpoint.proxyUrl) ? new URL(endpoint.proxyUrl).host : '',
      secrets,
      now: () => clock.now(),
    };
  }
}

/** Runs a call from beginning to end, journal entry included. */
export async function call<T>(
  line: ClientContext,
  plan: CallPlan,
  signal: AbortSignal | undefined,
  attempt: (attempt: Attempt, exchange: FinishedCall) => Promise<T>,
): Promise<T> {
  const running = new Call(line, plan, signal);
  try {
    const result = await running.tries((tools) => attempt(tools, running.exchange));
    running.report();
    return result;
  } catch (error) {
    running.report(error);
    throw error;
  }
}

/** The timeouts of an operation, with those that the client's owner set put in their place. */
export function timeoutsFor(line: ClientContext, own: PhaseTimeouts): PhaseTimeouts {
  return { ...own, ...line.timeouts };
}

/** Where an address of the endpoint leads, or the error of the operation that wanted to go there. */
export function addressFor(operation: Operation, address: () => Address): Address {
  try {
    return address();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new UpstreamError(
      error.code,
      say('upstream.of', { operation: operationNames[operation], text: error.said }),
      {
        operation,
        hint: error.advice,
        ...(error.field !== undefined && { field: error.field }),
      },
    );
  }
}

/** A server's text, free of the keys that this profile has. */
export async function scrubbed(endpoint: Endpoint, text: string): Promise<string> {
  if (text === '') return '';
  const secrets = await Promise.all(secretNames.map((name) => endpoint.secret(name).catch(() => undefined)));
  return withoutSecrets(
    text,
    secrets.filter((secret) => secret !== undefined),
  );
}

/** A server, or the disk, may speak of the file by its name. */
function withoutFileName(message: Said, fileName = ''): Said {
  const stem = fileName.replace(/\.[^.]*$/, '');
  return [fileName, ...(stem.length > 3 ? [stem] : [])]
    .filter((name) => name !== '')
    .reduce<Said>((said, name) => changed(said, (text) => text.replaceAll(name, 'the file')), message);
}

function outcomeOf(error: unknown, attempts: number): FinishedCall['outcome'] {
  if (!(error instanceof Failure)) return 'failed';
  if (error.code === 'cancelled') return 'cancelled';
  return attempts === 0 && error.code === 'cap_reached' ? 'refused' : 'failed';
}
