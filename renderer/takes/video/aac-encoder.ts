/**
 * AAC-LC by FFmpeg's encoder as WebAssembly, from `@mediabunny/aac-encoder`. That package starts a worker
 * from generated text, which the page's policy forbids; this code already runs in a worker.
 */
import createModule from '../../../node_modules/@mediabunny/aac-encoder/dist/modules/build/aac.js';
import type { SoundPacket } from './sound-packet.ts';

/** The used exports of the module; see `encode.worker.ts` of the package. */
interface AacModule {
  HEAPU8: Uint8Array;
  cwrap(
    name: string,
    result: 'number' | null,
    inputs: readonly 'number'[],
  ): (...inputs: (number | bigint)[]) => number;
}

export class AacEncoder {
  readonly #module: AacModule;
  readonly #context: number;
  readonly #sampleRate: number;
  readonly #onPacket: (packet: SoundPacket) => void;
  readonly #frame: number;
  /** Samples of an incomplete frame, and the position of the first one. */
  #rest = new Float32Array(0);
  #at = 0;
  #config: AudioDecoderConfig | null;

  private constructor(
    module: AacModule,
    {
      sampleRate,
      bitrate,
      onPacket,
    }: { sampleRate: number; bitrate: number; onPacket: (packet: SoundPacket) => void },
  ) {
    this.#module = module;
    this.#sampleRate = sampleRate;
    this.#onPacket = onPacket;
    this.#context = this.#call('init_encoder', 1, sampleRate, bitrate);
    if (this.#context === 0) throw new Error(`Sound of ${sampleRate} Hz can't be encoded as AAC.`);
    this.#frame = this.#call('get_encoder_frame_size', this.#context);
    const from = this.#call('get_encoder_extradata', this.#context);
    const size = this.#call('get_encoder_extradata_size', this.#context);
    const description = module.HEAPU8.slice(from, from + size);
    this.#config = { codec: 'mp4a.40.2', sampleRate, numberOfChannels: 1, description };
  }

  static async open(options: {
    sampleRate: number;
    bitrate: number;
    onPacket: (packet: SoundPacket) => void;
  }): Promise<AacEncoder> {
    return new AacEncoder((await createModule()) as AacModule, options);
  }

  encode(samples: Float32Array): void {
    const all = new Float32Array(this.#rest.length + samples.length);
    all.set(this.#rest);
    all.set(samples, this.#rest.length);
    let from = 0;
    for (; from + this.#frame <= all.length; from += this.#frame)
      this.#send(all.subarray(from, from + this.#frame));
    this.#rest = all.slice(from);
  }

  finish(): void {
    if (this.#rest.length > 0) {
      const last = new Float32Array(this.#frame);
      last.set(this.#rest);
      this.#rest = new Float32Array(0);
      this.#send(last);
    }
    this.#call('flush_encoder_start', this.#context);
    this.#receive();
  }

  close(): void {
    // The module goes with its worker.
  }

  #send(samples: Float32Array): void {
    const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
    const to = this.#call('get_encode_input_ptr', this.#context, bytes.length);
    if (to === 0) throw new Error('There is not enough memory to encode the audio.');
    this.#module.HEAPU8.set(bytes, to);
    const code = this.#call('send_frame', this.#context, BigInt(this.#at));
    if (code < 0) throw new Error(`The sound can't be encoded as AAC (${code}).`);
    this.#at += this.#frame;
    this.#receive();
  }

  #receive(): void {
    for (let size = this.#call('receive_packet', this.#context); size > 0; ) {
      const from = this.#call('get_encoded_data', this.#context);
      const config = this.#config;
      this.#config = null;
      this.#onPacket({
        data: this.#module.HEAPU8.slice(from, from + size),
        // The first packet is the encoder's priming: its time is negative.
        at: Number(this.#call('get_encoded_pts', this.#context)) / this.#sampleRate,
        seconds: this.#call('get_encoded_duration', this.#context) / this.#sampleRate,
        ...(config && { config }),
      });
      size = this.#call('receive_packet', this.#context);
    }
  }

  #call(name: string, ...inputs: (number | bigint)[]): number {
    return this.#module.cwrap(
      name,
      'number',
      inputs.map(() => 'number' as const),
    )(...inputs);
  }
}
