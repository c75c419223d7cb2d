import { readFileSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { Document, NodeIO } from '@gltf-transform/core';
import { inEnglish, type Message, translate } from '@likeness/messages';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { realHead } from '../../../test/support/heads/heads.ts';
import { glbOf, nestedNodes, pointsOf } from '../../../test/support/heads/hostile_glb.ts';
import { glbFault, glbFileFault } from '../src/glb_fault.ts';
import { glbLimits } from '../src/glb_limits.ts';
import { gltfIo } from '../src/gltf_io.ts';

const asset = { version: '2.0' };
const meshWith = (part: object, more: object = {}) =>
  pointsOf(3, { meshes: [{ primitives: [{ attributes: { POSITION: 0 }, ...part }] }], ...more });
const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);
const floats = { componentType: 5126, type: 'VEC3' };
const sparse = (count: number, more: object = {}) => ({
  count,
  indices: { bufferView: 0, componentType: 5125 },
  values: { bufferView: 0 },
  ...more,
});
const packed = (count: unknown, byteStride: unknown, byteLength: number) => ({
  buffers: [
    { byteLength: 16 },
    { byteLength: 1e12, extensions: { EXT_meshopt_compression: { fallback: true } } },
  ],
  bufferViews: [
    {
      buffer: 1,
      byteLength,
      extensions: {
        EXT_meshopt_compression: { buffer: 0, byteLength: 16, count, byteStride, mode: 'ATTRIBUTES' },
      },
    },
  ],
});
const picture = (bytes: Buffer, images = 1): Buffer =>
  glbOf(
    {
      asset,
      buffers: [{ byteLength: bytes.length }],
      bufferViews: [{ buffer: 0, byteLength: bytes.length }],
      images: times(images, { bufferView: 0, mimeType: 'image/png' }),
    },
    bytes,
  );
/** A PNG that says it is so large and holds nothing. */
const pngOf = (width: number, height: number): Buffer => {
  const bytes = Buffer.alloc(60);
  Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR', 'latin1').copy(bytes);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes.writeUInt8(8, 24);
  bytes.writeUInt8(2, 25);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  bytes.write('\0\0\0\0IDAT', 33, 'latin1');
  return bytes;
};

const hostile: [what: string, glb: () => Buffer, says: RegExp][] = [
  [
    '140 million points in 364 bytes',
    () => glbOf(pointsOf(140_000_000)),
    /1,680,000,000 bytes of vertex data/,
  ],
  [
    'points that add up',
    () => glbOf(pointsOf(1, { accessors: times(100, { ...floats, count: 1e6 }) })),
    /does not hold/,
  ],
  ['a negative count', () => glbOf(pointsOf(-1)), /count is -1, not a whole number/],
  ['half a point', () => glbOf(pointsOf(1.5)), /count is 1.5/],
  ['no number', () => glbOf(pointsOf('3')), /count is "3"/],
  ['an endless count', () => glbOf(JSON.stringify(pointsOf(7)).replace('7', '1e999')), /not a whole number/],
  [
    'a kind that is none',
    () => glbOf(pointsOf(1, { accessors: [{ count: 1, componentType: 1, type: 'X' }] })),
    /type that glTF does not know/,
  ],
  [
    'a view that ends after its buffer',
    () =>
      glbOf(
        pointsOf(1, { buffers: [{ byteLength: 8 }], bufferViews: [{ buffer: 0, byteLength: 900 }] }),
        Buffer.alloc(8),
      ),
    /ends after its buffer/,
  ],
  [
    'a buffer that is not there',
    () => glbOf(pointsOf(1, { buffers: [{ byteLength: 1e9 }] })),
    /states 1000000000 bytes of data but has 0/,
  ],
  [
    'an accessor that its view does not hold',
    () =>
      glbOf(
        pointsOf(1, {
          buffers: [{ byteLength: 12 }],
          bufferViews: [{ buffer: 0, byteLength: 12 }],
          accessors: [{ ...floats, bufferView: 0, count: 2 }],
        }),
        Buffer.alloc(12),
      ),
    /exceeds its buffer view/,
  ],
  [
    'one small view seen through a thousand accessors',
    () =>
      glbOf(
        pointsOf(1, {
          buffers: [{ byteLength: 1.2e6 }],
          bufferViews: [{ buffer: 0, byteLength: 1.2e6 }],
          accessors: times(1000, { ...floats, bufferView: 0, count: 1e5 }),
        }),
        Buffer.alloc(1.2e6),
      ),
    /bytes of vertex data when it is unpacked/,
  ],
  [
    'a stride of nothing',
    () =>
      glbOf(
        pointsOf(1, {
          buffers: [{ byteLength: 8 }],
          bufferViews: [{ buffer: 0, byteLength: 8, byteStride: 0 }],
        }),
        Buffer.alloc(8),
      ),
    /stride of 0/,
  ],
  [
    'packed data of 1.4 GB',
    () => glbOf(pointsOf(1, packed(1e8, 14, 1.4e9)), Buffer.alloc(16)),
    /1,400,000,000 bytes of packed data/,
  ],
  [
    'packed data with a negative stride',
    () => glbOf(pointsOf(1, packed(1e8, -4, 16)), Buffer.alloc(16)),
    /byteStride is -4/,
  ],
  [
    'packed data that is not what its view says',
    () => glbOf(pointsOf(1, packed(4, 4, 20)), Buffer.alloc(16)),
    /is packed as 16/,
  ],
  [
    'a sparse accessor without its values',
    () => glbOf(pointsOf(1, { accessors: [{ ...floats, count: 9, sparse: { count: 2 } }] })),
    /without required data/,
  ],
  [
    'more sparse values than there are points',
    () => glbOf(pointsOf(1, { accessors: [{ ...floats, count: 9, sparse: sparse(10) }] })),
    /without required data/,
  ],
  ['Draco', () => glbOf(meshWith({ extensions: { KHR_draco_mesh_compression: {} } })), /Draco/],
  ['30,000 nodes in each other', () => glbOf(nestedNodes(30_000)), /30,000 nodes/],
  ['4,000 nodes in each other', () => glbOf(nestedNodes(4000)), /more than 100 deep/],
  [
    'nodes in a circle',
    () => glbOf(pointsOf(1, { nodes: [{ children: [1] }, { children: [0] }] })),
    /cycle of nodes/,
  ],
  [
    'a node that is its own child',
    () => glbOf(pointsOf(1, { nodes: [{ children: [0] }] })),
    /cycle of nodes/,
  ],
  [
    'a node in two places',
    () => glbOf(pointsOf(1, { nodes: [{ children: [2] }, { children: [2] }, {}] })),
    /in two places/,
  ],
  ['a node that is not there', () => glbOf(pointsOf(1, { nodes: [{ children: [7] }] })), /names node 7/],
  [
    'a scene that draws a node again and again',
    () => glbOf(pointsOf(3, { scenes: [{ nodes: times(9000, 0) }] })),
    /twice/,
  ],
  [
    'scenes that draw a mesh again and again',
    () => glbOf(pointsOf(100_000, { scenes: times(900, { nodes: [0] }) })),
    /vertices to be drawn/,
  ],
  [
    'primitives that draw the same points again and again',
    () =>
      glbOf(pointsOf(100_000, { meshes: [{ primitives: times(9000, { attributes: { POSITION: 0 } }) }] })),
    /vertices to be drawn/,
  ],
  [
    'a mesh instanced a million times',
    () =>
      glbOf(
        pointsOf(1, {
          accessors: [
            { ...floats, count: 3000 },
            { ...floats, count: 1_000_000 },
          ],
          nodes: [{ mesh: 0, extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 1 } } } }],
        }),
      ),
    /vertices to be drawn/,
  ],
  ['2,000 morph targets', () => glbOf(meshWith({ targets: times(2000, { POSITION: 0 }) })), /2,000 targets/],
  [
    'morph targets that add up',
    () =>
      glbOf(
        pointsOf(3, {
          meshes: times(30, {
            primitives: [{ attributes: { POSITION: 0 }, targets: times(900, { POSITION: 0 }) }],
          }),
        }),
      ),
    /morph targets/,
  ],
  [
    'morph targets of many points',
    () =>
      glbOf(
        meshWith({ targets: times(900, { POSITION: 0 }) }, { accessors: [{ ...floats, count: 400_000 }] }),
      ),
    /vertices in its morph targets/,
  ],
  [
    'names of morph targets without end',
    () => glbOf(pointsOf(1, { meshes: [{ primitives: [], extras: { targetNames: times(90_000, 'a') } }] })),
    /names of morph targets/,
  ],
  [
    'attributes without end',
    () => glbOf(meshWith({ attributes: Object.fromEntries(times(500, 0).map((_, at) => [`_A${at}`, 0])) })),
    /attributes/,
  ],
  [
    'a skin of a million joints',
    () => glbOf(pointsOf(1, { skins: [{ joints: times(200_000, 0) }] })),
    /joints/,
  ],
  [
    'animations that read the same values again and again',
    () =>
      glbOf(
        pointsOf(1, {
          accessors: [{ ...floats, count: 1_000_000 }],
          animations: [{ samplers: times(900, { input: 0, output: 0 }), channels: [] }],
        }),
      ),
    /values in its animations/,
  ],
  [
    'JSON a thousand levels deep',
    () => glbOf(`{"asset":${'[ '.repeat(1000)}${']'.repeat(1000)}}`),
    /levels deep/,
  ],
  [
    'a name of a megabyte',
    () => glbOf(pointsOf(1, { nodes: [{ name: 'a'.repeat(1e6) }] })),
    /characters in one text/,
  ],
  ['millions of values', () => glbOf({ asset, extras: times(2_100_000, 0) }), /values in its JSON/],
  ['lists that are none', () => glbOf({ asset, nodes: { length: 1e9 } }), /is not a list/],
  ['things that are none', () => glbOf({ asset, meshes: [null] }), /not an object/],
  [
    'data in other files',
    () => glbOf(pointsOf(1, { buffers: [{ byteLength: 1, uri: 'file:///etc/passwd' }] })),
    /other files/,
  ],
  [
    'pictures in other files',
    () => glbOf({ asset, images: [{ uri: 'https://tracker.example/x.png' }] }),
    /other files/,
  ],
  ['a picture of 900 million pixels', () => picture(pngOf(30_000, 30_000)), /30000 × 30000 pixels/],
  ['pictures that add up', () => picture(pngOf(8000, 8000), 20), /pixels in its images/],
  [
    'an SVG that is named a PNG',
    () => picture(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
    /not JPEG, PNG, WebP/,
  ],
  [
    'a KTX2 of 100,000 pixels a side',
    () => {
      const ktx = Buffer.alloc(80);
      ktx.write('\xabKTX 20\xbb\r\n\x1a\n', 'latin1');
      ktx.writeUInt32LE(100_000, 20);
      ktx.writeUInt32LE(100_000, 24);
      return picture(ktx);
    },
    /100000 × 100000/,
  ],
];

const damaged: [what: string, glb: () => Buffer, says: RegExp][] = [
  ['nothing', () => Buffer.alloc(0), /not binary glTF/],
  ['a web page', () => Buffer.from('<!doctype html><title>Log in</title>'), /not binary glTF/],
  ['a header alone', () => glbOf({ asset }).subarray(0, 12), /not binary glTF/],
  ['half a file', () => glbOf(pointsOf(3), Buffer.alloc(80)).subarray(0, 200), /states \d+ bytes but has/],
  ['JSON that is garbage', () => glbOf('\0\u0001garbage'), /JSON chunk that is not JSON/],
  ['JSON that is a number', () => glbOf('7'), /not glTF/],
  [
    'a JSON chunk longer than the file',
    () => {
      const glb = glbOf({ asset });
      glb.writeUInt32LE(0xffffffff, 12);
      return glb;
    },
    /cut off within its JSON/,
  ],
];

/** Words of the Chinese sentence that are neither Chinese, nor quoted from the file, nor a format's name. */
const englishIn = (said: Message): string[] =>
  (
    translate(said, 'zh-CN')
      .replace(/“[^”]*”/g, '')
      .match(/[A-Za-z]\w*/g) ?? []
  ).filter((word) => !/^(GLB|glTF|JSON|BIN|Draco|JPEG|PNG|WebP|AVIF|KTX2)$/.test(word));

describe('a GLB is held against bounds before it is decoded', () => {
  it.each(hostile)('%s', async (_, glb, says) => {
    const bytes = glb();
    const before = process.memoryUsage().rss;
    const fault = await glbFault(bytes);
    expect(fault).toMatchObject({ kind: 'refused', text: expect.stringMatching(says) });
    expect(inEnglish(fault?.text ?? '')).toMatch(/^The file .*[^.]\.$/);
    expect(englishIn(fault?.text ?? '')).toEqual([]);
    expect(process.memoryUsage().rss - before).toBeLessThan(800e6);
  });

  it.each(damaged)('is damaged: %s', async (_, glb, says) => {
    const fault = await glbFault(glb());
    expect(fault).toMatchObject({ kind: 'damaged', text: expect.stringMatching(says) });
    expect(englishIn(fault?.text ?? '')).toEqual([]);
  });

  it('passes the default head', async () => {
    expect(
      await glbFault(readFileSync(join(import.meta.dirname, '../../../out/main/default-head.glb'))),
    ).toBeNull();
    expect(await glbFault(await realHead())).toBeNull();
  });

  it('passes a plain head of 14 meshes with 72 sparse morph targets each', async () => {
    expect(await glbFault(sparseHead(14, 72, 20_000))).toBeNull();
  });

  it('passes an artist’s head of 200 MB with textures of 4k', async () => {
    const document = new Document();
    const buffer = document.createBuffer();
    const image = await sharp({ create: { width: 4096, height: 4096, channels: 3, background: '#c08060' } })
      .png()
      .toBuffer();
    const points = new Float32Array(150_000 * 3);
    const accessor = () =>
      document.createAccessor().setType('VEC3').setArray(points.slice()).setBuffer(buffer);
    const primitive = document.createPrimitive().setAttribute('POSITION', accessor());
    for (let at = 0; at < 110; at++)
      primitive.addTarget(document.createPrimitiveTarget(`shape ${at}`).setAttribute('POSITION', accessor()));
    for (let at = 0; at < 12; at++) {
      const texture = document.createTexture().setMimeType('image/png').setImage(image);
      document.createMaterial().setBaseColorTexture(texture);
    }
    document
      .createScene()
      .addChild(document.createNode().setMesh(document.createMesh().addPrimitive(primitive)));
    const glb = await new NodeIO().writeBinary(document);
    expect(glb.byteLength).toBeGreaterThan(195e6);
    expect(await glbFault(glb)).toBeNull();
    const bytes = Buffer.from(glb.buffer, glb.byteOffset, glb.byteLength);
    let bytesRead = 0;
    const file = {
      stat: async () => ({ size: bytes.length }),
      read: async (into: Buffer, at: number, length: number, position: number) => {
        bytesRead += length;
        return { bytesRead: bytes.copy(into, at, position, position + length) };
      },
    };
    expect(await glbFileFault(file as unknown as FileHandle)).toBeNull();
    expect(bytesRead).toBeLessThan(bytes.length / 50);
  });

  it('lets nothing through, whatever is changed in a file, that a decoder dies of', async () => {
    const head = await realHead();
    const end = 20 + Buffer.from(head).readUInt32LE(12);
    const text = Buffer.from(head.subarray(20, end)).toString('utf8').trimEnd();
    const rest = head.subarray(end);
    const numbers = [...text.matchAll(/(?<=[:[,])-?\d+(\.\d+)?(?=[,\]}])/g)];
    const odd = [
      '-1',
      '1e9',
      '4294967295',
      '1e999',
      '0',
      '3.5',
      'null',
      '"7"',
      '[]',
      '{}',
      '2147483648',
      '65536',
    ];
    let seed = 7;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    const io = await gltfIo();
    const before = process.memoryUsage().rss;
    let decoded = 0;
    for (let round = 0; round < 400; round++) {
      let changed = text;
      for (let at = 0; at <= random(3); at++) {
        const { index, 0: number } = numbers[random(numbers.length)]!;
        if (changed.length === text.length)
          changed = changed.slice(0, index) + odd[random(odd.length)] + changed.slice(index + number.length);
      }
      const bytes = glbOf(changed, rest.subarray(8));
      if (round % 4 === 0) bytes[random(bytes.length)] = random(256);
      if ((await glbFault(bytes)) === null) {
        decoded++;
        await io.readBinary(bytes).catch((error: unknown) => expect(error).toBeInstanceOf(Error));
      }
    }
    expect(decoded).toBeGreaterThan(10);
    expect(decoded).toBeLessThan(390);
    expect(process.memoryUsage().rss - before).toBeLessThan(1500e6);
  });

  it('has limits that a file of a gigabyte can reach', () => {
    expect(glbLimits.expandedBytes).toBeLessThan(glbLimits.fileBytes);
  });
});

/** Meshes of so many points with sparse morph targets of a twentieth of them, not packed, on nothing. */
function sparseHead(meshes: number, targets: number, points: number): Buffer {
  const moved = points / 20;
  const views: object[] = [];
  const accessors: object[] = [];
  let offset = 0;
  const view = (byteLength: number): number => {
    offset += byteLength;
    return views.push({ buffer: 0, byteOffset: offset - byteLength, byteLength }) - 1;
  };
  const listed = times(meshes, 0).map(() => {
    const POSITION = accessors.push({ ...floats, count: points, bufferView: view(points * 12) }) - 1;
    const indices =
      accessors.push({
        componentType: 5125,
        type: 'SCALAR',
        count: points * 6,
        bufferView: view(points * 24),
      }) - 1;
    const moves = times(targets, 0).map(() => ({
      POSITION:
        accessors.push({
          ...floats,
          count: points,
          sparse: {
            count: moved,
            indices: { bufferView: view(moved * 4), componentType: 5125 },
            values: { bufferView: view(moved * 12) },
          },
        }) - 1,
    }));
    return { primitives: [{ attributes: { POSITION }, indices, targets: moves }] };
  });
  return glbOf(
    {
      asset,
      buffers: [{ byteLength: offset }],
      bufferViews: views,
      accessors,
      meshes: listed,
      nodes: listed.map((_, mesh) => ({ mesh })),
      scenes: [{ nodes: listed.map((_, at) => at) }],
    },
    Buffer.alloc(offset),
  );
}
