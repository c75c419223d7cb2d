import { type Accessor, Document, type Node, type Primitive } from '@gltf-transform/core';
import sharp from 'sharp';

/** Frames a second of its take, and how many. */
export const rate = 60;
export const frames = 121;
export const targetNames = ['jawOpen', 'mouthSmileLeft', 'Ünï.code [x]/y', '', 'jawOpen', 'still'];
/** What the writers make of those: names must be there, and each its own. */
export const writtenNames = ['jawOpen', 'mouthSmileLeft', 'Ünï.code [x]/y', 'target_3', 'jawOpen_2', 'still'];

/**
 * A head with everything that a writer could get wrong: two material slots along a shared seam, a skin whose
 * inverse bind matrices also unpack the points (as quantised heads have it), an eye that hangs on a bone and
 * whose points are packed, vertex colours, a picture with transparency that nobody asked for, odd names, and
 * a take that turns the head right round.
 */
export async function sampleHead(): Promise<Document> {
  const document = new Document();
  const scene = document.createScene('Scene');
  const buffer = document.createBuffer();
  const accessor = (
    type: 'SCALAR' | 'VEC2' | 'VEC3' | 'VEC4' | 'MAT4',
    array: Accessor['getArray'] extends () => infer A ? NonNullable<A> : never,
  ) => document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
  const png = (channels: 3 | 4) =>
    sharp({ create: { width: 4, height: 4, channels, background: { r: 200, g: 120, b: 90, alpha: 0.5 } } })
      .png()
      .toBuffer();

  const neck = document.createNode('Neck').setTranslation([0, 0.1, 0]);
  const head = document.createNode('Head').setTranslation([0, 0.1, 0.02]).setRotation([0, 0, 0, 1]);
  const eye = document.createNode('LeftEye').setTranslation([0.03, 0.05, 0.08]);
  scene.addChild(neck.addChild(head.addChild(eye)));

  const skinMaterial = document
    .createMaterial('Skin')
    .setRoughnessFactor(0.4)
    .setMetallicFactor(0)
    .setBaseColorTexture(
      document
        .createTexture('Skin')
        .setMimeType('image/png')
        .setImage(await png(4)),
    );
  const gums = document.createMaterial('Gums').setBaseColorFactor([1, 1, 1, 1]).setRoughnessFactor(0.7);

  // Points are kept at double size and a little off; the inverse bind matrices bring them back.
  const half = 0.5;
  const mesh = document.createMesh('Face').setExtras({ targetNames });
  const side = (sign: 1 | -1) => {
    const [points, normals, uvs, joints, weights, colors]: number[][] = [[], [], [], [], [], []];
    for (let row = 0; row < 5; row++) {
      for (let column = 0; column < 3; column++) {
        const x = sign * column * 0.03;
        points!.push(x / half, (0.05 + row * 0.06) / half, (0.05 - x * x) / half);
        normals!.push(0, 0, 1);
        uvs!.push(column / 2, row / 4);
        joints!.push(0, 1, 0, 0);
        weights!.push(1 - row / 4, row / 4, 0, 0);
        colors!.push(0.6, 0.2 + row * 0.05, 0.2, 1);
      }
    }
    const triangles: number[] = [];
    for (let row = 0; row < 4; row++) {
      for (let column = 0; column < 2; column++) {
        const a = row * 3 + column;
        const quad = [a, a + 1, a + 4, a, a + 4, a + 3];
        triangles.push(...(sign > 0 ? quad : quad.toReversed()));
      }
    }
    const primitive = document
      .createPrimitive()
      .setMaterial(sign > 0 ? skinMaterial : gums)
      .setAttribute('POSITION', accessor('VEC3', new Float32Array(points!)))
      .setAttribute('NORMAL', accessor('VEC3', new Float32Array(normals!)))
      .setAttribute('TEXCOORD_0', accessor('VEC2', new Float32Array(uvs!)))
      .setAttribute('JOINTS_0', accessor('VEC4', new Uint8Array(joints!)))
      .setAttribute('WEIGHTS_0', accessor('VEC4', new Float32Array(weights!)))
      .setIndices(accessor('SCALAR', new Uint16Array(triangles)));
    if (sign < 0) primitive.setAttribute('COLOR_0', accessor('VEC4', new Float32Array(colors!)));
    for (const [number, name] of targetNames.entries()) {
      const offsets = new Float32Array(points!.length);
      if (name !== 'still')
        for (let i = 0; i < 15; i++) {
          if (i % targetNames.length === number % 3) continue;
          offsets[i * 3 + 1] = -0.004 * (number + 1) * (1 + (Math.floor(i / 3) % 5));
          offsets[i * 3 + 2] = 0.002 * (number + 1);
        }
      // Both sides move their seam (the first of each row) alike.
      primitive.addTarget(
        document.createPrimitiveTarget(name).setAttribute('POSITION', accessor('VEC3', offsets)),
      );
    }
    return primitive;
  };
  mesh.addPrimitive(side(1)).addPrimitive(side(-1));
  const binds = [neck, head].flatMap((joint) => {
    const [x, y, z] = joint.getWorldTranslation();
    return [half, 0, 0, 0, 0, half, 0, 0, 0, 0, half, 0, -x, -y, -z, 1];
  });
  const skin = document
    .createSkin('Skeleton')
    .addJoint(neck)
    .addJoint(head)
    .setInverseBindMatrices(accessor('MAT4', new Float32Array(binds)));
  scene.addChild(document.createNode('Face').setMesh(mesh).setSkin(skin).setTranslation([9, 9, 9]));

  const ball = document.createMesh('Eyeball').addPrimitive(
    document
      .createPrimitive()
      .setMaterial(document.createMaterial('Eye').setAlphaMode('BLEND').setBaseColorFactor([1, 1, 1, 0.25]))
      .setAttribute(
        'POSITION',
        accessor(
          'VEC3',
          new Int16Array([0, 0, 32_767, 32_767, 0, 0, 0, 32_767, 0, -32_767, 0, 0]),
        ).setNormalized(true),
      )
      .setIndices(accessor('SCALAR', new Uint16Array([0, 1, 2, 0, 2, 3]))),
  );
  eye.addChild(document.createNode('Eyeball').setMesh(ball).setScale([0.012, 0.012, 0.012]));

  const times = accessor(
    'SCALAR',
    Float32Array.from({ length: frames }, (_, i) => i / rate),
  );
  const animation = document.createAnimation('Take 1');
  const channel = (
    node: Node,
    path: 'weights' | 'rotation' | 'translation',
    type: 'SCALAR' | 'VEC3' | 'VEC4',
    values: number[],
  ) => {
    const sampler = document
      .createAnimationSampler()
      .setInput(times)
      .setOutput(accessor(type, new Float32Array(values)));
    animation
      .addSampler(sampler)
      .addChannel(
        document.createAnimationChannel().setTargetNode(node).setTargetPath(path).setSampler(sampler),
      );
  };
  const all = Array.from({ length: frames }, (_, i) => i / (frames - 1));
  const face = document
    .getRoot()
    .listNodes()
    .find((node) => node.getName() === 'Face')!;
  channel(
    face,
    'weights',
    'SCALAR',
    all.flatMap((t) => targetNames.map((_, k) => (k === 3 ? 0 : 0.5 - 0.5 * Math.cos(t * 7 * (k + 1))))),
  );
  channel(
    head,
    'rotation',
    'VEC4',
    all.flatMap((t) => {
      const [yaw, pitch] = [(t * 400 * Math.PI) / 180, 0.4 * Math.sin(t * 9)];
      const [sy, cy, sx, cx] = [
        Math.sin(yaw / 2),
        Math.cos(yaw / 2),
        Math.sin(pitch / 2),
        Math.cos(pitch / 2),
      ];
      return [cy * sx, sy * cx, -sy * sx, cy * cx];
    }),
  );
  channel(
    neck,
    'translation',
    'VEC3',
    all.flatMap((t) => [0.01 * Math.sin(t * 5), 0.1 + 0.02 * t, 0]),
  );
  return document;
}

/** A document as it stands at a frame of its take: joints moved, and the face's weights. */
export function weightsAt(document: Document, frame: number): number[] {
  let weights: number[] = [];
  for (const channel of document.getRoot().listAnimations()[0]!.listChannels()) {
    const values = channel.getSampler()!.getOutput()!.getArray()!;
    const node = channel.getTargetNode()!;
    const width = { weights: targetNames.length, rotation: 4, translation: 3, scale: 3 }[
      channel.getTargetPath()!
    ];
    const row = [...values.slice(frame * width, (frame + 1) * width)];
    if (channel.getTargetPath() === 'rotation') node.setRotation(row as [number, number, number, number]);
    else if (channel.getTargetPath() === 'translation') node.setTranslation(row as [number, number, number]);
    else weights = row;
  }
  return weights;
}

type Point = [number, number, number];

/** Every point of every mesh, or of one node's, as glTF 2.0 (3.7.3.3) places it in the scene, metres. */
export const pointsOf = (document: Document, weights: readonly number[], only?: Node): Point[] =>
  (only ? [only] : document.getRoot().listNodes()).flatMap((node) =>
    (node.getMesh()?.listPrimitives() ?? []).flatMap((primitive) => placed(node, primitive, weights)),
  );

/** How far the loneliest of some points is from the nearest of others. */
export const farthest = (
  some: readonly (readonly number[])[],
  others: readonly (readonly number[])[],
): number =>
  Math.max(
    ...some.map((point) =>
      Math.min(...others.map((other) => Math.hypot(...other.map((value, k) => value - point[k]!)))),
    ),
  );

/** As `pointsOf`, of one primitive's points, or of those that are named. */
export function placed(
  node: Node,
  primitive: Primitive,
  weights: readonly number[],
  which?: readonly number[],
): Point[] {
  const through = (m: readonly number[], [x, y, z]: readonly number[]): Point => [
    m[0]! * x! + m[4]! * y! + m[8]! * z! + m[12]!,
    m[1]! * x! + m[5]! * y! + m[9]! * z! + m[13]!,
    m[2]! * x! + m[6]! * y! + m[10]! * z! + m[14]!,
  ];
  const position = primitive.getAttribute('POSITION')!;
  const skin = node.getSkin();
  const world = node.getWorldMatrix();
  const joints = skin?.listJoints().map((joint) => joint.getWorldMatrix());
  const active = primitive.listTargets().flatMap((target, k) => {
    const offsets = target.getAttribute('POSITION');
    return weights[k] && offsets ? [{ offsets, weight: weights[k] }] : [];
  });
  return (which ?? Array.from({ length: position.getCount() }, (_, i) => i)).map((i) => {
    const point = position.getElement<number[]>(i, []);
    for (const { offsets, weight } of active)
      for (const [axis, offset] of offsets.getElement(i, []).entries()) point[axis]! += weight * offset;
    if (!skin) return through(world, point);
    const sum: Point = [0, 0, 0];
    const held = primitive.getAttribute('JOINTS_0')!.getElement(i, []);
    for (const [k, weight] of primitive.getAttribute('WEIGHTS_0')!.getElement(i, []).entries()) {
      if (weight === 0) continue;
      const bind = skin.getInverseBindMatrices()!.getElement(held[k]!, []);
      const moved = through(joints![held[k]!]!, through(bind, point));
      for (let axis = 0; axis < 3; axis++) sum[axis]! += weight * moved[axis]!;
    }
    return sum;
  });
}
