import { Matrix4, type Object3D, Quaternion, Vector3 } from 'three';

type Direction = [number, number, number];
/**
 * `extras.photo` of a scene that the built-in engine made: how the
 * photo lies over the head, without perspective.
 */
interface PhotoExtras {
  right: Direction;
  up: Direction;
  middle: [number, number];
  width: number;
  height: number;
}

const areNumbers = (value: unknown, count: number): boolean =>
  Array.isArray(value) && value.length === count && value.every(Number.isFinite);

/** A head may come from any program: null where it has no such extras, or others by that name. */
function photoExtrasOf({ photo }: Record<string, unknown>): PhotoExtras | null {
  if (typeof photo !== 'object' || photo === null) return null;
  const { right, up, middle, width, height } = photo as Partial<PhotoExtras>;
  const isWhole =
    areNumbers(right, 3) && areNumbers(up, 3) && areNumbers(middle, 2) && areNumbers([width, height], 2);
  return isWhole && width! > 0 && height! > 0 ? (photo as PhotoExtras) : null;
}

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
  const photo = photoExtrasOf(head.userData);
  if (!photo) return null;
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
