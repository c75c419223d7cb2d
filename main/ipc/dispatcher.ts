import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { databaseFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import {
  contract,
  type Emit,
  type Handlers,
  type Result,
  type StudioError,
  type StudioStream,
} from '#contract';

/** The sender: the origin of the page that the message came from; null if unknown. */
export interface Sender {
  origin: string | null;
}

/**
 * One duplex of messages as a shell holds it: a MessagePort under Electron, a WebSocket under serve. Binary
 * messages are data. Strings are control, as JSON: `{"open":true}`, `{"error":StudioError}`,
 * `{"close":true}`.
 */
export interface BinaryPort {
  post(message: Uint8Array | string): void;
  onMessage(listener: (message: Uint8Array | string) => void): void;
  onClose(listener: () => void): void;
  close(): void;
}

export interface Dispatcher {
  /** `name` is `room.call`. Never rejects: errors come as values. */
  call(name: string, input: unknown, sender: Sender): Promise<Result<unknown>>;
  /** For connections outside a call: why the sender is refused; null if it is our own page. */
  refusal(sender: Sender): StudioError | null;
  /** Subscribes to `room.event`. Returns a function that unsubscribes. */
  onEvent(listener: (name: string, payload: unknown) => void): () => void;
  /** Opens `room.stream` over a port. The first control message says whether it opened. */
  openStream(name: string, options: unknown, port: BinaryPort, sender: Sender): void;
  /**
   * Sends an event to every listener; a payload that violates the contract is an internal error and is
   * reported, not sent.
   */
  emit: Emit;
}

export interface DispatcherOptions {
  handlers: Handlers;
  /** The origin of our page; null while there is none. Other origins get no answer. */
  pageOrigin: () => string | null;
  /** Internal errors (not thrown on purpose) go here, once each, before the page gets `internal`. */
  onDefect: (where: string, error: unknown) => void;
}

/** The part of zod's schema type that the border uses. */
interface Schema {
  safeParse(
    value: unknown,
  ): { success: true; data: unknown } | { success: false; error: { issues: readonly Issue[] } };
}
interface Issue {
  path: readonly PropertyKey[];
  message: string;
}
interface Entry {
  in: Schema;
  out?: Schema;
  handler: (input: unknown, stream?: StudioStream) => unknown;
}

/**
 * Binds the contract to its handlers: checks the sender, parses input, parses output (which drops every field
 * that the contract does not name) and turns errors into values.
 */
export function createDispatcher({ handlers, pageOrigin, onDefect }: DispatcherOptions): Dispatcher {
  const calls = new Map<string, Entry>();
  const streams = new Map<string, Entry>();
  const events = new Map<string, Schema>();
  for (const [room, table] of Object.entries(contract)) {
    // The types of `Handlers` guarantee each of these; here they are looked up by name.
    const bound = handlers[room as keyof Handlers] as unknown as Record<string, Entry['handler']>;
    for (const [name, { in: input, out }] of Object.entries(table.calls)) {
      calls.set(`${room}.${name}`, { in: input, out, handler: bind(bound, room, name) });
    }
    for (const [name, { in: input }] of Object.entries<{ in: Schema }>(table.streams)) {
      streams.set(`${room}.${name}`, { in: input, handler: bind(bound, room, name) });
    }
    for (const [name, schema] of Object.entries(table.events)) events.set(`${room}.${name}`, schema);
  }

  const refusal = (sender: Sender): StudioError | null => {
    const own = pageOrigin();
    return own !== null && sender.origin === own ? null : forbidden;
  };
  const listeners = new Set<(name: string, payload: unknown) => void>();

  return {
    async call(name, input, sender) {
      const refused = refusal(sender);
      if (refused) return { ok: false, error: refused };
      const entry = calls.get(name);
      if (!entry?.out) return { ok: false, error: unknownName(name) };
      const parsed = entry.in.safeParse(input);
      if (!parsed.success) return { ok: false, error: invalidInput(parsed.error.issues) };
      try {
        const output = entry.out.safeParse(await entry.handler(parsed.data));
        if (output.success) return { ok: true, value: output.data };
        throw new Error(`${name} answered outside the contract: ${issueText(output.error.issues)}`);
      } catch (error) {
        return { ok: false, error: toStudioError(name, error, onDefect) };
      }
    },

    refusal,

    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    emit(room, event, payload) {
      const name = `${room}.${event}`;
      const parsed = events.get(name)?.safeParse(payload);
      if (!parsed?.success) {
        onDefect(
          name,
          new Error(`event outside the contract: ${parsed ? issueText(parsed.error.issues) : name}`),
        );
        return;
      }
      for (const listener of listeners) listener(name, parsed.data);
    },

    openStream(name, options, port, sender) {
      const refuse = (error: StudioError) => {
        port.post(JSON.stringify({ error }));
        port.close();
      };
      const refused = refusal(sender);
      if (refused) return refuse(refused);
      const entry = streams.get(name);
      if (!entry) return refuse(unknownName(name));
      const parsed = entry.in.safeParse(options);
      if (!parsed.success) return refuse(invalidInput(parsed.error.issues));
      const stream = streamOver(port);
      port.post(JSON.stringify({ open: true }));
      void (async () => {
        try {
          await entry.handler(parsed.data, stream);
        } catch (error) {
          stream.fail(toStudioError(name, error, onDefect));
        }
      })();
    },
  };
}

function bind(
  bound: Record<string, Entry['handler']> | undefined,
  room: string,
  name: string,
): Entry['handler'] {
  const handler = bound?.[name];
  if (!handler) throw new Error(`the contract names ${room}.${name}, and nobody handles it`);
  return handler.bind(bound);
}

/** main's end of a duplex: what the handler sees as `StudioStream`, and a way to end it with an error. */
function streamOver(port: BinaryPort): StudioStream & { fail(error: StudioError): void } {
  let closed = false;
  const early: Uint8Array[] = [];
  let onMessage: ((message: Uint8Array) => void) | undefined;
  const onClose: ((error?: StudioError) => void)[] = [];
  const ended = () => {
    if (closed) return;
    closed = true;
    for (const listener of onClose) listener();
  };
  port.onMessage((message) => {
    if (closed) return;
    if (typeof message === 'string') {
      if (isClose(message)) {
        ended();
        port.close();
      }
      return;
    }
    if (onMessage) onMessage(message);
    else if (early.length < 256) early.push(message);
  });
  port.onClose(ended);
  const close = (control: unknown) => {
    if (closed) return;
    port.post(JSON.stringify(control));
    ended();
    port.close();
  };
  return {
    send(message) {
      if (!closed) port.post(message);
    },
    onMessage(listener) {
      onMessage = listener;
      for (const message of early.splice(0)) listener(message);
    },
    onClose(listener) {
      if (closed) listener();
      else onClose.push(listener);
    },
    close: () => close({ close: true }),
    fail: (error) => close({ error }),
  };
}

function isClose(control: string): boolean {
  try {
    const parsed: unknown = JSON.parse(control);
    return typeof parsed === 'object' && parsed !== null && 'close' in parsed;
  } catch {
    return false;
  }
}

const forbidden: StudioError = {
  code: 'forbidden',
  message: t('ipc.not_own_page'),
  hint: t('ipc.open_own'),
  retryable: false,
};

function unknownName(name: string): StudioError {
  return {
    code: 'not_found',
    message: t('ipc.no_call', { name: name.slice(0, 80) }),
    hint: t('ipc.reload'),
    retryable: false,
  };
}

function invalidInput(issues: readonly Issue[]): StudioError {
  const [first] = issues;
  const field = first && first.path.length > 0 ? first.path.join('.') : 'input';
  return {
    code: 'invalid_input',
    message: t('ipc.invalid', { field, problem: first?.message ?? 'not_expected' }),
    hint: t('ipc.correct_field'),
    retryable: false,
    field,
  };
}

const issueText = (issues: readonly Issue[]): string =>
  issues
    .slice(0, 3)
    .map(({ path, message }) => `${path.join('.') || 'value'}: ${message}`)
    .join('; ');

function toStudioError(
  where: string,
  thrown: unknown,
  onDefect: (where: string, error: unknown) => void,
): StudioError {
  const error = databaseFailure(thrown);
  if (error instanceof Failure) {
    const { code, userMessage, advice, retryable, field } = error;
    return { code, message: userMessage, hint: advice, retryable, ...(field === undefined ? {} : { field }) };
  }
  onDefect(where, error);
  return {
    code: 'internal',
    message: t('ipc.defect', { where }),
    hint: t('ipc.report'),
    retryable: false,
  };
}
