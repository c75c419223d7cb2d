import { z } from 'zod';
import { call, nothing, type Room } from './call.ts';
import { Message } from './studio_error.ts';

export const EngineStatus = z.object({
  state: z.enum(['stopped', 'starting', 'running', 'unresponsive', 'failed']),
  /** Why it failed, the last exit, and when an engine that does not answer is restarted. */
  message: Message,
  restarts: z.number().int(),
  queued: z.number().int(),
  running: z.number().int(),
  /** Open to other programs on this machine, on a fixed port, with a separate key. */
  external: z.object({
    enabled: z.boolean(),
    port: z.number().int(),
    url: z.string(),
    keyLastFour: z.string().max(4),
  }),
});
export type EngineStatus = z.output<typeof EngineStatus>;

/** Where a requested secret was put. It never passes through the page. */
const HandedOver = z.object({ to: z.enum(['clipboard', 'terminal']) });

export const engineRoom = {
  calls: {
    status: call(nothing, EngineStatus),
    restart: call(nothing, EngineStatus),
    setExternal: call(
      z.object({ enabled: z.boolean(), port: z.number().int().min(1024).max(65_535) }),
      EngineStatus,
    ),
    /** Makes a new key for other programs; the old one becomes invalid at once. */
    renewExternalKey: call(nothing, EngineStatus),
    revealExternalKey: call(nothing, HandedOver),
  },
  events: { changed: EngineStatus },
  streams: {},
} as const satisfies Room;
