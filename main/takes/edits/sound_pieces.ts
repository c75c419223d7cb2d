import type { Piece } from '@likeness/proto/takes/edits/take_edits.ts';
import type { ReadSamples, TimeStretch } from './time_stretch.ts';

/** Duration of the cross-fade at a cut, seconds: short enough to be inaudible. */
const fadeSeconds = 0.01;

/**
 * Renders the edited audio of a take, block by block: ranges of the recording in sequence, cross-faded at
 * their joins, at their speeds.
 *
 * @param stretch null: every piece plays at its own speed
 */
export function* playedSound(
  read: ReadSamples,
  pieces: readonly Piece[],
  sampleRate: number,
  stretch: TimeStretch | null,
): Generator<Float32Array> {
  const fade = 2 * Math.round((fadeSeconds * sampleRate) / 2);
  /** The last samples so far, to be faded into the next piece; null before the first one. */
  let tail: Float32Array | null = null;
  let made = 0;
  let ends = 0;
  for (const piece of pieces) {
    ends += ((piece.to - piece.from) / piece.speed) * sampleRate;
    // Integer samples, so that rounding does not add up over a thousand cuts.
    const length = Math.round(ends) - made;
    made += length;
    const blocks = pieceBlocks(read, piece, sampleRate, length + fade, fade / 2, stretch);
    tail = yield* crossFaded(blocks, tail, fade);
  }
  if (tail) yield tail.subarray(0, fade / 2);
}

/** A piece with half a fade more on both sides. @param lead samples before its beginning */
function* pieceBlocks(
  read: ReadSamples,
  { from, speed }: Piece,
  sampleRate: number,
  length: number,
  lead: number,
  stretch: TimeStretch | null,
): Generator<Float32Array> {
  const begin = Math.round(from * sampleRate - lead * speed);
  if (speed !== 1 && stretch) {
    yield* stretch.blocks(read, begin, speed, length);
    return;
  }
  const max = 65_536;
  for (let at = 0; at < length; at += max) yield read(begin + at, begin + Math.min(length, at + max));
}

/** @returns the last `fade` samples, which are not written yet */
function* crossFaded(
  blocks: Generator<Float32Array>,
  tail: Float32Array | null,
  fade: number,
): Generator<Float32Array, Float32Array> {
  let pending = new Float32Array(0);
  let at = 0;
  for (const block of blocks) {
    const mixed = Float32Array.from(block);
    for (let sample = 0; sample < mixed.length && at + sample < fade; sample++) {
      if (!tail) continue;
      const share = 0.5 - 0.5 * Math.cos((Math.PI * (at + sample + 0.5)) / fade);
      mixed[sample] = tail[at + sample]! * (1 - share) + mixed[sample]! * share;
    }
    // The first piece has nothing to fade from: its lead is skipped.
    const skipped = tail ? 0 : Math.max(0, Math.min(mixed.length, fade / 2 - at));
    at += mixed.length;
    const all = joined(pending, mixed.subarray(skipped));
    const kept = Math.min(fade, all.length);
    if (all.length > kept) yield all.subarray(0, all.length - kept);
    pending = all.slice(all.length - kept);
  }
  return pending;
}

function joined(a: Float32Array, b: Float32Array): Float32Array<ArrayBuffer> {
  const all = new Float32Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}
