/** The bones of a person, by the names that makers of heads and avatars give them. */

/** A bone of VRM's humanoid, as far as the studio needs it. */
export type BoneName =
  | 'hips'
  | 'spine'
  | 'chest'
  | 'upperChest'
  | 'neck'
  | 'head'
  | 'leftEye'
  | 'rightEye'
  | `${'left' | 'right'}${'Shoulder' | 'UpperArm' | 'LowerArm' | 'Hand' | 'UpperLeg' | 'LowerLeg' | 'Foot' | 'Toes'}`;

/** Names in small letters and digits alone, without their maker's prefix, the most certain first. */
const namesOfBones: Readonly<Record<BoneName, readonly string[]>> = {
  hips: ['hips', 'jbipchips', 'pelvis'],
  spine: ['spine', 'jbipcspine'],
  chest: ['chest', 'spine1', 'jbipcchest'],
  upperChest: ['upperchest', 'spine2', 'jbipcupperchest'],
  // Character Creator, Unreal, DAZ, MikuMikuDance.
  neck: ['neck', 'jbipcneck', 'necktwist01', 'neck01', 'necklower', '首'],
  head: ['head', 'jbipchead', '頭'],
  ...eyes('left', '左目'),
  ...eyes('right', '右目'),
  ...limbs('left'),
  ...limbs('right'),
};

export const isBoneName = (name: unknown): name is BoneName =>
  typeof name === 'string' && Object.hasOwn(namesOfBones, name);

function eyes<Side extends 'left' | 'right'>(side: Side, mmd: string) {
  const initial = side[0]!;
  const names = [
    `${side}eye`,
    `jadj${initial}faceeye`,
    `eye${initial}`,
    `${initial}eye`,
    `eye${side}`,
    `facial${initial}eye`,
    `${side}eyeball`,
    `eyeball${initial}`,
    mmd,
  ];
  return { [`${side}Eye`]: names } as Record<`${Side}Eye`, string[]>;
}

function limbs<Side extends 'left' | 'right'>(side: Side) {
  const bip = `jbip${side[0]}`;
  return {
    [`${side}Shoulder`]: [`${side}shoulder`, `${bip}shoulder`],
    [`${side}UpperArm`]: [`${side}upperarm`, `${side}arm`, `${bip}upperarm`],
    [`${side}LowerArm`]: [`${side}lowerarm`, `${side}forearm`, `${bip}lowerarm`],
    [`${side}Hand`]: [`${side}hand`, `${bip}hand`],
    [`${side}UpperLeg`]: [`${side}upperleg`, `${side}upleg`, `${bip}upperleg`],
    [`${side}LowerLeg`]: [`${side}lowerleg`, `${side}leg`, `${bip}lowerleg`],
    [`${side}Foot`]: [`${side}foot`, `${bip}foot`],
    [`${side}Toes`]: [`${side}toes`, `${side}toebase`, `${bip}toebase`],
  } as Record<Exclude<BoneName & `${Side}${string}`, `${Side}Eye`>, string[]>;
}

/** Bones that importers often number (`Head_06`), where a number tells no other bone. */
const numbered: readonly BoneName[] = ['neck', 'head', 'leftEye', 'rightEye'];

/** `mixamorig1:Head`, `Armature|CC_Base_Head`, `DEF-head` and `Bip001 Head` are all `head`. */
const bare = (name: string): string =>
  name
    .replace(/^.*[:|]/, '')
    .replace(/^DEF[-_]/, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/^(mixamorig\d*|ccbase|bip0*1)(?=.)/, '');

/** A node that may be a bone: one with a mesh is none. */
export interface BoneCandidate<Bone> {
  bone: Bone;
  name: string;
  /** A skin has it among its joints: it comes before other nodes of the name. */
  isJoint: boolean;
}

export function bonesByName<Bone>(
  candidates: readonly BoneCandidate<Bone>[],
): Partial<Record<BoneName, Bone>> {
  const byName = new Map<string, BoneCandidate<Bone>>();
  const byStem = new Map<string, BoneCandidate<Bone>>();
  for (const candidate of candidates) {
    const name = bare(candidate.name);
    for (const [known, key] of [
      [byName, name],
      [byStem, name.replace(/\d+$/, '')],
    ] as const) {
      const other = known.get(key);
      if (!other || (candidate.isJoint && !other.isJoint)) known.set(key, candidate);
    }
  }
  const found: Partial<Record<BoneName, Bone>> = {};
  for (const [bone, names] of Object.entries(namesOfBones) as [BoneName, readonly string[]][]) {
    const exact = names.flatMap((name) => byName.get(name) ?? []);
    const all = numbered.includes(bone)
      ? [...exact, ...names.flatMap((name) => byStem.get(name) ?? [])]
      : exact;
    const best = all.find(({ isJoint }) => isJoint) ?? all[0];
    if (best) found[bone] = best.bone;
  }
  return found;
}
