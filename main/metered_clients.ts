import type { ProfileDraft } from '#contract';
import type { CallRecord, Reservation } from './journal/journal.ts';
import { createUpstreamClient, type UpstreamClient } from './upstream/client.ts';
import type { Endpoint } from './upstream/endpoint.ts';
import type { Exchange, PlannedCall } from './upstream/exchange.ts';

/** A profile as a call needs it: where, with which secrets, at what price, up to which sum. */
export type MeteredEndpoint = Endpoint & Pick<ProfileDraft, 'prices' | 'monthlyCap'>;

export interface MeteredClientsOptions {
  /** @throws Failure `not_found`, `unreachable` (the built-in engine would not start) */
  resolve(profileId: string): Promise<MeteredEndpoint>;
  journal: {
    reserve(call: {
      profileId: string;
      profileName: string;
      operation: string;
      subject: string;
      monthlyCap: number | null;
      currency: string;
      plannedCost: number;
    }): Pick<Reservation, 'release'> & { settle(call: CallRecord): unknown };
    append(call: CallRecord): unknown;
  };
}

/** One client a profile, so that its limits hold for all calls together; each call is metered and journaled. */
export interface MeteredClients {
  client(profileId: string): Promise<UpstreamClient>;
  /** Profiles as they are now: a client of one that was changed or removed ends when its calls have. */
  keepOnly(profiles: readonly { id: string; changedAt: number }[]): void;
  close(): Promise<void>;
}

export function createMeteredClients({ resolve, journal }: MeteredClientsOptions): MeteredClients {
  const clients = new Map<string, Promise<UpstreamClient>>();
  const ending = new Set<Promise<unknown>>();
  /** By profile id, as last told. */
  let changedAt: ReadonlyMap<string, number> = new Map();

  const create = async (profileId: string): Promise<UpstreamClient> => {
    const endpoint = await resolve(profileId);
    const { prices, monthlyCap } = endpoint;
    const reservations = new WeakMap<PlannedCall, ReturnType<MeteredClientsOptions['journal']['reserve']>>();
    return createUpstreamClient({
      endpoint,
      async beforeCall(planned) {
        const plannedCost = costOf(prices, planned);
        reservations.set(
          planned,
          journal.reserve({
            profileId,
            profileName: endpoint.profileName,
            operation: planned.operation,
            subject: '',
            monthlyCap,
            currency: prices.currency,
            plannedCost,
          }),
        );
      },
      onExchange(exchange, planned) {
        const record = recordOf(exchange, planned, prices);
        const reservation = planned && reservations.get(planned);
        if (reservation) reservation.settle(record);
        else journal.append(record);
      },
    });
  };

  const end = (client: Promise<UpstreamClient>, finish: boolean): Promise<void> =>
    client.then(
      (opened) => opened.close({ finish }),
      () => {}, // it never opened
    );

  return {
    client(profileId) {
      const known = clients.get(profileId);
      if (known) return known;
      const client = create(profileId);
      clients.set(profileId, client);
      // What failed once (an engine that would not start) may work the next time.
      client.catch(() => clients.get(profileId) === client && clients.delete(profileId));
      return client;
    },
    keepOnly(profiles) {
      const now = new Map(profiles.map((profile) => [profile.id, profile.changedAt]));
      for (const [profileId, client] of clients) {
        if (now.get(profileId) === changedAt.get(profileId)) continue;
        clients.delete(profileId);
        const ended = end(client, true);
        ending.add(ended);
        void ended.finally(() => ending.delete(ended));
      }
      changedAt = now;
    },
    async close() {
      const open = [...clients.values()];
      clients.clear();
      await Promise.allSettled(open.map((client) => end(client, false)));
      await Promise.allSettled(ending);
    },
  };
}

const costOf = (
  { perSecond, perFrame, perModel }: ProfileDraft['prices'],
  { seconds, frames, models }: Pick<PlannedCall, 'seconds' | 'frames' | 'models'>,
): number => seconds * perSecond + frames * perFrame + models * perModel;

/**
 * What the journal keeps of a call. One that may have been received without a proper answer counts as billed, as
 * planned: the meter errs on the side of the person's money.
 */
function recordOf(
  exchange: Exchange,
  planned: PlannedCall | null,
  prices: ProfileDraft['prices'],
): CallRecord {
  const { attempts: _attempts, uncertain, billedSeconds, billedFrames, billedModels, ...rest } = exchange;
  const used =
    uncertain && planned
      ? { seconds: planned.seconds, frames: planned.frames, models: planned.models }
      : { seconds: billedSeconds, frames: billedFrames, models: billedModels };
  return {
    ...rest,
    message: uncertain ? `${rest.message} (It may have been received, and counts as billed.)` : rest.message,
    billedSeconds: used.seconds,
    billedFrames: used.frames,
    billedModels: used.models,
    cost: costOf(prices, used),
    currency: prices.currency,
  };
}
