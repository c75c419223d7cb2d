/** A film's file: pictures and sound encoded, laid side by side and handed on piece by piece. */

import type { FilmJob } from '@likeness/proto/takes/film_message.ts';
import { frameTime, hertz } from '@likeness/proto/takes/frame_rates.ts';
import {
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
  StreamTarget,
  type StreamTargetChunk,
  WebMOutputFormat,
} from 'mediabunny';
import { videoLimits } from '#contract/video_options.ts';
import type { DrawnHead } from '../../speaking/film/film-stage.ts';
import { keySeconds, videoConfig } from './film-codecs.ts';
import { alphaPicture, type Backdrop, edgeColour, Yuv, yuvColourSpace } from './film-pixels.ts';
import { FilmSound } from './film-sound.ts';

/** Pictures that wait for an encoder at most: each is a few megabytes. */
const maxWaiting = 3;
/** Seconds by which the sound is ahead of the pictures in the file. */
const soundAhead = 0.5;

export interface FilmFileOptions {
  job: FilmJob;
  sound: Blob;
  /** Null: the film is transparent. */
  behind: Backdrop | null;
  /** Resolves when there is room for the next piece. */
  write(position: number, bytes: Uint8Array): Promise<void>;
}

interface Chunk {
  data: Uint8Array;
  isKey: boolean;
}

export class FilmFile {
  readonly #job: FilmJob;
  readonly #behind: Backdrop | null;
  readonly #output: Output;
  readonly #video: EncodedVideoPacketSource;
  readonly #audio: EncodedAudioPacketSource;
  readonly #colours: PictureEncoder;
  readonly #alphas: PictureEncoder | null;
  #sound!: FilmSound;
  #yuv: Yuv | undefined;
  /** Frames whose packets are in the file. */
  #muxed = 0;
  #adding: Promise<unknown> = Promise.resolve();
  #error: unknown;

  private constructor({ job, behind, write }: FilmFileOptions) {
    this.#job = job;
    this.#behind = behind;
    const pieces = new WritableStream<StreamTargetChunk>({
      write: ({ data, position }) => write(position, data),
    });
    this.#output = new Output({
      format: job.format === 'webm' ? new WebMOutputFormat() : new Mp4OutputFormat({ fastStart: 'reserve' }),
      target: new StreamTarget(pieces, { chunked: true, chunkSize: videoLimits.piece }),
    });
    this.#video = new EncodedVideoPacketSource(job.format === 'webm' ? 'vp9' : 'avc');
    this.#audio = new EncodedAudioPacketSource(job.format === 'webm' ? 'opus' : 'aac');
    this.#colours = new PictureEncoder(job, 'colour', () => this.#mux());
    this.#alphas = job.background === null ? new PictureEncoder(job, 'alpha', () => this.#mux()) : null;
  }

  /** @throws Error where something of it can't be encoded here */
  static async open(options: FilmFileOptions): Promise<FilmFile> {
    const { job, sound } = options;
    const file = new FilmFile(options);
    file.#sound = await FilmSound.open(sound, job.format === 'webm' ? 'opus' : 'aac', (packet) => {
      const { data, at, config } = packet;
      // The last packet is filled up with silence: the film ends where its pictures end.
      const seconds = Math.min(packet.seconds, frameTime(job.frames, job.rate) - at);
      if (seconds < 1e-6) return;
      file.#add(() =>
        file.#audio.add(new EncodedPacket(data, 'key', at, seconds), config && { decoderConfig: config }),
      );
    });
    file.#output.addVideoTrack(file.#video, {
      frameRate: hertz(job.rate),
      maximumPacketCount: job.frames,
    });
    file.#output.addAudioTrack(file.#audio, {
      maximumPacketCount: Math.ceil(file.#sound.samples / 960) + 16,
    });
    await file.#output.start();
    return file;
  }

  /** @param drawn of frame `index`; frames come one after the other */
  async add(index: number, drawn: DrawnHead): Promise<void> {
    const { rate } = this.#job;
    const isKey = index % Math.max(1, Math.round(keySeconds * hertz(rate))) === 0;
    this.#yuv ??= new Yuv(this.#job, this.#behind ?? edgeColour(drawn));
    const colours = this.#yuv.picture(drawn, this.#behind !== null);
    const alpha = this.#alphas && alphaPicture(drawn, this.#job);
    await Promise.all([this.#colours.room(), this.#alphas?.room()]);
    this.#throwFailed();
    this.#colours.encode(colours, index, isKey);
    // A picture's alpha is decoded with it: both must begin anew at once.
    if (alpha) this.#alphas?.encode(alpha, index, isKey);
    await this.#sound.encodeUntil(frameTime(index, rate) + soundAhead);
    await this.#adding;
    this.#throwFailed();
  }

  /** @throws Error where a frame is missing: encoders must not drop any */
  async finish(): Promise<void> {
    await this.#colours.flush();
    await this.#alphas?.flush();
    await this.#sound.encodeUntil(Infinity);
    this.#mux();
    await this.#adding;
    this.#throwFailed();
    if (this.#muxed !== this.#job.frames)
      throw new Error(`The encoder gave ${this.#muxed} pictures of ${this.#job.frames}.`);
    await this.#output.finalize();
  }

  async close(): Promise<void> {
    this.#colours.close();
    this.#alphas?.close();
    this.#sound?.close();
    if (this.#output.state === 'started') await this.#output.cancel().catch(() => undefined);
  }

  /** Puts pictures into the file whose colours and alpha are there. */
  #mux(): void {
    const { rate } = this.#job;
    while (this.#colours.done.length > 0 && (!this.#alphas || this.#alphas.done.length > 0)) {
      const { data, isKey } = this.#colours.done.shift()!;
      const alpha = this.#alphas?.done.shift()?.data;
      const [at, next] = [frameTime(this.#muxed, rate), frameTime(this.#muxed + 1, rate)];
      this.#muxed += 1;
      const packet = new EncodedPacket(
        data,
        isKey ? 'key' : 'delta',
        at,
        next - at,
        undefined,
        undefined,
        alpha && { alpha },
      );
      const decoderConfig = this.#colours.config;
      this.#add(() => this.#video.add(packet, decoderConfig && { decoderConfig }));
    }
  }

  #add(action: () => Promise<void>): void {
    this.#adding = this.#adding.then(action).catch((error: unknown) => {
      this.#error ??= error;
    });
  }

  #throwFailed(): void {
    const error = this.#error ?? this.#colours.error ?? this.#alphas?.error;
    if (error) throw error;
  }
}

class PictureEncoder {
  readonly done: Chunk[] = [];
  config: VideoDecoderConfig | undefined;
  error: unknown;
  readonly #encoder: VideoEncoder;
  readonly #job: FilmJob;
  readonly #failed = Promise.withResolvers<void>();

  constructor(job: FilmJob, what: 'colour' | 'alpha', onDone: () => void) {
    this.#job = job;
    this.#encoder = new VideoEncoder({
      output: (chunk, meta) => {
        const data = new Uint8Array(chunk.byteLength);
        chunk.copyTo(data);
        this.config ??= meta?.decoderConfig;
        this.done.push({ data, isKey: chunk.type === 'key' });
        onDone();
      },
      error: (error) => {
        this.error = error;
        this.#failed.resolve();
      },
    });
    this.#encoder.configure(videoConfig(job, what));
  }

  /** Resolves when few pictures wait. */
  async room(): Promise<void> {
    while (!this.error && this.#encoder.encodeQueueSize >= maxWaiting) {
      const dequeued = new Promise((resolve) =>
        this.#encoder.addEventListener('dequeue', resolve, { once: true }),
      );
      await Promise.race([dequeued, this.#failed.promise]);
    }
  }

  /** @param picture I420, taken over */
  encode(picture: Uint8Array<ArrayBuffer>, index: number, isKey: boolean): void {
    const { width, height, rate } = this.#job;
    const microseconds = (frame: number): number => Math.round(frameTime(frame, rate) * 1e6);
    const layout: VideoFrameBufferInit & { transfer: ArrayBuffer[] } = {
      format: 'I420',
      colorSpace: yuvColourSpace,
      codedWidth: width,
      codedHeight: height,
      timestamp: microseconds(index),
      duration: microseconds(index + 1) - microseconds(index),
      transfer: [picture.buffer],
    };
    const frame = new VideoFrame(picture, layout);
    this.#encoder.encode(frame, { keyFrame: isKey });
    frame.close();
  }

  async flush(): Promise<void> {
    await this.#encoder.flush();
    if (this.error) throw this.error;
  }

  close(): void {
    if (this.#encoder.state !== 'closed') this.#encoder.close();
  }
}
