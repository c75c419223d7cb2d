import type { EyeGaze, HeadPose } from '@likeness/proto/face_stream_protocol.ts';

const rest: HeadPose = { translation: [0, 0, 0], rotation: [0, 0, 0, 1] };
const ahead: EyeGaze = { leftYaw: 0, leftPitch: 0, rightYaw: 0, rightPitch: 0 };

/** Yaw about +Y, pitch about +X, roll about +Z, radians, right-handed, turned in this order. */
function eulerOf({ rotation: [x, y, z, w] }: HeadPose): { yaw: number; pitch: number; roll: number } {
  return {
    yaw: Math.atan2(2 * (x * z + w * y), 1 - 2 * (x * x + y * y)),
    pitch: Math.asin(Math.max(-1, Math.min(1, 2 * (w * x - y * z)))),
    roll: Math.atan2(2 * (x * y + w * z), 1 - 2 * (x * x + z * z)),
  };
}

/**
 * Nine rotations in the form of Epic's Live Link Face: head, left eye, right eye, each yaw, pitch and roll,
 * radians. They are Unreal's, whose axes are left-handed. Yaw towards the face's own left is negative, pitch
 * downwards is positive, roll is inverted. Public recordings of the app show it for the eyes, beside
 * EyeLookOut and EyeLookUp; Unreal's ARKit plugin treats the head alike.
 */
export function appRotations({
  headPose,
  eyeGaze,
}: {
  headPose?: HeadPose | undefined;
  eyeGaze?: EyeGaze | undefined;
}): number[] {
  const { yaw, pitch, roll } = eulerOf(headPose ?? rest);
  const { leftYaw, leftPitch, rightYaw, rightPitch } = eyeGaze ?? ahead;
  return [-yaw, pitch, -roll, -leftYaw, -leftPitch, 0, -rightYaw, -rightPitch, 0];
}

/** Converts them back: the app sends no position of the head, and eyes don't roll here. */
export function poseOfRotations(rotations: readonly number[]): { headPose: HeadPose; eyeGaze: EyeGaze } {
  const [yaw = 0, pitch = 0, roll = 0, leftYaw = 0, leftPitch = 0, , rightYaw = 0, rightPitch = 0] =
    rotations;
  const half = (angle: number): [sine: number, cosine: number] => [Math.sin(angle / 2), Math.cos(angle / 2)];
  const [sx, cx] = half(pitch);
  const [sy, cy] = half(-yaw);
  const [sz, cz] = half(-roll);
  return {
    headPose: {
      translation: [0, 0, 0],
      // Yaw after pitch after roll.
      rotation: [
        cy * sx * cz + sy * cx * sz,
        sy * cx * cz - cy * sx * sz,
        cy * cx * sz - sy * sx * cz,
        cy * cx * cz + sy * sx * sz,
      ],
    },
    eyeGaze: { leftYaw: -leftYaw, leftPitch: -leftPitch, rightYaw: -rightYaw, rightPitch: -rightPitch },
  };
}
