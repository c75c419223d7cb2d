import type { StateCarrier } from './speech/carried_state.ts';

/** Channels whose mean has less than this share of the power that unrelated ones would leave cancel each other. */
const cancelledShare = 0.35;
/** A mean with less than this share of the loudest channel's power is mostly made of silent channels. */
const quietShare = 1 / 16;
/** Samples over which the mix changes from one to another, without a click. */
const fadeSamples = 256;

/** Blocks in which a stream is mixed, seconds: short enough to be heard live. */
const blockSeconds = 0.005;

/** Samples of one channel: every `step`th of an array, from one on. */
interface ChannelSamples {
  samples: Float32Array;
  from: number;
  step: number;
}

/**
 * Mixes channels to one, block by block: their mean; the loudest channel where they cancel each other (one is
 * inverted), or where nearly all of them are silent. Decided by all that was heard so far, with the block itself.
 */
export class MonoMixer {
  readonly #power: Float64Array;
  #meanPower = 0;
  /** −1: the mean. */
  #channel = -1;
  #isSilentSoFar = true;

  constructor(channels: number) {
    this.#power = new Float64Array(channels);
  }

  /** @param samples interleaved, whole frames */
  push(samples: Float32Array): Float32Array {
    const step = this.#power.length;
    const channels = Array.from(this.#power, (_, from) => ({ samples, from, step }));
    return this.#mix(channels, Math.floor(samples.length / step));
  }

  /** @param channels each by itself, of one length */
  pushPlanar(channels: readonly Float32Array[]): Float32Array {
    return this.#mix(
      channels.map((samples) => ({ samples, from: 0, step: 1 })),
      channels[0]?.length ?? 0,
    );
  }

  /** The state comes from a mixer of as many channels. */
  carry(state: StateCarrier): void {
    state.fill(this.#power);
    this.#meanPower = state.number(this.#meanPower);
    this.#channel = state.number(this.#channel);
    this.#isSilentSoFar = state.flag(this.#isSilentSoFar);
  }

  #mix(channels: readonly ChannelSamples[], length: number): Float32Array {
    const mean = new Float32Array(length);
    for (const [index, { samples, from, step }] of channels.entries()) {
      let power = 0;
      for (let i = 0, at = from; i < length; i += 1, at += step) {
        const sample = samples[at]!;
        if (!Number.isFinite(sample)) continue;
        mean[i]! += sample / channels.length;
        power += sample * sample;
      }
      this.#power[index]! += power;
    }
    if (channels.length < 2) return mean;
    for (const sample of mean) this.#meanPower += sample * sample;
    const before = this.#channel;
    this.#channel = this.#choose();
    const mixed = this.#channel < 0 ? mean : alone(channels[this.#channel]!, length);
    if (this.#channel !== before && !this.#isSilentSoFar)
      fade(before < 0 ? mean : alone(channels[before]!, length), mixed);
    this.#isSilentSoFar &&= this.#power.every((power) => power === 0);
    return mixed;
  }

  #choose(): number {
    const count = this.#power.length;
    const loudest = this.#power.indexOf(Math.max(...this.#power));
    const unrelated = this.#power.reduce((sum, power) => sum + power, 0) / count ** 2;
    const isCancelled = this.#meanPower < cancelledShare * unrelated;
    return isCancelled || this.#meanPower < quietShare * this.#power[loudest]! ? loudest : -1;
  }
}

/**
 * Mixes interleaved samples that come in pieces of any length, also cut within a frame. It mixes blocks of 5 ms:
 * the mix does not depend on how the sound was cut. Samples of an incomplete block wait for the rest of it.
 */
export class StreamMixer {
  readonly #mixer: MonoMixer;
  readonly #blockFrames: number;
  readonly #block: Float32Array;
  #filled = 0;

  constructor(channels: number, sampleRate: number) {
    this.#mixer = new MonoMixer(channels);
    this.#blockFrames = Math.ceil(sampleRate * blockSeconds);
    this.#block = new Float32Array(this.#blockFrames * channels);
  }

  push(interleaved: Float32Array): Float32Array {
    const block = this.#block;
    const blocks = Math.floor((this.#filled + interleaved.length) / block.length);
    const mixed = new Float32Array(blocks * this.#blockFrames);
    for (let at = 0, to = 0; at < interleaved.length; ) {
      const part = interleaved.subarray(at, at + block.length - this.#filled);
      block.set(part, this.#filled);
      at += part.length;
      this.#filled += part.length;
      if (this.#filled < block.length) break;
      mixed.set(this.#mixer.push(block), to);
      to += this.#blockFrames;
      this.#filled = 0;
    }
    return mixed;
  }

  /** The rest, without a frame that lacks channels. */
  end(): Float32Array {
    return this.#mixer.push(this.#block.subarray(0, this.#filled));
  }

  /** The state comes from a mixer of the same rate and channels. */
  carry(state: StateCarrier): void {
    this.#mixer.carry(state);
    state.fill(this.#block);
    this.#filled = state.number(this.#filled);
  }
}

function alone({ samples, from, step }: ChannelSamples, length: number): Float32Array {
  const own = new Float32Array(length);
  for (let i = 0, at = from; i < length; i += 1, at += step)
    if (Number.isFinite(samples[at])) own[i] = samples[at]!;
  return own;
}

/** Begins `to` as `from`. */
function fade(from: Float32Array, to: Float32Array): void {
  const length = Math.min(fadeSamples, to.length);
  for (let i = 0; i < length; i += 1) to[i] = from[i]! + ((to[i]! - from[i]!) * i) / length;
}
