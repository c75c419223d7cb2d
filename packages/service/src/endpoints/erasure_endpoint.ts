import { everywhere, json } from '@likeness/engine/http/openapi/openapi_parts.ts';
import { sendJson } from '@likeness/engine/http/request_context.ts';
import { z } from 'zod';
import { isTenant } from '../keys/tenant_access.ts';
import type { MoreEndpoint } from './service_endpoints.ts';

export interface TenantErasureOptions {
  /** Deletes all models of a tenant. @returns How many there were. */
  removeAll: (tenant: string) => Promise<number>;
  /** Records the deletion and returns its line number and hash. */
  record: (tenant: string, models: number) => { sequence: number; hash: string; at: number };
}

const erased = z.object({
  models: z.int().describe('How many were erased'),
  receipt: z.object({
    entry: z.int().describe('Number in the audit log'),
    hash: z.string().describe('SHA-256, hex'),
    at: z.iso.datetime(),
  }),
});

/** Extension `erase-all`: deletes all models of the caller's tenant and returns a receipt. */
export const erasureEndpoint = ({ removeAll, record }: TenantErasureOptions): MoreEndpoint => ({
  method: 'DELETE',
  path: '/v1/models',
  auth: 'either',
  extension: 'erase-all',
  async answer({ response, caller }) {
    if (!isTenant(caller)) return;
    const models = await removeAll(caller.owner);
    const { sequence, hash, at } = record(caller.owner, models);
    sendJson(response, 200, {
      models,
      receipt: { entry: sequence, hash, at: new Date(at).toISOString() },
    } satisfies z.input<typeof erased>);
  },
  description: {
    tag: 'Engine',
    summary: 'Extension erase-all: erases all models of the key’s tenant, their photos and their files',
    description: 'The receipt contains the number of the audit log’s entry, and its hash.',
    answers: {
      200: { description: 'Erased', content: json(erased) },
    },
    refused: { ...everywhere, 401: ['unauthorized'], 403: ['scope_missing'] },
  },
});
