import type { BrokenRoundTrip } from './broken_round_trip.ts';
import { RoundTrip } from './round_trip.ts';
import type { CollectedAnswer, WireHead, WireRequest } from './wire.ts';

/**
 * Sends a request and collects the whole answer.
 *
 * @param limit Maximum bytes of a body. @param over Beyond it, `fail` aborts with `too_large`, and `cut`
 * resolves with the bytes received so far.
 * @throws BrokenRoundTrip
 */
export function collect(
  request: WireRequest,
  limit: number,
  over: 'fail' | 'cut' = 'fail',
): Promise<CollectedAnswer> {
  return new Promise((resolve, reject) => {
    new Collecting(request, limit, over, resolve, reject).start();
  });
}

class Collecting extends RoundTrip {
  protected readonly isPaused = false;
  readonly #limit: number;
  readonly #over: 'fail' | 'cut';
  readonly #resolve: (answer: CollectedAnswer) => void;
  readonly #reject: (broken: BrokenRoundTrip) => void;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #head: WireHead | undefined;

  constructor(
    request: WireRequest,
    limit: number,
    over: 'fail' | 'cut',
    resolve: (answer: CollectedAnswer) => void,
    reject: (broken: BrokenRoundTrip) => void,
  ) {
    super(request);
    this.#limit = limit;
    this.#over = over;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  protected head(head: WireHead): void {
    this.#head = head;
    if (this.#over === 'fail' && Number(head.headers['content-length']) > this.#limit)
      this.break('too_large');
  }

  protected data(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.byteLength;
    if (this.#bytes <= this.#limit) return;
    if (this.#over === 'fail') {
      this.break('too_large');
    } else {
      this.leave();
      this.#give(true);
    }
  }

  protected end(): void {
    this.#give(false);
  }

  protected fail(broken: BrokenRoundTrip): void {
    // A refusal with an incomplete body still counts, such as one sent before the upload has ended.
    if (this.#head && this.#head.status >= 400 && broken.reason === 'network') this.#give(true);
    else this.#reject(broken);
  }

  #give(cut: boolean): void {
    const { status, headers } = this.#head as WireHead;
    const [first] = this.#chunks;
    const body = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks);
    this.#resolve({ status, headers, body: cut ? body.subarray(0, this.#limit) : body, cut });
  }
}
