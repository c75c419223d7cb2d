import {
  encodeWav,
  mixToMono,
  readWav,
  readWavHead,
  type SampleEncoding,
  toSamples,
  wavHead,
} from '@likeness/proto/wav.ts';
import { expect, test } from 'vitest';

const chunk = (id: string, body: Buffer, size = body.length): Buffer => {
  const head = Buffer.alloc(8);
  head.write(id, 'latin1');
  head.writeUInt32LE(size, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
};
const file = (kind: 'RIFF' | 'RF64', ...chunks: Buffer[]): Buffer =>
  Buffer.concat([Buffer.from(`${kind}\0\0\0\0WAVE`, 'latin1'), ...chunks]);
const format = (tag: number, bits: number, channels = 1): Buffer => {
  const body = Buffer.alloc(16);
  body.writeUInt16LE(tag, 0);
  body.writeUInt16LE(channels, 2);
  body.writeUInt32LE(48_000, 4);
  body.writeUInt16LE(bits, 14);
  return body;
};

test('a file of 16 bits is what the interface takes: 44 bytes, then clipped samples', () => {
  const wav = Buffer.from(
    encodeWav({ sampleRate: 16_000, samples: Float32Array.of(0, 1, -1, 2, -2) }, 's16le'),
  );
  expect(wav.toString('hex')).toBe(
    `${'52494646' /* RIFF */}2e000000${'57415645' /* WAVE */}${'666d7420' /* fmt */}10000000` +
      `01000100803e0000007d000002001000${'64617461' /* data */}0a000000` +
      `0000ff7f0180ff7f0180`,
  );
});

test('a file of floats has its fact chunk, and keeps what is beyond 1', () => {
  const head = Buffer.from(wavHead(48_000, 3, 'f32le'));
  expect(head.toString('hex')).toBe(
    '524946463e00000057415645666d7420120000000300010080bb000000ee0200040020000000' +
      '666163740400000003000000646174610c000000',
  );
  const sound = { sampleRate: 48_000, samples: Float32Array.of(0.5, -1.5, 0.25) };
  expect(mixToMono(readWav(encodeWav(sound)))).toEqual(sound);
});

test.each<[SampleEncoding, number, number, Buffer]>([
  ['u8', 1, 8, Buffer.from([128, 192, 0])],
  ['s16le', 1, 16, Buffer.from([0, 0, 0, 0x40, 0, 0x80])],
  ['s24le', 1, 24, Buffer.from([0, 0, 0, 0, 0, 0x40, 0, 0, 0x80])],
  ['s32le', 1, 32, Buffer.from([0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0x80])],
  ['f32le', 3, 32, Buffer.from(Float32Array.of(0, 0.5, -1).buffer)],
  ['f64le', 3, 64, Buffer.from(Float64Array.of(0, 0.5, -1).buffer)],
])('samples of %s become the same floats', (encoding, tag, bits, data) => {
  const audio = readWav(
    file('RIFF', chunk('LIST', Buffer.alloc(3)), chunk('fmt ', format(tag, bits)), chunk('data', data)),
  );
  expect(audio.format).toEqual({ sampleRate: 48_000, channels: 1, encoding });
  expect([...toSamples(audio)]).toEqual([0, 0.5, -1]);
});

test('the extensible form has its real code in the sub-format', () => {
  const body = Buffer.concat([format(0xfffe, 32), Buffer.alloc(24)]);
  body.writeUInt16LE(3, 24);
  const data = Buffer.from(Float32Array.of(0.5).buffer);
  expect([...toSamples(readWav(file('RIFF', chunk('fmt ', body), chunk('data', data))))]).toEqual([0.5]);
});

test('of RF64 the sound ends where its ds64 says, and not at the end of the file', () => {
  const ds64 = Buffer.alloc(28);
  ds64.writeBigUInt64LE(4n, 8);
  const wav = file(
    'RF64',
    chunk('ds64', ds64),
    chunk('fmt ', format(1, 16)),
    chunk('data', Buffer.from([0, 0x40, 0, 0x40]), 0xffffffff),
    chunk('LIST', Buffer.from('not sound')),
  );
  expect([...toSamples(readWav(wav))]).toEqual([0.5, 0.5]);
});

test('a value that is no number silences its own channel and no other', () => {
  const data = Buffer.from(Float32Array.of(Number.NaN, 0.5, 0.25, 0.75).buffer);
  const audio = readWav(file('RIFF', chunk('fmt ', format(3, 32, 2)), chunk('data', data)));
  expect([...mixToMono(audio).samples]).toEqual([0.25, 0.5]);
  expect([...toSamples(audio)]).toEqual([0, 0.5, 0.25, 0.75]);
});

test.each([
  ['not_wav', Buffer.from('no')],
  ['no_format', file('RIFF', chunk('data', Buffer.alloc(4)))],
  ['no_data', file('RIFF', chunk('fmt ', format(1, 16)))],
  ['format_cut_off', file('RIFF', chunk('fmt ', Buffer.alloc(8)), chunk('data', Buffer.alloc(4)))],
  ['encoding', file('RIFF', chunk('fmt ', format(7, 8)), chunk('data', Buffer.alloc(4)))],
  ['too_many_chunks', file('RIFF', Buffer.alloc(8 * 1001))],
])('what is wrong with a file has a name: %s', (fault, wav) => {
  expect(() => readWav(wav)).toThrow(expect.objectContaining({ fault }));
});

const pcm = chunk('fmt ', format(1, 16));
const two = Buffer.from([0, 0x40, 0, 0x40]);
/** The file's own size, in its first chunk. */
const sized = (wav: Buffer, riffBytes: number): Buffer => {
  wav.writeUInt32LE(riffBytes, 4);
  return wav;
};

test.each<[string, Buffer]>([
  ['sizes of 0', file('RIFF', pcm, chunk('data', two, 0))],
  [
    'sizes of 0 after a place for ds64',
    file('RIFF', chunk('JUNK', Buffer.alloc(28)), pcm, chunk('data', two, 0)),
  ],
  ['a size of 0 in a file of the head’s size', sized(file('RIFF', pcm, chunk('data', two, 0)), 36)],
  ['a size of 0 in a file that is sized', sized(file('RIFF', pcm, chunk('data', two, 0)), 40)],
  ['the largest size', file('RIFF', pcm, chunk('data', two, 0xffffffff))],
  ['a size beyond the file', file('RIFF', pcm, chunk('data', two, 0x7ffff000))],
  ['an empty ds64', file('RF64', chunk('ds64', Buffer.alloc(28)), pcm, chunk('data', two, 0xffffffff))],
])('a writer that never came back to its head left %s: all that follows is sound', (_, wav) => {
  expect([...toSamples(readWav(wav))]).toEqual([0.5, 0.5]);
  const head = wav.subarray(0, wav.length - 3);
  expect(readWavHead(head, wav.length)).toMatchObject({ from: wav.length - 4, bytes: 4 });
});

test('a file that has no samples has none, whatever follows', () => {
  const empty = file('RIFF', pcm, chunk('data', Buffer.alloc(0)), chunk('LIST', Buffer.alloc(4)));
  expect(readWav(sized(empty, empty.length - 8)).bytes.length).toBe(0);
  const bare = file('RIFF', pcm, chunk('data', Buffer.alloc(0)));
  expect(readWav(sized(bare, bare.length - 8)).bytes.length).toBe(0);
});

/** A chunk as it stands, without its pad byte. */
const unpadded = (id: string, body: string, size = body.length): Buffer =>
  chunk(id, Buffer.from(body), size).subarray(0, 8 + body.length);

test.each<[string, Buffer[]]>([
  ['an odd chunk without its pad byte', [unpadded('LIST', 'INFOIART\x05\0\0\0Anna\0')]],
  ['two of them', [unpadded('LIST', 'abc'), unpadded('bext', 'abcde')]],
  ['an odd chunk with a pad byte that is a letter', [unpadded('LIST', 'abc'), Buffer.from('x')]],
  ['an even chunk with a byte too many', [unpadded('LIST', 'abcd'), Buffer.from('\0')]],
  ['a chunk that states too much', [unpadded('LIST', 'abcd', 4000)]],
  ['a chunk that states too little', [unpadded('bext', 'abcdefghijkl', 4)]],
])('sound is found behind %s', (_, before) => {
  expect([...toSamples(readWav(file('RIFF', pcm, ...before, chunk('data', two))))]).toEqual([0.5, 0.5]);
});
