import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { io } from '@tensorflow/tfjs-core';

/** A network: input NHWC float, 1 × side × side × 3; outputs by position. */
export interface FaceNetwork {
  readonly side: number;
  run(input: Float32Array): Float32Array[];
}

export interface FaceNetworks {
  /** 896 candidate boxes: [scores 512, boxes 512 × 16, boxes 384 × 16, scores 384]. Input −1..1. */
  readonly detector: FaceNetwork;
  /** [468 × 3 in crop pixels, z in the same scale; how surely there is a face, 0..1]. Input 0..1. */
  readonly mesh: FaceNetwork;
  /** [76 × 3 in crop pixels: 71 contour points, then the iris centre and 4 rim points]. Input 0..1. */
  readonly iris: FaceNetwork;
}

const packageRequire = createRequire(import.meta.url);

/**
 * Where the networks lie: model files of @vladmandic/human, whose code is not used (an installer has only
 * these files).
 */
function networksFolder(): string {
  const roots = packageRequire.resolve.paths('@vladmandic/human') ?? [];
  const folders = roots.map((root) => join(root, '@vladmandic', 'human', 'models'));
  const folder = folders.find((path) => existsSync(path));
  if (!folder)
    throw new Error(`The face networks are missing: no folder @vladmandic/human/models in ${roots[0]}`);
  return folder;
}

type Tensorflow = typeof import('@tensorflow/tfjs-core');
type Converter = typeof import('@tensorflow/tfjs-converter');

let runtime: Promise<Tensorflow & Pick<Converter, 'loadGraphModel'>> | undefined;

/**
 * TensorFlow.js on its WebAssembly backend, single-threaded: there is one worker a core. Human's own build
 * for Node brings a second TensorFlow, whose WebAssembly does not start there.
 */
function tensorflow(): NonNullable<typeof runtime> {
  runtime ??= (async () => {
    // By require: each package's build for Node is CommonJS, and all must share one core.
    const core = packageRequire('@tensorflow/tfjs-core') as Tensorflow;
    packageRequire('@tensorflow/tfjs-backend-wasm');
    const { loadGraphModel } = packageRequire('@tensorflow/tfjs-converter') as Converter;
    core.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
    await core.setBackend('wasm');
    await core.ready();
    return { ...core, loadGraphModel };
  })();
  return runtime;
}

/** Loads one of Human's networks from its package folder. `outputs` names the tensors wanted, in order. */
export async function loadNetwork(name: string, side: number, outputs: string[]): Promise<FaceNetwork> {
  const tf = await tensorflow();
  const folder = networksFolder();
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

/** The three networks a head needs, loaded once a thread. */
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
    return { detector, mesh, iris };
  })();
  return networks;
}
