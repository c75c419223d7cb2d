import type { Document, Material, Mesh, Primitive, Scene } from '@gltf-transform/core';

/** Objects with a face, as other programs list them. docs/formats/glb.md describes the scene. */
const headObjects = {
  head: 'Head',
  leftEye: 'EyeLeft',
  rightEye: 'EyeRight',
  hair: 'Hair',
  cloth: 'Cloth',
  glasses: 'Glasses',
} as const;

/** Joints of the single skin, in its order: `Neck` is the parent of `Head`, and `Head` of the eyes. */
const headJoints = ['Head', 'Neck', 'LeftEye', 'RightEye'] as const;

export type Point = [number, number, number];

export interface HeadParts {
  /** Turning points, metres from the neck's base. */
  headPivot: Point;
  leftEye: Point;
  rightEye: Point;
  /** About the neck's base, with weights of joints 0 (`Head`) and 1 (`Neck`). */
  head: Mesh;
  hair: Mesh | null;
  /** The clothes of a bust. */
  cloth?: Mesh | null;
  glasses?: Mesh | null;
  /** Each about its own centre. */
  eyes: { left: Mesh | null; right: Mesh | null };
}

/**
 * Puts a head's meshes into a scene: `Head`, `Hair`, `Cloth` and `Glasses` on the joints `Neck` → `Head` → `LeftEye`,
 * `RightEye`. Each eye is below its joint, so that its origin is its pivot.
 */
export function assembleHead(document: Document, scene: Scene, parts: HeadParts): void {
  const { headPivot, head, eyes } = parts;
  const joint = (name: string, at: Point) => document.createNode(name).setTranslation(at);
  const neck = joint('Neck', [0, 0, 0]);
  const headJoint = joint('Head', headPivot);
  const leftEye = joint('LeftEye', minus(parts.leftEye, headPivot));
  const rightEye = joint('RightEye', minus(parts.rightEye, headPivot));
  neck.addChild(headJoint.addChild(leftEye).addChild(rightEye));
  scene.addChild(neck);
  const joints = { Head: headJoint, Neck: neck, LeftEye: leftEye, RightEye: rightEye };
  const skin = document.createSkin('Skeleton').setSkeleton(neck);
  const inverseBinds = new Float32Array(16 * headJoints.length);
  for (const [number, name] of headJoints.entries()) {
    skin.addJoint(joints[name]);
    const [x, y, z] = joints[name].getWorldTranslation();
    inverseBinds.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1], 16 * number);
  }
  const buffer = document.getRoot().listBuffers()[0] ?? document.createBuffer();
  skin.setInverseBindMatrices(
    document.createAccessor().setType('MAT4').setArray(inverseBinds).setBuffer(buffer),
  );
  const addNode = (mesh: Mesh | null, name: string) =>
    mesh && document.createNode(name).setMesh(mesh.setName(name));
  scene.addChild(addNode(head, headObjects.head)!.setSkin(skin));
  const left = addNode(eyes.left, headObjects.leftEye);
  const right = addNode(eyes.right, headObjects.rightEye);
  if (left) leftEye.addChild(left);
  if (right) rightEye.addChild(right);
  for (const name of ['hair', 'cloth', 'glasses'] as const) {
    const worn = addNode(parts[name] ?? null, headObjects[name]);
    if (worn) scene.addChild(worn.setSkin(skin));
  }
}

/** Binds all of a primitive to the joint `Head`. */
export function followHead(document: Document, primitive: Primitive): void {
  const count = primitive.getAttribute('POSITION')!.getCount();
  const buffer = document.getRoot().listBuffers()[0] ?? document.createBuffer();
  const weights = new Uint8Array(4 * count);
  for (let i = 0; i < count; i++) weights[4 * i] = 255;
  primitive
    .setAttribute(
      'JOINTS_0',
      document
        .createAccessor()
        .setType('VEC4')
        .setArray(new Uint8Array(4 * count))
        .setBuffer(buffer),
    )
    .setAttribute(
      'WEIGHTS_0',
      document.createAccessor().setType('VEC4').setArray(weights).setNormalized(true).setBuffer(buffer),
    );
}

const named = '_BaseColor';

/** Names a material's picture after it; a shared picture, after its first material. */
export function nameTexture(material: Material): void {
  const picture = material.getBaseColorTexture();
  if (picture && !picture.getName().endsWith(named)) picture.setName(`${material.getName()}${named}`);
}

const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
