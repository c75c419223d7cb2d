import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sharedPhoto } from '../../../test/support/shared_heads.ts';
import { loadFaceNetworks } from '../src/landmarks/face_networks.ts';
import { detectFaces, findLandmarks } from '../src/landmarks/landmarks.ts';
import { loadSegmentationNetwork, outputChannels } from '../src/landmarks/segmentation_network.ts';
import { tensorflow } from '../src/landmarks/tensorflow.ts';
import { readPhoto } from '../src/photo/photo.ts';
import { cropHead } from '../src/segment/head_crop.ts';
import { isHairUnclear, segment } from '../src/segment/segment.ts';
import { prepareSilhouette } from '../src/segment/silhouette.ts';

const tensors = async (): Promise<number> => (await tensorflow()).memory().numTensors;

/** A drawn head's crop, and how much of a channel a place has in the face's frame: right of it, and up from the chin. */
async function look(sex: 'female' | 'male') {
  const networks = await loadFaceNetworks();
  const picture = await readPhoto(await sharedPhoto(sex));
  const landmarks = findLandmarks(networks, picture, detectFaces(networks, picture)[0]!);
  const crop = cropHead(picture, landmarks);
  const at = (values: Float32Array, a: number, b: number): number =>
    values[Math.floor(crop.chin - b * crop.tall) * crop.width + Math.floor(crop.axis + a * crop.halfFace)]!;
  return { networks, crop, at };
}

describe('segmentation', () => {
  it.each(['female', 'male'] as const)(
    'tells hair, skin and person from what is behind them: %s',
    async (sex) => {
      const { networks, crop, at } = await look(sex);
      const { hair, skin, person, confidence } = segment(networks.segmentation, crop);
      expect(at(hair, 0, 1.25)).toBeGreaterThan(0.8);
      for (const [a, b] of [
        [0.5, 0.4],
        [-0.5, 0.4],
        [0, 0.5],
      ] as const) {
        expect(at(skin, a, b), `skin at ${a}, ${b}`).toBeGreaterThan(0.8);
        expect(at(hair, a, b), `hair at ${a}, ${b}`).toBeLessThan(0.1);
        expect(at(person, a, b), `person at ${a}, ${b}`).toBeGreaterThan(0.9);
      }
      for (const a of [-3, 3])
        for (const values of [hair, skin, person]) expect(at(values, a, 1.5)).toBeLessThan(0.1);
      expect(confidence).toBeGreaterThan(0.9);
    },
  );

  it('is the same each time, keeps no tensor, and can’t be changed', async () => {
    const { networks, crop } = await look('female');
    const first = segment(networks.segmentation, crop);
    const before = await tensors();
    const second = segment(networks.segmentation, crop);
    expect(await tensors()).toBe(before);
    expect(second).toEqual(first);
    expect(Object.isFrozen(second)).toBe(true);
  });

  it('is less sure where the network is', async () => {
    const { networks, crop } = await look('female');
    const torn = { run: (input: Float32Array) => networks.segmentation.run(input).map((p) => 0.3 + 0.4 * p) };
    const [sure, unsure] = [networks.segmentation, torn].map((network) => segment(network, crop).confidence);
    expect(unsure).toBeLessThan(0.5 * sure!);
  });
});

describe('whether there is hair', () => {
  it('is unclear where little is found and much is undecided, and clear on bald and on long-haired heads', async () => {
    const { networks, crop } = await look('male');
    const { hair } = segment(networks.segmentation, crop);
    expect(isHairUnclear(hair, crop)).toBe(false);
    expect(isHairUnclear(new Float32Array(hair.length), crop)).toBe(false);
    expect(
      isHairUnclear(
        hair.map((share) => 0.4 * share),
        crop,
      ),
    ).toBe(true);
  });

  it('is clear once a person has marked it', async () => {
    const networks = await loadFaceNetworks();
    const picture = await readPhoto(await sharedPhoto('male'));
    const landmarks = findLandmarks(networks, picture, detectFaces(networks, picture)[0]!);
    const thin = {
      run: (input: Float32Array) =>
        networks.segmentation.run(input).map((share, i) => (i % outputChannels ? share : 0.4 * share)),
    };
    const cutOut = prepareSilhouette(picture, landmarks, thin);
    expect(cutOut(undefined).hairUnclear).toBe(true);
    const marked = cutOut({ strokes: [{ kind: 'background', radius: 0.3, points: [0.2, 0.1, 0.8, 0.1] }] });
    expect(marked.hairUnclear).toBe(false);
  });
});

describe('weights', () => {
  it('of another size are refused, with the file’s name', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'likeness-segmentation-'));
    const file = join(folder, 'short.bin');
    const whole = await readFile(new URL('../src/segment/segmentation_weights.bin', import.meta.url));
    await writeFile(file, whole.subarray(0, 1000));
    const before = await tensors();
    await expect(loadSegmentationNetwork(pathToFileURL(file))).rejects.toThrow(/short\.bin has 1000 bytes/);
    await expect(loadSegmentationNetwork(pathToFileURL(join(folder, 'none.bin')))).rejects.toThrow(
      /none\.bin/,
    );
    expect(await tensors()).toBe(before);
    await rm(folder, { recursive: true });
  });
});
