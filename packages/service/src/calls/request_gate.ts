import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { CallMeter, CallWatch, Charge, Units, WatchedRequest } from '@likeness/engine/http/access.ts';
import { storageUnreachable } from '@likeness/engine/http/listener_refusals.ts';
import { Refusal } from '@likeness/engine/http/refusal.ts';
import type { CallRecord } from '@likeness/journal/metered_call.ts';
import { t } from '@likeness/messages';
import { type Accounts, type KeyCall, noUnits, unitNames } from '../accounts/accounts.ts';
import type { KeyRing } from '../keys/key_ring.ts';
import type { ServiceKey } from '../keys/service_key.ts';
import { isTenant } from '../keys/tenant_access.ts';
import type { SharedPart } from '../operators/shared_health.ts';
import type { AuditLog } from './audit_log.ts';
import { RefusedCalls } from './refused_calls.ts';

/**
 * A call that has ended, for logs and metrics. A well-formed id is the only part that came from the caller.
 */
export interface EndedCall {
  endpoint: string;
  keyId: string;
  tenant: string;
  traceId: string;
  status: number;
  /** The refusal's reason; empty if there was none. */
  reason: string;
  /** Whether the caller received the whole answer. */
  isWhole: boolean;
  firstByteMs: number | null;
  totalMs: number;
  units: Readonly<Units>;
}

export interface RequestGateOptions {
  ring: KeyRing;
  audit: AuditLog;
  accounts: Accounts;
  /** Milliseconds since 1970 UTC. */
  clock: () => number;
  /** The shared part that this node can't reach now, if any. */
  unreachable?: (() => SharedPart | null) | undefined;
  /** Milliseconds whose refused calls share a line. @default 60000 */
  refusedInterval?: number | undefined;
  onBegun: (endpoint: string) => void;
  onEnded: (call: EndedCall) => void;
  /** Called where the usage of an ended call can't be accounted for. */
  onProblem: (error: unknown) => void;
}

/** These endpoints write no line to the audit log. */
const unrecorded = new Set(['healthz', 'readyz', 'metrics']);
/** Free operations, which continue while the audit log can't be written. */
const free = new Set([
  'getModel',
  'downloadFile',
  'usage',
  'health',
  'describe',
  'deleteModel',
  'imageTask',
  'forgetImageTask',
  'modelEvents',
  'eraseAll',
  'listWebhooks',
  'removeWebhook',
]);

/** These endpoints read or write files of the store. */
const needsStore = new Set(['generateModel', 'submitImage', 'downloadFile']);

/**
 * The gate for every call of the service. It limits rate and concurrency, reserves usage against the caps,
 * writes a line per call, and ends the calls of revoked keys.
 */
export class RequestGate implements CallWatch {
  readonly #options: RequestGateOptions;
  readonly #calls = new Set<Call>();
  readonly #ending = new Set<Promise<void>>();
  readonly #refusals = new WeakMap<IncomingMessage, string>();
  /** For kept-alive connections: bytes received and sent by earlier calls. */
  readonly #counted = new WeakMap<Socket, ConnectionBytes>();
  readonly #refused: RefusedCalls;
  /** Answers close their connections: this process is about to exit. */
  isDraining = false;

  constructor(options: RequestGateOptions) {
    this.#options = options;
    this.#refused = new RefusedCalls((call) => options.audit.write(call), options.refusedInterval);
  }

  get inFlight(): number {
    return this.#calls.size;
  }

  async begin({ endpoint, caller, request, response }: WatchedRequest): Promise<CallMeter> {
    const { audit, onBegun, accounts } = this.#options;
    if (this.isDraining) response.setHeader('connection', 'close');
    const key = isTenant(caller) ? caller.key : null;
    const bytesBefore = this.#counted.get(request.socket) ?? { read: 0, written: 0 };
    const call = new Call({ endpoint, key, request, response, accounts, bytesBefore });
    response.setHeader('x-trace-id', call.traceId);
    onBegun(endpoint);
    this.#calls.add(call);
    // Registered before any refusal: a refused call also ends and needs its line.
    response.once('close', () => {
      const ending: Promise<void> = this.#end(call)
        .catch(this.#options.onProblem)
        .finally(() => this.#ending.delete(ending));
      this.#ending.add(ending);
    });
    if (call.of) {
      this.#checkReach(endpoint);
      await accounts.enter(call.of);
      call.hasEntered = true;
      if (call.isOver) {
        accounts.leave(call.of, noUnits);
        accounts.settle(call.of, null);
      }
      if (!free.has(endpoint)) audit.check();
    }
    return call;
  }

  refused(request: IncomingMessage, { reason }: Refusal): void {
    this.#refusals.set(request, reason);
  }

  /** Ends the calls of keys that became invalid. */
  expel(): void {
    for (const call of this.#calls) {
      if (call.of && !this.#options.ring.isValid(call.of.key)) call.response.destroy();
    }
  }

  /** Resolves when all calls have ended and have their lines. Call it once, at the end. */
  async ended(): Promise<void> {
    while (this.#ending.size > 0) await Promise.all(this.#ending);
    await this.#refused.close();
  }

  /** Refuses at once what would wait for seconds and then fail. @throws {Refusal} 503 `storage_unreachable` */
  #checkReach(endpoint: string): void {
    const part = this.#options.unreachable?.() ?? null;
    if (part === 'queue' || (part === 'store' && needsStore.has(endpoint))) throw storageUnreachable();
  }

  async #end(call: Call): Promise<void> {
    const { accounts, audit, clock, onEnded } = this.#options;
    call.isOver = true;
    const bytes = call.bytes();
    const { socket } = call.request;
    this.#counted.set(socket, { read: socket.bytesRead, written: socket.bytesWritten });
    const ended = call.ended(this.#refusals.get(call.request) ?? '');
    onEnded(ended);
    this.#calls.delete(call);
    if (!call.of) return;
    const { key } = call.of;
    const { units, totalMs } = ended;
    if (call.hasEntered) accounts.leave(call.of, units);
    let sequence: number | null = null;
    if (!unrecorded.has(call.endpoint)) {
      const record: CallRecord = {
        at: clock() - totalMs,
        profileId: key.id,
        profileName: `${key.tenant}: ${key.name}`,
        operation: call.endpoint,
        subject: call.subject,
        outcome: outcomeOf(ended),
        httpStatus: ended.status,
        envelopeCode: null,
        message: ended.reason,
        ...bytes,
        firstByteMs: ended.firstByteMs,
        totalMs,
        billedSeconds: units.seconds,
        billedFrames: units.frames,
        billedModels: units.models,
        cost: 0,
        currency: '',
      };
      if (isRefusedForLoad(ended)) this.#refused.add(record);
      else sequence = await audit.write(record);
    }
    if (call.hasEntered) accounts.settle(call.of, sequence);
  }
}

/** Too many calls, by rate or in all; nothing was done for them. */
const isRefusedForLoad = ({ status, units }: EndedCall): boolean =>
  (status === 429 || status === 503) && unitNames.every((unit) => units[unit] === 0);

const outcomeOf = ({ status, isWhole }: EndedCall): 'ok' | 'failed' | 'cancelled' | 'refused' =>
  status >= 500 ? 'failed' : status >= 400 ? 'refused' : isWhole ? 'ok' : 'cancelled';

interface CallOptions {
  endpoint: string;
  key: ServiceKey | null;
  request: IncomingMessage;
  response: ServerResponse;
  accounts: Accounts;
  /** Bytes that its connection had received and sent for earlier calls. */
  bytesBefore: ConnectionBytes;
}

interface ConnectionBytes {
  read: number;
  written: number;
}

/** One call in progress. */
class Call implements CallMeter {
  readonly endpoint: string;
  /** Null if no key was needed. */
  readonly of: KeyCall | null;
  readonly charge: Charge | null;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly traceId: string;
  subject = '';
  /** Whether the limits of its key let it in. */
  hasEntered = false;
  /** Nobody waits for its answer any more. */
  isOver = false;
  readonly #accounts: Accounts;
  readonly #begunAt = performance.now();
  readonly #bytesBefore: ConnectionBytes;
  readonly #used: Units = { ...noUnits };
  #firstByteMs: number | null = null;

  constructor({ endpoint, key, request, response, accounts, bytesBefore }: CallOptions) {
    this.endpoint = endpoint;
    this.of = key && { id: randomUUID(), key };
    this.charge = this.of && { account: this.of.key.id, call: this.of.id };
    this.request = request;
    this.response = response;
    this.traceId = traceIdOf(request);
    this.#accounts = accounts;
    this.#bytesBefore = bytesBefore;
    const writeHead = response.writeHead.bind(response) as ServerResponse['writeHead'];
    response.writeHead = ((...args: Parameters<ServerResponse['writeHead']>) => {
      this.#firstByteMs ??= performance.now() - this.#begunAt;
      return writeHead(...args);
    }) as ServerResponse['writeHead'];
  }

  async plan(units: Partial<Units>, repeats: string | null = null): Promise<void> {
    if (!this.of) return;
    // Work started now would escape both caps and audit log.
    if (this.isOver) throw callerGone();
    await this.#accounts.reserve(this.of, { ...noUnits, ...units }, repeats);
    if (!this.isOver) return;
    this.#accounts.settle(this.of, null);
    throw callerGone();
  }

  count({ seconds = 0, frames = 0, models = 0 }: Partial<Units>): void {
    this.#used.seconds += seconds;
    this.#used.frames += frames;
    this.#used.models += models;
  }

  about(subject: string): void {
    this.subject = subject;
  }

  async ordered(model: string, idempotencyKey: string | null): Promise<void> {
    if (!this.of) return;
    const { id: keyId, tenant } = this.of.key;
    await this.#accounts.ordered(this.of, { model, tenant, keyId, idempotencyKey });
  }

  /** Bytes of the request and of the answer, headers included, as counted by the connection. */
  bytes(): { bytesReceived: number; bytesSent: number } {
    const { bytesRead, bytesWritten } = this.request.socket;
    return {
      bytesReceived: Math.max(0, bytesRead - this.#bytesBefore.read),
      bytesSent: Math.max(0, bytesWritten - this.#bytesBefore.written),
    };
  }

  ended(reason: string): EndedCall {
    return {
      endpoint: this.endpoint,
      keyId: this.of?.key.id ?? '',
      tenant: this.of?.key.tenant ?? '',
      traceId: this.traceId,
      status: this.response.headersSent ? this.response.statusCode : 499,
      reason,
      isWhole: this.response.writableFinished,
      firstByteMs: this.#firstByteMs,
      totalMs: performance.now() - this.#begunAt,
      units: this.#used,
    };
  }
}

const callerGone = (): Refusal => new Refusal(400, 'caller_gone', t('refusal.caller_gone'));

/** `traceparent` as defined by W3C Trace Context: version, trace id, parent id, flags. */
const traceparent = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}/;

/** Returns the trace id in a request's `traceparent`, or a new one. 32 hex digits. */
function traceIdOf({ headers }: IncomingMessage): string {
  const given = headers.traceparent;
  return (typeof given === 'string' && traceparent.exec(given)?.[1]) || randomBytes(16).toString('hex');
}
