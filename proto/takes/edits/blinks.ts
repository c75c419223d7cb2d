/** Blinks set by hand, and those of a recording taken out. */
import { blinkSquint, lidAfter, lidSeconds } from '../../face/eye_movement.ts';
import { faceColumn } from '../../face/face_column.ts';
import type { PlayableFace } from '../../take_stream.ts';
import { type Contact, contactChannels, firstFrom } from '../closures.ts';
import type { WorkFrame } from './region_movement.ts';

/** A lid that hangs this low between blinks is open. */
const openLid = 0.25;

/** Shuts the lids around each of these times, seconds. */
export function addBlinks(
  work: readonly WorkFrame[],
  channelNames: readonly string[],
  times: readonly number[],
): void {
  const { lids } = contactChannels(channelNames);
  const squints = ['eyeSquintLeft', 'eyeSquintRight']
    .map((name) => channelNames.indexOf(name))
    .filter((channel) => channel >= 0);
  for (const time of times) {
    for (let at = firstFrom(work, time - lidSeconds.closing); at < work.length; at++) {
      const { timeCode, weights } = work[at]!;
      const since = timeCode - time;
      if (since > lidSeconds.closed + lidSeconds.opening) break;
      // The frame nearest to it is shut, whatever the rate.
      const next = work[at + 1]?.timeCode ?? timeCode;
      const lid = since <= 0 && next - time > 0 && -since <= next - time ? 1 : lidAfter(since);
      for (const channel of lids) weights[channel] = Math.max(weights[channel]!, lid);
      for (const channel of squints) weights[channel] = Math.max(weights[channel]!, blinkSquint * lid);
    }
  }
}

/** Opens the lids where the recording blinks: they go straight from where they were open to where they are again. */
export function withoutBlinks(
  work: readonly WorkFrame[],
  face: PlayableFace,
  contacts: readonly Contact[],
): void {
  const { frames } = face;
  const columns = new Map<number, Float32Array>();
  for (const { of, channel, first, last } of contacts) {
    if (of !== 'lid') continue;
    let [from, to] = [first, last];
    const column = columns.get(channel) ?? faceColumn(face, channel);
    columns.set(channel, column);
    const lid = (at: number): number => column[at]!;
    while (from > 0 && lid(from) > openLid) from--;
    while (to < frames.length - 1 && lid(to) > openLid) to++;
    const [start, end] = [frames[from]!.timeCode, frames[to]!.timeCode];
    const [before, after] = [Math.min(openLid, lid(from)), Math.min(openLid, lid(to))];
    for (let at = firstFrom(work, start); at < work.length && work[at]!.timeCode <= end; at++) {
      const share = end > start ? (work[at]!.timeCode - start) / (end - start) : 0;
      const open = before + (after - before) * share;
      work[at]!.weights[channel] = Math.min(work[at]!.weights[channel]!, open);
    }
  }
}
