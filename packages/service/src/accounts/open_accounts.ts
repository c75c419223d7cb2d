import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { ModelJobs } from '@likeness/engine/models/model_jobs.ts';
import type { Journal } from '@likeness/journal/journal.ts';
import type { KeyRing } from '../keys/key_ring.ts';
import type { EndedModel } from '../models/made_model.ts';
import { ModelBilling } from '../models/model_billing.ts';
import type { OrderStore } from '../models/order_store.ts';
import { SharedBilling } from '../models/shared_billing.ts';
import { type AccountScriptName, accountScripts } from '../queue/account_scripts.ts';
import type { Redis } from '../queue/redis_connection.ts';
import { RedisScripts } from '../queue/redis_scripts.ts';
import type { UsageReportSource } from '../usage_report.ts';
import type { Accounts } from './accounts.ts';
import { LocalAccounts } from './local_accounts.ts';
import { SharedAccounts } from './shared_accounts.ts';
import { UsageMeter } from './usage_meter.ts';
import { UsageShipping } from './usage_shipping.ts';

export interface AccountsOptions {
  journal: Journal;
  ring: KeyRing;
  orders: OrderStore;
  /** Milliseconds since 1970 UTC. */
  clock: () => number;
  onProblem: (error: unknown) => void;
}

/** Limits, usage and billing of keys. */
export interface OpenAccounts {
  accounts: Accounts;
  /** The usage of all nodes, if there are others. */
  usage?: UsageReportSource['usage'];
  /** Starts billing finished models. @returns A handle to stop it. */
  bill(queue: ModelJobs, onEnd: (end: EndedModel) => Promise<void>): { close(): Promise<void> };
  close(): Promise<void>;
}

/** Opens the accounts of one machine alone. */
export function openLocalAccounts({
  journal,
  ring,
  orders,
  clock,
  onProblem,
}: AccountsOptions): OpenAccounts {
  const meter = new UsageMeter({ journal, clock, orderedModels: orders.openCount });
  let billing: ModelBilling | undefined;
  const accounts = new LocalAccounts({
    meter,
    isRepeated: orders.isRepeated,
    onOrdered: async (order) => billing?.ordered(order),
  });
  return {
    accounts,
    bill(queue, onEnd) {
      billing = new ModelBilling({ queue, orders, journal, ring, meter, clock, onEnd, onProblem });
      return billing;
    },
    close: async () => {},
  };
}

/** The Redis scripts for keys and usage. */
export const openAccountScripts = (redis: Redis): RedisScripts<AccountScriptName> =>
  new RedisScripts(redis, accountScripts);

/** Opens the accounts that all nodes of a queue share. @param folder This node's folder. */
export function openSharedAccounts(
  { journal, ring, clock, onProblem }: AccountsOptions,
  { redis, scripts }: { redis: Redis; scripts: RedisScripts<AccountScriptName> },
  folder: string,
  checkInterval: number | undefined,
): OpenAccounts {
  const shipping = new UsageShipping({ journal, scripts, onProblem, checkInterval });
  const accounts = new SharedAccounts({ redis, scripts, shipping, clock, onProblem });
  const node = createHash('sha256').update(`${hostname()}\n${folder}`).digest('hex').slice(0, 16);
  return {
    accounts,
    usage: (month, keys) => accounts.usage(month, keys),
    bill(queue, onEnd) {
      const onBilled = (): void => void shipping.ship();
      return new SharedBilling({ redis, queue, journal, ring, node, onBilled, onEnd, onProblem });
    },
    async close() {
      accounts.close();
      await shipping.close();
    },
  };
}
