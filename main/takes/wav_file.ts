/** Bytes before the samples in the WAV files that takes have. */
export const wavHeadBytes = 58;

/**
 * The head of a mono float32 WAV file (WAVE_FORMAT_IEEE_FLOAT with its `fact` chunk, as the format asks).
 *
 * @param samples 0 while it is still recorded
 */
export function wavHead(sampleRate: number, samples: number): Buffer {
  const head = Buffer.alloc(wavHeadBytes);
  const bytes = Math.min(samples * 4, 0xffffffff - wavHeadBytes);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(wavHeadBytes - 8 + bytes, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(18, 16);
  head.writeUInt16LE(3, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(sampleRate, 24);
  head.writeUInt32LE(sampleRate * 4, 28);
  head.writeUInt16LE(4, 32);
  head.writeUInt16LE(32, 34);
  head.writeUInt16LE(0, 36);
  head.write('fact', 38, 'latin1');
  head.writeUInt32LE(4, 42);
  head.writeUInt32LE(samples, 46);
  head.write('data', 50, 'latin1');
  head.writeUInt32LE(bytes, 54);
  return head;
}

/** Parts of a WAV file that are gone through for its sound. */
const mostChunks = 1000;
/** Hertz that a sound may have. */
const rates = { least: 1000, most: 384_000 };
/** Seconds of a sound, and samples of it in memory: what the engine takes of one voice, and two gigabytes. */
const mostSeconds = 3 * 3600;
const mostSamples = 2 ** 29;

/** Sound read from a file, mixed to one channel. */
export interface Sound {
  sampleRate: number;
  samples: Float32Array;
}

/**
 * Reads a WAV file: PCM of 8, 16, 24 or 32 bits, or float of 32 or 64, any channels.
 *
 * @throws Error that says what is wrong with it
 */
export function readWav(bytes: Buffer): Sound {
  if (
    bytes.length < 12 ||
    !/^(RIFF|RF64)$/.test(bytes.toString('latin1', 0, 4)) ||
    bytes.toString('latin1', 8, 12) !== 'WAVE'
  )
    throw new Error('It is not a WAV file.');
  let chunks = 0;
  let format: { code: number; channels: number; sampleRate: number; bits: number } | undefined;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const id = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    const start = at + 8;
    // A file of nothing but empty chunks is millions of them.
    if (++chunks > mostChunks) throw new Error('The WAV file has too many parts.');
    if (id === 'fmt ' && start + 16 <= bytes.length) {
      const code = bytes.readUInt16LE(start);
      format = {
        // The extensible form has the real code at the start of its sub-format.
        code: code === 0xfffe && size >= 26 ? bytes.readUInt16LE(start + 24) : code,
        channels: bytes.readUInt16LE(start + 2),
        sampleRate: bytes.readUInt32LE(start + 4),
        bits: bytes.readUInt16LE(start + 14),
      };
    }
    if (id === 'data' && format)
      return mixed(bytes.subarray(start, Math.min(start + size, bytes.length)), format);
    at = start + size + (size % 2);
  }
  throw new Error('The WAV file has no sound in it.');
}

function mixed(
  data: Buffer,
  { code, channels, sampleRate, bits }: { code: number; channels: number; sampleRate: number; bits: number },
): Sound {
  const width = bits / 8;
  const read = reader(code, bits);
  if (!read || channels < 1 || sampleRate < rates.least || sampleRate > rates.most) {
    throw new Error(
      `The WAV file's format (code ${code}, ${bits} bits, ${channels} channels, ${sampleRate} Hz) can't be read.`,
    );
  }
  const count = Math.floor(data.length / (width * channels));
  if (count > Math.min(mostSamples, mostSeconds * sampleRate))
    throw new Error('The WAV file is longer than three hours.');
  const samples = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++) sum += read(data, (i * channels + channel) * width);
    // What is no number would stay in every filter behind it.
    samples[i] = Number.isFinite(sum) ? sum / channels : 0;
  }
  return { sampleRate, samples };
}

function reader(code: number, bits: number): ((data: Buffer, at: number) => number) | null {
  if (code === 3 && bits === 32) return (data, at) => data.readFloatLE(at);
  if (code === 3 && bits === 64) return (data, at) => data.readDoubleLE(at);
  if (code !== 1) return null;
  if (bits === 8) return (data, at) => (data.readUInt8(at) - 128) / 128;
  if (bits === 16 || bits === 24 || bits === 32) {
    const full = 2 ** (bits - 1);
    return (data, at) => data.readIntLE(at, bits / 8) / full;
  }
  return null;
}

/** A whole mono float32 WAV file. */
export function encodeWav({ sampleRate, samples }: Sound): Buffer {
  return Buffer.concat([
    wavHead(sampleRate, samples.length),
    Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength),
  ]);
}
