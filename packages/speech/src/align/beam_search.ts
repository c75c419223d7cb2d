/** The best path of a recording through the words of its script: Viterbi, with a beam. */

import type { Turns } from '../turns.ts';
import { Trail, type TrailStep, trailStart } from './trail.ts';
import { type VisemeScores, visemeCount } from './viseme_scores.ts';
import {
  anyViseme,
  endsAside,
  endsWord,
  loops,
  opensChain,
  opensItem,
  type WordGraph,
} from './word_graph.ts';

/** Costs of a path, nats. */
export interface Penalties {
  /** Cost of a pause, and of one at a comma or a full stop of the script. */
  readonly pause: number;
  readonly pauseAtClause: number;
  /** Cost of speech that the script lacks: to begin it, and per frame (the freest path costs nothing). */
  readonly other: number;
  readonly otherFrame: number;
  /** Cost of a word that isn't spoken. */
  readonly skip: number;
  /** Cost of many unspoken words in a row: to begin, and per word. */
  readonly leap: number;
  readonly leapWord: number;
}

/** Chosen on development voices: research/speech.md. */
export const defaultPenalties: Penalties = {
  pause: 4,
  pauseAtClause: 1.5,
  other: 16,
  otherFrame: 0.7,
  skip: 20,
  leap: 50,
  leapWord: 0.5,
};

const never = Number.POSITIVE_INFINITY;
/** Every word is spoken, and no other speech occurs. */
export const nothingElse: Penalties = {
  pause: never,
  pauseAtClause: never,
  other: never,
  otherFrame: never,
  skip: never,
  leap: never,
  leapWord: never,
};

/** Paths this far behind the best are dropped, nats. */
const beam = 110;
/** Maximum number of living states; the beam narrows when there are more. */
const maxStates = 2500;

const dead = Number.NEGATIVE_INFINITY;

export class BeamSearch {
  readonly #scores: VisemeScores;
  readonly #graph: WordGraph;
  readonly #penalties: Penalties;
  readonly #row = new Float64Array(visemeCount + 1);
  /** [states] */
  readonly #score: Float32Array;
  readonly #step: Int32Array;
  /** [words + 1] best path before each word; the same for paths that leap over words. */
  readonly #boundary: Float32Array;
  readonly #boundaryStep: Int32Array;
  readonly #leap: Float32Array;
  readonly #leapStep: Int32Array;
  /** [words + 1] whether any state of a word's block is alive. */
  readonly #alive: Uint8Array;
  /** Best paths that leave a word's block in this frame: for the boundary before it, and after it. */
  readonly #exits = { own: dead, ownStep: trailStart, next: dead, nextStep: trailStart };
  readonly #trail: Trail;
  /** First and last word of the living paths. */
  #low = 0;
  #high = 0;
  #best = 0;
  #beam = beam;
  /** States times frames that were computed. */
  visited = 0;
  /** Score of the path found, nats; −∞ if there is none. */
  total = dead;

  constructor(scores: VisemeScores, graph: WordGraph, penalties: Penalties = defaultPenalties) {
    this.#penalties = penalties;
    this.#scores = scores;
    this.#graph = graph;
    const states = graph.viseme.length;
    this.#trail = new Trail(Math.min(1 << 18, 64 * states));
    const boundaries = graph.words.length + 1;
    this.#score = new Float32Array(states).fill(dead);
    this.#step = new Int32Array(states).fill(trailStart);
    this.#boundary = new Float32Array(boundaries).fill(dead);
    this.#boundaryStep = new Int32Array(boundaries).fill(trailStart);
    this.#leap = new Float32Array(boundaries).fill(dead);
    this.#leapStep = new Int32Array(boundaries).fill(trailStart);
    this.#alive = new Uint8Array(boundaries);
  }

  /** Maximum number of steps in the trail. */
  get trailCapacity(): number {
    return this.#trail.capacity;
  }

  /**
   * @param from first frame @param to the frame after the last
   * @returns entries into phones, pauses and other speech; undefined if nothing fits into so few frames
   */
  async find(
    from: number,
    to: number,
    turns: Turns,
    share: (frame: number) => number,
  ): Promise<TrailStep[] | undefined> {
    this.#begin();
    for (let frame = from; frame < to; frame++) {
      if (turns.due) await turns.give(share(frame));
      this.#hear(frame);
    }
    const last = this.#finish();
    return last === undefined ? undefined : this.#trail.follow(last);
  }

  /** Returns the best path's score alone, −∞ if nothing fits; for a few words, synchronously. */
  measure(from: number, to: number): number {
    this.#begin();
    for (let frame = from; frame < to; frame++) this.#hear(frame);
    this.#finish();
    return this.total;
  }

  #begin(): void {
    this.#boundary[0] = 0;
    this.#passOver(dead);
  }

  #hear(frame: number): void {
    this.#readRow(frame);
    this.#makeRoom();
    const threshold = this.#best - this.#beam;
    this.#best = dead;
    const living = this.#advance(frame, threshold);
    this.#beam = living > maxStates ? Math.max(20, this.#beam * 0.9) : Math.min(beam, this.#beam * 1.02);
    this.#passOver(this.#best - this.#beam);
    this.#narrow();
  }

  #readRow(frame: number): void {
    this.#scores.read(frame, this.#row);
    this.#row[anyViseme] = -this.#penalties.otherFrame;
  }

  /** Advances all paths by a frame. @returns the number of living states */
  #advance(frame: number, threshold: number): number {
    let living = 0;
    const last = this.#graph.words.length;
    // boundaries of this frame grow while those of the last one are read: downwards, each is read before it
    // is written
    for (let word = this.#high; word >= this.#low; word--) {
      if (this.#alive[word] === 0 && this.#boundary[word] === dead) continue;
      const found = this.#advanceWord(word, frame, threshold);
      const { own, ownStep, next, nextStep } = this.#exits;
      living += found;
      this.#alive[word] = found > 0 ? 1 : 0;
      this.#boundary[word] = own;
      this.#boundaryStep[word] = ownStep;
      if (word < last && next > (this.#boundary[word + 1] as number)) {
        this.#boundary[word + 1] = next;
        this.#boundaryStep[word + 1] = nextStep;
      }
    }
    this.visited += living;
    return living;
  }

  /** Advances the paths within a word's block, and writes those that leave it to `#exits`. */
  #advanceWord(word: number, frame: number, threshold: number): number {
    const { offsets, viseme, kind, words } = this.#graph;
    const [score, step, row, trail] = [this.#score, this.#step, this.#row, this.#trail];
    const first = offsets[word] as number;
    const entry = this.#boundary[word] as number;
    const entryStep = this.#boundaryStep[word] as number;
    const atClause = word === 0 || word === words.length || words[word - 1]?.endsClause === true;
    const pauseCost = atClause ? this.#penalties.pauseAtClause : this.#penalties.pause;
    let found = 0;
    let own = dead;
    let ownStep = trailStart;
    let next = dead;
    let nextStep = trailStart;
    let best = this.#best;
    for (let s = (offsets[word + 1] as number) - 1; s >= first; s--) {
      const bits = kind[s] as number;
      const mouth = viseme[s] as number;
      let value = (bits & loops) === 0 ? dead : (score[s] as number);
      let came = step[s] as number;
      let before: number;
      let beforeStep: number;
      if ((bits & opensChain) === 0) {
        before = score[s - 1] as number;
        beforeStep = step[s - 1] as number;
      } else {
        before = entry - (mouth === anyViseme ? this.#penalties.other : s === first ? pauseCost : 0);
        beforeStep = entryStep;
      }
      const enters = before > value;
      if (enters) {
        value = before;
        came = beforeStep;
      }
      if (value <= threshold) {
        score[s] = dead;
        continue;
      }
      value += row[mouth] as number;
      if (enters && (bits & opensItem) !== 0) came = trail.add(beforeStep, s, frame);
      score[s] = value;
      step[s] = came;
      found++;
      if (value > best) best = value;
      if ((bits & endsWord) !== 0 && value > next) {
        next = value;
        nextStep = came;
      }
      if ((bits & endsAside) !== 0 && value > own) {
        own = value;
        ownStep = came;
      }
    }
    this.#best = best;
    const exits = this.#exits;
    exits.own = own;
    exits.ownStep = ownStep;
    exits.next = next;
    exits.nextStep = nextStep;
    return found;
  }

  /** Lets paths at boundaries skip unspoken words. */
  #passOver(threshold: number): void {
    const [boundary, boundaryStep, leap, leapStep] = [
      this.#boundary,
      this.#boundaryStep,
      this.#leap,
      this.#leapStep,
    ];
    const last = this.#graph.words.length;
    const floor = threshold === dead ? -beam : threshold;
    let high = this.#high;
    for (let word = this.#low; word <= last; word++) {
      // a pause's end may have set the boundary lower than what comes over the words before it
      if (word > this.#low) {
        const flown = leap[word - 1] as number;
        const begun = (boundary[word - 1] as number) - this.#penalties.leap;
        leap[word] = Math.max(flown, begun) - this.#penalties.leapWord;
        leapStep[word] = (flown >= begun ? leapStep[word - 1] : boundaryStep[word - 1]) as number;
        const skipped = (boundary[word - 1] as number) - this.#penalties.skip;
        if (skipped > (boundary[word] as number)) {
          boundary[word] = skipped;
          boundaryStep[word] = boundaryStep[word - 1] as number;
        }
        if ((leap[word] as number) > (boundary[word] as number)) {
          boundary[word] = leap[word] as number;
          boundaryStep[word] = leapStep[word] as number;
        }
      } else leap[word] = dead;
      if ((boundary[word] as number) <= floor) {
        boundary[word] = dead;
        if (word > high) break;
      } else if (word > high) high = word;
      if ((leap[word] as number) <= floor) leap[word] = dead;
    }
    this.#high = high;
  }

  /** Drops words without a living path at either end. */
  #narrow(): void {
    const lives = (word: number): boolean => this.#alive[word] === 1 || this.#boundary[word] !== dead;
    while (this.#low < this.#high && !lives(this.#low)) this.#low++;
    while (this.#high > this.#low && !lives(this.#high)) this.#high--;
  }

  #makeRoom(): void {
    const { offsets } = this.#graph;
    const [first, end] = [offsets[this.#low] as number, offsets[this.#high + 1] as number];
    const room = end - first;
    if (this.#trail.hasRoom(room)) return;
    for (let s = first; s < end; s++) if (this.#score[s] === dead) this.#step[s] = trailStart;
    this.#trail.sweep(
      [this.#step.subarray(first, end), this.#boundaryStep.subarray(this.#low, this.#high + 1)],
      room,
    );
  }

  #finish(): number | undefined {
    // over whatever words are left: paths that have none to go over win by what they pay
    const last = this.#graph.words.length;
    let [best, bestStep] = [dead, trailStart];
    for (let word = this.#low; word <= this.#high; word++) {
      const value = this.#boundary[word] as number;
      if (value === dead) continue;
      const left = last - word;
      const { skip, leap, leapWord } = this.#penalties;
      const cost = left === 0 ? 0 : Math.min(skip * left, leap + leapWord * left);
      if (value - cost > best) {
        best = value - cost;
        bestStep = this.#boundaryStep[word] as number;
      }
    }
    this.total = best;
    return best === dead ? undefined : bestStep;
  }
}
