import { everywhere, json } from '@likeness/engine/http/openapi/openapi_parts.ts';
import { Refusal } from '@likeness/engine/http/refusal.ts';
import { sendJson } from '@likeness/engine/http/request_context.ts';
import { t } from '@likeness/messages';
import { z } from 'zod';
import { isTenant } from '../keys/tenant_access.ts';
import type { UsageReportSource } from '../usage_report.ts';
import { isMonth, usageCsv, usageOf } from '../usage_report.ts';
import type { MoreEndpoint } from './service_endpoints.ts';

const cap = z.number().nullable().optional();
const usage = z.object({
  month: z.string().describe('Such as 2026-11'),
  keys: z.array(
    z.object({
      id: z.string().describe('Of the key; no secret'),
      name: z.string().describe('Name that the service’s operator gave it'),
      calls: z.int().describe('All, refused ones included'),
      failed: z.int().describe('By the service’s fault'),
      seconds: z.number().describe('Of audio turned into a face'),
      frames: z.int().describe('Of faces'),
      models: z.int().describe('Made'),
      caps: z.record(z.string(), cap).describe('Maximum per month; null: no cap'),
    }),
  ),
});

/** Extension `usage`: monthly usage of the keys of the caller's tenant. */
export const usageEndpoint = (source: UsageReportSource): MoreEndpoint => ({
  method: 'GET',
  path: '/v1/usage',
  auth: 'either',
  extension: 'usage',
  async answer({ request, response, caller }) {
    const { searchParams } = new URL(request.url ?? '', 'http://service');
    const month = searchParams.get('month') ?? source.thisMonth();
    if (!isMonth(month)) throw wrongMonth();
    if (!isTenant(caller)) return;
    const keys = await usageOf(source, month, caller.key.tenant);
    if (/text\/csv/i.test(request.headers.accept ?? '')) {
      response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8', 'cache-control': 'no-store' });
      response.end(usageCsv(month, keys));
      return;
    }
    sendJson(response, 200, { month, keys } satisfies z.input<typeof usage>);
  },
  description: {
    tag: 'Engine',
    summary: 'Extension usage: seconds, frames and models by key and month; CSV by Accept: text/csv',
    description: 'Covers all keys of the caller’s tenant. A month such as 2026-11, UTC; default: this month.',
    parameters: [{ name: 'month', in: 'query', required: false, schema: { type: 'string' } }],
    answers: {
      200: { description: 'The usage', content: json(usage) },
    },
    refused: { ...everywhere, 400: ['month_wrong'], 401: ['unauthorized'], 403: ['scope_missing'] },
  },
});

const wrongMonth = (): Refusal =>
  new Refusal(400, 'month_wrong', t('refusal.month_wrong'), { field: 'month' });
