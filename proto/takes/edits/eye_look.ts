import type { ArkitBlendshapeName } from '../../blendshapes.ts';

/** An eyeLook weight of 1 is about this angle, radians. */
const fullLook = (32 * Math.PI) / 180;

/** Weights of eyes that look somewhere: radians, towards the face's own left and up. */
export function eyeLook({ yaw, pitch }: { yaw: number; pitch: number }): [ArkitBlendshapeName, number][] {
  const horizontal = Math.min(1, Math.abs(yaw) / fullLook);
  const vertical = Math.min(1, Math.abs(pitch) / fullLook);
  const [toLeft, toRight] = yaw > 0 ? [horizontal, 0] : [0, horizontal];
  const [up, down] = pitch > 0 ? [vertical, 0] : [0, vertical];
  return [
    ['eyeLookOutLeft', toLeft],
    ['eyeLookInRight', toLeft],
    ['eyeLookInLeft', toRight],
    ['eyeLookOutRight', toRight],
    ['eyeLookUpLeft', up],
    ['eyeLookUpRight', up],
    ['eyeLookDownLeft', down],
    ['eyeLookDownRight', down],
  ];
}
