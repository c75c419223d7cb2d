/**
 * What the command line and an open studio say to each other, a line of JSON each: a greeting, `ready`, the
 * command, what it says, its end. The command goes only to a studio that has answered: one that hangs must
 * not wake up later and do what was done elsewhere meanwhile.
 */
import { z } from 'zod';

/** Goes up when a line changes its meaning; both ends must have the same. */
export const handOverProtocol = 1;

export const handOverLimits = {
  /** Of the line with the command, bytes: hundreds of paths. */
  command: 1024 * 1024,
  /** Of any other line. */
  line: 256 * 1024,
  /** Of text in one line, characters: as JSON each may take six bytes. */
  text: 32 * 1024,
  /** Commands that a studio runs at once. */
  commands: 16,
  /** Bytes that wait for a command line that doesn't read. */
  unread: 64 * 1024 * 1024,
  /** Milliseconds until the other end has said its first word. */
  firstWord: 5000,
  /** Milliseconds that a studio which is quit waits for commands to end. */
  closing: 5000,
  /**
   * Milliseconds between two signs of life of a command that says nothing, and after which they are missed.
   */
  alive: 5000,
  missed: 30_000,
};

const word = z.string().max(256);

/** The first line. Every later version keeps it, so that each can say that the other is not its own. */
export const Greeting = z.object({ protocol: z.number().int(), version: word, token: word });

/**
 * One command, as its own process would have run it. It carries no key: nothing of the environment but the
 * language.
 */
export const HandedCommand = z.object({
  args: z.array(z.string().max(64 * 1024)).max(20_000),
  /** Absolute; relative paths are meant from here. */
  cwd: z.string().min(1).max(4096),
  isTerminal: z.boolean(),
  columns: z.number().int().min(1).max(10_000).optional(),
  language: z.object({ LANGUAGE: word, LC_ALL: word, LC_MESSAGES: word, LANG: word }).partial(),
});
export type HandedCommand = z.output<typeof HandedCommand>;

/** What the command line may add: its person pressed Ctrl-C, or nobody reads its output any more. */
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
