import { phoneParts } from '@likeness/proto/speech/phones.ts';
import type { AlignedWord } from '@likeness/proto/speech/speech_alignment.ts';
import { type Heard, silence, visemeCount } from './viseme_scores.ts';

/** Weight of the detected visemes where an aligned word knows better. */
const heardShare = 0.1;

/**
 * Returns the detected visemes, overwritten by the aligned phones of unflagged words and by the pauses
 * between two such words.
 *
 * @returns [frames × 15], each frame's sum is 1
 */
export function alignedLabels(
  alignment: { readonly words: readonly AlignedWord[] },
  { frames, posteriors }: Heard,
): Float32Array {
  const out = posteriors.slice();
  const write = (from: number, to: number, viseme: number): void => {
    for (let frame = Math.max(0, from); frame < Math.min(to, frames); frame++) {
      const row = out.subarray(frame * visemeCount, (frame + 1) * visemeCount);
      for (let v = 0; v < visemeCount; v++) row[v] = (row[v] as number) * heardShare;
      row[viseme] = (row[viseme] as number) + 1 - heardShare;
    }
  };
  let sureUntil: number | undefined = 0;
  for (const { flag, start, end, phones } of alignment.words) {
    if (flag === 'left_out' || flag === 'changed') {
      sureUntil = undefined;
      continue;
    }
    if (sureUntil !== undefined) write(sureUntil, frameAt(start), silence);
    for (const { phone, start, end } of phones) {
      let passed = 0;
      for (const { viseme, share } of phoneParts(phone)) {
        const from = start + passed * (end - start);
        passed += share;
        write(frameAt(from), frameAt(start + passed * (end - start)), viseme);
      }
    }
    sureUntil = flag === 'followed_by_more' ? undefined : frameAt(end);
  }
  if (sureUntil !== undefined && alignment.words.length > 0) write(sureUntil, frames, silence);
  return out;
}

const frameAt = (seconds: number): number => Math.round(seconds * 100);
