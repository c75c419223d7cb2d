import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import { encodeWav } from '@likeness/proto/wav.ts';
import type { FinishedTake } from '../../main/takes/finished_take.ts';

/** Seconds that the jaw stays open, and the tone sounds. */
export const openFor = 0.25;
const sampleRate = 48_000;

/** A take whose jaw is wide open just while a tone of 1 kHz sounds, and shut in silence otherwise. */
export function syncTake(seconds: number, opensAt: readonly number[]): FinishedTake {
  const isOpen = (time: number): boolean =>
    opensAt.some((from) => time >= from - 1e-9 && time < from + openFor - 1e-9);
  const frameRate = 120;
  const frames = Array.from({ length: Math.round(seconds * frameRate) + 1 }, (_, index) => {
    const weights = new Float32Array(arkitBlendshapeNames.length);
    weights[arkitBlendshapeNames.indexOf('jawOpen')] = isOpen(index / frameRate) ? 0.9 : 0;
    return { timeCode: index / frameRate, weights, headPose: undefined, eyeGaze: undefined };
  });
  const samples = Float32Array.from({ length: Math.round(seconds * sampleRate) }, (_, at) =>
    isOpen(at / sampleRate) ? 0.7 * Math.cos((2 * Math.PI * 1000 * at) / sampleRate) : 0,
  );
  const folder = mkdtempSync(join(tmpdir(), 'likeness-sync-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'audio.wav');
  writeFileSync(path, encodeWav({ sampleRate, samples }));
  return {
    record: { name: 'Sync', createdAt: 0 } as FinishedTake['record'],
    face: {
      channelNames: arkitBlendshapeNames,
      frameRate,
      frames,
      serverShare: new Float32Array(frames.length),
    },
    audio: { path },
    seconds,
    words: null,
  };
}
