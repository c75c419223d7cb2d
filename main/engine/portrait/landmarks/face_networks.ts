import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

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

interface TensorLike {
  dataSync(): Float32Array;
  dispose(): void;
}
interface GraphModelLike {
  execute(input: unknown, outputs?: string[]): TensorLike | TensorLike[];
}
interface Kernel {
  kernelName: string;
}
interface TfLike {
  env(): { set(flag: string, value: boolean): void };
  setBackend(name: string): Promise<boolean>;
  ready(): Promise<void>;
  getKernelsForBackend(name: string): Kernel[];
  registerKernel(kernel: Kernel): void;
  loadGraphModel(handler: { load(): Promise<unknown> }): Promise<GraphModelLike>;
  tensor(values: Float32Array, shape: number[]): TensorLike;
}

const packageRequire = createRequire(import.meta.url);

/** Where @vladmandic/human lies. Its exports hide package.json, hence the way round by its main file. */
function humanFolder(): string {
  return dirname(dirname(packageRequire.resolve('@vladmandic/human')));
}

let runtime: Promise<TfLike> | undefined;

/**
 * TensorFlow.js on its WebAssembly backend, single-threaded: there is one worker a core.
 *
 * Human's own Node build wants a converter package that we don't ship, and its bundled copy of TensorFlow
 * can't start WebAssembly under Node. So the backend comes from @tensorflow/tfjs-backend-wasm, and only the
 * reader of graph models from Human's bundle; both share one engine through TensorFlow's global registry.
 * While the bundle is imported it must think that it is in a browser (its Node branch requires a module that
 * was bundled away), and the kernels that it overwrites are put back.
 */
async function tensorflow(): Promise<TfLike> {
  runtime ??= (async () => {
    const core = packageRequire('@tensorflow/tfjs-core') as TfLike;
    packageRequire('@tensorflow/tfjs-backend-wasm');
    core.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
    await core.setBackend('wasm');
    await core.ready();
    const kernels = core.getKernelsForBackend('wasm');
    const spoken = globalThis.console;
    // Each kernel that the bundle registers again would be a warning.
    globalThis.console = { ...spoken, warn: () => {} };
    core.env().set('IS_BROWSER', true);
    try {
      const bundle = pathToFileURL(join(humanFolder(), 'dist', 'tfjs.esm.js')).href;
      const reader = (await import(/* @vite-ignore */ bundle)) as TfLike;
      for (const kernel of kernels) core.registerKernel(kernel);
      return { ...core, loadGraphModel: reader.loadGraphModel };
    } finally {
      core.env().set('IS_BROWSER', false);
      globalThis.console = spoken;
    }
  })();
  return runtime;
}

/** Loads one of Human's networks from its package folder. `outputs` names the tensors wanted, in order. */
export async function loadNetwork(name: string, side: number, outputs: string[]): Promise<FaceNetwork> {
  const tf = await tensorflow();
  const folder = join(humanFolder(), 'models');
  const [text, weights] = await Promise.all([
    readFile(join(folder, `${name}.json`), 'utf8'),
    readFile(join(folder, `${name}.bin`)),
  ]);
  const model = JSON.parse(text) as {
    modelTopology: unknown;
    weightsManifest: { weights: unknown[] }[];
    format: string;
    signature?: unknown;
  };
  const weightData = weights.buffer.slice(weights.byteOffset, weights.byteOffset + weights.byteLength);
  const graph = await tf.loadGraphModel({
    load: async () => ({
      modelTopology: model.modelTopology,
      weightSpecs: model.weightsManifest.flatMap((part) => part.weights),
      weightData,
      format: model.format,
      signature: model.signature,
    }),
  });
  // The backend has its own copy by now; the graph would hold this one for as long as it lives.
  weightData.transfer(0);
  return {
    side,
    run: (input) => {
      const tensor = tf.tensor(input, [1, side, side, 3]);
      const results = graph.execute(tensor, outputs);
      const list = Array.isArray(results) ? results : [results];
      const values = list.map((result) => result.dataSync().slice());
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
