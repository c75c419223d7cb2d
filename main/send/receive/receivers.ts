import { defaultPorts, type Receiver, type ReceiverKind, receiverKinds } from '#contract';
import { TrafficRate } from '../traffic_rate.ts';
import { UdpReceiver, type UdpReceiverOptions } from './udp_receiver.ts';

interface Slot {
  port: number;
  network: boolean;
  receiver: UdpReceiver | null;
  rate: TrafficRate;
}

/** The receivers. All are off when the studio starts: nothing opens by itself. */
export class Receivers {
  readonly #elapsed: () => number;
  readonly #onFrame: UdpReceiverOptions['onFrame'];
  readonly #slots: Record<ReceiverKind, Slot>;

  constructor(elapsed: () => number, onFrame: UdpReceiverOptions['onFrame']) {
    this.#elapsed = elapsed;
    this.#onFrame = onFrame;
    const slot = (port: number): Slot => ({ port, network: false, receiver: null, rate: new TrafficRate() });
    this.#slots = { livelink: slot(defaultPorts.livelink), vmc: slot(defaultPorts.vmc) };
  }

  get isOpen(): boolean {
    return Object.values(this.#slots).some(({ receiver }) => receiver !== null);
  }

  /** Resolves once it listens, or has failed; `view` reports which. */
  async set(wanted: { kind: ReceiverKind; on: boolean; port: number; network: boolean }): Promise<void> {
    const { kind, on, port, network } = wanted;
    const slot = this.#slots[kind];
    slot.receiver?.close();
    Object.assign(slot, { port, network, receiver: null, rate: new TrafficRate() });
    if (!on) return;
    const receiver = new UdpReceiver({
      kind,
      port,
      network,
      elapsed: this.#elapsed,
      onFrame: this.#onFrame,
    });
    slot.receiver = receiver;
    await receiver.open();
  }

  view(at: number): Receiver[] {
    return receiverKinds.map((kind) => {
      const { port, network, receiver, rate } = this.#slots[kind];
      const counts = receiver?.counts ?? { packets: 0, refused: 0, heardFrom: '' };
      return {
        kind,
        on: receiver !== null,
        port,
        network,
        ...counts,
        perSecond: receiver ? rate.sample(counts.packets, at) : 0,
        problem: receiver?.problem ?? '',
      };
    });
  }

  close(): void {
    for (const { receiver } of Object.values(this.#slots)) receiver?.close();
  }
}
