/** An address that receives notifications about a tenant's models. */
export interface Webhook {
  id: string;
  tenant: string;
  /** The key that registered it: revoking the key stops its notifications. */
  keyId: string;
  url: string;
  /** Encrypted by the seal of this name. */
  secret: string;
  sealedBy: string;
  /** Milliseconds since 1970 UTC. */
  createdAt: number;
}

/** A message to one webhook. */
export interface WebhookMessage {
  /** The same for every attempt, so that a receiver recognises repetitions. */
  id: string;
  webhook: string;
  tenant: string;
  body: string;
}

/** A message to send now. */
export interface DueMessage extends WebhookMessage {
  /** Number of earlier attempts. */
  attempts: number;
}

/** Tenants and webhooks to which enough messages are under way. */
export interface BusyReceivers {
  readonly tenants: readonly string[];
  readonly webhooks: readonly string[];
}

/** A message that was given up. */
export interface DeadMessage {
  id: string;
  webhook: string;
  attempts: number;
  reason: string;
  /** Milliseconds since 1970 UTC. */
  at: number;
}

/** Stores webhooks and pending messages across restarts: in SQLite for one machine, on Redis for many. */
export interface WebhookStore {
  /** @returns false if the tenant already has the maximum */
  add(webhook: Webhook, max: number): Promise<boolean>;
  of(tenant: string): Promise<Webhook[]>;
  find(id: string, tenant: string): Promise<Webhook | null>;
  /** Removes a webhook with its pending messages. @returns false if the tenant has none with this id */
  remove(id: string, tenant: string): Promise<boolean>;
  /** Stores a message once, even if called repeatedly. @param sealedBy Seal of its webhook. */
  put(message: WebhookMessage, sealedBy: string): Promise<void>;
  /**
   * Takes a due message and locks it for `lease` milliseconds.
   *
   * @param sealedBy The seal that can be opened here.
   * @param busy Whose messages to pass over.
   */
  take(sealedBy: string, lease: number, busy: BusyReceivers): Promise<DueMessage | null>;
  /** The message was received. */
  sent(id: string): Promise<void>;
  /** Schedules another attempt after so many milliseconds. @param counts Whether it was sent at all. */
  retry(id: string, after: number, counts: boolean): Promise<void>;
  /** Stops trying to send it. */
  giveUp(id: string, reason: string): Promise<void>;
  /** Newest first. */
  dead(tenant: string, max: number): Promise<DeadMessage[]>;
  /** Removes messages that ended long ago. */
  sweep(): Promise<void>;
}

/** Milliseconds for which an ended message is kept; no repeated notification comes later. */
export const keepMessages = 8 * 24 * 3600 * 1000;
