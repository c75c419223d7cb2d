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
import { healthEndpoints, type Unready } from './endpoints/health_endpoints.ts';
import { imageTaskEndpoints } from './endpoints/image_task_endpoints.ts';
import { metricsEndpoint } from './endpoints/metrics_endpoint.ts';
import { moreEndpoints } from './endpoints/service_endpoints.ts';
import { usageEndpoint } from './endpoints/usage_endpoint.ts';
import { webhookEndpoints } from './endpoints/webhook_endpoints.ts';
import { KeyRing } from './keys/key_ring.ts';
import { Revocations } from './keys/revocations.ts';
import { SharedKeys } from './keys/shared_keys.ts';
import { tenantAccess } from './keys/tenant_access.ts';
import { readTlsFiles, type ServiceAddressOptions, serviceAddress } from './listen/service_address.ts';
import { createOrderStore, serviceMigrations } from './models/order_store.ts';
import { openShared } from './open_shared.ts';
import { createServiceMetrics } from './operators/service_metrics.ts';
import { SharedHealth } from './operators/shared_health.ts';
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
  /** Queue and store shared with other machines. Null: this machine works alone. */
  shared?: { queue: string; store: string } | null;
  /** Folder for all its data. Absolute path; created where it is missing. */
  folder: string;
  pathWord: string;
  address: ServiceAddressOptions;
  /**
   * Private addresses that webhooks may call, and the key file that seals their secrets (null: one in the
   * folder).
   */
  webhooks?: { allowed: readonly string[]; keyFile: string | null; backoff?: Backoff; resolve?: ResolveName };
  makers: Pick<EngineOptions, 'loadHeadMaker' | 'loadFaceMaker' | 'loadRecordingMaker'>;
  limits?: Partial<EngineLimits>;
  /**
   * Milliseconds between two checks of the keys, of the sums on Redis, of due webhook messages, of queue and
   * store, and between two lines of refused calls.
   */
  checkIntervals?: { keys?: number; usage?: number; webhooks?: number; shared?: number; refused?: number };
  /** Milliseconds since 1970 UTC. */
  clock: () => number;
  log: ReturnType<typeof createLineLog>;
  /** A name for this run, different at each start. */
  run: string;
}

export interface RunningService {
  port: number;
  /** No key exists yet, so nobody can call it. */
  hasNoKey: boolean;
  /** Reads the certificate's files again. @throws Failure `invalid_input`; then the previous one stays */
  renewTls(): void;
  /** Reads the key file now; a running service reads it each second anyway. */
  reloadKeys(): Promise<void>;
  /** Number of calls in progress. */
  readonly inFlight: number;
  /**
   * Accepts no more connections, and ends when the calls in progress have ended.
   *
   * @param grace Milliseconds after which they are cut off.
   */
  close(grace: number): Promise<void>;
}

const refusalOf = (error: unknown): unknown =>
  error instanceof UnusableFolder
    ? new Failure('storage', t('photo.engine_says', { words: error.text }), { cause: error })
    : error;

const refusedKeys = {
  forged: 'a key in Redis has a wrong signature and opens nothing: somebody else may write to this Redis',
  other_seal:
    'a key in Redis is signed with another webhook.key and opens nothing here: start all nodes with the same file as --webhook-key',
} as const;

/** Default limits of a service, higher than those of the engine for one person. */
const serviceLimits: Partial<EngineLimits> = {
  connections: 8192,
  unauthenticated: 1024,
  openTraces: 512,
  waitingModels: 100_000,
  audioBytesInFlight: 512 * mebibyte,
  resultBytes: 64 * 1024 * mebibyte,
};

/**
 * Starts the engine as a service for many users: everything that one machine needs, in one process.
 *
 * @throws Failure if the folder is in use or unreadable, or the address isn't safe; the system's error if the
 * port is unavailable
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const opened: (() => unknown)[] = [];
  const closeAll = async (): Promise<void> => {
    let failed: { error: unknown } | undefined;
    for (const close of opened.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        // The rest is closed all the same: above all its locks.
        failed ??= { error };
      }
    }
    if (failed) throw failed.error;
  };
  try {
    return await openService(options, (close) => opened.push(close), closeAll);
  } catch (error) {
    await closeAll().catch(() => {});
    throw refusalOf(error);
  }
}

/** @param onOpened Takes how to close what was opened; `closeAll` does that, last opened first. */
async function openService(
  options: ServiceOptions,
  onOpened: (close: () => unknown) => void,
  closeAll: () => Promise<void>,
): Promise<RunningService> {
  const { version, pathWord, clock, log, run, makers, checkIntervals = {} } = options;
  const address = serviceAddress(options.address);
  const folder = serviceFolder(options.folder);
  const allowed = allowedWebhooks(options.webhooks?.allowed ?? []);
  const seal = await openWebhookSeal(folder.path, options.webhooks?.keyFile ?? null);
  const lock = lockServiceFolder(folder);
  onOpened(() => lock.release());
  const engineLog: EngineOptions['log'] = (level, message, error) =>
    log[level === 'warning' ? 'warn' : level]({ err: error }, message);

  const journal = openServiceJournal(folder, clock, run);
  onOpened(() => journal.close());
  const [detail] = journal.openLosses;
  if (detail !== undefined) {
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
  onOpened(() => shared?.close());
  const health =
    shared &&
    new SharedHealth({
      checks: shared.checks,
      interval: checkIntervals.shared,
      onChanged: (part, isReachable) =>
        log[isReachable ? 'info' : 'error'](
          {},
          `the ${part} can ${isReachable ? 'be reached again' : 'not be reached'}`,
        ),
    });
  onOpened(() => health?.close());
  const scripts = shared && openAccountScripts(shared.redis);
  // Data that must survive a power cut waits for the disk explicitly; the rest is the billing position.
  const { db } = openDatabase({ path: folder.database, migrations: serviceMigrations, durability: 'normal' });
  onOpened(() => db.close());
  const wal = new WalFlush(db);
  onOpened(() => wal.close());
  const ring = await KeyRing.open({
    shared:
      scripts && new SharedKeys({ scripts, seal, onRefused: (reason) => log.warn(refusedKeys[reason]) }),
    onForeign: ({ id, name, tenant }) =>
      log.info({ keyId: id, tenant, name }, 'a key of another node is valid here'),
    onReopened: ({ id, name, tenant }) =>
      log.warn({ keyId: id, tenant, name }, 'keys.json has a revoked key as valid; it stays revoked'),
    revocations: new Revocations(db),
    folder: folder.path,
    clock,
    onChanged: () => gate.expel(),
    onProblem: (error) => log.error({ err: error }, 'the keys can’t be read or stored; those known hold on'),
    checkInterval: checkIntervals.keys,
  });
  onOpened(() => ring.close());
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
  onOpened(() => account.close());
  const gate = new RequestGate({
    ring,
    audit,
    accounts,
    clock,
    unreachable: () => health?.unreachable ?? null,
    refusedInterval: checkIntervals.refused,
    onBegun: (endpoint) => metrics.begun(endpoint),
    onEnded(call) {
      metrics.ended(call);
      log[call.status >= 500 ? 'warn' : 'debug'](call, 'call');
    },
    onProblem: accounting.onProblem,
  });
  onOpened(() => audit.written());
  const engine = await openEngine({
    version,
    folder: folder.engine,
    isOnly: true,
    pathWord,
    ...makers,
    limits,
    shared,
    makesImageTasks: true,
    clock,
    onLoad: () => {},
    log: engineLog,
  });
  onOpened(() => engine.close());
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
  onOpened(() => webhooks.close());
  const billing = account.bill(queue, async (end) => {
    await webhooks.announce(end);
    // Counted afterwards: an end that could not be reported comes again.
    metrics.modelEnded(end);
  });
  onOpened(() => billing.close());
  const unready = (): Unready => {
    if (gate.isDraining) return 'draining';
    if (!audit.isWritable) return 'audit_unwritable';
    const part = health?.unreachable;
    return part ? `${part}_unreachable` : null;
  };
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
      await closeAll();
    },
  };
}
