import { createSocket, type Socket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { type Message, t } from '@likeness/messages';

/** Maximum packets that wait for the system: more would be late anyway. */
const maxWaiting = 16;
/**
 * Milliseconds for which an error is shown after its last occurrence, and after which an address is retried.
 */
const faultShownMs = 3000;

export interface UdpSenderOptions {
  /** As the user typed it. */
  address: string;
  port: number;
  /** Monotonic milliseconds. */
  elapsed: () => number;
}

/**
 * Sends datagrams only to the typed address: its socket is connected to it. Never waits: packets that the
 * system does not accept at once are dropped and counted.
 */
export class UdpSender {
  readonly #options: UdpSenderOptions;
  #socket: Socket | null = null;
  #isOpening = false;
  #isClosed = false;
  #waiting = 0;
  #packets = 0;
  #dropped = 0;
  #fault: { message: Message; at: number } | null = null;

  constructor(options: UdpSenderOptions) {
    this.#options = options;
  }

  get counts(): { packets: number; dropped: number } {
    return { packets: this.#packets, dropped: this.#dropped };
  }

  /** The current problem; empty if none. */
  get problem(): Message {
    const isRecent = this.#fault && this.#options.elapsed() - this.#fault.at < faultShownMs;
    return isRecent ? this.#fault!.message : '';
  }

  /** Opens the socket, so that the first packet is sent without delay; `problem` reports a failure. */
  async open(): Promise<void> {
    const { address, port, elapsed } = this.#options;
    if (this.#socket || this.#isOpening || this.#isClosed) return;
    // An unresolvable name is not looked up for every frame.
    if (this.#fault && elapsed() - this.#fault.at < faultShownMs) return;
    this.#isOpening = true;
    try {
      const { address: found, family } = await lookup(address);
      const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
      socket.unref();
      socket.on('error', (error) => this.#failed(error));
      await new Promise<void>((resolve, reject) => {
        socket.once('error', reject);
        socket.connect(port, found, () => {
          socket.off('error', reject);
          resolve();
        });
      });
      if (this.#isClosed) socket.close();
      else this.#socket = socket;
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#isOpening = false;
    }
  }

  send(packet: Uint8Array): void {
    if (this.#isClosed) return;
    if (!this.#socket) {
      this.#dropped += 1;
      void this.open();
      return;
    }
    if (this.#waiting >= maxWaiting) {
      this.#dropped += 1;
      return;
    }
    this.#waiting += 1;
    this.#socket.send(packet, (error) => {
      this.#waiting -= 1;
      if (!error) this.#packets += 1;
      else {
        this.#dropped += 1;
        this.#failed(error);
      }
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.close();
    this.#socket = null;
  }

  #failed(error: unknown): void {
    const { address, port, elapsed } = this.#options;
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const where = { address, port };
    const message =
      code === 'ECONNREFUSED'
        ? t('send.nobody_listens', where)
        : code === 'ENOTFOUND' || code === 'EAI_AGAIN'
          ? t('send.name_not_found', where)
          : t('send.not_sent', { ...where, code });
    this.#fault = { message, at: elapsed() };
  }
}
