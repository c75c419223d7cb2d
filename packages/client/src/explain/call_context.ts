import { joinMessages, type Message, t } from '@likeness/messages';
import type { Operation } from '../interface_names.ts';

/** The facts about a call that an error's text needs. */
export interface CallContext {
  operation: Operation;
  profileName: string;
  /** The call goes to the engine on this machine, which is free and has no address that a person entered. */
  builtIn: boolean;
  /** Host and port, as the person entered them; for the built-in engine its name. */
  host: Message;
  /** The address's label in Settings: `Group A address`, `Group B address`, `download link`. */
  addressName: Message;
  /** The key's label: `Group A access token`, `Group B API key`; empty if none is sent. */
  keyName: Message;
  /** True for GET. */
  idempotent: boolean;
  /** An idempotency key was sent, so that a repetition can't be billed. */
  protectedFromRepetition: boolean;
  /** Host and port of the proxy; empty: none. */
  proxyHost: string;
  /** Secrets that were sent and must not appear in any text. */
  secrets: readonly string[];
  now(): number;
}

/**
 * Advice about a server. The built-in engine has no operator, account or address that a person could check.
 */
export const adviceOn = ({ builtIn }: Pick<CallContext, 'builtIn'>, ofServer: Message): Message =>
  builtIn ? t('engine.if_it_stays') : ofServer;

/** Advice for a call that the server may have received although no answer came. */
export const checkBeforeRepeating = ({ builtIn }: CallContext): Message =>
  builtIn ? '' : t('upstream.check_before_repeating');

/**
 * The same after other advice. The server may have received the call, so advice to try again is omitted: the
 * person must check first.
 */
export const beforeRepeating = (context: CallContext, advice: Message, saysTryAgain: boolean): Message => {
  const check = checkBeforeRepeating(context);
  return saysTryAgain && check !== '' ? check : joinMessages(advice, check);
};
