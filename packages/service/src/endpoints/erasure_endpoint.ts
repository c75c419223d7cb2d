import { object, text, whole } from '@likeness/engine/http/openapi/json_schema.ts';
import { everywhere, json } from '@likeness/engine/http/openapi/openapi_parts.ts';
import { sendJson } from '@likeness/engine/http/request_context.ts';
import { isTenant } from '../keys/tenant_access.ts';
import type { MoreEndpoint } from './service_endpoints.ts';

export interface TenantErasureOptions {
  /** Deletes all models of a tenant. @returns How many there were. */
  removeAll: (tenant: string) => Promise<number>;
  /** Records the deletion and returns its line number and hash. */
  record: (tenant: string, models: number) => { sequence: number; hash: string; at: number };
}

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
    sendJson(response, 200, { models, receipt: { entry: sequence, hash, at: new Date(at).toISOString() } });
  },
  description: {
    tag: 'Engine',
    summary: 'Extension erase-all: erases all models of the key’s tenant, their photos and their files',
    description: 'The receipt contains the number of the audit log’s entry, and its hash.',
    answers: {
      200: {
        description: 'Erased',
        content: json(
          object(
            {
              models: whole('How many went'),
              receipt: object(
                { entry: whole('Number in the audit log'), hash: text('SHA-256, hex'), at: text('ISO 8601') },
                ['entry', 'hash', 'at'],
              ),
            },
            ['models', 'receipt'],
          ),
        ),
      },
    },
    refused: { ...everywhere, 401: ['unauthorized'], 403: ['scope_missing'] },
  },
});
