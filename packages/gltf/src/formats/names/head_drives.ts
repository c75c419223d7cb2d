import { arkitBlendshapeNames, oculusVisemeNames } from '@likeness/proto/blendshapes.ts';
import type { ShapeDrive } from '@likeness/proto/face/shape_drives.ts';
import { shapesOfGlb } from './head_shapes.ts';
import { plannedDrives, withOwnDrives } from './planned_drives.ts';

/** The channels of the built-in engine's face. */
export const allChannels: readonly string[] = [...arkitBlendshapeNames, ...oculusVisemeNames];

/**
 * Returns the drive of each shape of a head, from its name and the person's settings.
 *
 * @param own the person's rows for this head
 * @param channels of the face that moves it; default: all known channels
 * @throws Failure `invalid_input` if it isn't a binary glTF 2.0 file
 */
export const headDrives = (
  glb: Uint8Array,
  own: readonly ShapeDrive[],
  channels: readonly string[] = allChannels,
): ShapeDrive[] => {
  const { names, expressions } = shapesOfGlb(glb);
  return withOwnDrives(plannedDrives(names, channels, expressions).drives, own);
};
