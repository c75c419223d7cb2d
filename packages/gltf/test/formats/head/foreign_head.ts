import { type Accessor, Document, type Material, type Node, Primitive } from '@gltf-transform/core';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import type { FileIndices } from '../../../src/formats/vrm/vrm_extensions.ts';
import { Vrm0, VrmcVrm, vrmIo } from '../../../src/formats/vrm/vrm_extensions.ts';

/** What a head of another maker is like; everything that is left out is as glTF asks. */
export interface ForeignHead {
  /** Names of joints; null: it has none. */
  names?: { neck: string; head: string; leftEye?: string; rightEye?: string } | null;
  targetNames?: readonly string[];
  namesOn?: 'mesh' | 'primitive';
  /** Scale of the node above the joints; their places are divided by it. */
  armature?: number;
  /** Points in centimetres, bound to joints below `armature`. */
  inCentimetres?: boolean;
  looks?: '+Z' | '-Z';
  /** Of the mesh's own node; not for a skin. */
  scale?: [number, number, number];
  mode?: 'triangles' | 'strip';
  material?: (document: Document) => Promise<Material> | Material;
  vrm1?: ((at: FileIndices, face: Node, joints: readonly Node[]) => unknown) | undefined;
  vrm0?: ((at: FileIndices, face: Node, joints: readonly Node[]) => unknown) | undefined;
}

export const shapes = ['jawOpen', 'mouthPucker', 'eyeBlinkLeft', 'eyeBlinkRight'];
const side = 5;

/** A shield of 5 × 5 points, 1.5 to 1.7 m up, with a shape for each name, before a head's joint at 1.5 m. */
export async function foreignHead(options: ForeignHead = {}): Promise<Document> {
  const { names = { neck: 'Neck', head: 'Head', leftEye: 'LeftEye', rightEye: 'RightEye' } } = options;
  const { targetNames = shapes, armature = 1, looks = '+Z', mode = 'triangles' } = options;
  const front = looks === '+Z' ? 1 : -1;
  const document = new Document();
  const buffer = document.createBuffer();
  const scene = document.createScene();
  document.getRoot().setDefaultScene(scene);
  const accessor = (
    type: 'SCALAR' | 'VEC2' | 'VEC3' | 'VEC4' | 'MAT4',
    values: Accessor['getArray'] extends () => infer A ? NonNullable<A> : never,
  ) => document.createAccessor().setType(type).setArray(values).setBuffer(buffer);
  const unit = options.inCentimetres ? 100 : 1;
  const [points, normals, uvs, triangles]: number[][] = [[], [], [], []];
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const [x, y, bulge] = [(column - 2) * 0.03 * front, 1.5 + row * 0.05, 0.1 - (column - 2) ** 2 * 0.01];
      points!.push(x * unit, y * unit, bulge * front * unit);
      const slope = Math.hypot(1, 0.6 * (column - 2));
      normals!.push((0.6 * (column - 2) * front) / slope, 0, front / slope);
      uvs!.push(column / (side - 1), row / (side - 1));
    }
  }
  for (let row = 0; row + 1 < side; row++) {
    for (let column = 0; column + 1 < side; column++) {
      const at = row * side + column;
      triangles!.push(at, at + 1, at + side + 1, at, at + side + 1, at + side);
    }
  }
  // One strip a row of squares, joined by triangles without a surface.
  const strip = Array.from({ length: side - 1 }, (_, row) => {
    const pairs = Array.from({ length: side }, (_, column) => [
      (row + 1) * side + column,
      row * side + column,
    ]).flat();
    return [pairs[0]!, ...pairs, pairs.at(-1)!];
  }).flat();
  const isStrip = mode === 'strip';
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', accessor('VEC3', new Float32Array(points!)))
    .setAttribute('NORMAL', accessor('VEC3', new Float32Array(normals!)))
    .setAttribute('TEXCOORD_0', accessor('VEC2', new Float32Array(uvs!)))
    .setMode(isStrip ? Primitive.Mode.TRIANGLE_STRIP! : Primitive.Mode.TRIANGLES!)
    .setIndices(accessor('SCALAR', new Uint16Array(isStrip ? strip : triangles!)));
  if (options.material) primitive.setMaterial(await options.material(document));
  for (const [at, name] of targetNames.entries()) {
    const offsets = new Float32Array(points!.length);
    offsets[3 * at + 1] = -0.01 * unit;
    primitive.addTarget(
      document.createPrimitiveTarget(name).setAttribute('POSITION', accessor('VEC3', offsets)),
    );
  }
  const mesh = document
    .createMesh('Face')
    .addPrimitive(primitive)
    .setExtras({ targetNames: [...targetNames] });
  const face = document.createNode('Face').setMesh(mesh);
  if (options.scale) face.setScale(options.scale);
  scene.addChild(face);
  const joints: Node[] = [];
  if (names) {
    const root = document.createNode('Armature').setScale([armature, armature, armature]);
    const place = (name: string, x: number, y: number, z: number): Node =>
      document.createNode(name).setTranslation([x / armature, y / armature, z / armature]);
    const neck = place(names.neck, 0, 1.4, 0);
    const head = place(names.head, 0, 0.1, 0);
    if (names.leftEye) head.addChild(place(names.leftEye, 0.03 * front, 0.08, 0.08 * front));
    if (names.rightEye) head.addChild(place(names.rightEye, -0.03 * front, 0.08, 0.08 * front));
    scene.addChild(root.addChild(neck.addChild(head)));
    joints.push(head, neck, ...head.listChildren());
    const held = new Uint8Array(side * side * 4);
    const weights = new Float32Array(side * side * 4).map((_, at) => (at % 4 === 0 ? 1 : 0));
    primitive
      .setAttribute('JOINTS_0', accessor('VEC4', held))
      .setAttribute('WEIGHTS_0', accessor('VEC4', weights));
    const skin = document.createSkin();
    const binds = [head, neck].flatMap((joint) => {
      skin.addJoint(joint);
      const [x, y, z] = joint.getWorldTranslation();
      // From the mesh's units into the joint's, which its armature scales.
      const size = 1 / (unit * armature);
      return [size, 0, 0, 0, 0, size, 0, 0, 0, 0, size, 0, -x / armature, -y / armature, -z / armature, 1];
    });
    skin.setInverseBindMatrices(accessor('MAT4', new Float32Array(binds)));
    face.setSkin(skin);
  }
  const { vrm0, vrm1 } = options;
  if (vrm1) document.createExtension(VrmcVrm).describe((at) => vrm1(at, face, joints));
  if (vrm0) document.createExtension(Vrm0).describe((at) => vrm0(at, face, joints));
  return document;
}

/** The same as a file. */
export async function foreignGlb(options: ForeignHead = {}): Promise<Uint8Array> {
  const glb = await vrmIo().writeBinary(await foreignHead(options));
  if (options.namesOn !== 'primitive') return glb;
  return withJson(glb, (json) => {
    const [mesh] = json.meshes as { extras?: unknown; primitives: { extras?: unknown }[] }[];
    mesh!.primitives[0]!.extras = mesh!.extras;
    delete mesh!.extras;
  });
}

/** A GLB whose JSON is changed: for what gltf-transform does not write. */
export function withJson(glb: Uint8Array, change: (json: Record<string, unknown>) => void): Uint8Array {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength);
  const end = 20 + view.getUint32(12, true);
  const json = JSON.parse(Buffer.from(glb.subarray(20, end)).toString()) as Record<string, unknown>;
  change(json);
  const text = Buffer.from(JSON.stringify(json));
  const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]);
  const head = Buffer.from(glb.subarray(0, 20));
  head.writeUInt32LE(20 + padded.length + glb.length - end, 8);
  head.writeUInt32LE(padded.length, 12);
  return Buffer.concat([head, padded, glb.subarray(end)]);
}

/** Two frames: at rest, then a face that speaks, nods by .2 rad, moves 16 mm up and looks .3 rad to its own left. */
export const speaking: PlayableFace = {
  channelNames: ['jawOpen', 'mouthPucker', 'eyeBlinkLeft', 'eyeBlinkRight', 'viseme_aa', 'viseme_U'],
  frameRate: 30,
  serverShare: Float32Array.of(0, 0),
  frames: [0, 1].map((on) => ({
    timeCode: on / 30,
    weights: Float32Array.from([0.5, 0.4, 0.3, 0.2, 0.6, 0.7], (weight) => weight * on),
    headPose: { translation: [0, 0.016 * on, 0], rotation: [Math.sin(0.1 * on), 0, 0, Math.cos(0.1 * on)] },
    eyeGaze: { leftYaw: 0.3 * on, leftPitch: 0, rightYaw: 0.3 * on, rightPitch: 0 },
  })),
};
