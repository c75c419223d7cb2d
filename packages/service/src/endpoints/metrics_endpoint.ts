import { everywhere } from '@likeness/engine/http/openapi/openapi_parts.ts';
import type { ServiceMetrics } from '../operators/service_metrics.ts';
import type { MoreEndpoint } from './service_endpoints.ts';

/** Prometheus metrics, for keys of the scope `operator`. */
export const metricsEndpoint = (metrics: ServiceMetrics): MoreEndpoint => ({
  method: 'GET',
  path: '/metrics',
  auth: 'either',
  async answer({ response }) {
    const body = await metrics.read();
    response.writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' });
    response.end(body);
  },
  description: {
    tag: 'Engine',
    summary: 'Metrics for Prometheus; needs a key of the scope operator',
    answers: {
      200: { description: 'Text format', content: { 'text/plain': { schema: { type: 'string' } } } },
    },
    refused: { ...everywhere, 401: ['unauthorized'], 403: ['scope_missing'] },
  },
});
