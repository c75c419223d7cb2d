import { Matrix4, type Object3D, Quaternion, Vector3 } from 'three';
import { z } from 'zod';

const direction = z.tuple([z.number(), z.number(), z.number()]);

/** `extras.photo` of a scene that the built-in engine made: how the photo lies over the head, without perspective. */
const Extras = z.object({
  photo: z.object({
    right: direction,
    up: direction,
    middle: z.tuple([z.number(), z.number()]),
    width: z.number().positive(),
    height: z.number().positive(),
  }),
});

/** The photo as a thing in the head's space, metres. */
export interface PhotoPlane {
  position: Vector3;
  turn: Quaternion;
  /** Towards the camera that took the photo. */
  towards: Vector3;
  width: number;
  height: number;
}

/** Where a head's photo lies; null for a head whose file says nothing of it. */
export function photoPlaneOf(head: Object3D, middle: Vector3): PhotoPlane | null {
  const found = Extras.safeParse(head.userData);
  if (!found.success) return null;
  const { photo } = found.data;
  const right = new Vector3(...photo.right).normalize();
  const towards = right
    .clone()
    .cross(new Vector3(...photo.up))
    .normalize();
  const up = towards.clone().cross(right);
  // As deep as the eyes: what little perspective a long lens has, is least where one looks first.
  const eyes = ['LeftEye', 'RightEye'].flatMap((name) => {
    const eye = head.getObjectByName(name);
    return eye ? [eye.getWorldPosition(new Vector3())] : [];
  });
  const deep = eyes.length === 2 ? eyes[0]!.lerp(eyes[1]!, 0.5) : middle;
  return {
    position: new Vector3()
      .addScaledVector(right, photo.middle[0])
      .addScaledVector(up, photo.middle[1])
      .addScaledVector(towards, towards.dot(deep)),
    turn: new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(right, up, towards)),
    towards,
    width: photo.width,
    height: photo.height,
  };
}
