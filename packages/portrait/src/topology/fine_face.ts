import {
  refine,
  refineRing,
  type SubdivisionLevel,
  subdivideOnce,
} from '@likeness/geometry/loop_subdivision.ts';
import {
  eyeRim,
  landmarkCount,
  layout,
  leftEye,
  mouthRim,
  oval,
  rightEye,
  skinTriangles,
} from './face_topology.ts';

const first = subdivideOnce(landmarkCount, skinTriangles);
const second = subdivideOnce(first.count, first.triangles);
const levels: readonly SubdivisionLevel[] = [first, second];

const twice = (ring: readonly number[]): number[] => refineRing(second, refineRing(first, ring));

/** Carries values of `width` numbers a landmark over to the fine mesh. */
const refineFace = (values: Float32Array, width: number): Float32Array =>
  levels.reduce((current, level) => refine(level, current, width), values);

/** The face mesh subdivided twice: topology only, the same for every person. */
export const fineFace = {
  count: second.count,
  triangles: second.triangles,
  /** 144 vertices round the face from the forehead by the subject's left. */
  oval: twice(oval),
  /** 64 vertices each: from the outer corner along the upper rim (32 steps) and back along the lower one. */
  rightRim: twice(eyeRim(rightEye)),
  leftRim: twice(eyeRim(leftEye)),
  /** 80 vertices: from the right corner along the upper lip (40 steps) and back along the lower one. */
  mouthRim: twice(mouthRim()),
  refine: refineFace,
  /** Places in the flat layout, × 2, 0..1. */
  layout: refineFace(layout, 2),
} as const;
