import { closeGlb, openGlb } from '../gltf/glb_container.ts';

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
 * @throws Failure `invalid_input` where it is no binary glTF.
 */
export function renameMorphTargets(glb: Uint8Array, rename: (name: string) => string): Uint8Array {
  const { json, rest } = openGlb<GltfJson>(glb);
  for (const mesh of json.meshes ?? []) {
    for (const named of [mesh, ...(mesh.primitives ?? [])]) {
      const names = named.extras?.targetNames;
      if (named.extras && Array.isArray(names)) named.extras.targetNames = renamed(names.map(String), rename);
    }
  }
  return closeGlb({ json, rest });
}

function renamed(names: readonly string[], rename: (name: string) => string): string[] {
  const taken = new Set<string>();
  // Where the search goes on: a thousand of one name would be looked through a thousand times.
  const next = new Map<string, number>();
  return names.map((name) => {
    const wanted = rename(name);
    let free = wanted;
    let number = next.get(wanted) ?? 2;
    for (; taken.has(free); number += 1) free = `${wanted}_${number}`;
    next.set(wanted, number);
    taken.add(free);
    return free;
  });
}
