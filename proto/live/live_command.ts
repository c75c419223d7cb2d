import { z } from 'zod';
import { OverdubTarget, startsAt } from '../takes/overdub_target.ts';
import { ShownExpression } from '../takes/performed_expressions.ts';
import { Script } from '../takes/script.ts';

/** Milliseconds from the sound at the microphone to the face on the screen, by percentile. */
export const LatencyFigures = z.object({ p50: z.number().nonnegative(), p95: z.number().nonnegative() });
export type LatencyFigures = z.output<typeof LatencyFigures>;

/**
 * An order from the page to the session. It ends up in a take's record, so it is validated like any call's
 * input.
 */
export const LiveCommand = z.discriminatedUnion('order', [
  /** Drops what has not been made yet. */
  z.object({ order: z.literal('interrupt') }),
  /** `model` is the head's id in the library; empty for the default head. */
  z.object({
    order: z.literal('record'),
    name: z.string().max(1000),
    notes: z.string().max(100_000),
    model: z.string().regex(/^[A-Za-z0-9_-]{0,64}$/),
    /** Absent: a take of its own. Its beginning is a guess until the recording stops. */
    attempt: OverdubTarget.optional(),
    /** Transcript of existing audio; it applies from the first sample. */
    script: Script.optional(),
  }),
  z.object({
    order: z.literal('stop_recording'),
    latency: LatencyFigures.nullable(),
    /** Start of an overdub, measured while the take played. */
    startsAt: startsAt.optional(),
  }),
  /** From now on this expression lies over the face. */
  z.object({ order: z.literal('expression'), expression: ShownExpression }),
  /** No sound will follow; the session closes when the last frame is made. */
  z.object({ order: z.literal('end') }),
]);
export type LiveCommand = z.output<typeof LiveCommand>;
