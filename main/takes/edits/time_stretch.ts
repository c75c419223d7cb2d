/**
 * Changes the speed of audio without its pitch: Signalsmith Stretch by Geraint Luff, as WebAssembly. Its
 * package requires a browser's AudioWorklet; here a few lines emulate it, and its processor is called block
 * by block instead of by a sound card.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createContext, Script } from 'node:vm';

/** The used exports of the package's WebAssembly. Pointers are byte offsets in its memory. */
interface StretchModule {
  _reset(): void;
  _inputLatency(): number;
  _outputLatency(): number;
  _seek(samples: number, speed: number): void;
  _process(inputSamples: number, outputSamples: number): void;
  HEAP8: Int8Array;
  exports?: { memory: { buffer: ArrayBuffer } };
}

/** Its AudioWorkletProcessor, once it is ready. */
interface StretchProcessor {
  readonly wasmModule: StretchModule;
  /** One pointer per channel. */
  readonly buffersIn: readonly number[];
  readonly buffersOut: readonly number[];
  /** Samples that a buffer holds. */
  readonly bufferLength: number;
}

type ProcessorClass = new (options: {
  numberOfOutputs: number;
  outputChannelCount: number[];
}) => StretchProcessor;

/** Copies samples; fills with silence if there are none. */
export type ReadSamples = (from: number, to: number) => Float32Array;

export interface TimeStretch {
  /**
   * Yields the audio from sample `from` at another speed, block by block.
   *
   * @param speed 2 is twice as fast @param length samples to make
   */
  blocks(read: ReadSamples, from: number, speed: number, length: number): Generator<Float32Array>;
}

/** Maximum block size, samples. */
const block = 1024;

let script: Script | undefined;

/** @param sampleRate hertz */
export async function createTimeStretch(sampleRate: number): Promise<TimeStretch> {
  const processor = await openProcessor(sampleRate);
  return { blocks: (...order) => stretchedBlocks(processor, ...order) };
}

/** Runs the package in a context that emulates an AudioWorklet. */
async function openProcessor(sampleRate: number): Promise<StretchProcessor> {
  script ??= new Script(readFileSync(createRequire(import.meta.url).resolve('signalsmith-stretch'), 'utf8'), {
    filename: 'signalsmith-stretch.js',
  });
  let Processor: ProcessorClass | undefined;
  let ready = (): void => {};
  const isReady = new Promise<void>((resolve) => {
    ready = resolve;
  });
  class AudioWorkletProcessor {
    readonly port = {
      onmessage: null,
      postMessage: ([first]: readonly unknown[]) => first === 'ready' && ready(),
    };
  }
  const world = createContext({
    AudioWorkletProcessor,
    registerProcessor(_name: string, found: ProcessorClass) {
      Processor = found;
    },
    sampleRate,
    currentTime: 0,
    // Global in this context, but missing in Node's types.
    WebAssembly: Reflect.get(globalThis, 'WebAssembly'),
    atob,
    module: { exports: {} },
    exports: {},
  });
  script.runInContext(world);
  if (!Processor) throw new Error('signalsmith-stretch has registered no processor');
  const processor = new Processor({ numberOfOutputs: 1, outputChannelCount: [1] });
  await isReady;
  return processor;
}

function* stretchedBlocks(
  processor: StretchProcessor,
  read: ReadSamples,
  from: number,
  speed: number,
  length: number,
): Generator<Float32Array> {
  const { wasmModule, buffersIn, buffersOut, bufferLength } = processor;
  const memory = (pointer: number, samples: number): Float32Array =>
    new Float32Array(
      (wasmModule.exports?.memory ?? wasmModule.HEAP8).buffer as ArrayBuffer,
      pointer,
      samples,
    );
  const give = (begin: number, end: number): void => memory(buffersIn[0]!, end - begin).set(read(begin, end));
  const [ahead, behind] = [wasmModule._inputLatency(), wasmModule._outputLatency()];
  wasmModule._reset();
  // The processor looks ahead: the audio's start goes in first, and its output for that is dropped.
  give(from, from + ahead);
  wasmModule._seek(ahead, speed);
  let given = from + ahead;
  const max = Math.min(block, Math.floor(bufferLength / Math.max(1, speed)) - 1);
  for (let made = 0; made < length + behind; ) {
    const count = Math.min(max, length + behind - made);
    const end = from + ahead + Math.round((made + count) * speed);
    give(given, end);
    wasmModule._process(end - given, count);
    given = end;
    const late = Math.max(0, behind - made);
    made += count;
    if (late < count) yield memory(buffersOut[0]!, count).slice(late);
  }
}
