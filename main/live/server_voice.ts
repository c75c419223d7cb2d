import type { AudioStreamClient } from './audio_stream_client.ts';
import type { Announced, LiveService } from './live_service.ts';

export interface ServerVoiceOptions {
  service: LiveService;
  /** A voice to the server as it announces itself, from the sound of this moment on. */
  openVoice: (announced: Announced) => AudioStreamClient;
  /** The session ends: no other voice is opened. */
  isEnding: () => boolean;
  onUnreachable: (error: unknown) => void;
}

/**
 * The voice to a session's server. The face does not wait for it: until the server has said what it can,
 * sound passes it by; a server that was away is asked again when it failed or answers at last.
 */
export class ServerVoice {
  readonly #options: ServerVoiceOptions;
  #open: { voice: AudioStreamClient; announced: Announced } | undefined;
  #reaching: Promise<void> | undefined;

  constructor(options: ServerVoiceOptions) {
    this.#options = options;
  }

  /** Bytes that what waits takes in memory. */
  get waitingBytes(): number {
    return this.#open?.voice.waitingBytes ?? 0;
  }

  /** Asks the server what it can, and speaks to it so from here on. */
  reach(): Promise<void> {
    this.#reaching ??= this.#ask()
      .catch((error: unknown) => this.#options.onUnreachable(error))
      .finally(() => {
        this.#reaching = undefined;
      });
    return this.#reaching;
  }

  async #ask(): Promise<void> {
    const { service, openVoice, isEnding } = this.#options;
    const announced = await service.announced();
    if (isEnding() || this.#open?.announced.streamWords === announced.streamWords) return;
    this.#open?.voice.stop();
    this.#open = { voice: openVoice(announced), announced };
  }

  push(samples: Float32Array): void {
    this.#open?.voice.push(samples);
  }

  interrupt(): void {
    this.#open?.voice.interrupt();
  }

  async end(): Promise<void> {
    await this.#open?.voice.end();
  }

  stop(): void {
    this.#open?.voice.stop();
  }
}
