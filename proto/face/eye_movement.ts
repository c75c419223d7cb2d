/** How people's eyes move: lids in a blink, and where eyes look as face shapes. */
import type { ArkitBlendshapeName } from '../blendshapes.ts';

/** Seconds from open lid to closed, closed, and open again. */
export const lidSeconds = { closing: 0.08, closed: 0.03, opening: 0.16 } as const;
/** Lids come together a little before they shut: a squint, as a share of the blink. */
export const blinkSquint = 0.12;

/** How far a lid is shut, 0..1, after shares of its way down (0 open, 1 closed) or back up. */
export function easedLid(share: number): number {
  const at = Math.min(1, Math.max(0, share));
  return at * at * (3 - 2 * at);
}

/** How far a lid is shut, 0..1, so many seconds after it was shut first. */
export function lidAfter(seconds: number): number {
  const { closing, closed, opening } = lidSeconds;
  if (seconds < 0) return easedLid(1 + seconds / closing);
  return seconds < closed ? 1 : easedLid(1 - (seconds - closed) / opening);
}

/** An eyeLook weight of 1 is about this angle, radians. */
const fullLook = 32 * (Math.PI / 180);

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
