import type { JournalEntry } from '@likeness/journal/journal_entry.ts';
import { z } from 'zod';
import { call, nothing, type Room } from './call.ts';
import { journalOutcomes } from './constants.ts';
import { TextFile, time } from './fields.ts';
import { Message } from './studio_error.ts';

const Entry: z.ZodType<JournalEntry> = z.object({
  sequence: z.number().int().positive(),
  at: time,
  /** The recorded event: a call to a server, or an action of the studio. */
  kind: z.enum(['call', 'event']),
  profileId: z.string(),
  profileName: z.string(),
  operation: z.string(),
  /** Trace id, model id or task id. */
  subject: z.string(),
  outcome: z.enum(journalOutcomes),
  httpStatus: z.number().int().nullable(),
  envelopeCode: z.number().nullable(),
  /** Short reason of a failure. */
  message: Message,
  bytesSent: z.number().int().nonnegative(),
  bytesReceived: z.number().int().nonnegative(),
  /** Milliseconds to the first byte of the response; null if there was none. */
  firstByteMs: z.number().nonnegative().nullable(),
  totalMs: z.number().nonnegative(),
  billedSeconds: z.number().nonnegative(),
  billedFrames: z.number().nonnegative(),
  billedModels: z.number().nonnegative(),
  cost: z.number().nonnegative(),
  currency: z.string(),
  /** SHA-256 over the entry and the one before it, hex. */
  hash: z.string(),
});

export type { JournalEntry } from '@likeness/journal/journal_entry.ts';

const JournalFilter = z.object({
  profileId: z.string().max(64).optional(),
  operation: z.string().max(40).optional(),
  outcome: z.enum(journalOutcomes).optional(),
  /** Free text over subject, message and profile name. */
  text: z.string().max(200).optional(),
  from: time.optional(),
  to: time.optional(),
});

/** `2026-11`. UTC. */
const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'a month such as 2026-11');

export const Usage = z.object({
  month,
  profiles: z.array(
    z.object({
      profileId: z.string(),
      profileName: z.string(),
      calls: z.number().int(),
      failed: z.number().int(),
      seconds: z.number(),
      frames: z.number(),
      models: z.number(),
      cost: z.number(),
      currency: z.string(),
      monthlyCap: z.number().nullable(),
    }),
  ),
});
export type Usage = z.output<typeof Usage>;

const Latency = z.object({
  operations: z.array(
    z.object({
      operation: z.string(),
      count: z.number().int(),
      /** To the first byte of the answer, milliseconds. */
      p50: z.number(),
      p95: z.number(),
      withinTarget: z.boolean(),
    }),
  ),
  /** The newest measurements, oldest first, for a plot. */
  recent: z.array(z.object({ at: time, operation: z.string(), milliseconds: z.number(), ok: z.boolean() })),
});

export type { Latency } from '@likeness/journal/journal_entry.ts';

export const journalRoom = {
  calls: {
    entries: call(
      z.object({
        before: z.number().int().positive().optional(),
        limit: z.number().int().min(1).max(500),
        filter: JournalFilter,
      }),
      z.object({ entries: z.array(Entry), total: z.number().int() }),
    ),
    /**
     * Names of heads: of models in the library, or of ordered photos. The journal itself contains only
     * servers' ids. Unknown ones are omitted.
     */
    namesOf: call(
      z.object({
        subjects: z.array(z.object({ profileId: z.string().max(64), subject: z.string().max(200) })).max(500),
      }),
      z.array(z.object({ profileId: z.string(), subject: z.string(), name: z.string() })),
    ),
    verify: call(
      nothing,
      z.object({
        ok: z.boolean(),
        entries: z.number().int(),
        firstBroken: z.number().int().nullable(),
        detail: Message,
      }),
    ),
    export: call(z.object({ format: z.enum(['csv', 'jsonl']), filter: JournalFilter }), TextFile),
    usage: call(z.object({ month }), Usage),
    latency: call(z.object({ days: z.number().int().min(1).max(366) }), Latency),
  },
  events: { appended: Entry },
  streams: {},
} as const satisfies Room;
