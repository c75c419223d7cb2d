import type { AudioStreamClient } from './audio_stream_client.ts';
import type { Announced, LiveService } from './live_service.ts';

export interface ServerVoiceOptions {
  service: LiveService;
  /** Opens a stream to the server with its announced capabilities, from the current audio on. */
  openVoice: (announced: Announced) => AudioStreamClient;
  /** The session ends: opens no further stream. */
  isEnding: () => boolean;
  onUnreachable: (error: unknown) => void;
}

/**
 * The audio stream to a session's server. The face does not wait for it: audio is dropped until the server
 * has announced its capabilities. After a failure, the stream requests them again.
 */
export class ServerVoice {
  readonly #options: ServerVoiceOptions;
  #open: { voice: AudioStreamClient; announced: Announced } | undefined;
  #reaching: Promise<void> | undefined;

  constructor(options: ServerVoiceOptions) {
    this.#options = options;
  }

  /** Memory of the waiting audio, bytes. */
  get waitingBytes(): number {
    return this.#open?.voice.waitingBytes ?? 0;
  }

  /** Asks the server for its capabilities, and streams to it from then on. */
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
