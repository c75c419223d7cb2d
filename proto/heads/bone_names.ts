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
  neck: ['neck', 'jbipcneck', '首'],
  head: ['head', 'jbipchead', '頭'],
  leftEye: ['lefteye', 'jadjlfaceeye', 'eyel', 'leye', 'eyeleft', '左目'],
  rightEye: ['righteye', 'jadjrfaceeye', 'eyer', 'reye', 'eyeright', '右目'],
  ...limbs('left'),
  ...limbs('right'),
};

export const isBoneName = (name: unknown): name is BoneName =>
  typeof name === 'string' && Object.hasOwn(namesOfBones, name);

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

/** A name in small letters and digits, without what stands for its file or rig: `Armature|mixamorig1:Head` is `head`. */
const bare = (name: string): string =>
  name
    .replace(/^.*[:|]/, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/^mixamorig\d*(?=.)/, '');

/** The bones of a face in the words that are left of any maker's name. */
const wordsOfBones: Partial<Record<BoneName, readonly string[]>> = {
  neck: ['neck', 'neck twist', 'lower neck'],
  head: ['head'],
  leftEye: ['eye left'],
  rightEye: ['eye right'],
};

/** Words of a name that tell nothing of which bone it is: of its maker, its rig, its kind or its middle. */
const fillers = new Set(
  'adj armature b base bind bip bn bone c cc character daz def face facial j jnt joint m mixamorig org rig skin x'.split(
    ' ',
  ),
);
const sameWords: Readonly<Record<string, string>> = { l: 'left', r: 'right', eyeball: 'eye' };

/** `CC_Base_L_Eye`, `DEF-eye.L`, `FACIAL_L_Eye` and `lEye_07` are all `eye left`. */
const wordsOf = (name: string): string =>
  name
    .replace(/^.*[:|]/, '')
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '' && !fillers.has(word))
    .map((word) => sameWords[word] ?? word)
    .sort()
    .join(' ');

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
  const byWords = new Map<string, BoneCandidate<Bone>>();
  for (const candidate of candidates) {
    for (const [known, key] of [
      [byName, bare(candidate.name)],
      [byWords, wordsOf(candidate.name)],
    ] as const) {
      const other = known.get(key);
      if (!other || (candidate.isJoint && !other.isJoint)) known.set(key, candidate);
    }
  }
  const found: Partial<Record<BoneName, Bone>> = {};
  for (const [bone, names] of Object.entries(namesOfBones) as [BoneName, readonly string[]][]) {
    const all = [
      ...names.flatMap((name) => byName.get(name) ?? []),
      ...(wordsOfBones[bone] ?? []).flatMap((words) => byWords.get(words) ?? []),
    ];
    const best = all.find(({ isJoint }) => isJoint) ?? all[0];
    if (best) found[bone] = best.bone;
  }
  return found;
}
