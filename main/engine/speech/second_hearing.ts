import { hopSamples, MelStream } from './mel.ts';
import type { SecondHearingModel } from './second_hearing_model.ts';
import { SecondHearingStream } from './second_hearing_stream.ts';
import { visemeCount } from './speech_model.ts';
import { type Attention, Turns } from './turns.ts';

export { loadSecondHearing, type SecondHearingModel } from './second_hearing_model.ts';

/** Viseme posteriors of a whole recording, 10 ms a frame, heard with what comes before and after. */
export interface Heard {
  /** ⌈samples / 160⌉ */
  readonly frames: number;
  /** [frames × 15], each frame's sum to 1 */
  readonly posteriors: Float32Array;
}

/** Computed at a time, samples: a hundred frames are some 15 ms of computing. */
const blockSamples = 100 * hopSamples;

/**
 * Hears a recording as a whole. Lets others have their turn at least every 50 ms of computing. Besides the answer it needs
 * some megabytes, however long the sound.
 *
 * @param samples16k mono at 16 kHz, −1..1
 * @throws The signal's reason once it is aborted
 */
export async function hearWhole(
  model: SecondHearingModel,
  samples16k: Float32Array,
  attention: Attention = {},
): Promise<Heard> {
  const frames = Math.ceil(samples16k.length / hopSamples);
  const posteriors = new Float32Array(frames * visemeCount);
  const turns = new Turns(attention);
  attention.signal?.throwIfAborted();

  const stream = new SecondHearingStream(model);
  let at = 0;
  const write = (said: Float32Array): void => {
    posteriors.set(said, at);
    at += said.length;
  };
  for (const { mels, share } of melBlocks(samples16k)) {
    write(stream.push(mels));
    attention.signal?.throwIfAborted();
    if (turns.due) await turns.give(share);
  }
  write(stream.end());
  attention.onProgress?.(1);
  return { frames, posteriors };
}

/** Log-mel frames of the sound, a second at a time, and how much of it they make. */
function* melBlocks(samples: Float32Array): Generator<{ mels: Float32Array[]; share: number }> {
  const mel = new MelStream();
  for (let from = 0; from < samples.length; from += blockSamples) {
    const to = Math.min(samples.length, from + blockSamples);
    const mels = mel.push(samples.subarray(from, to));
    if (to === samples.length) mels.push(...mel.end(0));
    yield { mels, share: to / samples.length };
  }
}
