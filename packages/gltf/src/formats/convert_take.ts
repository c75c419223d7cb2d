import type { ShapeDrive } from '@likeness/proto/face/shape_drives.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import { refuseUnboundedGlb } from '../glb_bounds.ts';
import { writeHead } from '../head_file.ts';
import { addTake } from '../take_animation.ts';
import { writeFbx } from './fbx/write_fbx.ts';
import { openHead } from './head/open_head.ts';
import { shapesOf, shapesOfGlb } from './names/head_shapes.ts';
import { plannedDrives, withOwnDrives } from './names/planned_drives.ts';
import { writeVrma } from './vrm/write_vrma.ts';

export interface TakeOrder {
  /** `glb` and `fbx`: the head with the take; `vrma`: the take alone, for any VRM avatar. */
  format: 'glb' | 'fbx' | 'vrma';
  face: PlayableFace;
  /** Name of the animation. */
  name: string;
  /** The person's drives for this head; the other shapes are driven by their names. */
  drives?: readonly ShapeDrive[];
}

/**
 * Converts a take to a format of other programs.
 *
 * @param head - A GLB; null only if the format has no head
 * @returns the whole file
 * @throws Failure `unsupported`, `invalid_input` where the head can't be animated, or the take has no face
 */
export async function convertTake(
  head: Uint8Array | null,
  { format, face, name, drives = [] }: TakeOrder,
): Promise<Uint8Array> {
  if (format === 'vrma') return writeVrma(face, { name, drives });
  if (!head) throw new Error(`a take as ${format} needs a head`);
  await refuseUnboundedGlb(head);
  const { document, bones } = await openHead(head);
  const nodes = document
    .getRoot()
    .listNodes()
    .map((node) => [node, node.getName()] as const);
  const { expressions } = shapesOfGlb(head);
  const planned = plannedDrives(shapesOf(document), face.channelNames, expressions);
  addTake(document, face, name, withOwnDrives(planned.drives, drives), bones);
  if (format === 'glb') return writeHead(document);
  // Names change only for Blender's glTF importer: an FBX take plays on the head's own FBX by its names.
  for (const [node, own] of nodes) node.setName(own);
  return writeFbx(document);
}
