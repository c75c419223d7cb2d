/** Converts viseme posteriors to the scores that paths through the words sum up. */

/** The network's output for a recording, every 10 ms. */
export interface Heard {
  readonly frames: number;
  /** [frames × 15], each frame's sum is 1. */
  readonly posteriors: Float32Array;
}

export const visemeCount = 15;
export const silence = 0;

/**
 * Frequency of each viseme as a frame's label when flite's kal16 and awb speak the development sentences, in
 * the order of proto/blendshapes.ts. A posterior divided by its prior is a likelihood up to a factor.
 */
const priors = [
  0.109, 0.112, 0.061, 0.025, 0.064, 0.042, 0.04, 0.051, 0.068, 0.066, 0.111, 0.107, 0.083, 0.033, 0.029,
];
/** Weight of the priors: 1 is Bayes' rule. Lower, because the network's posteriors are overconfident. */
const priorWeight = 0.3;
/** Limits the cost of a single frame, because the network is sometimes confidently wrong. */
const minPosterior = 0.003;
/** Frames on either side over which the freest path is smoothed: every phone is longer than both. */
const freeReach = 2;

const priorLogs = priors.map((prior) => priorWeight * Math.log(prior));

/**
 * Scores of visemes by frame, in nats, relative to the freest path through the audio: the likeliest visemes,
 * for at least five frames each. So a correct word's path stays near 0 and a wrong one's falls.
 */
export class VisemeScores {
  readonly frames: number;
  readonly #posteriors: Float32Array;
  /** [frames] */
  readonly #freest: Float32Array;

  constructor({ frames, posteriors }: Heard) {
    this.frames = frames;
    this.#posteriors = posteriors;
    this.#freest = new Float32Array(frames);
    this.#findFreest();
  }

  /** Writes frame `frame`'s scores to `out` [15]. */
  read(frame: number, out: Float64Array): void {
    const free = this.#freest[frame] as number;
    for (let v = 0; v < visemeCount; v++) out[v] = this.#plain(frame, v) - free;
  }

  /** Score of one viseme in one frame. */
  at(frame: number, viseme: number): number {
    return this.#plain(frame, viseme) - (this.#freest[frame] as number);
  }

  #plain(frame: number, viseme: number): number {
    const posterior = this.#posteriors[frame * visemeCount + viseme] as number;
    return Math.log(posterior > minPosterior ? posterior : minPosterior) - (priorLogs[viseme] as number);
  }

  #findFreest(): void {
    const { frames } = this;
    const width = 2 * freeReach + 1;
    const ring = new Float64Array(width * visemeCount);
    const sums = new Float64Array(visemeCount);
    for (let ahead = 0; ahead < frames + freeReach; ahead++) {
      const slot = (ahead % width) * visemeCount;
      for (let v = 0; v < visemeCount; v++) {
        const value = this.#plain(Math.min(ahead, frames - 1), v);
        sums[v] = (sums[v] as number) + value - (ring[slot + v] as number);
        ring[slot + v] = value;
      }
      const frame = ahead - freeReach;
      if (frame < 0) continue;
      let best = Number.NEGATIVE_INFINITY;
      for (let v = 0; v < visemeCount; v++) if ((sums[v] as number) > best) best = sums[v] as number;
      this.#freest[frame] = best / Math.min(width, ahead + 1);
    }
  }
}
