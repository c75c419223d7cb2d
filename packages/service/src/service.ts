import { type EngineOptions, openEngine } from '@likeness/engine/engine.ts';
import { defaultLimits, type EngineLimits, mebibyte } from '@likeness/engine/http/limits.ts';
import { startEngineServer } from '@likeness/engine/http/server.ts';
import { UnusableFolder } from '@likeness/engine/unusable_folder.ts';
import { t } from '@likeness/messages';
import type { Backoff } from '@likeness/node-kit/backoff.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { openDatabase } from '@likeness/node-kit/storage/database.ts';
import type { createLineLog } from '@likeness/node-kit/storage/log.ts';
import { WalFlush } from '@likeness/node-kit/wal_flush.ts';
import { openAccountScripts, openLocalAccounts, openSharedAccounts } from './accounts/open_accounts.ts';
import { AuditLog } from './calls/audit_log.ts';
import { RequestGate } from './calls/request_gate.ts';
import { erasureEndpoint } from './endpoints/erasure_endpoint.ts';
import { healthEndpoints } from './endpoints/health_endpoints.ts';
import { imageTaskEndpoints } from './endpoints/image_task_endpoints.ts';
import { metricsEndpoint } from './endpoints/metrics_endpoint.ts';
import { moreEndpoints } from './endpoints/service_endpoints.ts';
import { usageEndpoint } from './endpoints/usage_endpoint.ts';
import { webhookEndpoints } from './endpoints/webhook_endpoints.ts';
import { KeyRing } from './keys/key_ring.ts';
import { SharedKeys } from './keys/shared_keys.ts';
import { tenantAccess } from './keys/tenant_access.ts';
import { readTlsFiles, type ServiceAddressOptions, serviceAddress } from './listen/service_address.ts';
import { createOrderStore, serviceMigrations } from './models/order_store.ts';
import { openShared } from './open_shared.ts';
import { createServiceMetrics } from './operators/service_metrics.ts';
import { lockServiceFolder, serviceFolder } from './service_folder.ts';
import { openServiceJournal } from './service_journal.ts';
import { usageSource } from './usage_report.ts';
import { createRedisWebhookStore } from './webhooks/redis_webhook_store.ts';
import { createSqliteWebhookStore } from './webhooks/sqlite_webhook_store.ts';
import { allowedWebhooks, type ResolveName, resolveName } from './webhooks/webhook_address.ts';
import { openWebhookSeal } from './webhooks/webhook_secret.ts';
import { Webhooks } from './webhooks/webhooks.ts';

export interface ServiceOptions {
  version: string;
  /** Queue and store that it shares with other machines. Null: it is one for itself. */
  shared?: { queue: string; store: string } | null;
  /** Everything that it keeps. Absolute; made where it isn't there. */
  folder: string;
  pathWord: string;
  address: ServiceAddressOptions;
  /** Where webhooks may go that is private, and what seals their secrets (null: a file of the folder). */
  webhooks?: { allowed: readonly string[]; keyFile: string | null; backoff?: Backoff; resolve?: ResolveName };
  makers: Pick<EngineOptions, 'loadHeadMaker' | 'loadFaceMaker' | 'loadRecordingMaker'>;
  limits?: Partial<EngineLimits>;
  /** Milliseconds between two checks of the keys, the sums on Redis, and webhook messages that are due. */
  checkIntervals?: { keys?: number; usage?: number; webhooks?: number };
  /** Milliseconds since 1970 UTC. */
  clock: () => number;
  log: ReturnType<typeof createLineLog>;
  /** A name for this run, different at each start. */
  run: string;
}

export interface RunningService {
  port: number;
  /** Nobody can call it yet. */
  hasNoKey: boolean;
  /** Reads the certificate's files again. @throws Failure `invalid_input`; then the one before stays */
  renewTls(): void;
  /** Reads the keys' file now, which a running service does each second. */
  reloadKeys(): Promise<void>;
  /** Calls under way. */
  readonly inFlight: number;
  /**
   * Takes no more connections, and ends when the calls under way have ended.
   *
   * @param grace Milliseconds after which they are broken off.
   */
  close(grace: number): Promise<void>;
}

const refusalOf = (error: unknown): unknown =>
  error instanceof UnusableFolder
    ? new Failure('storage', t('photo.engine_says', { words: error.text }), { cause: error })
    : error;

/** What a service bears by default beyond the engine of one person. */
const serviceLimits: Partial<EngineLimits> = {
  connections: 8192,
  unauthenticated: 1024,
  openTraces: 512,
  waitingModels: 100_000,
  audioBytesInFlight: 512 * mebibyte,
  resultBytes: 64 * 1024 * mebibyte,
};

/**
 * The engine as a service for many: everything that one machine needs, in one process.
 *
 * @throws Failure where the folder is in use or can't be read, or the address isn't safe; the system's error
 *   where the port can't be had
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { version, pathWord, clock, log, run, makers, checkIntervals = {} } = options;
  const address = serviceAddress(options.address);
  const folder = serviceFolder(options.folder);
  const allowed = allowedWebhooks(options.webhooks?.allowed ?? []);
  const seal = await openWebhookSeal(folder.path, options.webhooks?.keyFile ?? null);
  const lock = lockServiceFolder(folder);
  const engineLog: EngineOptions['log'] = (level, message, error) =>
    log[level === 'warning' ? 'warn' : level]({ err: error }, message);

  const journal = openServiceJournal(folder, clock, run);
  const [detail] = journal.openLosses;
  if (detail !== undefined) {
    journal.close();
    lock.release();
    throw new Failure('storage', t('service.audit_loss', { folder: folder.journal, detail }), {
      hint: t('service.accept_loss'),
    });
  }
  const audit = new AuditLog({
    journal,
    onProblem: (error) => log.error({ err: error }, 'the audit log can’t be written'),
  });
  const limits = { ...defaultLimits, ...serviceLimits, ...options.limits };
  const shared = options.shared ? await openShared(options.shared, limits, engineLog) : undefined;
  const scripts = shared && openAccountScripts(shared.redis);
  const ring = await KeyRing.open({
    shared: scripts && new SharedKeys(scripts),
    folder: folder.path,
    clock,
    onChanged: () => gate.expel(),
    onProblem: (error) => log.error({ err: error }, 'the keys can’t be read; those known hold on'),
    checkInterval: checkIntervals.keys,
  });
  // What a power cut must not take waits for the disk by itself; the rest is how far the journal has been billed.
  const { db } = openDatabase({ path: folder.database, migrations: serviceMigrations, durability: 'normal' });
  const wal = new WalFlush(db);
  const orderStore = createOrderStore(db, wal);
  const accounting = {
    journal,
    ring,
    orders: orderStore,
    clock,
    onProblem: (error: unknown) =>
      log.error({ err: error }, 'usage or models can’t be counted; they will be later'),
  };
  const { accounts, ...account } =
    shared && scripts
      ? openSharedAccounts(accounting, { redis: shared.redis, scripts }, folder.path, checkIntervals.usage)
      : openLocalAccounts(accounting);
  const gate = new RequestGate({
    ring,
    audit,
    accounts,
    clock,
    onBegun: (endpoint) => metrics.begun(endpoint),
    onEnded(call) {
      metrics.ended(call);
      log[call.status >= 500 ? 'warn' : 'debug'](call, 'call');
    },
  });
  const release = async (): Promise<void> => {
    await account.close();
    shared?.close();
    ring.close();
    await wal.close();
    db.close();
    journal.close();
    lock.release();
  };
  const engine = await openEngine({
    version,
    folder: folder.engine,
    pathWord,
    ...makers,
    limits,
    shared,
    makesImageTasks: true,
    clock,
    onLoad: () => {},
    log: engineLog,
  }).catch(async (error: unknown) => {
    await release();
    throw refusalOf(error);
  });
  const { queue } = engine.parts;
  const metrics = createServiceMetrics(() => queue.measures());
  const webhooks = new Webhooks({
    store: shared ? createRedisWebhookStore(shared.redis) : createSqliteWebhookStore(db, clock),
    seal,
    allowed,
    resolve: options.webhooks?.resolve ?? resolveName,
    isKeyValid: (key) => ring.isValid(key),
    clock,
    backoff: options.webhooks?.backoff,
    checkInterval: checkIntervals.webhooks,
    onProblem: (error) => log.error({ err: error }, 'webhooks can’t be told; they will be later'),
  });
  const billing = account.bill(queue, async (end) => {
    await webhooks.announce(end);
    // After it: an end that couldn't be told of comes again.
    metrics.modelEnded(end);
  });
  const unready = () =>
    gate.isDraining ? ('draining' as const) : audit.isWritable ? null : ('audit_unwritable' as const);
  const server = await startEngineServer(
    {
      ...engine.parts,
      access: tenantAccess(ring),
      watch: gate,
      more: moreEndpoints({
        ...healthEndpoints(unready),
        usage: usageEndpoint(usageSource(journal, () => ring.all, clock, account.usage)),
        metrics: metricsEndpoint(metrics),
        ...imageTaskEndpoints(pathWord, queue),
        ...webhookEndpoints(webhooks),
        eraseAll: erasureEndpoint({
          async removeAll(tenant) {
            const models = await queue.removeAll(tenant);
            orderStore.forgetTenant(tenant);
            return models;
          },
          record: (tenant, models) =>
            journal.appendEvent({ operation: 'erase', subject: tenant, message: `${models} models` }),
        }),
      }),
    },
    address,
  );

  return {
    port: server.port,
    hasNoKey: ring.all.length === 0,
    renewTls() {
      if (options.address.tls) server.renewTls(readTlsFiles(options.address.tls));
    },
    reloadKeys: () => ring.reload(),
    get inFlight() {
      return gate.inFlight;
    },
    async close(grace) {
      gate.isDraining = true;
      await server.close(grace);
      await gate.ended();
      await billing.close();
      await webhooks.close();
      await engine.close();
      await audit.written();
      await release();
    },
  };
}
