import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { io } from '@tensorflow/tfjs-core';
import { loadSegmentationNetwork, type SegmentationNetwork } from './segmentation_network.ts';
import { type FaceNetwork, tensorflow } from './tensorflow.ts';

export interface FaceNetworks {
  /** 896 candidate boxes: [scores 512, boxes 512 × 16, boxes 384 × 16, scores 384]. Input −1..1. */
  readonly detector: FaceNetwork;
  /** [468 × 3 in crop pixels, z in the same scale; how surely there is a face, 0..1]. Input 0..1. */
  readonly mesh: FaceNetwork;
  /** [76 × 3 in crop pixels: 71 contour points, then the iris centre and 4 rim points]. Input 0..1. */
  readonly iris: FaceNetwork;
  readonly segmentation: SegmentationNetwork;
}

const packageRequire = createRequire(import.meta.url);

/**
 * A package's folder of data files. An installer has only these files, so the package itself doesn't resolve.
 */
function packageFolder(name: string, inside: string): string {
  const roots = packageRequire.resolve.paths(name) ?? [];
  const folders = roots.map((root) => join(root, name, inside));
  const folder = folders.find((path) => existsSync(path));
  if (!folder) throw new Error(`The face networks are missing: no ${join(name, inside)} in ${roots[0]}`);
  return folder;
}

/** Loads one of Human's networks from its package folder. `outputs` names the tensors wanted, in order. */
export async function loadNetwork(name: string, side: number, outputs: string[]): Promise<FaceNetwork> {
  const tf = await tensorflow();
  const folder = packageFolder('@vladmandic/human', 'models');
  const [text, weights] = await Promise.all([
    readFile(join(folder, `${name}.json`), 'utf8'),
    readFile(join(folder, `${name}.bin`)),
  ]);
  const { weightsManifest, ...model } = JSON.parse(text) as io.ModelJSON;
  const weightData = weights.buffer.slice(weights.byteOffset, weights.byteOffset + weights.byteLength);
  const weightSpecs = weightsManifest.flatMap((part) => part.weights);
  const graph = await tf.loadGraphModel({ load: async () => ({ ...model, weightSpecs, weightData }) });
  // The backend has its own copy by now; the graph would hold this one for as long as it lives.
  weightData.transfer(0);
  return {
    side,
    run: (input) => {
      const tensor = tf.tensor(input, [1, side, side, 3]);
      const results = graph.execute(tensor, outputs);
      const list = Array.isArray(results) ? results : [results];
      const values = list.map((result) => Float32Array.from(result.dataSync()));
      tensor.dispose();
      for (const result of list) result.dispose();
      return values;
    },
  };
}

let networks: Promise<FaceNetworks> | undefined;

/** The networks a head needs, loaded once a thread. */
export async function loadFaceNetworks(): Promise<FaceNetworks> {
  networks ??= (async () => {
    const detector = await loadNetwork('blazeface', 256, [
      'Identity',
      'Identity_2',
      'Identity_3',
      'Identity_1',
    ]);
    const mesh = await loadNetwork('facemesh', 192, ['output_mesh', 'output_faceflag']);
    const iris = await loadNetwork('iris', 64, ['Identity']);
    return { detector, mesh, iris, segmentation: await loadSegmentationNetwork() };
  })();
  return networks;
}
