import { FairShares } from '@likeness/engine/http/fair_shares.ts';
import { parseJsonBody, readJsonBody } from '@likeness/engine/http/json_body.ts';
import { defaultLimits } from '@likeness/engine/http/limits.ts';
import {
  emptyObject,
  everywhere,
  json,
  type OperationDescription,
  pathParameter,
} from '@likeness/engine/http/openapi/openapi_parts.ts';
import { Refusal } from '@likeness/engine/http/refusal.ts';
import { sendJson } from '@likeness/engine/http/request_context.ts';
import { t } from '@likeness/messages';
import { z } from 'zod';
import { isTenant } from '../keys/tenant_access.ts';
import { WebhookAddressRefused } from '../webhooks/webhook_address.ts';
import type { Webhook } from '../webhooks/webhook_store.ts';
import { maxWebhooks, type Webhooks } from '../webhooks/webhooks.ts';
import type { MoreEndpoint } from './service_endpoints.ts';

const Order = z.strictObject({
  url: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .describe('Address of the receiver'),
});
const shownSchema = z.object({
  id: z.string().describe('Of the webhook'),
  url: z.string().describe('Address of the receiver'),
  createdAt: z.iso.datetime(),
});
const addedSchema = shownSchema.extend({ secret: z.string().describe('whsec_…; shown once') });
const listSchema = z.object({
  webhooks: z.array(shownSchema),
  dead: z.array(
    z.object({
      id: z.string().describe('Of the message'),
      webhook: z.string().describe('Id of its webhook'),
      attempts: z.int().describe('Number of attempts'),
      reason: z.string().describe('Why the last attempt failed'),
      at: z.iso.datetime(),
    }),
  ),
});
const bodyBytes = 8192;
const shape = { maxBytes: bodyBytes, maxValues: 64, maxLargeValues: 0 };

/** Omits the secret, which is shown only once. */
const shown = ({ id, url, createdAt }: Webhook): z.input<typeof shownSchema> => ({
  id,
  url,
  createdAt: new Date(createdAt).toISOString(),
});

/** Extension `webhooks`: addresses to notify of the outcome of a tenant's models. */
export function webhookEndpoints(
  webhooks: Webhooks,
): Record<'addWebhook' | 'listWebhooks' | 'removeWebhook', MoreEndpoint> {
  const inFlight = new FairShares(1024 * bodyBytes);
  const alike = { path: '/v1/webhooks', auth: 'either', extension: 'webhooks' } as const;
  const known = {
    tag: 'Engine',
    refused: { ...everywhere, 401: ['unauthorized'], 403: ['scope_missing'] },
  } satisfies Partial<OperationDescription>;
  return {
    addWebhook: {
      ...alike,
      method: 'POST',
      async answer({ request, response, caller }) {
        if (!isTenant(caller)) return;
        const { owner } = caller;
        const reading = { most: bodyBytes, tooLarge, shape, inFlight, owner, limits: defaultLimits };
        const text = await readJsonBody({ request, response }, reading);
        const { url } = parseJsonBody(text, Order);
        const added = await webhooks.register(new URL(url), caller.key).catch((error: unknown) => {
          throw error instanceof WebhookAddressRefused ? refusedAddress(error) : error;
        });
        if (!added) throw tooMany();
        sendJson(response, 201, { ...shown(added.webhook), secret: added.secret } satisfies z.input<
          typeof addedSchema
        >);
      },
      description: {
        ...known,
        summary: 'Extension webhooks: register an address to notify when a model is made or has failed',
        description:
          'Messages are signed as Standard Webhooks defines, with the secret in the answer, which is shown once. They are sent again with growing pauses until the receiver answers 2xx; 410 ends a message. Only public HTTPS addresses are allowed; redirects are not followed.',
        requestBody: { required: true, content: json(Order) },
        answers: { 201: { description: 'Registered', content: json(addedSchema) } },
        refused: {
          ...known.refused,
          400: ['not_http', 'json_malformed', 'field_unknown', 'field_wrong_value'],
          409: ['too_many_webhooks'],
          413: ['webhook_too_large'],
          415: ['not_json'],
          422: ['webhook_address_refused'],
        },
      },
    },
    listWebhooks: {
      ...alike,
      method: 'GET',
      async answer({ response, caller }) {
        if (!isTenant(caller)) return;
        const [all, dead] = await Promise.all([webhooks.of(caller.owner), webhooks.dead(caller.owner)]);
        sendJson(response, 200, {
          webhooks: all.map(shown),
          dead: dead.map(({ at, ...message }) => ({ ...message, at: new Date(at).toISOString() })),
        } satisfies z.input<typeof listSchema>);
      },
      description: {
        ...known,
        summary:
          'Extension webhooks: those of the tenant, and the messages that were given up, each with why',
        answers: { 200: { description: 'All of the tenant', content: json(listSchema) } },
      },
    },
    removeWebhook: {
      ...alike,
      method: 'DELETE',
      path: '/v1/webhooks/{webhookId}',
      async answer({ response, parameters, caller }) {
        if (!isTenant(caller)) return;
        if (!(await webhooks.remove(parameters.webhookId ?? '', caller.owner))) throw unknown();
        sendJson(response, 200, {});
      },
      description: {
        ...known,
        summary: 'Extension webhooks: remove an address',
        parameters: [pathParameter('webhookId')],
        answers: { 200: { description: 'Deleted', content: json(emptyObject) } },
        refused: { ...known.refused, 404: ['webhook_unknown'] },
      },
    },
  };
}

const tooLarge = (): Refusal =>
  new Refusal(413, 'webhook_too_large', t('refusal.webhook_too_large', { bodyBytes }));

const tooMany = (): Refusal =>
  new Refusal(409, 'too_many_webhooks', t('refusal.too_many_webhooks', { maxWebhooks }));

const unknown = (): Refusal => new Refusal(404, 'webhook_unknown', t('refusal.webhook_unknown'));

const refusedAddress = ({ message }: Error): Refusal =>
  new Refusal(422, 'webhook_address_refused', t('refusal.webhook_address_refused', { message }), {
    field: 'url',
  });
