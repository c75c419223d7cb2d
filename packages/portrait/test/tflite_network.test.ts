import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedPhoto } from '../../../test/support/shared_heads.ts';
import { loadFaceNetworks } from '../src/landmarks/face_networks.ts';
import { tensorflow } from '../src/landmarks/tensorflow.ts';
import { loadTfliteNetwork } from '../src/landmarks/tflite/tflite_network.ts';

const side = 256;
const tensors = async (): Promise<number> => (await tensorflow()).memory().numTensors;

let photo: Float32Array;
beforeAll(async () => {
  const picture = sharp(await sharedPhoto('female')).resize(side, side);
  photo = Float32Array.from(await picture.removeAlpha().raw().toBuffer(), (v) => v / 255);
});

describe('the selfie network of its package', () => {
  it('tells a person from what stands behind', async () => {
    const { person } = await loadFaceNetworks();
    expect(person.side).toBe(side);
    const [mask = new Float32Array(), ...others] = person.run(photo);
    expect(others).toEqual([]);
    expect(mask.length).toBe(side * side);
    expect(Math.min(...mask)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...mask)).toBeLessThanOrEqual(1);
    const at = (x: number, y: number): number => mask[y * side + x] ?? Number.NaN;
    for (const [x, y] of [
      [128, 128],
      [110, 110],
      [146, 110],
      [128, 160],
    ] as const)
      expect(at(x, y), `${x}, ${y}`).toBeGreaterThan(0.8);
    for (const [x, y] of [
      [4, 4],
      [251, 4],
      [20, 128],
    ] as const)
      expect(at(x, y), `${x}, ${y}`).toBeLessThan(0.2);
  });

  it('answers the same each time, and keeps no tensor of a run', async () => {
    const { person } = await loadFaceNetworks();
    const [first] = person.run(photo);
    const before = await tensors();
    const [second] = person.run(photo);
    expect(await tensors()).toBe(before);
    expect(second).toEqual(first);
  });
});

describe('a file that cannot be used', () => {
  let folder: string;
  let real: Buffer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'likeness-tflite-'));
    const packaged = import.meta.resolve('@mediapipe/selfie_segmentation/selfie_segmentation.tflite');
    real = await readFile(new URL(packaged));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** What is said of a file, which must leave nothing behind. */
  const refusal = async (file: Uint8Array, wantedSide = side): Promise<string> => {
    const path = join(folder, 'network.tflite');
    await writeFile(path, file);
    const before = await tensors();
    const said = await loadTfliteNetwork(path, wantedSide).then(
      () => 'nothing',
      (error: Error) => error.message,
    );
    expect(await tensors()).toBe(before);
    return said.replace(path, '…');
  };

  it('is told when it is cut short, wherever', async () => {
    for (let share = 1; share < 20; share++)
      expect(await refusal(real.subarray(0, (real.length * share) / 20)), `${share} of 20`).toMatch(
        /^The network … cannot be used: it is cut short or broken \(.+\)$/,
      );
  });

  it('is told when it is of another kind', async () => {
    const said = 'The network … cannot be used: it is no TensorFlow Lite file of version 3';
    expect(await refusal(new Uint8Array(await sharedPhoto('female')))).toBe(said);
    expect(await refusal(new Uint8Array())).toBe(said);
  });

  it('is told when an operator is unknown, by its name', async () => {
    const changed = Buffer.from(real);
    changed.write('Convolution3D', changed.indexOf('Convolution2D'));
    expect(await refusal(changed)).toBe(
      'The network … cannot be used: it needs the operator Convolution3DTransposeBias, which is not known',
    );
  });

  it('is told when its pictures are of another size', async () => {
    expect(await refusal(real, 128)).toBe(
      'The network … cannot be used: it takes [1,256,256,3], not [1,128,128,3]',
    );
  });
});
