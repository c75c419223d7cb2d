/** A GLB of this JSON, a text or what becomes one, and of so much data. */
export function glbOf(json: unknown, data: Uint8Array = new Uint8Array()): Buffer {
  const text = Buffer.from(typeof json === 'string' ? json : JSON.stringify(json));
  const chunk = (type: string, body: Uint8Array, fill: number): Buffer => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(Math.ceil(body.length / 4) * 4, 0);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, body, Buffer.alloc((4 - (body.length % 4)) % 4, fill)]);
  };
  const chunks = [chunk('JSON', text, 0x20), ...(data.length > 0 ? [chunk('BIN\0', data, 0)] : [])];
  const header = Buffer.alloc(12);
  header.write('glTF', 'latin1');
  header.writeUInt32LE(2, 4);
  header.writeUInt32LE(12 + chunks.reduce((sum, { length }) => sum + length, 0), 8);
  return Buffer.concat([header, ...chunks]);
}

const asset = { version: '2.0' };

/** A head of one mesh whose points nothing in the file stands behind. */
export const pointsOf = (count: unknown, more: object = {}) => ({
  asset,
  scene: 0,
  scenes: [{ nodes: [0] }],
  nodes: [{ mesh: 0 }],
  meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
  accessors: [{ componentType: 5126, count, type: 'VEC3' }],
  ...more,
});

/** Nodes in each other, the deepest with a mesh. */
export const nestedNodes = (depth: number) =>
  pointsOf(3, {
    nodes: Array.from({ length: depth }, (_, at) => (at < depth - 1 ? { children: [at + 1] } : { mesh: 0 })),
  });
