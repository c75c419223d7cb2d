/** Measures the level of what comes in, off the page's own thread. Posts [rms, peak, clipped] for each 20 ms. */

// The worklet's global scope; the DOM's types do not know it.
declare const sampleRate: number;
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}

/** From here on a sample counts as clipped: full scale, less what converters round away. */
const clipAt = 0.999;

class Level extends AudioWorkletProcessor {
  private readonly block = Math.round(sampleRate * 0.02);
  private count = 0;
  private squares = 0;
  private peak = 0;

  process([input]: Float32Array[][]): boolean {
    for (const channel of input ?? []) {
      for (const sample of channel) {
        this.squares += sample * sample;
        this.peak = Math.max(this.peak, Math.abs(sample));
      }
    }
    const channels = input?.length ?? 0;
    this.count += input?.[0]?.length ?? 0;
    if (this.count >= this.block) {
      const rms = Math.sqrt(this.squares / (this.count * Math.max(1, channels)));
      this.port.postMessage([rms, this.peak, this.peak >= clipAt ? 1 : 0]);
      this.count = 0;
      this.squares = 0;
      this.peak = 0;
    }
    return true;
  }
}

registerProcessor('level', Level);
