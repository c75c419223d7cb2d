/**
 * The messages between the command line and an open studio, a line of JSON each: a greeting, `ready`, the
 * command, its output, its end. The command is sent only to a studio that has answered: one that hangs must
 * not run it later, after it was done elsewhere.
 */
import { z } from 'zod';

/** Protocol version, raised when a message changes its meaning; both ends must have the same. */
export const handOverProtocol = 1;

export const handOverLimits = {
  /** Longest command message, bytes: room for hundreds of paths. */
  command: 1024 * 1024,
  /** Of any other line. */
  line: 256 * 1024,
  /** Most characters of text in one message: as JSON each may take six bytes. */
  text: 32 * 1024,
  /** Most commands that a studio runs at once. */
  commands: 16,
  /** Most bytes buffered for a command line that doesn't read. */
  unread: 64 * 1024 * 1024,
  /** Milliseconds to wait for the other end's first message. */
  firstWord: 5000,
  /** Milliseconds that a quitting studio waits for commands to end. */
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
 * One command, as its own process would have run it. Of the environment it carries only the language, so no
 * keys.
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

/** What the command line may send afterwards: Ctrl-C was pressed, or its output is no longer read. */
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
  z.object({ kind: z.literal('out'), text: z.string().max(handOverLimits.text) }),
  z.object({ kind: z.literal('error'), text: z.string().max(handOverLimits.text) }),
  z.object({ kind: z.literal('alive') }),
  z.object({ kind: z.literal('end'), code: z.number().int().min(0).max(255) }),
]);
export type StudioLine = z.output<typeof StudioLine>;
