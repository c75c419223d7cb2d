import { Failure } from '../failure.ts';

const jsonChunk = 0x4e4f534a;

interface Named {
  extras?: { targetNames?: unknown };
}
interface GltfJson {
  meshes?: (Named & { primitives?: Named[] })[];
}

/**
 * Gives the morph targets of a GLB other names and leaves every other byte of its content as it is: only the JSON
 * chunk is written anew (glTF 2.0, 4.4), so compressed geometry stays compressed.
 *
 * @param rename - Gives the new name of each; names that meet get a number.
 * @throws Failure `storage` where it is no binary glTF.
 */
export function renameMorphTargets(glb: Uint8Array, rename: (name: string) => string): Uint8Array {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength);
  if (
    glb.byteLength < 20 ||
    view.getUint32(0, true) !== 0x46546c67 ||
    view.getUint32(16, true) !== jsonChunk
  ) {
    throw new Failure('storage', 'The model’s file is no binary glTF.', { hint: 'Verify the library.' });
  }
  const jsonLength = view.getUint32(12, true);
  const json = JSON.parse(Buffer.from(glb.subarray(20, 20 + jsonLength)).toString('utf8')) as GltfJson;
  for (const mesh of json.meshes ?? []) {
    for (const named of [mesh, ...(mesh.primitives ?? [])]) {
      const names = named.extras?.targetNames;
      if (named.extras && Array.isArray(names)) named.extras.targetNames = renamed(names.map(String), rename);
    }
  }
  const text = Buffer.from(JSON.stringify(json), 'utf8');
  const padded = Buffer.alloc(Math.ceil(text.length / 4) * 4, 0x20);
  text.copy(padded);
  const rest = glb.subarray(20 + jsonLength);
  const head = Buffer.alloc(20);
  head.writeUInt32LE(0x46546c67, 0);
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(20 + padded.length + rest.byteLength, 8);
  head.writeUInt32LE(padded.length, 12);
  head.writeUInt32LE(jsonChunk, 16);
  return Buffer.concat([head, padded, rest]);
}

function renamed(names: readonly string[], rename: (name: string) => string): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const wanted = rename(name);
    let free = wanted;
    for (let number = 2; taken.has(free); number += 1) free = `${wanted}_${number}`;
    taken.add(free);
    return free;
  });
}
