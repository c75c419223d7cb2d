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
  neck: ['neck', 'jbipcneck', '首', '颈', '脖子', 'spine004', 'defspine004'],
  // Rigify's spine goes on to the head.
  head: ['head', 'jbipchead', '頭', '头', 'spine006', 'defspine006'],
  leftEye: ['lefteye', 'jadjlfaceeye', 'eyel', 'leye', 'eyeleft', '左目', '左眼'],
  rightEye: ['righteye', 'jadjrfaceeye', 'eyer', 'reye', 'eyeright', '右目', '右眼'],
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

/** How all names of a rig begin, up to a sign before letters: `Avatar_` of `Avatar_Head` and `Avatar_Neck`. */
function sharedPrefix(names: readonly string[]): string {
  const [first = '', ...others] = names;
  let length = others.length === 0 ? 0 : first.length;
  for (const name of others) while (!name.startsWith(first.slice(0, length))) length -= 1;
  const isEnd = (at: number): boolean =>
    /[^\p{L}\p{N}]/u.test(first.charAt(at - 1)) && names.every((name) => /\p{L}/u.test(name.charAt(at)));
  while (length > 0 && !isEnd(length)) length -= 1;
  return first.slice(0, length);
}

export function bonesByName<Bone>(
  candidates: readonly BoneCandidate<Bone>[],
): Partial<Record<BoneName, Bone>> {
  const prefix = sharedPrefix(candidates.filter(({ isJoint }) => isJoint).map(({ name }) => name));
  const byName = new Map<string, BoneCandidate<Bone>>();
  const byWords = new Map<string, BoneCandidate<Bone>>();
  for (const candidate of candidates) {
    const name = candidate.name.startsWith(prefix) ? candidate.name.slice(prefix.length) : candidate.name;
    for (const [known, key] of [
      [byName, bare(name)],
      [byWords, wordsOf(name)],
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
