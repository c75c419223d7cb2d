import type { Document, Scene } from '@gltf-transform/core';
import type { BoneName } from '@likeness/proto/heads/bone_names.ts';
import type { Bones } from '../../head_bones.ts';
import { restBounds } from '../scene/rest_pose.ts';

const sides = ['left', 'right'] as const;

/** Bones that both versions of VRM require (`humanoid.md`). */
const requiredBones: readonly BoneName[] = [
  'hips',
  'spine',
  'head',
  ...sides.flatMap((side): BoneName[] => [
    `${side}UpperArm`,
    `${side}LowerArm`,
    `${side}Hand`,
    `${side}UpperLeg`,
    `${side}LowerLeg`,
    `${side}Foot`,
  ]),
];

export const isWhole = (bones: Bones): boolean => requiredBones.every((bone) => bones[bone]);

/** The point of a body that stands upright in T-pose, facing +Z; metres. */
type Point = readonly [x: number, y: number, z: number];

/**
 * Heights and widths of joints as shares of stature: Drillis and Contini (1966), in Winter, “Biomechanics and
 * Motor Control of Human Movement”. The spine's joints, the hips' width and the feet's length between them
 * are ours.
 */
const proportions = {
  eyes: 0.936,
  shoulder: 0.818,
  hips: 0.53,
  knee: 0.285,
  ankle: 0.039,
  spine: 0.58,
  chest: 0.66,
  upperChest: 0.74,
  upperArm: 0.186,
  forearm: 0.146,
  /** From the middle. */
  shoulderOut: 0.02,
  armOut: 0.105,
  legOut: 0.052,
  toes: 0.075,
} as const;

/** Metres from eye to eye, and of stature, of a person in the middle of both. */
const middling = { eyes: 0.0625, stature: 1.7, headAboveJoint: 0.14 } as const;

/** The size of the body for a head, and the height of the head's joint. */
export interface Stature {
  /** Metres. */
  height: number;
  /** Metres from the eyes down to the head's joint. */
  eyesAboveJoint: number;
}

/** Estimates the stature from the distance of the eyes, otherwise from the head's height above its joint. */
export function statureOf(scene: Scene, { head, leftEye, rightEye }: Bones): Stature {
  const joint = head?.getWorldTranslation() ?? [0, 0, 0];
  const left = leftEye?.getWorldTranslation();
  const right = rightEye?.getWorldTranslation();
  const apart = left && right ? Math.hypot(...left.map((value, axis) => value - right[axis]!)) : 0;
  if (left && right && apart > 1e-4) {
    const height = (apart / middling.eyes) * middling.stature;
    return { height, eyesAboveJoint: (left[1] + right[1]) / 2 - joint[1] };
  }
  const above = Math.max(1e-3, restBounds(scene).max[1] - joint[1]);
  const height = (above / middling.headAboveJoint) * middling.stature;
  return { height, eyesAboveJoint: above * 0.27 };
}

/** Returns the bones' positions for this stature. The neck's and the head's own come from the head. */
function bodyOf({
  height,
}: Stature): Readonly<Record<Exclude<BoneName, 'neck' | 'head' | 'leftEye' | 'rightEye'>, Point>> {
  const p = proportions;
  const at = (x: number, y: number, z = 0): Point => [x * height, y * height, z * height];
  const limbs = sides.flatMap((side): [string, Point][] => {
    // A face that looks along +Z has its left at +X.
    const out = side === 'left' ? 1 : -1;
    return [
      [`${side}Shoulder`, at(out * p.shoulderOut, p.shoulder)],
      [`${side}UpperArm`, at(out * p.armOut, p.shoulder)],
      [`${side}LowerArm`, at(out * (p.armOut + p.upperArm), p.shoulder)],
      [`${side}Hand`, at(out * (p.armOut + p.upperArm + p.forearm), p.shoulder)],
      [`${side}UpperLeg`, at(out * p.legOut, p.hips - 0.01)],
      [`${side}LowerLeg`, at(out * p.legOut, p.knee)],
      [`${side}Foot`, at(out * p.legOut, p.ankle)],
      [`${side}Toes`, at(out * p.legOut, p.ankle / 4, p.toes)],
    ];
  });
  return {
    hips: at(0, p.hips),
    spine: at(0, p.spine),
    chest: at(0, p.chest),
    upperChest: at(0, p.upperChest),
    ...Object.fromEntries(limbs),
  } as ReturnType<typeof bodyOf>;
}

/** Metres above the ground at which a body of this stature has its eyes. */
export const eyeHeight = ({ height }: Stature): number => height * proportions.eyes;

/** Returns a bone's parent. */
function parentOf(bone: BoneName): BoneName | null {
  const own = /^(left|right)(.*)$/.exec(bone);
  if (!own) {
    const spine: BoneName[] = ['hips', 'spine', 'chest', 'upperChest', 'neck', 'head'];
    return spine[spine.indexOf(bone) - 1] ?? null;
  }
  const [, side, part] = own as unknown as [string, 'left' | 'right', string];
  const chain: Record<string, BoneName> = {
    Eye: 'head',
    Shoulder: 'upperChest',
    UpperArm: `${side}Shoulder`,
    LowerArm: `${side}UpperArm`,
    Hand: `${side}LowerArm`,
    UpperLeg: 'hips',
    LowerLeg: `${side}UpperLeg`,
    Foot: `${side}LowerLeg`,
    Toes: `${side}Foot`,
  };
  return chain[part] ?? null;
}

/** Creates only the bones of a body, as a hierarchy. @returns them, the hips without a parent */
export function makeBody(document: Document, stature: Stature): Bones {
  const body = bodyOf(stature);
  const bones: Bones = {};
  for (const [name, position] of Object.entries(body) as [keyof typeof body, Point][]) {
    const node = document.createNode(name.charAt(0).toUpperCase() + name.slice(1));
    const parent = parentOf(name);
    const [x, y, z] = parent ? body[parent as keyof typeof body] : [0, 0, 0];
    node.setTranslation([position[0] - x, position[1] - y, position[2] - z]);
    if (parent) bones[parent]!.addChild(node);
    bones[name] = node;
  }
  return bones;
}
