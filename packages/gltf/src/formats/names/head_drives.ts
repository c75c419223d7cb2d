import { arkitBlendshapeNames, oculusVisemeNames } from '@likeness/proto/blendshapes.ts';
import type { ShapeDrive } from '@likeness/proto/face/shape_drives.ts';
import { shapesOfGlb } from './head_shapes.ts';
import { plannedDrives, withOwnDrives } from './planned_drives.ts';

/** What the built-in engine's face has. */
export const allChannels: readonly string[] = [...arkitBlendshapeNames, ...oculusVisemeNames];

/**
 * What moves each shape of a head: by its names, and as the person set it.
 *
 * @param own rows of the person's for this head
 * @param channels of the face that moves it; default: all that there are
 * @throws Failure `invalid_input` where it is no binary glTF 2.0
 */
export const headDrives = (
  glb: Uint8Array,
  own: readonly ShapeDrive[],
  channels: readonly string[] = allChannels,
): ShapeDrive[] => {
  const { names, expressions } = shapesOfGlb(glb);
  return withOwnDrives(plannedDrives(names, channels, expressions).drives, own);
};
