/** The spectrogram of a take: off, mel or linear; tiles come from a worker, those that are seen first. */
import { useEffect, useMemo } from 'react';
import { assetUrl } from '../../../base/asset-url.ts';
import { keepValue, keptValue } from '../../../base/kept-value.ts';
import { createStore, type Store } from '../../../base/store.ts';
import {
  type FromSpectrogramWorker,
  levelFor,
  type SpectrogramScale,
  spectrogramScales,
  type TileName,
  type ToSpectrogramWorker,
  tileKey,
  tilesOf,
} from './spectrogram-tiles.ts';

const key = 'likeness.spectrogram';
const choices = ['off', ...spectrogramScales] as const;
type SpectrogramChoice = (typeof choices)[number];

export const spectrogramChoice = createStore<SpectrogramChoice>(
  keptValue(key, 'off', (text) => choices.find((choice) => choice === text) ?? 'off'),
);

/** Off, then mel, then linear, and off again. */
export function nextSpectrogram(): void {
  const next = choices[(choices.indexOf(spectrogramChoice.get()) + 1) % choices.length]!;
  spectrogramChoice.set(next);
  keepValue(key, next);
}

/** Tiles that are kept: 24 KB each. */
const maxTiles = 400;

export interface Spectrogram {
  readonly scale: SpectrogramScale;
  /** Grows when a tile has come. */
  readonly version: Store<number>;
  /** Null: it is not there yet. */
  tile(name: TileName): Uint8Array | null;
  /** Requests the missing tiles of a range, in place of the previous request. */
  want(from: number, to: number, perPixel: number): void;
}

/** Null while it is off. */
export function useSpectrogram(take: string): Spectrogram | null {
  const choice = spectrogramChoice.use();
  const made = useMemo(() => (choice === 'off' ? null : openSpectrogram(take, choice)), [take, choice]);
  useEffect(() => made?.start(), [made]);
  return made;
}

function openSpectrogram(take: string, scale: SpectrogramScale): Spectrogram & { start(): () => void } {
  const tiles = new Map<string, Uint8Array>();
  const version = createStore(0);
  let worker: Worker | null = null;
  let asked = '';
  const send = (message: ToSpectrogramWorker): void => worker?.postMessage(message);
  const receive = ({ data }: MessageEvent<FromSpectrogramWorker>): void => {
    if (data.kind === 'tile') {
      tiles.set(tileKey(data.name), data.values);
      const oldest = tiles.keys().next().value;
      if (tiles.size > maxTiles && oldest !== undefined) tiles.delete(oldest);
    } else asked = '';
    if (data.kind === 'tile') version.set(version.get() + 1);
  };
  return {
    scale,
    version,
    start() {
      worker = new Worker(new URL('./spectrogram.worker.ts', import.meta.url), { type: 'module' });
      worker.onmessage = receive;
      send({ kind: 'open', url: new URL(assetUrl(take, 'take-audio'), location.href).href });
      asked = '';
      version.set(version.get() + 1);
      return () => {
        worker?.terminate();
        worker = null;
      };
    },
    tile(name) {
      const found = tiles.get(tileKey(name));
      if (!found) return null;
      // What is seen is the last to go.
      tiles.delete(tileKey(name));
      tiles.set(tileKey(name), found);
      return found;
    },
    want(from, to, perPixel) {
      const missing = tilesOf(scale, levelFor(perPixel), from, to).filter(
        (name) => !tiles.has(tileKey(name)),
      );
      const text = missing.map(tileKey).join();
      if (worker === null || missing.length === 0 || text === asked) return;
      asked = text;
      send({ kind: 'want', tiles: missing });
    },
  };
}
