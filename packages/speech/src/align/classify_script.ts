/** Decides whether a script belongs to its recording, and whether there is speech at all. */

import { seededRandom } from '@likeness/proto/seeded_random.ts';
import type { SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import { type Heard, silence, visemeCount } from './viseme_scores.ts';

/** Minimum speech for any words, frames. */
const minSpeech = 15;
/**
 * Minimum share of words spoken in order for a matching script. Matching scripts of bad recordings reach .9
 * and more, other scripts stay under .5.
 */
const rightFrom = 0.6;
/** A script with half of its words unspoken still matches more words than the same words shuffled. */
const overShuffled = { times: 1.6, more: 0.05 };
/** Minimum mean of the winning posteriors for reliable recognition. Music: .41 – .46. */
const minConfidence = 0.5;
/**
 * Minimum number of different visemes in speech, and the time in which they all occur, frames; a tone has one
 * or two.
 */
const minVisemes = 4;
const enoughFrames = 300;
/** Minimum share of a viseme's frames among the speech frames. */
const visemeShare = 0.02;

/**
 * @param found share of the words spoken in order
 * @param findShuffled the same for the words in another order, given by a permutation
 */
export async function classifyScript(
  heard: Heard,
  words: number,
  found: number,
  findShuffled: (order: readonly number[]) => Promise<number>,
): Promise<SpeechAlignment['verdict']> {
  const speech = hearSpeech(heard);
  if (speech.frames < minSpeech) return 'no_speech';
  if (words > 0 && found >= rightFrom) return 'aligned';
  const monotonous = speech.frames >= enoughFrames && speech.visemes < minVisemes;
  if (speech.sureness < minConfidence || monotonous) return 'no_speech';
  if (words === 0) return 'other_words';
  const shuffled = await findShuffled(shuffledOrder(words));
  return found > overShuffled.times * shuffled + overShuffled.more ? 'aligned' : 'other_words';
}

/**
 * Counts frames whose likeliest viseme is not silence, with the network's confidence and the number of
 * different visemes.
 */
function hearSpeech({ frames, posteriors }: Heard): { frames: number; sureness: number; visemes: number } {
  const counts = new Int32Array(visemeCount);
  let [speech, sure] = [0, 0];
  for (let frame = 0; frame < frames; frame++) {
    let best = silence;
    for (let v = 1; v < visemeCount; v++) {
      if (at(posteriors, frame, v) > at(posteriors, frame, best)) best = v;
    }
    if (best === silence) continue;
    speech++;
    sure += at(posteriors, frame, best);
    counts[best] = (counts[best] as number) + 1;
  }
  return {
    frames: speech,
    sureness: speech > 0 ? sure / speech : 0,
    visemes: counts.filter((count) => count > visemeShare * speech).length,
  };
}

const at = (posteriors: Float32Array, frame: number, viseme: number): number =>
  posteriors[frame * visemeCount + viseme] as number;

function shuffledOrder(count: number): number[] {
  const order = Array.from({ length: count }, (_, k) => k);
  const random = seededRandom(1);
  for (let k = count - 1; k > 0; k--) {
    const other = Math.floor(random() * (k + 1));
    [order[k], order[other]] = [order[other] as number, order[k] as number];
  }
  return order;
}
