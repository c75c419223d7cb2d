import { object, text } from '@likeness/engine/http/openapi/json_schema.ts';
import { everywhere, json } from '@likeness/engine/http/openapi/openapi_parts.ts';
import { sendJson } from '@likeness/engine/http/request_context.ts';
import type { MoreEndpoint } from './service_endpoints.ts';

/** Why the service accepts no work now; null if it does. */
export type Unready = 'draining' | 'audit_unwritable' | null;

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
      answers: { 200: { description: 'Alive', content: json(object({ status: text('ok') }, ['status'])) } },
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
        200: { description: 'Ready', content: json(object({ status: text('ready') }, ['status'])) },
        503: {
          description: 'Not ready: it is stopping, or can’t write its audit log',
          content: json(object({ status: text('unready'), reason: text('Why') }, ['status', 'reason'])),
        },
      },
      refused: everywhere,
    },
  },
});
