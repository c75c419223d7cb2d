/**
 * Posts the sound from the audio thread in small blocks: mixed to one channel, measured, gated. It never
 * waits: a slow page gets its blocks later.
 */
import { MonoMixer } from '@likeness/proto/mono_mixer.ts';
import { blockMs, type CapturedBlock, type CaptureSettings } from './sound-block.ts';

// The worklet's global scope; the DOM's types do not know it.
declare const sampleRate: number;
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}

/** A sample from this level on counts as clipped: full scale minus rounding of converters. */
const clipAt = 0.999;
/**
 * Seconds that the gate stays open after the last sound above its threshold, so that words keep their ends.
 */
const holdSeconds = 0.25;

class Capture extends AudioWorkletProcessor {
  private readonly length = Math.round((sampleRate * blockMs) / 1000);
  private block = new Float32Array(this.length);
  private filled = 0;
  private channels = 1;
  private mixer = new MonoMixer(1);
  private peak = 0;
  private settings: CaptureSettings = { gain: 1, threshold: 0, open: true };
  private holdRemaining = 0;
  /** Gain of the gate at the end of the last block, 0..1. */
  private gate = 1;

  constructor() {
    super();
    this.port.onmessage = ({ data }: MessageEvent<CaptureSettings>) => {
      this.settings = data;
    };
  }

  process([input]: Float32Array[][]): boolean {
    const channels = input ?? [];
    const count = channels[0]?.length ?? 0;
    if (channels.length !== this.channels) this.mixer = new MonoMixer(channels.length);
    this.channels = channels.length;
    const mixed = this.mixer.pushPlanar(channels);
    for (let i = 0; i < count; i++) {
      // A clipped channel is clipped, however quiet the mix is.
      for (const channel of channels) this.peak = Math.max(this.peak, Math.abs(channel[i]!));
      this.block[this.filled++] = mixed[i]! * this.settings.gain;
      if (this.filled === this.length) this.send();
    }
    return true;
  }

  private send(): void {
    const { gain, threshold, open } = this.settings;
    let squares = 0;
    for (const sample of this.block) squares += sample * sample;
    const rms = Math.sqrt(squares / this.length);
    if (rms >= threshold) this.holdRemaining = Math.round((holdSeconds * 1000) / blockMs);
    else this.holdRemaining = Math.max(0, this.holdRemaining - 1);
    const to = open && (threshold === 0 || this.holdRemaining > 0) ? 1 : 0;
    if (this.gate !== 1 || to !== 1) {
      // Opens within 2 ms, closes within the block: no clicks, and no lost onsets.
      const ramp = to > this.gate ? Math.round(sampleRate * 0.002) : this.length;
      for (let i = 0; i < this.length; i++) {
        const part = Math.min(1, i / ramp);
        this.block[i]! *= this.gate + (to - this.gate) * part;
      }
      this.gate = to;
    }
    const message: CapturedBlock = {
      samples: this.block,
      capturedAt: Date.now(),
      rms,
      peak: this.peak * gain,
      // Clipped in the converter or by the gain: services get 16 bits, which end at full scale.
      clipped: this.peak * Math.max(1, gain) >= clipAt,
      passed: to === 1,
    };
    this.port.postMessage(message, [this.block.buffer]);
    this.block = new Float32Array(this.length);
    this.filled = 0;
    this.peak = 0;
  }
}

registerProcessor('capture', Capture);
