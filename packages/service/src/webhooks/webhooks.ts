import { createHash, randomUUID } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { FairShares } from '@likeness/engine/http/fair_shares.ts';
import { type Backoff, backoffPause } from '@likeness/node-kit/backoff.ts';
import type { ServiceKey } from '../keys/service_key.ts';
import type { EndedModel } from '../models/made_model.ts';
import {
  hostOf,
  type PinnedAddress,
  pinAddress,
  type ResolveName,
  type WebhookAddressRefused,
  type WebhookAllowList,
} from './webhook_address.ts';
import { newWebhookSecret, signedHeaders, type WebhookSeal } from './webhook_secret.ts';
import type { BusyReceivers, DeadMessage, DueMessage, Webhook, WebhookStore } from './webhook_store.ts';

export interface WebhooksOptions {
  store: WebhookStore;
  seal: WebhookSeal;
  allowed: WebhookAllowList;
  resolve: ResolveName;
  isKeyValid: (key: { id: string }) => boolean;
  /** Milliseconds since 1970 UTC. */
  clock: () => number;
  /** Pauses between attempts. @default 5 s, doubled to at most 6 h */
  backoff?: Backoff | undefined;
  /** Milliseconds between two checks for due messages. @default 1000 */
  checkInterval?: number | undefined;
  onProblem: (error: unknown) => void;
}

/** Maximum number of webhooks of one tenant. */
export const maxWebhooks = 10;
/** Attempts before a message is given up: some three hours with the default pauses. */
const maxAttempts = 12;
const defaultBackoff: Backoff = { first: 5000, longest: 6 * 3600 * 1000 };
/** Time limit for a receiver's answer, milliseconds. */
const patience = 10_000;
/** Longer than one attempt takes: afterwards the node that took the message counts as dead. */
const lease = 30_000;
/**
 * Messages sent at the same time: in all, of which each tenant gets its share, and to one webhook. A slow
 * receiver blocks no other.
 */
const maxConcurrent = 32;
const maxPerEndpoint = 4;
const defaultCheckInterval = 1000;
const sweepEvery = 3_600_000;

/** Notifies a tenant's registered addresses of the outcome of its models, until each has acknowledged. */
export class Webhooks {
  readonly #options: WebhooksOptions;
  readonly #sending = new Map<Promise<void>, DueMessage>();
  readonly #shares = new FairShares(maxConcurrent);
  readonly #checkInterval: number;
  readonly #timers: NodeJS.Timeout[];
  #isLooking = false;
  #isClosing = false;

  constructor(options: WebhooksOptions) {
    this.#options = options;
    const every = (milliseconds: number, work: () => Promise<void>): NodeJS.Timeout =>
      setInterval(() => work().catch(options.onProblem), milliseconds).unref();
    this.#checkInterval = options.checkInterval ?? defaultCheckInterval;
    this.#timers = [
      every(this.#checkInterval, () => this.#sendDue()),
      every(sweepEvery, () => options.store.sweep()),
    ];
  }

  /**
   * @returns The webhook and its secret, which is stored nowhere in plain text; null if the tenant has too
   * many.
   * @throws {WebhookAddressRefused}
   */
  async register(url: URL, key: ServiceKey): Promise<{ webhook: Webhook; secret: string } | null> {
    const { store, seal, allowed, resolve, clock } = this.#options;
    await pinAddress(url, allowed, resolve);
    const id = randomUUID();
    const secret = newWebhookSecret();
    const webhook: Webhook = {
      id,
      tenant: key.tenant,
      keyId: key.id,
      url: url.href,
      secret: seal.seal(secret, id),
      sealedBy: seal.name,
      createdAt: clock(),
    };
    return (await store.add(webhook, maxWebhooks)) ? { webhook, secret } : null;
  }

  of(tenant: string): Promise<Webhook[]> {
    return this.#options.store.of(tenant);
  }

  remove(id: string, tenant: string): Promise<boolean> {
    return this.#options.store.remove(id, tenant);
  }

  dead(tenant: string): Promise<DeadMessage[]> {
    return this.#options.store.dead(tenant, 100);
  }

  /** Announces an ended model: its messages are stored when this resolves. */
  async announce({ id, owner, kind, at, isMade }: EndedModel): Promise<void> {
    const { store } = this.#options;
    const type = isMade ? 'model.succeeded' : 'model.failed';
    const timestamp = new Date(at).toISOString();
    const body = JSON.stringify({ type, timestamp, data: { id, kind, status: isMade ? 1 : 4 } });
    for (const { id: webhook, sealedBy } of await store.of(owner)) {
      const name = createHash('sha256').update(`${webhook}\n${id}\n${type}`).digest('hex').slice(0, 32);
      await store.put({ id: `msg_${name}`, webhook, tenant: owner, body }, sealedBy);
    }
    this.#sendDue().catch(this.#options.onProblem);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all(this.#sending.keys());
  }

  /** Sends the due messages. */
  async #sendDue(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const { store, seal, onProblem } = this.#options;
      while (!this.#isClosing && this.#sending.size < maxConcurrent) {
        const message = await store.take(seal.name, lease, this.#busy());
        if (!message) return;
        this.#shares.take(message.tenant);
        const sending: Promise<void> = this.#send(message)
          .catch(onProblem)
          .finally(() => {
            this.#sending.delete(sending);
            this.#shares.give(message.tenant);
          });
        this.#sending.set(sending, message);
      }
    } finally {
      this.#isLooking = false;
    }
  }

  #busy(): BusyReceivers {
    const sending = [...this.#sending.values()];
    const toWebhook = (id: string): number => sending.filter(({ webhook }) => webhook === id).length;
    return {
      tenants: [...new Set(sending.map(({ tenant }) => tenant))].filter((one) => this.#shares.lackOf(one)),
      webhooks: [...new Set(sending.map(({ webhook }) => webhook))].filter(
        (one) => toWebhook(one) >= maxPerEndpoint,
      ),
    };
  }

  async #send(message: DueMessage): Promise<void> {
    const { store, seal, allowed, resolve, isKeyValid, clock, backoff = defaultBackoff } = this.#options;
    const { id, body, attempts } = message;
    const webhook = await store.find(message.webhook, message.tenant);
    if (!webhook) return store.giveUp(id, 'the webhook was removed');
    if (!isKeyValid({ id: webhook.keyId }))
      return store.giveUp(id, 'the key of the webhook is not valid any more');
    try {
      const url = new URL(webhook.url);
      const pinned = await pinAddress(url, allowed, resolve);
      const secret = seal.open(webhook.secret, webhook.id);
      const seconds = Math.floor(clock() / 1000);
      const status = await post(url, pinned, body, signedHeaders(secret, { id, body, seconds }));
      if (status >= 200 && status < 300) return await store.sent(id);
      if (status === 410) return await store.giveUp(id, 'answered 410: it wants no more');
      // A redirect is not followed: it may lead to a forbidden address.
      throw new Error(`answered ${status}`);
    } catch (error) {
      const reason = String((error as Error | WebhookAddressRefused).message).slice(0, 300);
      if (attempts + 1 >= maxAttempts) return store.giveUp(id, reason);
      return store.retry(id, backoffPause(attempts + 1, backoff), true);
    }
  }
}

/** Sends one POST to the checked address. @returns The status; the answer's body is not read. */
function post(
  url: URL,
  { address, family }: PinnedAddress,
  body: string,
  headers: Record<string, string>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)({
      method: 'POST',
      hostname: hostOf(url),
      port: url.port,
      path: `${url.pathname}${url.search}`,
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'likeness-webhooks',
      },
      // A separate connection, to this address only.
      agent: false,
      lookup: (_name, options, found) =>
        options.all ? found(null, [{ address, family }]) : found(null, address, family),
      signal: AbortSignal.timeout(patience),
    });
    request.on('response', (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    request.on('error', (error) =>
      reject(
        error.name === 'TimeoutError' || error.name === 'AbortError' ? new Error('no answer in 10 s') : error,
      ),
    );
    request.end(body);
  });
}
