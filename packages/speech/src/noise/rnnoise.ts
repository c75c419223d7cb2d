import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { StateCarrier } from '@likeness/proto/speech/carried_state.ts';

/** Samples at 48 kHz that RNNoise takes at a time: 10 ms. */
export const rnnoiseFrame = 480;
/** Samples at 48 kHz by which its output is delayed. */
export const rnnoiseDelay = 480;
/** It computes in the range of 16-bit samples. */
const fullScale = 32768;

/** The part of WebAssembly used here; Node's types lack it. */
interface WasmApi {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { readonly exports: Exports };
}
const { Module, Instance } = (globalThis as unknown as { WebAssembly: WasmApi }).WebAssembly;

/** The module's exports, by the letters that its build has given them (dist/rnnoise.js of the package has the key). */
interface Exports {
  readonly c: { readonly buffer: ArrayBuffer };
  /** Constructors. */
  d(): void;
  /** rnnoise_create @param model 0: the one inside */
  f(model: number): number;
  /** malloc */
  g(bytes: number): number;
  /** rnnoise_process_frame */
  j(state: number, out: number, input: number): number;
}

let compiled: object | undefined;

/**
 * Xiph's RNNoise 0.1, for one voice. Each voice has a separate module instance, which is garbage-collected.
 * The package's own loader is for browsers; its WebAssembly needs only a function that copies memory.
 */
export class Rnnoise {
  readonly #exports: Exports;
  readonly #state: number;
  readonly #frame: Float32Array;
  readonly #at: number;
  #hasHeard = false;

  constructor() {
    compiled ??= new Module(
      readFileSync(createRequire(import.meta.url).resolve('@jitsi/rnnoise-wasm/dist/rnnoise.wasm')),
    );
    const { exports } = new Instance(compiled, {
      a: {
        // Memory growth: the initial memory is enough for one voice.
        a: () => 0,
        b: (to: number, from: number, bytes: number) => {
          new Uint8Array(exports.c.buffer).copyWithin(to, from, from + bytes);
        },
      },
    });
    this.#exports = exports;
    this.#exports.d();
    this.#state = this.#exports.f(0);
    this.#at = this.#exports.g(rnnoiseFrame * 4);
    if (this.#state === 0 || this.#at === 0) throw new Error('Noise suppression found no memory');
    this.#frame = new Float32Array(this.#exports.c.buffer, this.#at, rnnoiseFrame);
  }

  /**
   * Memory has the same layout in every instance: the voice's state is between the addresses from `f` and
   * `g`. Tables built at the first frame are the same for all.
   */
  carry(state: StateCarrier): void {
    const voice = new Uint8Array(this.#exports.c.buffer, this.#state, this.#at - this.#state);
    if (!this.#hasHeard) {
      const before = voice.slice();
      this.process(new Float32Array(rnnoiseFrame));
      voice.set(before);
    }
    state.fill(voice);
  }

  /** @param frame 480 samples at 48 kHz, −1..1; replaced by the samples without noise */
  process(frame: Float32Array): void {
    this.#hasHeard = true;
    for (let i = 0; i < rnnoiseFrame; i++) this.#frame[i] = (frame[i] as number) * fullScale;
    this.#exports.j(this.#state, this.#at, this.#at);
    for (let i = 0; i < rnnoiseFrame; i++) frame[i] = (this.#frame[i] as number) / fullScale;
  }
}
