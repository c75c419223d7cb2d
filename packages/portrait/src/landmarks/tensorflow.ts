import { createRequire } from 'node:module';

export type Tensorflow = typeof import('@tensorflow/tfjs-core');
type Converter = typeof import('@tensorflow/tfjs-converter');

/** A network: input NHWC float, 1 × side × side × 3; outputs by position. */
export interface FaceNetwork {
  readonly side: number;
  run(input: Float32Array): Float32Array[];
}

const packageRequire = createRequire(import.meta.url);

let runtime: Promise<Tensorflow & Pick<Converter, 'loadGraphModel'>> | undefined;

/**
 * TensorFlow.js on its WebAssembly backend, single-threaded: there is one worker a core. Human's own build
 * for Node brings a second TensorFlow, whose WebAssembly does not start there.
 */
export function tensorflow(): NonNullable<typeof runtime> {
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
