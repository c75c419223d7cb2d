import { everywhere, json } from '@likeness/engine/http/openapi/openapi_parts.ts';
import { sendJson } from '@likeness/engine/http/request_context.ts';
import { z } from 'zod';
import type { MoreEndpoint } from './service_endpoints.ts';

const alive = z.object({ status: z.literal('ok') });
const ready = z.object({ status: z.literal('ready') });
const unreadyAnswer = z.object({
  status: z.literal('unready'),
  reason: z.enum(['draining', 'audit_unwritable', 'queue_unreachable', 'store_unreachable']),
});

/** Why the service accepts no work now; null if it does. */
export type Unready = z.input<typeof unreadyAnswer>['reason'] | null;

/** Endpoints for load balancers and supervisors: they need no key and reveal nothing about users. */
export const healthEndpoints = (unready: () => Unready): Record<'healthz' | 'readyz', MoreEndpoint> => ({
  healthz: {
    method: 'GET',
    path: '/healthz',
    auth: 'none',
    answer: ({ response }) => sendJson(response, 200, { status: 'ok' }),
    description: {
      tag: 'Engine',
      summary: 'The process is alive: restart it where this does not answer',
      answers: { 200: { description: 'Alive', content: json(alive) } },
      refused: everywhere,
    },
  },
  readyz: {
    method: 'GET',
    path: '/readyz',
    auth: 'none',
    answer({ response }) {
      const reason = unready();
      if (reason === null) return sendJson(response, 200, { status: 'ready' });
      sendJson(response, 503, { status: 'unready', reason });
    },
    description: {
      tag: 'Engine',
      summary: 'Takes work: send calls elsewhere where this says 503',
      answers: {
        200: { description: 'Ready', content: json(ready) },
        503: {
          description:
            'Not ready: it is stopping, or can’t write its audit log or reach the shared queue or store',
          content: json(unreadyAnswer),
        },
      },
      refused: everywhere,
    },
  },
});
