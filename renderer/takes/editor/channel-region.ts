import type { FaceRegion } from '#proto/takes/edit_limits.ts';

/** The part of the face that a channel is edited with. */
export function regionOf(channel: string): FaceRegion {
  if (/^jaw/i.test(channel)) return 'jaw';
  if (/^brow/i.test(channel)) return 'brows';
  if (/^eye/i.test(channel)) return 'eyes';
  return 'mouth';
}
