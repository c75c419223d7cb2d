/**
 * Sound that is slower or quicker at the same pitch: Signalsmith Stretch by Geraint Luff, as WebAssembly. Its package is
 * made for a browser's AudioWorklet and asks for nothing but that; here a few lines stand in for it, and its processor
 * is driven block by block instead of by a sound card.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createContext, Script } from 'node:vm';

/** What the package's WebAssembly exports, as far as it is used. Pointers are bytes in its memory. */
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
  /** One pointer a channel. */
  readonly buffersIn: readonly number[];
  readonly buffersOut: readonly number[];
  /** Samples that a buffer holds. */
  readonly bufferLength: number;
}

type ProcessorClass = new (options: {
  numberOfOutputs: number;
  outputChannelCount: number[];
}) => StretchProcessor;

/** Samples from one place to another; silence where there are none. */
export type ReadSamples = (from: number, to: number) => Float32Array;

export interface TimeStretch {
  /**
   * The sound that begins at sample `from`, at another speed, block by block.
   *
   * @param speed 2 is twice as fast @param length samples to make
   */
  blocks(read: ReadSamples, from: number, speed: number, length: number): Generator<Float32Array>;
}

/** The largest block that is made at once, samples. */
const block = 1024;

let script: Script | undefined;

/** @param sampleRate hertz */
export async function createTimeStretch(sampleRate: number): Promise<TimeStretch> {
  const processor = await openProcessor(sampleRate);
  return { blocks: (...order) => stretchedBlocks(processor, ...order) };
}

/** Runs the package in a world that looks like an AudioWorklet's. */
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
    // Of this world: types of Node alone don't name it.
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
  // It looks ahead: the sound's beginning goes in first, and what comes out before it is left out.
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
