/** An address that is told of a tenant's models. */
export interface Webhook {
  id: string;
  tenant: string;
  /** The key that registered it: when that is revoked, nothing is told any more. */
  keyId: string;
  url: string;
  /** By the seal of this name. */
  secret: string;
  sealedBy: string;
  /** Milliseconds since 1970 UTC. */
  createdAt: number;
}

/** A message to one webhook. */
export interface WebhookMessage {
  /** The same however often it is sent: a receiver knows it again. */
  id: string;
  webhook: string;
  tenant: string;
  body: string;
}

/** One that is to be sent now. */
export interface DueMessage extends WebhookMessage {
  /** Times that it was sent before. */
  attempts: number;
}

/** One that was given up. */
export interface DeadMessage {
  id: string;
  webhook: string;
  attempts: number;
  reason: string;
  /** Milliseconds since 1970 UTC. */
  at: number;
}

/** Webhooks and what is to be told them, kept over restarts: in SQLite for one machine, on Redis for many. */
export interface WebhookStore {
  /** @returns false where the tenant has so many already */
  add(webhook: Webhook, max: number): Promise<boolean>;
  of(tenant: string): Promise<Webhook[]>;
  find(id: string, tenant: string): Promise<Webhook | null>;
  /** With what it was still to be told. @returns false where the tenant has none with this id */
  remove(id: string, tenant: string): Promise<boolean>;
  /** A message once, however often it is given. @param sealedBy Of its webhook. */
  put(message: WebhookMessage, sealedBy: string): Promise<void>;
  /**
   * One that is due, for `lease` milliseconds nobody else's.
   *
   * @param sealedBy The seal that can be opened here.
   */
  take(sealedBy: string, lease: number): Promise<DueMessage | null>;
  /** It was received. */
  sent(id: string): Promise<void>;
  /** It is tried again after so many milliseconds. @param counts Whether it was sent at all. */
  retry(id: string, after: number, counts: boolean): Promise<void>;
  /** It is tried no more. */
  giveUp(id: string, reason: string): Promise<void>;
  /** Newest first. */
  dead(tenant: string, max: number): Promise<DeadMessage[]>;
  /** Forgets what is over for long. */
  sweep(): Promise<void>;
}

/** Milliseconds for which a message that is over is kept: a model is told of again no later. */
export const keepMessages = 8 * 24 * 3600 * 1000;
