import type { Document, Mesh, Node } from '@gltf-transform/core';
import { isArkitBlendshapeName } from '#proto/blendshapes.ts';
import { builtInTables, vrm0Clips } from '../names/built_in_tables.ts';
import { movesAnything, nodesOf, shapesOf, targetNames } from '../names/head_shapes.ts';
import { planNames, type ShapePart, shapeKey } from '../names/name_table.ts';
import type { Bones } from './humanoid.ts';

export type PresetName = keyof typeof vrm0Clips;

/** A morph target of one mesh, and how far an expression moves it, 0..1. */
export interface Bind {
  node: Node;
  mesh: Mesh;
  index: number;
  weight: number;
}

export interface VrmExpression {
  /** Of a preset its name in VRM 1.0; else ARKit's, Oculus' or the head's own. */
  name: string;
  preset: PresetName | null;
  binds: readonly Bind[];
  /** It closes the lids or opens the mouth itself: blinking and speaking give way to it. */
  overBlink: boolean;
  overMouth: boolean;
}

const moods = new Set<string>(['happy', 'angry', 'sad', 'relaxed', 'surprised']);

/**
 * The expressions of a head: VRM's presets as sums of its shapes, and each of its shapes under its own name.
 *
 * Eyes that hang on bones are turned by these alone (`lookAt`): an expression that turned them too would turn
 * them twice. `eyeLook…` then moves the lids.
 */
export function expressionsOf(document: Document, bones: Bones): VrmExpression[] {
  const meshes = document
    .getRoot()
    .listMeshes()
    .flatMap((mesh) => nodesOf(mesh).map((node) => ({ mesh, node, isEye: isEye(node, bones) })));
  const places = meshes.map(({ mesh }) => new Map(targetNames(mesh).map((name, at) => [shapeKey(name), at])));
  const moving = new Map<Mesh, boolean[]>();
  const moves = (mesh: Mesh, index: number): boolean => {
    const known = moving.get(mesh) ?? targetNames(mesh).map((_, at) => movesAnything(mesh, at));
    moving.set(mesh, known);
    return known[index] ?? false;
  };
  const bindsOf = (parts: readonly Pick<ShapePart, 'shape' | 'weight'>[]): Bind[] =>
    meshes.flatMap(({ mesh, node, isEye }, at) =>
      parts.flatMap(({ shape, weight }) => {
        const index = places[at]!.get(shapeKey(shape));
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
      overBlink: isMood && parts.some(({ shape }) => /^eye(Blink|Squint|Wide)/.test(shape)),
      overMouth: isMood && parts.some(({ shape }) => shape === 'jawOpen'),
    };
  });
  const presetNames = new Set<string>(Object.keys(vrm0Clips));
  const keys = new Set(shapes.map(shapeKey).filter((name) => !presetNames.has(name)));
  const own = [...keys].map(
    (name): VrmExpression => ({
      name,
      preset: null,
      binds: bindsOf([{ shape: name, weight: 1 }]),
      overBlink: false,
      overMouth: false,
    }),
  );
  return [...presets, ...own];
}

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
