import {
  type Accessor,
  type Document,
  type Mesh,
  type Node,
  Primitive,
  type Scene,
} from '@gltf-transform/core';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { Bones } from '../../head_bones.ts';
import { determinant, identity, multiplied } from '../scene/matrix.ts';
import { restBounds } from '../scene/rest_pose.ts';
import { hasTriangles, trianglesOf } from '../scene/triangles.ts';
import { eyeHeight, isWhole, makeBody, statureOf } from './humanoid.ts';
import { halfTurn, inverse, isIdentity, type Matrix, moveBy, onlyMoves, translationOf } from './matrix.ts';

/**
 * Puts a head on a humanoid skeleton, upright, feet on the ground. Bakes every rotation and scale of its
 * nodes into the vertices, as VRM 0.x requires and 1.0 recommends. A model with a body keeps its bones.
 *
 * @param document - A head facing +Z with its left at +X; changed in place, without animations.
 * @param facing - VRM 1.0 faces +Z, 0.x faces −Z.
 * @param found - The bones that it has.
 */
export function placeBody(document: Document, scene: Scene, facing: '+Z' | '-Z', found: Bones): Bones {
  // All matrices before anything moves.
  const before = new Map<Node, Matrix>();
  scene.traverse((node) => {
    before.set(node, node.getWorldMatrix());
  });
  const { bones, lift } = isWhole(found)
    ? { bones: found, lift: identity }
    : onBody(document, scene, found, before);
  normalise(document, scene, before, multiplied(facing === '+Z' ? identity : halfTurn, lift), bones);
  oneNameEach(document, Object.values(bones));
  return bones;
}

/**
 * From the neck's joint to the head's, as a share of stature, where a head has no neck. VRM 0.x demands one.
 */
const neckLength = 0.06;

/** Parents the head and everything else to new bones. */
function onBody(
  document: Document,
  scene: Scene,
  found: Bones,
  before: Map<Node, Matrix>,
): { bones: Bones; lift: Matrix } {
  const roots = scene.listChildren();
  const bones: Bones = { ...found };
  bones.head ??= newHead(document, scene, before);
  const head = bones.head;
  for (const [eye, node] of [
    ['leftEye', bones.leftEye],
    ['rightEye', bones.rightEye],
  ] as const) {
    if (node && found.head && !isBelow(node, head)) delete bones[eye];
  }
  const stature = statureOf(scene, bones);
  const body = makeBody(document, stature);
  // New bones are in place already; only the head's nodes are lifted.
  const lift = moveBy(liftFor(stature, head));
  scene.addChild(body.hips!);
  body.hips!.traverse((node) => {
    before.set(node, multiplied(inverse(lift), node.getWorldMatrix()));
  });
  if (!bones.neck || !isBelow(head, bones.neck)) {
    const [x, y, z] = head.getWorldTranslation();
    bones.neck = document.createNode('Neck').setTranslation([x, y - stature.height * neckLength, z]);
    before.set(bones.neck, bones.neck.getWorldMatrix());
    bones.neck.addChild(head);
  }
  const { neck } = bones;
  body.upperChest!.addChild(neck);
  for (const root of roots) {
    if (root === neck || root === head || root.getSkin()) continue;
    // Without a joint for the head, everything is parented to a new one.
    (found.head ? body.upperChest! : head).addChild(root);
  }
  return { bones: { ...bones, ...body }, lift };
}

/** Creates a joint for a head without one, a third up from its lower end. */
function newHead(document: Document, scene: Scene, before: Map<Node, Matrix>): Node {
  const { min, max } = restBounds(scene);
  if (!(max[1] > min[1])) {
    throw new Failure('unsupported', t('vrm.nothing_seen'), {
      hint: t('vrm.choose_head'),
    });
  }
  const node = document
    .createNode('Head')
    .setTranslation([(min[0] + max[0]) / 2, min[1] + (max[1] - min[1]) / 3, (min[2] + max[2]) / 2]);
  before.set(node, node.getWorldMatrix());
  return node;
}

/** The translation that puts a head onto the body: centred, with the eyes at their height. */
function liftFor(stature: ReturnType<typeof statureOf>, head: Node): [number, number, number] {
  const [x, y, z] = head.getWorldTranslation();
  return [-x, eyeHeight(stature) - stature.eyesAboveJoint - y, -z];
}

function isBelow(node: Node, ancestor: Node): boolean {
  for (let at: Node | null = node; at; at = at.getParentNode()) if (at === ancestor) return true;
  return false;
}

/** Removes rotation and scale from every node; vertices and skins compensate. */
function normalise(
  document: Document,
  scene: Scene,
  before: ReadonlyMap<Node, Matrix>,
  placed: Matrix,
  bones: Bones,
): void {
  const nodes: Node[] = [];
  scene.traverse((node) => {
    nodes.push(node);
  });
  const whereOld = (node: Node): Matrix => multiplied(placed, before.get(node) ?? identity);
  const whereNew = (node: Node): Matrix =>
    node.getSkin() ? identity : moveBy(translationOf(whereOld(node)));
  const changed = new Map<Mesh, Matrix>();
  const bake = (node: Node, matrix: Matrix): void => {
    let mesh = node.getMesh()!;
    const known = changed.get(mesh);
    if (known) {
      if (known.every((value, index) => Math.abs(value - matrix[index]!) < 1e-9)) return;
      mesh = ownMesh(mesh);
      node.setMesh(mesh);
      matrix = multiplied(matrix, inverse(known));
    }
    changed.set(mesh, matrix);
    transformed(document, mesh, matrix);
  };
  const skins = new Map(
    document
      .getRoot()
      .listSkins()
      .map((skin) => {
        const joints = skin.listJoints();
        const binds = joints.map((_, index) => bindOf(skin.getInverseBindMatrices(), index));
        // Where the skin's vertices are at rest, as the first joint says; of a sound file all say the same.
        const rest = joints[0] ? multiplied(whereOld(joints[0]), binds[0]!) : placed;
        return [skin, { joints, binds, rest }] as const;
      }),
  );
  const done = new Set<Mesh>();
  for (const node of nodes) {
    const mesh = node.getMesh();
    if (!mesh) continue;
    const skin = node.getSkin();
    if (skin) {
      if (!done.has(mesh)) bake(node, skins.get(skin)?.rest ?? placed);
      done.add(mesh);
    } else bake(node, multiplied(inverse(whereNew(node)), whereOld(node)));
  }
  for (const [number, [skin, { joints, binds, rest }]] of [...skins].entries()) {
    // Blender makes bones of the joints of skins alone.
    const others = number > 0 ? [] : Object.values(bones).filter((bone) => !joints.includes(bone));
    for (const bone of others) skin.addJoint(bone);
    const values = [
      ...joints.flatMap((joint, index) =>
        multiplied(
          inverse(whereNew(joint)),
          multiplied(multiplied(whereOld(joint), binds[index]!), inverse(rest)),
        ),
      ),
      ...others.flatMap((bone) => inverse(whereNew(bone))),
    ];
    skin.setSkeleton(null);
    const old = skin.getInverseBindMatrices();
    const accessor = document
      .createAccessor()
      .setType('MAT4')
      .setArray(Float32Array.from(values))
      .setBuffer(old?.getBuffer() ?? document.getRoot().listBuffers()[0] ?? document.createBuffer());
    skin.setInverseBindMatrices(accessor);
  }
  for (const node of nodes) {
    if (node.getSkin()) scene.addChild(node);
    const parent = node.getParentNode();
    const [x, y, z] = translationOf(whereNew(node));
    const [px, py, pz] = parent ? translationOf(whereNew(parent)) : [0, 0, 0];
    node
      .setTranslation([x - px, y - py, z - pz])
      .setRotation([0, 0, 0, 1])
      .setScale([1, 1, 1]);
  }
}

function bindOf(accessor: Accessor | null, index: number): Matrix {
  return (accessor?.getElement(index, new Array<number>(16).fill(0)) as Matrix | undefined) ?? identity;
}

/** Returns a separate copy of a mesh that another node shows elsewhere. */
function ownMesh(mesh: Mesh): Mesh {
  const copy = mesh.clone();
  for (const primitive of copy.listPrimitives()) {
    const own = primitive.clone();
    for (const target of own.listTargets()) {
      own.removeTarget(target);
      own.addTarget(target.clone());
    }
    copy.removePrimitive(primitive);
    copy.addPrimitive(own);
  }
  return copy;
}

/**
 * Moves a mesh's vertices; morph targets are differences and only turn with them. Shared streams stay shared.
 */
function transformed(document: Document, mesh: Mesh, matrix: Matrix): void {
  if (isIdentity(matrix)) return;
  const made = new Map<string, Accessor>();
  const apply = (
    accessor: Accessor | null,
    kind: 'place' | 'difference' | 'normal' | 'tangent',
  ): Accessor | null => {
    if (!accessor) return null;
    const key = `${kind} ${idOf(accessor)}`;
    const known = made.get(key);
    if (known) return known;
    const result = times3(document, accessor, matrix, kind);
    made.set(key, result);
    return result;
  };
  const turns = !onlyMoves(matrix);
  const swap = determinant(matrix) < 0;
  for (const primitive of mesh.listPrimitives()) {
    primitive.setAttribute('POSITION', apply(primitive.getAttribute('POSITION'), 'place'));
    if (turns) {
      primitive.setAttribute('NORMAL', apply(primitive.getAttribute('NORMAL'), 'normal'));
      primitive.setAttribute('TANGENT', apply(primitive.getAttribute('TANGENT'), 'tangent'));
      for (const target of primitive.listTargets()) {
        for (const semantic of target.listSemantics()) {
          if (semantic === 'POSITION' || semantic === 'NORMAL' || semantic === 'TANGENT')
            target.setAttribute(semantic, apply(target.getAttribute(semantic), 'difference'));
        }
      }
    }
    if (swap && hasTriangles(primitive)) {
      const corners = trianglesOf(primitive);
      for (let corner = 0; corner + 2 < corners.length; corner += 3)
        [corners[corner], corners[corner + 2]] = [corners[corner + 2]!, corners[corner]!];
      const buffer = primitive.getAttribute('POSITION')?.getBuffer() ?? null;
      primitive
        .setMode(Primitive.Mode.TRIANGLES!)
        .setIndices(document.createAccessor().setType('SCALAR').setArray(corners).setBuffer(buffer));
    }
  }
}

const ids = new WeakMap<Accessor, number>();
let lastId = 0;
function idOf(accessor: Accessor): number {
  if (!ids.has(accessor)) ids.set(accessor, ++lastId);
  return ids.get(accessor)!;
}

function times3(
  document: Document,
  accessor: Accessor,
  matrix: Matrix,
  kind: 'place' | 'difference' | 'normal' | 'tangent',
): Accessor {
  const width = accessor.getElementSize();
  const count = accessor.getCount();
  const from = accessor.getArray()!;
  const values = new Float32Array(count * width);
  const plain = from instanceof Float32Array;
  const m = kind === 'normal' ? transposed(inverse(matrix)) : matrix;
  const element = new Array<number>(width).fill(0);
  for (let at = 0; at < count; at++) {
    const start = at * width;
    if (kind === 'difference' && from[start] === 0 && from[start + 1] === 0 && from[start + 2] === 0)
      continue;
    // Of a head's floats there are millions.
    if (!plain) accessor.getElement(at, element);
    const x = plain ? from[start]! : element[0]!;
    const y = plain ? from[start + 1]! : element[1]!;
    const z = plain ? from[start + 2]! : element[2]!;
    let a = m[0] * x + m[4] * y + m[8] * z;
    let b = m[1] * x + m[5] * y + m[9] * z;
    let c = m[2] * x + m[6] * y + m[10] * z;
    if (kind === 'place') {
      a += m[12];
      b += m[13];
      c += m[14];
    } else if (kind !== 'difference') {
      const length = Math.hypot(a, b, c) || 1;
      a /= length;
      b /= length;
      c /= length;
    }
    values[start] = a;
    values[start + 1] = b;
    values[start + 2] = c;
    if (width === 4) values[start + 3] = plain ? from[start + 3]! : element[3]!;
  }
  return document
    .createAccessor(accessor.getName())
    .setType(accessor.getType())
    .setArray(values)
    .setSparse(accessor.getSparse())
    .setBuffer(accessor.getBuffer());
}

const transposed = (m: Matrix): Matrix =>
  Array.from({ length: 16 }, (_, index) => m[(index % 4) * 4 + Math.floor(index / 4)]!) as Matrix;

/** Makes node names unique, because readers look nodes up by name; bones keep theirs. */
function oneNameEach(document: Document, bones: readonly Node[]): void {
  const taken = new Set<string>();
  for (const node of new Set([...bones, ...document.getRoot().listNodes()])) {
    const wanted = node.getName() || node.getMesh()?.getName() || 'Node';
    let name = wanted;
    for (let number = 2; taken.has(name); number += 1) name = `${wanted}_${number}`;
    taken.add(name);
    node.setName(name);
  }
}
