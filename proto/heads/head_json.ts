/**
 * Reads facts about a head from a glTF file's JSON that its geometry does not state: its front direction,
 * bones, shape names, and a VRM's own expressions. Main and the page share it, so that a head is the same in
 * a take, a film, an export and the viewer. It accepts any JSON: invalid parts count as absent.
 */
import { type BoneName, bonesByName, isBoneName } from './bone_names.ts';

export interface HeadDescription {
  /** glTF asks for +Z; VRM 0.x looks along −Z. */
  facing: '+Z' | '-Z';
  /** Nodes: a VRM's humanoid, else by their names. */
  bones: Partial<Record<BoneName, number>>;
  /** Names of each mesh's morph targets. */
  targetNames: readonly (readonly string[])[];
  /** Of a VRM. */
  expressions: readonly SourceExpression[];
}

type Override = 'none' | 'block' | 'blend';

/** An expression of a VRM, as 1.0 has it. */
export interface SourceExpression {
  /** The VRM 1.0 name of a preset. */
  name: string;
  isPreset: boolean;
  /** Morph targets of meshes, weights 0..1. */
  binds: readonly { mesh: number; target: number; weight: number }[];
  isBinary: boolean;
  overrideBlink: Override;
  overrideLookAt: Override;
  overrideMouth: Override;
}

type Json = Readonly<Record<string, unknown>>;

const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const numberOf = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
const isIndex = (value: unknown, length: number): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < length;

/** The VRM extension of a file's JSON; null if it has none. */
export function vrmOf(json: unknown): { version: '1.0' | '0.x'; vrm: Json } | null {
  const { VRMC_vrm, VRM } = objectOf(objectOf(json).extensions);
  if (Object.keys(objectOf(VRMC_vrm)).length > 0) return { version: '1.0', vrm: objectOf(VRMC_vrm) };
  return Object.keys(objectOf(VRM)).length > 0 ? { version: '0.x', vrm: objectOf(VRM) } : null;
}

export function describeHead(json: unknown): HeadDescription {
  const file = objectOf(json);
  const bones = bonesOf(file);
  return {
    facing: facingOf(file, bones),
    bones,
    targetNames: listOf(file.meshes).map((mesh) => targetNamesOf(objectOf(mesh))),
    expressions: expressionsOf(file),
  };
}

/** The nodes that are a head's bones: those of a VRM's humanoid, else those with a name that is known. */
function bonesOf(file: Json): HeadDescription['bones'] {
  const nodes = listOf(file.nodes).map(objectOf);
  const joints = new Set(listOf(file.skins).flatMap((skin) => listOf(objectOf(skin).joints)));
  const named = bonesByName(
    nodes.flatMap(({ name, mesh }, bone) =>
      typeof name === 'string' && mesh === undefined ? [{ bone, name, isJoint: joints.has(bone) }] : [],
    ),
  );
  const { humanBones } = objectOf(vrmOf(file)?.vrm.humanoid);
  const bones: [unknown, unknown][] = Array.isArray(humanBones)
    ? humanBones.map((one) => [objectOf(one).bone, objectOf(one).node])
    : Object.entries(objectOf(humanBones)).map(([bone, one]) => [bone, objectOf(one).node]);
  const humanoid = bones.filter(([bone, node]) => isBoneName(bone) && isIndex(node, nodes.length));
  return { ...named, ...(Object.fromEntries(humanoid) as HeadDescription['bones']) };
}

/**
 * The head's forward axis. Its eyes lie before its joint; a head that looks along +Z has its left at +X. Bones
 * decide where they agree; else a VRM 0.x looks along −Z, and any other file as glTF asks.
 */
function facingOf(file: Json, bones: HeadDescription['bones']): '+Z' | '-Z' {
  const worldPositionOf = worldPositions(file);
  const at = (bone: BoneName): readonly number[] | null => {
    const node = bones[bone];
    return node === undefined ? null : worldPositionOf(node);
  };
  const [head, leftEye, rightEye] = [at('head'), at('leftEye'), at('rightEye')];
  const [leftArm, rightArm] = [at('leftUpperArm'), at('rightUpperArm')];
  const eyes: number[] = [];
  if (leftEye && rightEye) {
    eyes.push(leftEye[0]! - rightEye[0]!);
    if (head) eyes.push((leftEye[2]! + rightEye[2]!) / 2 - head[2]!);
  }
  const arms = leftArm && rightArm ? [leftArm[0]! - rightArm[0]!] : [];
  const signs = [...eyes, ...arms].filter((value) => Math.abs(value) > 1e-6);
  if (vrmOf(file)?.version === '0.x')
    return signs.length > 0 && signs.every((value) => value > 0) ? '+Z' : '-Z';
  // Eyes that are called by the side of who looks at them would be one such sign.
  const isSure = signs.length > 1 || arms.length > 0;
  return isSure && signs.every((value) => value < 0) ? '-Z' : '+Z';
}

/** Where a node's origin stands in the scene. */
function worldPositions(file: Json): (node: number) => readonly number[] {
  const nodes = listOf(file.nodes).map(objectOf);
  const parents = new Map<number, number>();
  for (const [parent, { children }] of nodes.entries())
    for (const child of listOf(children)) if (isIndex(child, nodes.length)) parents.set(child, parent);
  return (node) => {
    let position: readonly number[] = [0, 0, 0];
    const seen = new Set<number>();
    // A file whose nodes are their own parents is no tree; it ends here all the same.
    for (let at: number | undefined = node; at !== undefined && !seen.has(at); at = parents.get(at)) {
      seen.add(at);
      position = moved(nodes[at]!, position);
    }
    return position;
  };
}

/** A point of a node's space in its parent's. */
function moved(node: Json, [x = 0, y = 0, z = 0]: readonly number[]): readonly number[] {
  const numbers = (value: unknown, otherwise: readonly number[]): readonly number[] =>
    otherwise.map((usual, at) => numberOf(listOf(value)[at], usual));
  if (Array.isArray(node.matrix)) {
    const m = numbers(node.matrix, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    return [0, 1, 2].map((row) => m[row]! * x + m[row + 4]! * y + m[row + 8]! * z + m[row + 12]!);
  }
  const [sx, sy, sz] = numbers(node.scale, [1, 1, 1]) as [number, number, number];
  const [a, b, c, w] = numbers(node.rotation, [0, 0, 0, 1]) as [number, number, number, number];
  const [tx, ty, tz] = numbers(node.translation, [0, 0, 0]) as [number, number, number];
  const [px, py, pz] = [x * sx, y * sy, z * sz];
  // v + 2 q × (q × v + w v)
  const [ux, uy, uz] = [b * pz - c * py + w * px, c * px - a * pz + w * py, a * py - b * px + w * pz];
  return [px + 2 * (b * uz - c * uy) + tx, py + 2 * (c * ux - a * uz) + ty, pz + 2 * (a * uy - b * ux) + tz];
}

/** The name of a morph target without one. */
const nameless = (position: number): string => `target ${position}`;

/** Of names as `extras` have them, those of a mesh's morph targets by their position. */
export const namesOfTargets = (names: readonly unknown[] | undefined, count: number): string[] =>
  Array.from({ length: count }, (_, position) => {
    const name = names?.[position];
    return typeof name === 'string' && name !== '' ? name : nameless(position);
  });

/** As a mesh's `extras.targetNames` has them, or (Blender's old habit, UnityGLTF's) those of its primitives. */
function targetNamesOf(mesh: Json): string[] {
  const primitives = listOf(mesh.primitives).map(objectOf);
  const count = Math.max(0, ...primitives.map(({ targets }) => listOf(targets).length));
  const targetNames = [mesh, ...primitives]
    .map(({ extras }) => objectOf(extras).targetNames)
    .find((names) => Array.isArray(names)) as readonly unknown[] | undefined;
  return namesOfTargets(targetNames, count);
}

/** Presets of VRM 0.x under the names of 1.0. */
const presetsOf0: Readonly<Record<string, string>> = {
  neutral: 'neutral',
  a: 'aa',
  i: 'ih',
  u: 'ou',
  e: 'ee',
  o: 'oh',
  blink: 'blink',
  blink_l: 'blinkLeft',
  blink_r: 'blinkRight',
  joy: 'happy',
  angry: 'angry',
  sorrow: 'sad',
  fun: 'relaxed',
  lookup: 'lookUp',
  lookdown: 'lookDown',
  lookleft: 'lookLeft',
  lookright: 'lookRight',
};

function expressionsOf(file: Json): SourceExpression[] {
  const source = vrmOf(file);
  if (!source) return [];
  const meshes = listOf(file.meshes).map(objectOf);
  const bindsOf = (binds: unknown, max: number, meshOf: (bind: Json) => unknown): SourceExpression['binds'] =>
    listOf(binds).flatMap((one) => {
      const bind = objectOf(one);
      const mesh = meshOf(bind);
      if (!isIndex(mesh, meshes.length)) return [];
      const count = targetNamesOf(meshes[mesh]!).length;
      const weight = numberOf(bind.weight, max) / max;
      return isIndex(bind.index, count) ? [{ mesh, target: bind.index, weight }] : [];
    });
  if (source.version === '1.0') {
    const nodes = listOf(file.nodes).map(objectOf);
    const { preset, custom } = objectOf(source.vrm.expressions);
    return [preset, custom].flatMap((group, at) =>
      Object.entries(objectOf(group)).map(([name, value]) => {
        const one = objectOf(value);
        const binds = bindsOf(one.morphTargetBinds, 1, ({ node }) =>
          isIndex(node, nodes.length) ? nodes[node]!.mesh : undefined,
        );
        return {
          ...{ name, isPreset: at === 0, binds, isBinary: one.isBinary === true },
          overrideBlink: overrideOf(one.overrideBlink),
          overrideLookAt: overrideOf(one.overrideLookAt),
          overrideMouth: overrideOf(one.overrideMouth),
        };
      }),
    );
  }
  return listOf(objectOf(source.vrm.blendShapeMaster).blendShapeGroups).map((value) => {
    const one = objectOf(value);
    const clipName = typeof one.name === 'string' ? one.name : '';
    // 0.x has no preset for surprise: its makers' clips have the name alone.
    const preset =
      presetsOf0[String(one.presetName).toLowerCase()] ??
      (/^surprised$/i.test(clipName) ? 'surprised' : undefined);
    return {
      ...{ name: preset ?? clipName, isPreset: preset !== undefined, isBinary: one.isBinary === true },
      binds: bindsOf(one.binds, 100, ({ mesh }) => mesh),
      ...{ overrideBlink: 'none', overrideLookAt: 'none', overrideMouth: 'none' },
    };
  });
}

const overrideOf = (value: unknown): Override => (value === 'block' || value === 'blend' ? value : 'none');
