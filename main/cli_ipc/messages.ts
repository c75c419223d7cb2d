/**
 * Messages between the command line and a running studio, each a line of JSON: a greeting, `ready`, the
 * command, its output, its end. The command is sent only after the studio has answered: a studio that hangs
 * must not run it later, after it was done elsewhere.
 */
import { z } from 'zod';

/** Protocol version, raised when a message changes its meaning; both ends must use the same one. */
export const ipcProtocol = 1;

export const ipcLimits = {
  /** Maximum bytes of a command message: enough for hundreds of paths. */
  command: 1024 * 1024,
  /** Maximum bytes of any other line. */
  line: 256 * 1024,
  /** Maximum characters of text in one message: JSON may need six bytes for each. */
  text: 32 * 1024,
  /** Maximum number of commands that a studio runs concurrently. */
  commands: 16,
  /** Maximum bytes buffered for a command line that doesn't read. */
  unread: 64 * 1024 * 1024,
  /** Milliseconds to wait for the other end's first message. */
  firstWord: 5000,
  /** Milliseconds that a closing studio waits for commands to end. */
  closing: 5000,
  /**
   * Heartbeat of a silent command, milliseconds: its interval, and the time after which it is missing.
   */
  alive: 5000,
  missed: 30_000,
};

const word = z.string().max(256);

/** The first message. Later versions must keep its form, so that both ends can report a version mismatch. */
export const Greeting = z.object({ protocol: z.number().int(), version: word, token: word });

/**
 * One command, as its own process would have run it. Its environment contains only the language, so no keys.
 */
export const HandedCommand = z.object({
  args: z.array(z.string().max(64 * 1024)).max(20_000),
  /** The working directory, absolute; relative paths are resolved against it. */
  cwd: z.string().min(1).max(4096),
  isTerminal: z.boolean(),
  columns: z.number().int().min(1).max(10_000).optional(),
  language: z.object({ LANGUAGE: word, LC_ALL: word, LC_MESSAGES: word, LANG: word }).partial(),
});
export type HandedCommand = z.output<typeof HandedCommand>;

/** Later messages of the command line: Ctrl-C was pressed, or nobody reads the output any more. */
export const Interruption = z.object({
  kind: z.literal('interrupt'),
  why: z.enum(['person', 'unread']),
});

/** @internal */
const reasonsToRefuse = ['token', 'version', 'busy', 'malformed', 'closing'] as const;
export type ReasonToRefuse = (typeof reasonsToRefuse)[number];

export const StudioLine = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('refused'), reason: z.enum(reasonsToRefuse), version: word }),
  z.object({ kind: z.literal('out'), text: z.string().max(ipcLimits.text) }),
  z.object({ kind: z.literal('error'), text: z.string().max(ipcLimits.text) }),
  z.object({ kind: z.literal('alive') }),
  z.object({ kind: z.literal('end'), code: z.number().int().min(0).max(255) }),
]);
export type StudioLine = z.output<typeof StudioLine>;
