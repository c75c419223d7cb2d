import { TokenBucket } from 'limiter';
import type { ServiceKey } from '../keys/service_key.ts';
import { tooFast, tooManyConcurrentCalls } from './account_refusals.ts';

interface Traffic {
  /** Null: no rate limit. Recreated when the key's rate changes. */
  bucket: TokenBucket | null;
  rate: ServiceKey['rate'];
  inFlight: number;
}

/** Limits each key's rate and concurrent calls, using a monotonic clock. */
export class KeyTraffic {
  readonly #byKey = new Map<string, Traffic>();

  /**
   * Counts one more concurrent call of a key, until the returned function is called.
   *
   * @throws {Refusal} 429 `too_many_at_once` or `rate_exceeded`, with Retry-After
   */
  enter(key: ServiceKey): () => void {
    const traffic = this.#of(key);
    if (traffic.inFlight >= key.atOnce) throw tooManyConcurrentCalls(key.atOnce);
    if (traffic.bucket && !traffic.bucket.tryRemoveTokens(1))
      throw tooFast(key.rate.perSecond, traffic.bucket.getWaitTime(1));
    traffic.inFlight += 1;
    return () => {
      traffic.inFlight -= 1;
    };
  }

  #of(key: ServiceKey): Traffic {
    const known = this.#byKey.get(key.id);
    const { perSecond, burst } = key.rate;
    if (known && known.rate.perSecond === perSecond && known.rate.burst === burst) return known;
    const traffic = { bucket: bucketOf(key.rate), rate: key.rate, inFlight: known?.inFlight ?? 0 };
    // Calls in progress keep a reference to this object and decrement its count.
    if (known) Object.assign(known, traffic);
    else this.#byKey.set(key.id, traffic);
    return known ?? traffic;
  }
}

function bucketOf({ perSecond, burst }: ServiceKey['rate']): TokenBucket | null {
  if (perSecond === 0) return null;
  const bucketSize = Math.max(1, burst, perSecond);
  const bucket = new TokenBucket({ bucketSize, tokensPerInterval: perSecond, interval: 'second' });
  // A key starts with a full bucket, as after a pause.
  bucket.content = bucketSize;
  return bucket;
}
