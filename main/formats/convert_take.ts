import type { PlayableFace } from '#proto/take_stream.ts';
import { readHead, writeHead } from '../gltf/head_file.ts';
import { addTake } from '../gltf/take_animation.ts';
import { writeFbx } from './fbx/write_fbx.ts';
import { writeVrma } from './vrm/write_vrma.ts';

export interface TakeOrder {
  /** `glb` and `fbx`: the head with the take; `vrma`: the take alone, for any VRM avatar. */
  format: 'glb' | 'fbx' | 'vrma';
  face: PlayableFace;
  /** Of the animation. */
  name: string;
}

/**
 * A take in a form that other programs read.
 *
 * @param head - A GLB; null only where the form holds none
 * @returns the whole file
 * @throws Failure `unsupported`, `invalid_input` where the head can't be animated, or the take has no face
 */
export async function convertTake(
  head: Uint8Array | null,
  { format, face, name }: TakeOrder,
): Promise<Uint8Array> {
  if (format === 'vrma') return writeVrma(face, { name });
  if (!head) throw new Error(`a take as ${format} needs a head`);
  const document = await readHead(head);
  const nodes = document
    .getRoot()
    .listNodes()
    .map((node) => [node, node.getName()] as const);
  addTake(document, face, name);
  if (format === 'glb') return writeHead(document);
  // What is renamed is for Blender's glTF importer: as FBX a take plays on the head's own FBX by the names in
  // it.
  for (const [node, own] of nodes) node.setName(own);
  return writeFbx(document);
}
