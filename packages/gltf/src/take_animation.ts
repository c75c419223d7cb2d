import type { Accessor, Animation, Document, Node } from '@gltf-transform/core';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import {
  drivenWeight,
  type FoundDrive,
  findDrive,
  type ShapeDrive,
} from '@likeness/proto/face/shape_drives.ts';
import { JointSpace, type Quaternion, type Translation } from '@likeness/proto/heads/joint_space.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import { type Bones, bonesOf } from './head_bones.ts';
import { targetNames } from './morph_targets.ts';

/**
 * Adds a take's face to a head as one animation: a track of weights on each mesh with shapes. If joints exist
 * for head and eyes, it moves them too. The eyes of the studio's heads have only shapes that turn them, so
 * their joints alone turn them.
 *
 * @param document a head facing +Z
 * @param drives the drive of each shape; default: the channel of its name
 * @param bones default: found by the names of its nodes
 * @throws Failure `unsupported` if nothing of the head can move, `invalid_input` if the take has no face
 */
export function addTake(
  document: Document,
  face: PlayableFace,
  name: string,
  drives?: readonly ShapeDrive[],
  bones: Bones = bonesOf(document),
): void {
  const { frames, channelNames, frameRate } = face;
  if (frames.length === 0) throw new Failure('invalid_input', t('takes.no_face_in_it'));
  const root = document.getRoot();
  const buffer = root.listBuffers()[0] ?? document.createBuffer();
  const accessor = (values: Float32Array<ArrayBuffer>, type: 'SCALAR' | 'VEC3' | 'VEC4'): Accessor =>
    document.createAccessor().setType(type).setArray(values).setBuffer(buffer);
  const animation: Animation = document.createAnimation(name).setExtras({ frameRate });
  const input = accessor(
    Float32Array.from(frames, ({ timeCode }) => timeCode),
    'SCALAR',
  );
  const track = (node: Node, path: 'weights' | 'rotation' | 'translation', output: Accessor): void => {
    const sampler = document.createAnimationSampler().setInput(input).setOutput(output);
    const channel = document.createAnimationChannel().setTargetNode(node).setTargetPath(path);
    animation.addSampler(sampler).addChannel(channel.setSampler(sampler));
  };

  const { head, leftEye, rightEye } = bones;
  const eyes = { left: leftEye, right: rightEye };

  const moving = root.listNodes().filter((node) => namesOf(node).length > 0);
  const driveOf = drivesByShape(drives ?? namesakes(moving.flatMap(namesOf)), channelNames);
  /** How far its shapes turn an eye, by channel: what its joint does in their place. */
  const turns: { left: EyeTurn[]; right: EyeTurn[] } = { left: [], right: [] };
  let moved = 0;
  for (const node of moving) {
    const targets = namesOf(node);
    const found = targets.map((target) => driveOf.get(target) ?? null);
    moved += found.filter((drive) => drive !== null).length;
    const side = (['left', 'right'] as const).find((one) => eyes[one] && node.getParentNode() === eyes[one]);
    if (side && targets.every((target) => target.startsWith('eyeLook'))) {
      turns[side] = eyeTurns(node, found);
      continue;
    }
    track(node, 'weights', accessor(drivenTrack(frames, found), 'SCALAR'));
    // Blender moves an animated mesh off its node and leaves the node as an empty object, which would keep
    // the mesh's name.
    if (node.getSkin() && node.getMesh()!.getName() === node.getName())
      node.setName(`${node.getName()}_Shapes`);
  }
  if (moved === 0) {
    throw new Failure('unsupported', t('takes.head_cannot_move'), {
      hint: t('takes.choose_head'),
    });
  }

  const turn = (node: Node, by: (row: number) => Readonly<Quaternion>): void => {
    const space = spaceAbove(node);
    const rest = node.getRotation() as Quaternion;
    const values = new Float32Array(frames.length * 4);
    for (let row = 0; row < frames.length; row++) values.set(unit(times(space.turn(by(row)), rest)), row * 4);
    track(node, 'rotation', accessor(values, 'VEC4'));
  };
  if (head) {
    turn(head, (row) => frames[row]!.headPose?.rotation ?? still);
    const space = spaceAbove(head);
    const at = head.getTranslation();
    const positions = new Float32Array(frames.length * 3);
    for (const [row, { headPose }] of frames.entries()) {
      const by = space.move(headPose?.translation ?? [0, 0, 0]);
      for (const i of [0, 1, 2] as const) positions[row * 3 + i] = at[i]! + by[i];
    }
    track(head, 'translation', accessor(positions, 'VEC3'));
  }
  for (const side of ['left', 'right'] as const) {
    const eye = eyes[side];
    if (!eye) continue;
    turn(eye, (row) => {
      const { eyeGaze, weights } = frames[row]!;
      let [yaw, pitch] = [eyeGaze?.[`${side}Yaw`] ?? 0, eyeGaze?.[`${side}Pitch`] ?? 0];
      for (const { drive, yaw: y, pitch: p } of turns[side]) {
        const weight = drivenWeight(drive, weights);
        yaw += weight * y;
        pitch += weight * p;
      }
      return gazeTurn(yaw, pitch);
    });
  }
}

/** A head with both sets is driven by only one: together they would open the mouth twice. */
function namesakes(shapes: readonly string[]): ShapeDrive[] {
  const hasArkit = shapes.includes('jawOpen');
  return shapes
    .filter((shape) => !(hasArkit && shape.startsWith('viseme_')))
    .map((shape) => ({ shape, parts: [{ channel: shape, weight: 1 }], gain: 1, curve: 1 }));
}

/** Frames × targets, row-major. */
function drivenTrack(
  frames: PlayableFace['frames'],
  drives: readonly (FoundDrive | null)[],
): Float32Array<ArrayBuffer> {
  const values = new Float32Array(frames.length * drives.length);
  let at = 0;
  for (const { weights } of frames)
    for (const drive of drives) values[at++] = drive ? drivenWeight(drive, weights) : 0;
  return values;
}

const drivesByShape = (
  drives: readonly ShapeDrive[],
  channelNames: readonly string[],
): ReadonlyMap<string, FoundDrive | null> =>
  new Map(drives.map((drive) => [drive.shape, findDrive(drive, channelNames)]));

function namesOf(node: Node): string[] {
  const mesh = node.getMesh();
  return mesh ? targetNames(mesh) : [];
}

interface EyeTurn {
  drive: FoundDrive;
  /** Radians at weight 1: to the person's left, and up. */
  yaw: number;
  pitch: number;
}

/** Measures how far each shape turns an eye mesh that is centred on its origin, in a head that looks along +Z. */
function eyeTurns(node: Node, drives: readonly (FoundDrive | null)[]): EyeTurn[] {
  const primitive = node.getMesh()!.listPrimitives()[0]!;
  const positions = primitive.getAttribute('POSITION')!;
  const m = node.getWorldMatrix();
  // Its points may look another way than the head that it stands in, as a VRM 0.x has them.
  const directionOf = ([x = 0, y = 0, z = 0]: readonly number[]): Translation => [
    m[0] * x + m[4] * y + m[8] * z,
    m[1] * x + m[5] * y + m[9] * z,
    m[2] * x + m[6] * y + m[10] * z,
  ];
  const at = (i: number): Translation => directionOf(positions.getElement<number[]>(i, []));
  // The pupil: the vertex nearest to the axis, in front of the centre.
  let [front, nearest] = [0, Infinity];
  for (let i = 0; i < positions.getCount(); i++) {
    const [x, y, z] = at(i);
    if (z > 0 && Math.hypot(x, y) < nearest) [front, nearest] = [i, Math.hypot(x, y)];
  }
  const pupil = at(front);
  return primitive.listTargets().flatMap((target, number) => {
    const drive = drives[number];
    if (!drive) return [];
    const by = directionOf(target.getAttribute('POSITION')!.getElement<number[]>(front, []));
    const [x, y, z] = [pupil[0] + by[0], pupil[1] + by[1], pupil[2] + by[2]];
    return [{ drive, yaw: Math.atan2(x, z), pitch: Math.atan2(y, Math.hypot(x, z)) }];
  });
}

const still: Quaternion = [0, 0, 0, 1];

const spaceAbove = (node: Node): JointSpace => new JointSpace(node.getParentNode()?.getWorldMatrix() ?? null);

function times([ax, ay, az, aw]: Quaternion, [bx, by, bz, bw]: Quaternion): Quaternion {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

function unit(quaternion: Quaternion): Quaternion {
  const length = Math.hypot(...quaternion) || 1;
  return quaternion.map((value) => value / length) as Quaternion;
}

/** Yaw about +Y, then pitch, where up is a turn about −X. */
const gazeTurn = (yaw: number, pitch: number): Quaternion =>
  times([0, Math.sin(yaw / 2), 0, Math.cos(yaw / 2)], [Math.sin(-pitch / 2), 0, 0, Math.cos(pitch / 2)]);
