import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { type Message, t } from '@likeness/messages';
import { arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import type { FaceStreamFrame } from '@likeness/proto/face_stream_protocol.ts';
import type { ReceiverKind } from '#contract';
import type { ArkitFace } from '../protocols/arkit_face.ts';
import { decodeLiveLink, maxLiveLinkBytes } from '../protocols/live_link_packet.ts';
import { VmcReader } from '../protocols/vmc.ts';
import { TrackerTime } from './tracker_time.ts';
import { WorkBudget } from './work_budget.ts';

/** Names of the channels of the frames that are received. */
export const trackedChannels: readonly string[] = arkitBlendshapeNames;

/**
 * Microseconds of work per second, as estimated below: the rest of a flood is only counted. VMC with each of
 * 110 names and bones in a separate datagram, 120 times a second, takes 210,000.
 */
const maxWork = 300_000;
/** Microseconds to receive a datagram, to read a byte of it, and to pass a face on. */
const workOf = { datagram: 10, byte: 0.05, face: 300 };
/** Buffer for datagrams that arrive while the thread is busy; the system may grant less. */
const receiveBufferBytes = 4 * 1024 * 1024;
const maxVmcBytes = 65_507;
/** Milliseconds after which another sender may replace a silent one. */
const silence = 2000;

export interface UdpReceiverOptions {
  kind: ReceiverKind;
  port: number;
  /** Also accepts other machines. Otherwise the socket is open on 127.0.0.1 alone. */
  network: boolean;
  /** Monotonic milliseconds. */
  elapsed: () => number;
  /** `timeCode` in seconds of that clock, strictly increasing; `from`: the sender's name, or its protocol. */
  onFrame: (frame: FaceStreamFrame, from: string) => void;
}

/** Receives faces from another program or a phone. One sender at a time: the first, until it is silent. */
export class UdpReceiver {
  readonly #options: UdpReceiverOptions;
  readonly #time = new TrackerTime();
  readonly #vmc = new VmcReader();
  readonly #budget = new WorkBudget(maxWork);
  #socket: Socket | null = null;
  #packets = 0;
  #refused = 0;
  #index = 0;
  /** The current sender: by address and port, and by name. */
  #from: { key: string; name: string; at: number } | null = null;
  problem: Message = '';

  constructor(options: UdpReceiverOptions) {
    this.#options = options;
  }

  get counts(): { packets: number; refused: number; heardFrom: string } {
    return { packets: this.#packets, refused: this.#refused, heardFrom: this.#from?.name ?? '' };
  }

  /** The address it listens on; null if it does not. */
  get address(): { address: string; port: number } | null {
    return this.#socket?.address() ?? null;
  }

  /** Resolves once it listens; `problem` reports a failure. */
  async open(): Promise<void> {
    const { port, network } = this.#options;
    const socket = createSocket({ type: 'udp4', reuseAddr: false });
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once('error', reject);
        socket.bind({ port, address: network ? '0.0.0.0' : '127.0.0.1', exclusive: true }, () => {
          socket.off('error', reject);
          resolve();
        });
      });
    } catch (error) {
      socket.close();
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      this.problem =
        code === 'EADDRINUSE' ? t('send.port_taken', { port }) : t('send.not_heard', { port, code });
      return;
    }
    socket.on('error', (error) => {
      this.problem = t('send.not_heard', { port, code: error.message });
    });
    socket.on('message', (packet, from) => this.#take(packet, from));
    try {
      socket.setRecvBufferSize(receiveBufferBytes);
    } catch {
      // Keep the system's buffer size.
    }
    socket.unref();
    this.#socket = socket;
  }

  close(): void {
    this.#socket?.close();
    this.#socket = null;
  }

  #take(packet: Buffer, { address, port }: RemoteInfo): void {
    const now = this.#options.elapsed();
    const key = `${address}:${port}`;
    const isOther = this.#from && this.#from.key !== key && now - this.#from.at < silence;
    if (isOther || !this.#budget.hasLeft(now)) {
      this.#refused += 1;
      return;
    }
    const isVmc = this.#options.kind === 'vmc';
    const read = isVmc ? this.#readVmc(packet) : readLiveLink(packet);
    // Each Live Link datagram is a frame, even without a visible face.
    const frames = isVmc ? (read?.faces.length ?? 0) : 1;
    this.#budget.use(workOf.datagram + workOf.byte * packet.length + workOf.face * frames);
    if (!read) {
      this.#refused += 1;
      return;
    }
    this.#packets += 1;
    if (this.#from?.key !== key) this.#time.restart();
    this.#from = { key, name: read.name ? `${read.name} (${address})` : address, at: now };
    for (const face of read.faces) {
      const timeCode = this.#time.toLocalTime(read.seconds, now / 1000);
      const frame = { kind: 'frame', index: this.#index, timeCode, ...frameOf(face) } as const;
      this.#options.onFrame(frame, read.name || 'VMC');
      this.#index += 1;
    }
  }

  #readVmc(packet: Buffer): Read | null {
    const faces = packet.length <= maxVmcBytes ? this.#vmc.accept(packet) : null;
    return faces && { faces, name: '', seconds: null };
  }
}

interface Read {
  faces: ArkitFace[];
  /** The sender's name for itself; empty if it sends none. */
  name: string;
  /** By the sender's clock; null if it sends none. */
  seconds: number | null;
}

function readLiveLink(packet: Buffer): Read | null {
  const read = packet.length <= maxLiveLinkBytes ? decodeLiveLink(packet) : { fault: 'count' };
  if ('fault' in read) return null;
  const { frame, face } = read;
  return { faces: face ? [face] : [], name: frame.subject, seconds: frame.frame / frame.frameRate };
}

const frameOf = ({
  weights,
  headPose,
  eyeGaze,
}: ArkitFace): Pick<FaceStreamFrame, 'weights' | 'headPose' | 'eyeGaze' | 'vertices'> => ({
  weights: Float32Array.from(weights),
  headPose,
  eyeGaze,
  vertices: undefined,
});
