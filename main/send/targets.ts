import type { Clock } from '@likeness/node-kit/clock.ts';
import type { SendTarget, SendTargetFields } from '#contract';
import { type FaceSource, TestSource } from './face_source.ts';
import type { PacedClock } from './paced_clock.ts';
import { type Encoder, encoderFor } from './protocols/encoder.ts';
import type { KeptTarget } from './send_store.ts';
import { TrafficRate } from './traffic_rate.ts';
import { UdpSender } from './udp_sender.ts';

export interface TargetsOptions {
  paced: PacedClock;
  /** Monotonic milliseconds. */
  elapsed: Clock['elapsed'];
  after: Clock['after'];
  /** Local milliseconds since midnight at a monotonic time. */
  timeOfDay: (at: number) => number;
  deviceId: string;
}

/** The name under which Unreal and others list the face. */
const subject = 'Likeness';
/** Duration of a test, milliseconds. */
const testFor = 2000;
/** Milliseconds until the system has sent the last packets. */
const countedAfter = 30;

interface Running {
  sender: UdpSender;
  encode: Encoder;
  stop: (() => void) | null;
}

/** The targets of the face: a sender for each target that is on, each at its own rate, all on one clock. */
export class Targets {
  readonly #options: TargetsOptions;
  readonly #running = new Map<string, Running & { target: KeptTarget; rate: TrafficRate }>();

  constructor(options: TargetsOptions) {
    this.#options = options;
  }

  /** Whether anything is being sent. */
  get isSending(): boolean {
    return [...this.#running.values()].some(({ stop }) => stop !== null);
  }

  /** Sends to exactly these targets, as long as there is a source. */
  follow(targets: readonly KeptTarget[], source: FaceSource | null): void {
    for (const [id, running] of this.#running) {
      const wanted = targets.find((target) => target.id === id);
      if (wanted?.on && sameTarget(wanted, running.target)) continue;
      running.stop?.();
      running.sender.close();
      this.#running.delete(id);
    }
    for (const target of targets) {
      if (!target.on) continue;
      const running = this.#running.get(target.id) ?? this.#open(target);
      if (source === null) {
        running.stop?.();
        running.stop = null;
      } else running.stop ??= this.#pump(running, target.rate, source);
    }
  }

  /** Sends two seconds of a test to one target, whether it is on or not. */
  async test(target: SendTargetFields): Promise<{ packets: number; dropped: number }> {
    return this.send(target, new TestSource(), testFor);
  }

  /**
   * Sends to one target for some time, besides the others. @param milliseconds may be infinite: until the
   * signal
   */
  async send(
    target: Omit<SendTargetFields, 'on'>,
    source: FaceSource,
    milliseconds: number,
    signal?: AbortSignal,
  ): Promise<{ packets: number; dropped: number }> {
    const running = { ...this.#made(target), stop: null };
    await running.sender.open();
    const stop = this.#pump(running, target.rate, source);
    await untilOver(this.#options.after, milliseconds, signal);
    stop();
    // The last packets count only when the system has sent them.
    await untilOver(this.#options.after, countedAfter);
    const { counts } = running.sender;
    running.sender.close();
    return counts;
  }

  /** A target with the statistics of its packets. */
  view(target: KeptTarget, at: number): SendTarget {
    const running = this.#running.get(target.id);
    const { packets, dropped } = running?.sender.counts ?? { packets: 0, dropped: 0 };
    return {
      ...target,
      packets,
      dropped,
      perSecond: running?.rate.sample(packets, at) ?? 0,
      problem: running?.sender.problem ?? '',
    };
  }

  close(): void {
    this.follow([], null);
  }

  #open(target: KeptTarget): Running {
    const running = { ...this.#made(target), stop: null, target, rate: new TrafficRate() };
    this.#running.set(target.id, running);
    void running.sender.open();
    return running;
  }

  #made({
    kind,
    names,
    rate,
    address,
    port,
  }: Omit<SendTargetFields, 'on'>): Pick<Running, 'sender' | 'encode'> {
    const { elapsed, timeOfDay, deviceId } = this.#options;
    return {
      sender: new UdpSender({ address, port, elapsed }),
      encode: encoderFor({ kind, names, rate, deviceId, subject, timeOfDay }),
    };
  }

  #pump({ sender, encode }: Running, rate: number, source: FaceSource): () => void {
    return this.#options.paced.every(rate, (at) => {
      const face = source.faceAt(at);
      if (face) for (const packet of encode(face, at)) sender.send(packet);
    });
  }
}

/** Waits for some time, or until the signal. @param milliseconds may be infinite */
export function untilOver(after: Clock['after'], milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = Number.isFinite(milliseconds) ? after(milliseconds, resolve) : () => {};
    const end = (): void => {
      cancel();
      resolve();
    };
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}

const sameTarget = (a: KeptTarget, b: KeptTarget): boolean =>
  a.kind === b.kind &&
  a.address === b.address &&
  a.port === b.port &&
  a.rate === b.rate &&
  a.names === b.names;
