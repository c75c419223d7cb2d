import { hash } from '@likeness/geometry/noise.ts';
import type { Raster } from '../../contract/head_model.ts';
import { looseLocks, ribbonLocks } from './hair_ribbons.ts';

const lockWidth = 64;
const height = 128;
const strandsALock = 17;
const looseStrands = 5;

let drawn: Raster | undefined;

/** Locks of single strands side by side, fine at root and tip; the same for every head, whose hair tints it. */
export function strandPicture(): Raster {
  if (drawn) return drawn;
  const width = lockWidth * (ribbonLocks + looseLocks);
  const data = new Uint8Array(4 * width * height).fill(255);
  for (let i = 3; i < data.length; i += 4) data[i] = 0;
  for (let lock = 0; lock < ribbonLocks + looseLocks; lock++) {
    const [strands, make] =
      lock < ribbonLocks ? [strandsALock, drawnTogether] : [looseStrands, makeLooseStrand];
    for (let strand = 0; strand < strands; strand++) drawStrand(data, width, lock, make(lock, strand));
  }
  drawn = { name: 'HairStrands', width, height, channels: 4, data };
  return drawn;
}

/** A strand of a lock: parts of its length that it begins and ends at, pixels across by its part of the length. */
interface Strand {
  readonly start: number;
  readonly end: number;
  readonly across: (t: number) => number;
  /** Half of its width, pixels. */
  readonly thick: number;
  /** 0..255. */
  readonly cover: number;
}

const chanceOf =
  (lock: number, strand: number) =>
  (n: number): number =>
    hash(lock * 101 + strand, n);

/** Strands of a lock draw together towards its tip. */
function drawnTogether(lock: number, strand: number): Strand {
  const chance = chanceOf(lock, strand);
  const from = 5 + (lockWidth - 10) * ((strand + chance(0)) / strandsALock);
  const to = from + (lockWidth / 2 - from) * (0.15 + 0.35 * chance(1)) + 5 * (chance(2) - 0.5);
  const bend = 3.5 * (chance(3) - 0.5);
  return {
    start: 0.14 * chance(4),
    end: 0.66 + 0.34 * chance(5),
    across: (t) => from + (to - from) * t * t + bend * Math.sin(3 * t + strand),
    thick: 0.45 + 0.75 * chance(6),
    cover: 150 + 105 * chance(7),
  };
}

/** A loose strand leaves the hair, which lies at the lock's first column, and comes down to it again or not. */
function makeLooseStrand(lock: number, strand: number): Strand {
  const chance = chanceOf(lock, strand);
  const start = 0.3 * chance(0);
  const end = 0.7 + 0.3 * chance(1);
  const high = ((lockWidth - 6) * (strand + 0.3 + 0.7 * chance(2))) / looseStrands;
  const arc = Math.PI * (0.45 + 0.5 * chance(3));
  return {
    start,
    end,
    across: (t) => 2 + high * Math.sin((arc * (t - start)) / (end - start)),
    thick: 0.9 + 0.8 * chance(6),
    cover: 130 + 100 * chance(7),
  };
}

function drawStrand(data: Uint8Array, width: number, lock: number, strand: Strand): void {
  const { start, end, across, thick, cover } = strand;
  for (let y = 0; y < height; y++) {
    const t = (y + 0.5) / height;
    if (t < start || t > end) continue;
    const x = across(t);
    const ends = Math.min(1, (t - start) / 0.12, (end - t) / 0.2);
    const half = thick * (0.35 + 0.65 * ends);
    for (let px = Math.max(1, Math.floor(x - 2)); px <= Math.min(lockWidth - 2, x + 2); px++) {
      const share = Math.max(0, Math.min(1, half + 0.5 - Math.abs(px + 0.5 - x))) * ends;
      const i = 4 * (y * width + lock * lockWidth + px) + 3;
      // Sixteen steps: the file stays small.
      data[i] = Math.max(data[i], Math.min(255, 17 * Math.round((cover * share) / 17)));
    }
  }
}
