import { setTimeout as pause } from 'node:timers/promises';
import type { Operation, ProfileDraft } from '#contract';
import { say } from '#sentences';
import type { CallRecord, PricedCall } from '../base/metered_call.ts';
import { Failure } from '../failure.ts';
import type { Scrub } from '../storage/scrub.ts';
import type { FinishedCall, PlannedCall } from '../upstream/call_record.ts';
import { createUpstreamClient, type UpstreamClient } from '../upstream/client.ts';
import type { Endpoint } from '../upstream/transport/endpoint.ts';
import type { SharedPace } from '../upstream/transport/pace.ts';
import { withoutKeys } from '../upstream/without_keys.ts';

/** A profile as a call needs it: where, with which secrets, at what price, up to which sum. */
export type MeteredEndpoint = Endpoint & Pick<ProfileDraft, 'prices' | 'monthlyCap'>;

/** Money held for a call under way. */
interface Reservation {
  settle(call: CallRecord): unknown;
}

export interface MeteredClientsOptions {
  /** @throws Failure `not_found`, `unreachable` (the built-in engine would not start) */
  resolve(profileId: string): Promise<MeteredEndpoint>;
  journal: {
    /** @throws Failure `cap_reached`, `storage`; then nothing is sent */
    reserve(call: PricedCall): Reservation | Promise<Reservation>;
    append(call: CallRecord): unknown;
  };
  /** The pace that all clients of a profile keep together, whoever made them. */
  pace(profileId: string, endpoint: Endpoint): SharedPace;
  /** Removes the studio's keys from servers' answers. */
  scrub: Scrub;
  /** These clients carry a voice: those of others leave one place free for them. Default false. */
  live?: boolean;
  /** An entry that can't be written (yet). */
  onTrouble(error: unknown): void;
}

/** One client a profile; each call is metered and journaled, and all keep the profile's one pace. */
export interface MeteredClients {
  client(profileId: string): Promise<UpstreamClient>;
  /** Profiles as they are now: a client of one that was changed or removed ends when its calls have. */
  keepOnly(profiles: readonly { id: string; changedAt: number }[]): void;
  close(): Promise<void>;
}

/**
 * Calls that a server may bill, or act on, although no answer came. They are held in the journal before they
 * are sent, at a price of 0 too: should the studio end under way, the next start enters them.
 */
const entrusted: ReadonlySet<Operation> = new Set(['audio_to_face', 'submit_image', 'generate_model']);

/** Milliseconds until an entry that could not be written is tried again. */
const writeAgainAfter = 2000;

export function createMeteredClients(options: MeteredClientsOptions): MeteredClients {
  const { resolve, journal, onTrouble } = options;
  const clients = new Map<string, Promise<UpstreamClient>>();
  const ending = new Set<Promise<unknown>>();
  const writing = new Set<Promise<unknown>>();
  const closing = new AbortController();
  /** By profile id, as last told. */
  let changedAt: ReadonlyMap<string, number> = new Map();

  /**
   * A call that happened is entered, whatever the disk says: as often as it takes, once more when the studio
   * closes. Its money stays held until then, and should the studio die before, the next start books it.
   */
  const enter = async (write: () => unknown): Promise<void> => {
    for (let told = false; ; ) {
      const last = closing.signal.aborted;
      try {
        await write();
        return;
      } catch (error) {
        if (!told) onTrouble(error);
        told = true;
        if (last || !(error instanceof Failure) || error.code !== 'storage') return;
        await pause(writeAgainAfter, undefined, { signal: closing.signal }).catch(() => undefined);
      }
    }
  };

  const create = async (profileId: string): Promise<UpstreamClient> => {
    const endpoint = await resolve(profileId);
    const { prices, monthlyCap } = endpoint;
    const reservations = new WeakMap<PlannedCall, Reservation>();
    const client = createUpstreamClient({
      endpoint,
      pace: options.pace(profileId, endpoint).join(options.live),
      async beforeCall(planned) {
        const plannedCost = costOf(prices, planned);
        const held = journal.reserve({
          profileId,
          profileName: endpoint.profileName,
          operation: planned.operation,
          subject: '',
          monthlyCap,
          currency: prices.currency,
          plannedCost,
          entrusted: entrusted.has(planned.operation),
        });
        reservations.set(planned, held instanceof Promise ? await held : held);
      },
      onExchange(exchange, planned) {
        const record = recordOf(exchange, planned, prices);
        const held = planned && reservations.get(planned);
        const entered = enter(() => (held ? held.settle(record) : journal.append(record)));
        writing.add(entered);
        void entered.finally(() => writing.delete(entered));
      },
    });
    return withoutKeys(client, options.scrub);
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
      // Don't cache a failure (an engine that did not start): it may work the next time.
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
      closing.abort();
      await Promise.allSettled(writing);
    },
  };
}

const costOf = (
  { perSecond, perFrame, perModel }: ProfileDraft['prices'],
  { seconds, frames, models }: Pick<PlannedCall, 'seconds' | 'frames' | 'models'>,
): number => seconds * perSecond + frames * perFrame + models * perModel;

/**
 * What the journal keeps of a call. One that may have been received without a proper answer counts as billed,
 * as planned: the meter rather counts too much than too little.
 */
function recordOf(
  exchange: FinishedCall,
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
    // What costs nothing is not said to be billed.
    message:
      uncertain && costOf(prices, used) > 0
        ? say('meter.perhaps_received', { message: rest.message })
        : rest.message,
    billedSeconds: used.seconds,
    billedFrames: used.frames,
    billedModels: used.models,
    cost: costOf(prices, used),
    currency: prices.currency,
  };
}
