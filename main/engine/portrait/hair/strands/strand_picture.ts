import type { Raster } from '../../contract/head_model.ts';
import { sineHash } from '../../math/noise.ts';
import { ribbonLocks } from './hair_ribbons.ts';

const lockWidth = 64;
const height = 128;
const strandsALock = 17;

let drawn: Raster | undefined;

/** Locks of single strands side by side, fine at root and tip; the same for every head, whose hair tints it. */
export function strandPicture(): Raster {
  if (drawn) return drawn;
  const width = lockWidth * ribbonLocks;
  const data = new Uint8Array(4 * width * height).fill(255);
  for (let i = 3; i < data.length; i += 4) data[i] = 0;
  for (let lock = 0; lock < ribbonLocks; lock++) {
    for (let strand = 0; strand < strandsALock; strand++) drawStrand(data, width, lock, strand);
  }
  drawn = { name: 'HairStrands', width, height, channels: 4, data };
  return drawn;
}

function drawStrand(data: Uint8Array, width: number, lock: number, strand: number): void {
  const chance = (n: number): number => {
    const s = sineHash(lock * 101 + strand + 0.5, n * 2.13 + 9.1);
    return s - Math.floor(s);
  };
  const from = 5 + (lockWidth - 10) * ((strand + chance(0)) / strandsALock);
  // Strands of a lock draw together towards its tip.
  const to = from + (lockWidth / 2 - from) * (0.15 + 0.35 * chance(1)) + 5 * (chance(2) - 0.5);
  const bend = 3.5 * (chance(3) - 0.5);
  const start = 0.14 * chance(4);
  const end = 0.66 + 0.34 * chance(5);
  const thick = 0.45 + 0.75 * chance(6);
  const cover = 150 + 105 * chance(7);
  for (let y = 0; y < height; y++) {
    const t = (y + 0.5) / height;
    if (t < start || t > end) continue;
    const x = from + (to - from) * t * t + bend * Math.sin(3 * t + strand);
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
