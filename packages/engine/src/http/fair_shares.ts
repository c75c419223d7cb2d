import { type KeyedMessage, t } from '@likeness/messages';
import type { Owner } from '../models/model_record.ts';
import { Refusal } from './refusal.ts';

/** Why an owner may take no more: all is taken, or its own share. Null: it may. */
export type Lack = 'all' | 'own' | null;

/** The use of a shared limit, before an owner takes more of it. */
export interface ShareUse {
  /** The limit, for all owners together. */
  max: number;
  /** In use by all owners. */
  taken: number;
  /** In use by this owner. */
  own: number;
}

/**
 * Whether an owner may take more of a shared limit: it may hold at most as much as is left free. One tenant
 * alone gets half, the next a quarter, and a newcomer finds room whatever one tenant does. This is the dynamic
 * threshold of shared-memory switches (Choudhury and Hahne, 1998). A single person (null) gets all.
 */
export function lackOf(owner: Owner, { max, taken, own }: ShareUse, amount = 1): Lack {
  const free = max - taken;
  if (amount > free) return 'all';
  return owner !== null && own + amount > free ? 'own' : null;
}

/** A limit that tenants share fairly: places, requests or bytes in use at the same time. */
export class FairShares {
  readonly max: number;
  readonly #byOwner = new Map<Owner, number>();
  #taken = 0;

  constructor(max: number) {
    this.max = max;
  }

  usedBy(owner: Owner): number {
    return this.#byOwner.get(owner) ?? 0;
  }

  lackOf(owner: Owner, amount = 1): Lack {
    return lackOf(owner, { max: this.max, taken: this.#taken, own: this.usedBy(owner) }, amount);
  }

  /**
   * Takes for a request, or refuses it.
   *
   * @param all The text if everything is taken.
   * @throws {Refusal} 503 `busy`
   */
  takeForRequest(owner: Owner, things: SharedThing, all: KeyedMessage, amount = 1): void {
    const lack = this.lackOf(owner, amount);
    if (lack) {
      const text = lack === 'own' ? shareUsed(things, this.usedBy(owner)) : all;
      throw new Refusal(503, 'busy', text, { headers: { 'retry-after': '1' } });
    }
    this.take(owner, amount);
  }

  take(owner: Owner, amount = 1): void {
    this.#taken += amount;
    this.#byOwner.set(owner, this.usedBy(owner) + amount);
  }

  give(owner: Owner, amount = 1): void {
    this.#taken -= amount;
    const left = this.usedBy(owner) - amount;
    if (left > 0) this.#byOwner.set(owner, left);
    else this.#byOwner.delete(owner);
  }
}

/** The things that a refusal counts. */
type SharedThing = 'traces' | 'photos' | 'recordings' | 'models' | 'bytes' | 'connections';

/** The text of a refusal to an owner that has used its share. */
export const shareUsed = (things: SharedThing, count: number): KeyedMessage =>
  t('refusal.share_used', { things, count });
