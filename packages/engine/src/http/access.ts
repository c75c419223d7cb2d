/** Access control and metering of calls, supplied by the code that starts the listener. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Priority } from '../models/model_record.ts';
import type { KeySource, RequiredKey } from './listener_refusals.ts';
import type { Refusal } from './refusal.ts';
import { createKeyReader, isOpenedBy, type ServiceKeys } from './service_keys.ts';

/** The sender of a request. */
export interface Caller {
  /** Two callers of different names may use the same idempotency key and mean different things. */
  readonly name: string;
  /**
   * The tenant that owns these models, files and image tasks and sees no other tenant's. Null: a single
   * person, as with the built-in engine.
   */
  readonly owner: string | null;
  /** Priority of the caller's orders in the queue. Default: 0. */
  readonly priority?: Priority | undefined;
}

/** The operation that a request wants to use. */
export interface Door {
  /** The endpoint's name. */
  readonly endpoint: string;
  readonly auth: RequiredKey;
}

/** Decides who may call. Runs for each request, before its body is read. */
export interface Access {
  /** Why a correct key may be wrong now: the end of the refusal's message. */
  readonly keysFrom: KeySource;
  /** Whether a request shows any valid key: then its connection may stay open. */
  knows(request: IncomingMessage): boolean;
  /**
   * Returns the caller whose key allows this operation.
   *
   * @returns Null if there is none: the answer is 401.
   * @throws {Refusal} if the key is valid but doesn't allow this operation
   */
  callerOf(request: IncomingMessage, door: Door): Caller | null;
}

/** Usage of one call, in billing units. */
export interface Units {
  /** Of audio. */
  seconds: number;
  /** Face frames. */
  frames: number;
  models: number;
}

/** The account that pays for an order. The engine passes it on with the order and never interprets it. */
export interface Charge {
  readonly account: string;
  /** The call that reserved the usage. */
  readonly call: string;
}

/** Checks the limits of one call and counts its usage. */
export interface CallMeter {
  /** Null: the call is free. */
  readonly charge: Charge | null;
  /**
   * Reserves usage before the work starts.
   *
   * @param repeats The order's idempotency key, if any: a repeated order reserves nothing more.
   * @throws {Refusal} if a cap is reached
   */
  plan(units: Partial<Units>, repeats?: string | null): Promise<void> | void;
  /** Counts usage after the work. */
  count(units: Partial<Units>): void;
  /** Records the subject of the call: the id of a model or a trace. */
  about(subject: string): void;
  /** Records that a model was ordered, or its order repeated. Called before the caller is answered. */
  ordered(model: string, idempotencyKey: string | null): Promise<void> | void;
}

/** Observes every call of an authorised caller. */
export interface CallWatch {
  /** @throws {Refusal} if this call may not be made now */
  begin(call: WatchedRequest): Promise<CallMeter> | CallMeter;
  /** A request was refused, before or after it began. */
  refused(request: IncomingMessage, refusal: Refusal): void;
}

export interface WatchedRequest {
  endpoint: string;
  /** Null if the endpoint needs no key. */
  caller: Caller | null;
  request: IncomingMessage;
  response: ServerResponse;
}

/** Counts nothing: the built-in engine is free. */
export const unwatched: CallWatch = {
  begin: () => ({ charge: null, plan() {}, count() {}, about() {}, ordered() {} }),
  refused() {},
};

/** Returns access by two keys of one person, one for each group, for the built-in engine's listeners. */
export function accessByKeys(keys: ServiceKeys, name: string): Access {
  const caller: Caller = { name, owner: null };
  const readKeys = createKeyReader(keys);
  return {
    keysFrom: 'run',
    knows: (request) => isOpenedBy('either', readKeys(request)),
    callerOf: (request, { auth }) => (isOpenedBy(auth, readKeys(request)) ? caller : null),
  };
}
