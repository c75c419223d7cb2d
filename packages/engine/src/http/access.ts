/** Who is let in, and what is watched of a call: put in by whoever starts the listener. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Priority } from '../models/model_record.ts';
import type { Text } from './language.ts';
import type { RequiredKey } from './listener_refusals.ts';
import type { Refusal } from './refusal.ts';
import { createKeyReader, isOpenedBy, type ServiceKeys } from './service_keys.ts';

/** Who calls. */
export interface Caller {
  /** Two callers of different names may use the same idempotency key and mean different things. */
  readonly name: string;
  /**
   * The tenant whose models, files and image tasks these are, and who sees no other's. Null: there is one
   * person only, as with the built-in engine.
   */
  readonly owner: string | null;
  /** Of what it orders, among all that waits. Default: the usual one, 0. */
  readonly priority?: Priority | undefined;
}

/** What a request wants to open. */
export interface Door {
  /** The endpoint's name. */
  readonly endpoint: string;
  readonly auth: RequiredKey;
}

/** Who is let in: asked at each request, before its body is read. */
export interface Access {
  /** Why a key that was right may be wrong now: the end of the sentence that refuses it. */
  readonly hint: Text;
  /** Whether a request shows any right key: then its connection may stay. */
  knows(request: IncomingMessage): boolean;
  /**
   * Who shows a key that opens this door.
   *
   * @returns Null where there is none: then the answer is 401.
   * @throws {Refusal} where the key is right and doesn't open this all the same
   */
  callerOf(request: IncomingMessage, door: Door): Caller | null;
}

/** What is done in a call, in the units of a bill. */
export interface Units {
  /** Of sound. */
  seconds: number;
  /** Of a face. */
  frames: number;
  models: number;
}

/** Who pays for what a call orders. The engine hands it on with the order and asks nothing of it. */
export interface Charge {
  readonly account: string;
  /** The call that holds room for it. */
  readonly call: string;
}

/** What one call may do, and what it did. */
export interface CallMeter {
  /** Null: nobody pays. */
  readonly charge: Charge | null;
  /**
   * Before the work starts: whether there is room for so much.
   *
   * @param repeats The idempotency key of the order, if any: what was ordered before takes no more room.
   * @throws {Refusal} where a cap is reached
   */
  plan(units: Partial<Units>, repeats?: string | null): Promise<void> | void;
  /** It has been done. */
  count(units: Partial<Units>): void;
  /** What the call was about: a model's id, a trace's. */
  about(subject: string): void;
  /** A model was ordered, or the order for it repeated. Before the caller is answered. */
  ordered(model: string, idempotencyKey: string | null): Promise<void> | void;
}

/** Told of every call of a caller who was let in. */
export interface CallWatch {
  /** @throws {Refusal} where this call may not be made now */
  begin(call: WatchedRequest): Promise<CallMeter> | CallMeter;
  /** A request came to an end by a refusal, before or after it began. */
  refused(request: IncomingMessage, refusal: Refusal): void;
}

export interface WatchedRequest {
  endpoint: string;
  /** Null where the endpoint needs no key. */
  caller: Caller | null;
  request: IncomingMessage;
  response: ServerResponse;
}

/** Nobody counts: the built-in engine costs nothing. */
export const unwatched: CallWatch = {
  begin: () => ({ charge: null, plan() {}, count() {}, about() {}, ordered() {} }),
  refused() {},
};

/** Two keys, one for each group, of one person: what the built-in engine's listeners open to. */
export function accessByKeys(keys: ServiceKeys, name: string): Access {
  const caller: Caller = { name, owner: null };
  const readKeys = createKeyReader(keys);
  return {
    hint: {
      en: "the built-in engine's keys change with each run.",
      zh: '内置引擎的密钥每次运行都会更换。',
    },
    knows: (request) => isOpenedBy('either', readKeys(request)),
    callerOf: (request, { auth }) => (isOpenedBy(auth, readKeys(request)) ? caller : null),
  };
}
