/** A film's sound: read from its WAV file piece by piece, encoded as far as the pictures are. */
import { frameBytes, readWavHead, toSamples, type WavHead } from '@likeness/proto/wav.ts';
import { AacEncoder } from './aac-encoder.ts';
import type { SoundPacket } from './sound-packet.ts';

/** Samples that are encoded at once. */
const blockSamples = 9600;
const bitsPerSecond = { opus: 96_000, aac: 128_000 };

export class FilmSound {
  readonly sampleRate: number;
  readonly samples: number;
  readonly #file: Blob;
  readonly #head: WavHead;
  readonly #encoder: Encoder;
  #next = 0;

  private constructor(file: Blob, head: WavHead, encoder: Encoder) {
    this.#file = file;
    this.#head = head;
    this.#encoder = encoder;
    this.sampleRate = head.format.sampleRate;
    const bytes = Math.min(head.bytes, file.size - head.from);
    this.samples = Math.floor(bytes / frameBytes(head.format));
  }

  /** @param file a mono WAV file @throws Error where it can't be read or encoded */
  static async open(
    file: Blob,
    codec: 'opus' | 'aac',
    onPacket: (packet: SoundPacket) => void,
  ): Promise<FilmSound> {
    const head = readWavHead(new Uint8Array(await file.slice(0, 4096).arrayBuffer()), file.size);
    const { sampleRate } = head.format;
    return new FilmSound(file, head, await encoderOf(codec, sampleRate, onPacket));
  }

  /** Encodes as far as that. @param seconds since the film's beginning; Infinity: to its end */
  async encodeUntil(seconds: number): Promise<void> {
    const until = Math.min(this.samples, Math.ceil(seconds * this.sampleRate));
    const width = frameBytes(this.#head.format);
    while (this.#next < until) {
      const from = this.#head.from + this.#next * width;
      const count = Math.min(blockSamples, this.samples - this.#next);
      const bytes = new Uint8Array(await this.#file.slice(from, from + count * width).arrayBuffer());
      await this.#encoder.encode(toSamples({ format: this.#head.format, bytes }), this.#next);
      this.#next += count;
    }
    if (seconds === Infinity) await this.#encoder.finish();
  }

  close(): void {
    this.#encoder.close();
  }
}

interface Encoder {
  /** @param first position of the first sample */
  encode(samples: Float32Array, first: number): Promise<void> | void;
  finish(): Promise<void> | void;
  close(): void;
}

async function encoderOf(
  codec: 'opus' | 'aac',
  sampleRate: number,
  onPacket: (packet: SoundPacket) => void,
): Promise<Encoder> {
  const config: AudioEncoderConfig = {
    codec: codec === 'opus' ? 'opus' : 'mp4a.40.2',
    sampleRate,
    numberOfChannels: 1,
    bitrate: bitsPerSecond[codec],
  };
  const { supported } = await AudioEncoder.isConfigSupported(config).catch(() => ({ supported: false }));
  if (supported) return new NativeEncoder(config, onPacket);
  if (codec === 'opus') throw new Error(`This browser can't encode sound of ${sampleRate} Hz as Opus.`);
  // Browsers without a licence for AAC, as those of Linux distributions, get one as WebAssembly.
  return AacEncoder.open({ sampleRate, bitrate: bitsPerSecond.aac, onPacket });
}

class NativeEncoder implements Encoder {
  readonly #encoder: AudioEncoder;
  readonly #sampleRate: number;
  #error: unknown;

  constructor(config: AudioEncoderConfig, onPacket: (packet: SoundPacket) => void) {
    this.#sampleRate = config.sampleRate;
    this.#encoder = new AudioEncoder({
      output: (chunk, meta) => {
        const data = new Uint8Array(chunk.byteLength);
        chunk.copyTo(data);
        const decoder = meta?.decoderConfig;
        onPacket({
          data,
          at: chunk.timestamp / 1e6,
          seconds: (chunk.duration ?? 0) / 1e6,
          ...(decoder && { config: decoder }),
        });
      },
      error: (error) => {
        this.#error = error;
      },
    });
    this.#encoder.configure(config);
  }

  encode(samples: Float32Array, first: number): void {
    if (this.#error) throw this.#error;
    const data = new AudioData({
      format: 'f32-planar',
      sampleRate: this.#sampleRate,
      numberOfFrames: samples.length,
      numberOfChannels: 1,
      timestamp: Math.round((first / this.#sampleRate) * 1e6),
      data: samples as Float32Array<ArrayBuffer>,
    });
    this.#encoder.encode(data);
    data.close();
  }

  async finish(): Promise<void> {
    await this.#encoder.flush();
    if (this.#error) throw this.#error;
  }

  close(): void {
    if (this.#encoder.state !== 'closed') this.#encoder.close();
  }
}
