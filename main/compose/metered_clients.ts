import { setTimeout as pause } from 'node:timers/promises';
import type { FinishedCall, PlannedCall } from '@likeness/client/call_record.ts';
import { createUpstreamClient, type UpstreamClient } from '@likeness/client/client.ts';
import { currentClient, type KeptClient } from '@likeness/client/current_client.ts';
import type { Endpoint } from '@likeness/client/transport/endpoint.ts';
import type { SharedPace } from '@likeness/client/transport/pace.ts';
import { closedFailure } from '@likeness/client/transport/transport.ts';
import { withoutKeys } from '@likeness/client/without_keys.ts';
import type { CallRecord, PricedCall } from '@likeness/journal/metered_call.ts';
import { t } from '@likeness/messages';
import { unlessAborted } from '@likeness/node-kit/async/unless_aborted.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { Scrub } from '@likeness/node-kit/storage/scrub.ts';
import type { Operation, ProfileDraft } from '#contract';

/** The settings of a profile for a call: address, secrets, price, spending cap. */
export type MeteredEndpoint = Endpoint & Pick<ProfileDraft, 'prices' | 'monthlyCap'>;

/** Money reserved for a running call. */
interface Reservation {
  settle(call: CallRecord): unknown;
}

export interface MeteredClientsOptions {
  /** @throws Failure `not_found`, `unreachable` (the built-in engine did not start) */
  resolve(profileId: string): Promise<MeteredEndpoint>;
  journal: {
    /** @throws Failure `cap_reached`, `storage`; then nothing is sent */
    reserve(call: PricedCall): Reservation | Promise<Reservation>;
    append(call: CallRecord): unknown;
  };
  /** The rate limit that all clients of a profile share, whoever made them. */
  pace(profileId: string, endpoint: Endpoint): SharedPace;
  /** Removes the studio's keys from servers' answers. */
  scrub: Scrub;
  /** These clients carry a voice: other clients leave one slot free for them. Default false. */
  live?: boolean;
  /** Called when an entry can't be written (yet). */
  onTrouble(error: unknown): void;
}

/**
 * Provides one client per profile. Each call is metered and journaled, and all share the profile's rate
 * limit.
 */
export interface MeteredClients {
  /**
   * Returns the profile's client, which may be kept: each call resolves the server's current address.
   *
   * @throws Failure as `resolve`
   */
  client(profileId: string): Promise<KeptClient>;
  /** Updates the profiles: a client of a changed or removed one ends after its running calls. */
  keepOnly(profiles: readonly { id: string; changedAt: number }[]): void;
  close(): Promise<void>;
}

/**
 * Calls that a server may bill or execute even if it does not answer. The journal reserves them before they
 * are sent, even at a price of 0: if the studio exits meanwhile, the next start records them.
 */
const entrusted: ReadonlySet<Operation> = new Set(['audio_to_face', 'submit_image', 'generate_model']);

/** Milliseconds until a failed write of an entry is retried. */
const writeAgainAfter = 2000;

export function createMeteredClients(options: MeteredClientsOptions): MeteredClients {
  const { resolve, journal, onTrouble } = options;
  const clients = new Map<string, { address: string; client: UpstreamClient }>();
  const ending = new Set<Promise<unknown>>();
  const writing = new Set<Promise<unknown>>();
  const closing = new AbortController();
  /** Keys of orders that the server may have received and that already count as billed. */
  const uncertainOrders = new Set<string>();
  let isClosed = false;
  /** Profiles by id, as of the last update. */
  let changedAt: ReadonlyMap<string, number> = new Map();

  /**
   * Records a completed call even if the disk fails: retries as often as necessary, and once more when the
   * studio closes. Its money stays reserved until then; if the studio crashes before, the next start records
   * it.
   */
  const enter = async (write: () => unknown): Promise<void> => {
    for (let isReported = false; ; ) {
      const last = closing.signal.aborted;
      try {
        await write();
        return;
      } catch (error) {
        if (!isReported) onTrouble(error);
        isReported = true;
        if (last || !(error instanceof Failure) || error.code !== 'storage') return;
        await pause(writeAgainAfter, undefined, { signal: closing.signal }).catch(() => undefined);
      }
    }
  };

  const create = (profileId: string, endpoint: MeteredEndpoint): UpstreamClient => {
    const { prices, monthlyCap } = endpoint;
    const reservations = new WeakMap<PlannedCall, Reservation>();
    const client = createUpstreamClient({
      endpoint,
      pace: options.pace(profileId, endpoint).join(options.live),
      async beforeCall(planned) {
        const plannedCost = costOf(prices, planned);
        const reservation = journal.reserve({
          profileId,
          profileName: endpoint.profileName,
          operation: planned.operation,
          subject: '',
          monthlyCap,
          currency: prices.currency,
          plannedCost,
          entrusted: entrusted.has(planned.operation),
        });
        reservations.set(planned, reservation instanceof Promise ? await reservation : reservation);
      },
      onExchange(exchange, planned) {
        const record = recordOf(exchange, planned, prices, isCounted(exchange, planned));
        const reservation = planned && reservations.get(planned);
        const entered = enter(() => (reservation ? reservation.settle(record) : journal.append(record)));
        writing.add(entered);
        void entered.finally(() => writing.delete(entered));
      },
    });
    return withoutKeys(client, options.scrub);
  };

  /**
   * Whether an earlier attempt of the same order counts as billed: the server bills an idempotency key once.
   */
  const isCounted = ({ uncertain, outcome }: FinishedCall, planned: PlannedCall | null): boolean => {
    if (planned?.idempotencyKey === undefined) return false;
    const order = `${planned.profileId} ${planned.idempotencyKey}`;
    const wasCounted = uncertainOrders.has(order);
    if (uncertain) uncertainOrders.add(order);
    // An attempt that never reached the server says nothing about the one before.
    else if (outcome === 'ok') uncertainOrders.delete(order);
    return wasCounted;
  };

  /** Lets running calls finish. */
  const retire = (profileId: string): void => {
    const ended = clients.get(profileId)?.client.close({ finish: true });
    clients.delete(profileId);
    if (!ended) return;
    ending.add(ended);
    void ended.finally(() => ending.delete(ended));
  };

  const current = async (profileId: string, signal?: AbortSignal): Promise<UpstreamClient> => {
    const endpoint = await unlessAborted(resolve(profileId), signal);
    const address = await addressOf(endpoint);
    if (isClosed) throw closedFailure();
    const known = clients.get(profileId);
    if (known?.address === address) return known.client;
    retire(profileId);
    const client = create(profileId, endpoint);
    clients.set(profileId, { address, client });
    return client;
  };

  return {
    async client(profileId) {
      await current(profileId);
      return currentClient((signal) => current(profileId, signal));
    },
    keepOnly(profiles) {
      const now = new Map(profiles.map((profile) => [profile.id, profile.changedAt]));
      for (const profileId of [...clients.keys()]) {
        if (now.get(profileId) !== changedAt.get(profileId)) retire(profileId);
      }
      changedAt = now;
    },
    async close() {
      isClosed = true;
      const open = [...clients.values()];
      clients.clear();
      await Promise.allSettled(open.map(({ client }) => client.close({ finish: false })));
      await Promise.allSettled(ending);
      closing.abort();
      await Promise.allSettled(writing);
    },
  };
}

/** Identifies the server's settings; each run of the built-in engine has new keys. */
async function addressOf({ groupAUrl, groupBUrl, builtIn, secret }: MeteredEndpoint): Promise<string> {
  return JSON.stringify([groupAUrl, groupBUrl, builtIn ? await secret('apiKey') : '']);
}

const costOf = (
  { perSecond, perFrame, perModel }: ProfileDraft['prices'],
  { seconds, frames, models }: Pick<PlannedCall, 'seconds' | 'frames' | 'models'>,
): number => seconds * perSecond + frames * perFrame + models * perModel;

/**
 * Returns the journal entry of a call. A call that the server may have received without a proper answer
 * counts as billed at its planned price, because counting too much is safer than too little. A repeated order
 * that already counts adds nothing.
 */
function recordOf(
  exchange: FinishedCall,
  planned: PlannedCall | null,
  prices: ProfileDraft['prices'],
  isCounted: boolean,
): CallRecord {
  const { attempts: _attempts, uncertain, billedSeconds, billedFrames, billedModels, ...rest } = exchange;
  const used = isCounted
    ? { seconds: 0, frames: 0, models: 0 }
    : uncertain && planned
      ? { seconds: planned.seconds, frames: planned.frames, models: planned.models }
      : { seconds: billedSeconds, frames: billedFrames, models: billedModels };
  return {
    ...rest,
    // A free call is not marked as billed.
    message:
      uncertain && costOf(prices, used) > 0
        ? t('meter.perhaps_received', { message: rest.message })
        : rest.message,
    billedSeconds: used.seconds,
    billedFrames: used.frames,
    billedModels: used.models,
    cost: costOf(prices, used),
    currency: prices.currency,
  };
}
