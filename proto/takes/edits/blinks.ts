/** Blinks set by hand, and those of a recording taken out. */
import type { PlayableFace } from '../../take_stream.ts';
import { type Contact, contactChannels, firstFrom } from '../closures.ts';
import type { WorkFrame } from './region_movement.ts';

/** Seconds from open lid to closed, closed, and open again (people: 80, 30 and 160 ms). */
const lidSeconds = { closing: 0.08, closed: 0.03, opening: 0.16 } as const;
/** Lids come together a little before they shut: a squint, as a share of the blink. */
const squint = 0.12;
/** A lid that hangs this low between blinks is open. */
const openLid = 0.25;

/** How far a lid is shut, 0..1, so many seconds after it was shut first. */
function lidAfter(seconds: number): number {
  const { closing, closed, opening } = lidSeconds;
  if (seconds < 0) return ease(1 + seconds / closing);
  return seconds < closed ? 1 : ease(1 - (seconds - closed) / opening);
}

function ease(share: number): number {
  const at = Math.min(1, Math.max(0, share));
  return at * at * (3 - 2 * at);
}

/** Shuts the lids around each of these times, seconds. */
export function addBlinks(
  work: readonly WorkFrame[],
  channelNames: readonly string[],
  times: readonly number[],
): void {
  const { lids } = contactChannels(channelNames);
  const squints = ['eyeSquintLeft', 'eyeSquintRight']
    .map((name) => channelNames.indexOf(name))
    .filter((place) => place >= 0);
  for (const time of times) {
    for (let at = firstFrom(work, time - lidSeconds.closing); at < work.length; at++) {
      const { timeCode, weights } = work[at]!;
      const since = timeCode - time;
      if (since > lidSeconds.closed + lidSeconds.opening) break;
      // The frame nearest to it is shut, whatever the rate.
      const next = work[at + 1]?.timeCode ?? timeCode;
      const lid = since <= 0 && next - time > 0 && -since <= next - time ? 1 : lidAfter(since);
      for (const place of lids) weights[place] = Math.max(weights[place]!, lid);
      for (const place of squints) weights[place] = Math.max(weights[place]!, squint * lid);
    }
  }
}

/** Opens the lids where the recording blinks: they go straight from where they were open to where they are again. */
export function withoutBlinks(
  work: readonly WorkFrame[],
  { frames }: PlayableFace,
  contacts: readonly Contact[],
): void {
  for (const { of, channel, first, last } of contacts) {
    if (of !== 'lid') continue;
    let [from, to] = [first, last];
    const lid = (at: number): number => frames[at]!.weights[channel]!;
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
