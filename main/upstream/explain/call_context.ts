import type { Operation } from '#contract';
import { type Said, say } from '#sentences';

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

export const checkBeforeRepeating = say('upstream.check_before_repeating');
