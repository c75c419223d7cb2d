import type { Accessor, Animation, AnimationSampler, Document, Mesh, Primitive } from '@gltf-transform/core';
import { setTargetNames, targetNames } from '../../morph_targets.ts';
import { identity } from '../scene/matrix.ts';
import { restBounds, restMatrix } from '../scene/rest_pose.ts';
import { nodesOf, shapesOf } from './head_shapes.ts';
import {
  type MadeName,
  type NamePlan,
  type NameTable,
  planNames,
  type ShapePart,
  shapeKey,
  soleShape,
} from './name_table.ts';

export interface RenameOptions {
  /** Shapes that the table has no name for: they keep their name (default), or are left out. */
  others?: 'keep' | 'drop';
}

/** Share of the head's width over which one half of the face passes into the other. */
const middle = 0.06;

/** The origin of a mesh's new shape: an existing target, or a sum of some. */
interface Source {
  name: string;
  /** Position of the existing target, or null. */
  was: number | null;
  parts: readonly ShapePart[];
}

/**
 * Gives a head the shapes of a vocabulary: renames shapes that have a synonym, and adds sums and halves as
 * new morph targets. Rest weights and animations follow their shapes. In them a new sum has weight 0, because
 * its parts already move.
 *
 * @param document - Changed in place.
 * @returns The new names, and the names that stay still
 */
export function renameTargets(
  document: Document,
  table: NameTable,
  { others = 'keep' }: RenameOptions = {},
): NamePlan {
  const plan = planNames(shapesOf(document), table);
  const halves = plan.made.some(({ parts }) => parts.some(({ side }) => side !== null));
  const line = halves ? middleOf(document) : null;
  const laidOut = new Set<AnimationSampler>();
  for (const mesh of document.getRoot().listMeshes()) {
    const before = targetNames(mesh);
    if (before.length === 0) continue;
    const sources = sourcesOf(before, plan.made, others);
    const masks = new Map<string, Float32Array>();
    for (const primitive of mesh.listPrimitives()) {
      const targets = primitive.listTargets();
      const after = sources.map(({ was, parts }) =>
        was === null
          ? summed(document, mesh, primitive, before, parts, line, masks)
          : (targets[was] ?? document.createPrimitiveTarget()),
      );
      for (const target of targets) primitive.removeTarget(target);
      for (const target of after) primitive.addTarget(target);
      for (const target of targets) if (!after.includes(target)) target.dispose();
    }
    setTargetNames(
      mesh,
      sources.map(({ name }) => name),
    );
    const moved = <T>(values: readonly T[], none: T): T[] =>
      sources.map(({ was }) => (was === null ? none : (values[was] ?? none)));
    if (mesh.getWeights().length > 0) mesh.setWeights(moved(mesh.getWeights(), 0));
    for (const node of nodesOf(mesh)) {
      if (node.getWeights().length > 0) node.setWeights(moved(node.getWeights(), 0));
      for (const animation of document.getRoot().listAnimations()) {
        reorderTracks(document, animation, node, before.length, sources, laidOut);
      }
    }
  }
  return plan;
}

function sourcesOf(before: readonly string[], made: readonly MadeName[], others: 'keep' | 'drop'): Source[] {
  const indexes = new Map(before.map((name, position) => [shapeKey(name), position]));
  const claimed = new Map<number, Source>();
  const added: Source[] = [];
  for (const one of made) {
    const sole = soleShape(one);
    const was = sole === null ? undefined : indexes.get(shapeKey(sole));
    const source = { name: one.name, was: null, parts: one.parts };
    if (was !== undefined && !claimed.has(was)) claimed.set(was, { ...source, was });
    else if (one.parts.some(({ shape }) => indexes.has(shapeKey(shape))) || one.parts.length === 0)
      added.push(source);
  }
  const kept = before.flatMap((name, was): Source[] => {
    const own = claimed.get(was);
    if (own) return [own];
    return others === 'keep' ? [{ name, was, parts: [] }] : [];
  });
  return numbered([...kept, ...added]);
}

/** Duplicate names get a number; those of the vocabulary keep theirs. */
function numbered(sources: readonly Source[]): Source[] {
  const taken = new Set<string>();
  const next = new Map<string, number>();
  const order = sources.toSorted((a, b) => Number(isKept(a)) - Number(isKept(b)));
  const names = new Map<Source, string>();
  for (const source of order) {
    let name = source.name;
    let number = next.get(source.name) ?? 2;
    for (; taken.has(name); number += 1) name = `${source.name}_${number}`;
    next.set(source.name, number);
    taken.add(name);
    names.set(source, name);
  }
  return sources.map((source) => ({ ...source, name: names.get(source)! }));
}
const isKept = ({ was, parts }: Source): boolean => was !== null && parts.length === 0;

/** A weighted sum of a primitive's targets: sparse where a face's shapes are. */
function summed(
  document: Document,
  mesh: Mesh,
  primitive: Primitive,
  names: readonly string[],
  parts: readonly ShapePart[],
  line: FaceMiddle | null,
  masks: Map<string, Float32Array>,
) {
  const indexes = new Map(names.map((name, position) => [shapeKey(name), position]));
  const targets = primitive.listTargets();
  const sum = document.createPrimitiveTarget();
  const base = primitive.getAttribute('POSITION');
  if (!base) return sum;
  const semantics = new Set(['POSITION', ...targets.flatMap((target) => target.listSemantics())]);
  for (const semantic of semantics) {
    const values = new Float32Array(base.getCount() * 3);
    let buffer: ReturnType<Accessor['getBuffer']> = null;
    for (const { shape, weight, side } of parts) {
      const from = targets[indexes.get(shapeKey(shape)) ?? -1]?.getAttribute(semantic);
      if (!from) continue;
      buffer ??= from.getBuffer();
      const mask = side && line ? halfOf(mesh, base, side, line, masks) : null;
      addTo(values, from, weight, mask);
    }
    const accessor = document
      .createAccessor()
      .setType('VEC3')
      .setArray(values)
      .setSparse(true)
      .setBuffer(buffer ?? base.getBuffer());
    sum.setAttribute(semantic, accessor);
  }
  return sum;
}

function addTo(values: Float32Array, from: Accessor, weight: number, mask: Float32Array | null): void {
  const array = from.getArray();
  if (!array || array.length !== values.length) return;
  const element = [0, 0, 0];
  const plain = array instanceof Float32Array;
  for (let vertex = 0; vertex < values.length / 3; vertex++) {
    const share = mask ? weight * mask[vertex]! : weight;
    const at = vertex * 3;
    if (array[at] === 0 && array[at + 1] === 0 && array[at + 2] === 0) continue;
    if (plain) {
      for (let axis = 0; axis < 3; axis++) values[at + axis]! += share * array[at + axis]!;
    } else {
      from.getElement(vertex, element);
      for (let axis = 0; axis < 3; axis++) values[at + axis]! += share * element[axis]!;
    }
  }
}

/** The plane that divides a face, in the scene's space; metres. */
interface FaceMiddle {
  x: number;
  /** Half the width of the strip in which both sides have a share. */
  reach: number;
}

/** A face looks along +Z and its own left is +X. A head centred on x = 0 is divided there. */
function middleOf(document: Document): FaceMiddle {
  const scene = document.getRoot().getDefaultScene() ?? document.getRoot().listScenes()[0];
  const { min, max } = scene ? restBounds(scene) : { min: [-0.1, 0, 0] as const, max: [0.1, 0, 0] as const };
  const width = max[0] - min[0];
  const centre = (max[0] + min[0]) / 2;
  return { x: Math.abs(centre) < width * 0.1 ? 0 : centre, reach: width * middle };
}

/** Each vertex's share in one half of the face, 0..1. */
function halfOf(
  mesh: Mesh,
  base: Accessor,
  side: 'left' | 'right',
  { x, reach }: FaceMiddle,
  masks: Map<string, Float32Array>,
): Float32Array {
  const node = nodesOf(mesh)[0];
  const primitive = mesh.listPrimitives().findIndex((one) => one.getAttribute('POSITION') === base);
  const key = `${side} ${primitive}`;
  const known = masks.get(key);
  if (known) return known;
  const world = node ? restMatrix(node) : identity;
  const point = [0, 0, 0];
  const mask = Float32Array.from({ length: base.getCount() }, (_, vertex) => {
    base.getElement(vertex, point);
    const at = world[0]! * point[0]! + world[4]! * point[1]! + world[8]! * point[2]! + world[12]!;
    const share = Math.min(1, Math.max(0, ((at - x) / reach + 1) / 2));
    const left = share * share * (3 - 2 * share);
    return side === 'left' ? left : 1 - left;
  });
  masks.set(key, mask);
  return mask;
}

/** Reorders tracks of weights, which have one value per target and key. */
function reorderTracks(
  document: Document,
  animation: Animation,
  node: ReturnType<typeof nodesOf>[number],
  count: number,
  sources: readonly Source[],
  laidOut: Set<AnimationSampler>,
): void {
  for (const channel of animation.listChannels()) {
    if (channel.getTargetNode() !== node || channel.getTargetPath() !== 'weights') continue;
    const sampler = channel.getSampler();
    const output = sampler?.getOutput();
    const array = output?.getArray();
    // Nodes that show the same mesh may share a track.
    if (!sampler || !output || !array || laidOut.has(sampler)) continue;
    laidOut.add(sampler);
    const rows = array.length / count;
    const values = new Float32Array(rows * sources.length);
    const element = [0];
    for (let row = 0; row < rows; row++) {
      for (const [index, { was }] of sources.entries()) {
        if (was === null) continue;
        output.getElement(row * count + was, element);
        values[row * sources.length + index] = element[0]!;
      }
    }
    const laid = document.createAccessor().setType('SCALAR').setArray(values).setBuffer(output.getBuffer());
    sampler.setOutput(laid);
    if (output.listParents().length <= 1) output.dispose();
  }
}
