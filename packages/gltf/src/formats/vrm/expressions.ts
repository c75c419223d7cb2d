import type { Document, Mesh, Node } from '@gltf-transform/core';
import { isArkitBlendshapeName } from '@likeness/proto/blendshapes.ts';
import type { Bones } from '../../head_bones.ts';
import { targetNames } from '../../morph_targets.ts';
import type { HeadExpression } from '../head/open_head.ts';
import { builtInTables, vrm0Clips } from '../names/built_in_tables.ts';
import { movesAnything, nodesOf, shapesOf } from '../names/head_shapes.ts';
import { planNames, type ShapePart, shapeKey } from '../names/name_table.ts';

export type PresetName = keyof typeof vrm0Clips;

/** A morph target of one mesh, and how far an expression moves it, 0..1. */
export interface Bind {
  node: Node;
  mesh: Mesh;
  index: number;
  weight: number;
}

export interface VrmExpression {
  /** A preset's name in VRM 1.0; otherwise the name from ARKit, Oculus or the head. */
  name: string;
  preset: PresetName | null;
  binds: readonly Bind[];
  isBinary: boolean;
  /**
   * It closes the lids, turns the eyes or opens the mouth itself: then automatic blinking, gaze or speech is
   * suppressed.
   */
  overrideBlink: HeadExpression['overrideBlink'];
  overrideLookAt: HeadExpression['overrideLookAt'];
  overrideMouth: HeadExpression['overrideMouth'];
}

const moods = new Set<string>(['happy', 'angry', 'sad', 'relaxed', 'surprised']);

/**
 * The expressions of a head: VRM's presets as sums of its shapes, and each of its shapes under its own name.
 *
 * Eyes with bones are turned by these alone (`lookAt`): an expression that turned them too would turn them
 * twice. `eyeLook…` then moves the lids.
 *
 * @param own a VRM's, which replace the studio's expressions of the same names
 */
export function expressionsOf(
  document: Document,
  bones: Bones,
  own: readonly HeadExpression[] = [],
): VrmExpression[] {
  const meshes = document
    .getRoot()
    .listMeshes()
    .flatMap((mesh) => nodesOf(mesh).map((node) => ({ mesh, node, isEye: isEye(node, bones) })));
  const indexes = meshes.map(
    ({ mesh }) => new Map(targetNames(mesh).map((name, at) => [shapeKey(name), at])),
  );
  const moving = new Map<Mesh, boolean[]>();
  const moves = (mesh: Mesh, index: number): boolean => {
    const known = moving.get(mesh) ?? targetNames(mesh).map((_, at) => movesAnything(mesh, at));
    moving.set(mesh, known);
    return known[index] ?? false;
  };
  const bindsOf = (parts: readonly Pick<ShapePart, 'shape' | 'weight'>[]): Bind[] =>
    meshes.flatMap(({ mesh, node, isEye }, at) =>
      parts.flatMap(({ shape, weight }) => {
        const index = indexes[at]!.get(shapeKey(shape));
        if (index === undefined || !moves(mesh, index)) return [];
        return isEye && shapeKey(shape).startsWith('eyeLook') ? [] : [{ node, mesh, index, weight }];
      }),
    );
  const shapes = shapesOf(document);
  const { made } = planNames(shapes, { id: 'vrm', rows: builtInTables.vrm });
  const presets = made.map(({ name, parts }): VrmExpression => {
    const isMood = moods.has(name);
    return {
      name,
      preset: name as PresetName,
      binds: bindsOf(parts),
      ...plain,
      ...(isMood && {
        overrideBlink: parts.some(({ shape }) => /^eye(Blink|Squint|Wide)/.test(shape)) ? 'blend' : 'none',
        overrideMouth: parts.some(({ shape }) => shape === 'jawOpen') ? 'blend' : 'none',
      }),
    };
  });
  const presetNames = new Set<string>(Object.keys(vrm0Clips));
  const keys = new Set(shapes.map(shapeKey).filter((name) => !presetNames.has(name)));
  const ofShapes = [...keys].map(
    (name): VrmExpression => ({ name, preset: null, binds: bindsOf([{ shape: name, weight: 1 }]), ...plain }),
  );
  const custom = own.flatMap(({ binds, isPreset, name, ...rest }): VrmExpression[] => {
    if (binds.length === 0 || (isPreset && !presetNames.has(name))) return [];
    const preset = isPreset ? (name as PresetName) : null;
    const all = binds.flatMap(({ mesh, target, weight }) =>
      nodesOf(mesh).map((node) => ({ node, mesh, index: target, weight })),
    );
    return [{ ...rest, name: preset ?? shapeKey(name), preset, binds: all }];
  });
  // The author's expression replaces the one that names alone would give.
  const named = new Map([...presets, ...ofShapes, ...custom].map((one) => [one.name, one]));
  return [...named.values()];
}

const plain = {
  isBinary: false,
  overrideBlink: 'none',
  overrideLookAt: 'none',
  overrideMouth: 'none',
} as const;

/**
 * A custom clip as programs for VRM 0.x look for it: ARKit's names begin with a capital letter (“Perfect
 * Sync”).
 */
export const clipName = (name: string): string =>
  isArkitBlendshapeName(name) ? name.charAt(0).toUpperCase() + name.slice(1) : name;

/** Whether a node's mesh is moved by the bone of an eye and nothing else. */
function isEye(node: Node, { leftEye, rightEye }: Bones): boolean {
  const eyes = [leftEye, rightEye].filter((bone) => bone !== undefined);
  const skin = node.getSkin();
  if (!skin) {
    for (let at: Node | null = node; at; at = at.getParentNode()) if (eyes.includes(at)) return true;
    return false;
  }
  const joints = skin.listJoints();
  const isEyes = joints.map((joint) => eyes.includes(joint));
  if (!isEyes.includes(true)) return false;
  const which = [0, 0, 0, 0];
  const weights = [0, 0, 0, 0];
  return (node.getMesh()?.listPrimitives() ?? []).every((primitive) => {
    const jointsOf = primitive.getAttribute('JOINTS_0');
    const weightsOf = primitive.getAttribute('WEIGHTS_0');
    if (!jointsOf || !weightsOf) return false;
    for (let vertex = 0; vertex < jointsOf.getCount(); vertex++) {
      jointsOf.getElement(vertex, which);
      weightsOf.getElement(vertex, weights);
      if (which.some((joint, at) => weights[at]! > 0.01 && !isEyes[joint])) return false;
    }
    return true;
  });
}
