import type { PlayableFace } from '#proto/take_stream.ts';
import { binaryChunk, binaryOf, closeGlb, openGlb } from '../gltf/glb_container.ts';

interface Gltf {
  buffers?: { byteLength: number; uri?: string }[];
  bufferViews?: Record<string, unknown>[];
  accessors?: Record<string, unknown>[];
  animations?: Record<string, unknown>[];
  nodes?: GltfNode[];
  meshes?: { primitives: { targets?: unknown[] }[]; extras?: { targetNames?: string[] } }[];
}
interface GltfNode {
  name?: string;
  mesh?: number;
  children?: number[];
  rotation?: Quaternion;
  translation?: Vector;
  matrix?: number[];
}
type Quaternion = [number, number, number, number];
type Vector = [number, number, number];

const floats = 5126;

/**
 * A head with a take's face as an animation: a `weights` track on every node whose mesh has morph targets, and
 * rotations of head and eyes, and the head's movement, where there are bones for them. What the file holds otherwise
 * stays byte for byte, also where it is compressed.
 *
 * @param head binary glTF 2.0
 * @throws Failure `invalid_input` where `head` is none; Error where it has no face that could move
 */
export function animatedGlb(head: Uint8Array, face: PlayableFace, name: string): Uint8Array {
  const { json, rest } = openGlb<Gltf>(head);
  if (json.buffers?.[0]?.uri)
    throw new Error('The head keeps its data in other files; a GLB with all of it inside is needed.');
  const { frames, channelNames } = face;
  if (frames.length === 0) throw new Error('The take has no face in it.');
  const before = binaryOf(rest);
  // What is added begins at multiples of four bytes, as floats must.
  const pieces: Uint8Array[] = [before, new Uint8Array((4 - (before.length % 4)) % 4)];
  let length = pieces[0]!.length + pieces[1]!.length;
  json.bufferViews ??= [];
  json.accessors ??= [];

  const add = (values: Float32Array, type: string, bounds?: { min: number[]; max: number[] }): number => {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    const view = json.bufferViews!.push({ buffer: 0, byteOffset: length, byteLength: bytes.length }) - 1;
    pieces.push(bytes);
    length += bytes.length;
    const width = { SCALAR: 1, VEC3: 3, VEC4: 4 }[type]!;
    return (
      json.accessors!.push({
        bufferView: view,
        componentType: floats,
        count: values.length / width,
        type,
        ...bounds,
      }) - 1
    );
  };

  const times = Float32Array.from(frames, ({ timeCode }) => timeCode);
  const input = add(times, 'SCALAR', { min: [times[0]!], max: [times.at(-1)!] });
  const samplers: Record<string, unknown>[] = [];
  const channels: Record<string, unknown>[] = [];
  const track = (node: number, path: string, values: Float32Array, type: string): void => {
    const sampler = samplers.push({ input, output: add(values, type), interpolation: 'LINEAR' }) - 1;
    channels.push({ sampler, target: { node, path } });
  };

  const nodes = json.nodes ?? [];
  const hasArkit = (json.meshes ?? []).some(({ extras }) => extras?.targetNames?.includes('jawOpen'));
  let moved = 0;
  for (const [index, { mesh }] of nodes.entries()) {
    const found = mesh === undefined ? undefined : json.meshes?.[mesh];
    const count = found?.primitives[0]?.targets?.length ?? 0;
    if (count === 0) continue;
    const names = found?.extras?.targetNames ?? [];
    // A head that has both sets is driven by one: together they would open the mouth twice.
    const places = Array.from({ length: count }, (_, target) => {
      const target_name = names[target] ?? '';
      return hasArkit && target_name.startsWith('viseme_') ? -1 : channelNames.indexOf(target_name);
    });
    moved += places.filter((place) => place >= 0).length;
    const values = new Float32Array(frames.length * count);
    for (const [row, { weights }] of frames.entries()) {
      for (const [target, place] of places.entries()) {
        if (place >= 0) values[row * count + target] = weights[place]!;
      }
    }
    track(index, 'weights', values, 'SCALAR');
  }
  if (moved === 0) throw new Error('The head has no morph targets with ARKit or viseme names.');

  const turn = (
    names: readonly string[],
    by: (frame: number) => Quaternion,
    move?: (frame: number) => Vector,
  ): void => {
    const index = nodes.findIndex(
      ({ name: node, mesh, matrix }) => mesh === undefined && !matrix && names.includes(node ?? ''),
    );
    if (index < 0) return;
    const space = spaceOf(nodes, index);
    const rest = nodes[index]!.rotation ?? [0, 0, 0, 1];
    const values = new Float32Array(frames.length * 4);
    for (let row = 0; row < frames.length; row++) {
      values.set(unit(times4(times4(times4(conjugate(space), by(row)), space), rest)), row * 4);
    }
    track(index, 'rotation', values, 'VEC4');
    if (!move) return;
    const at = nodes[index]!.translation ?? [0, 0, 0];
    const places = frames.flatMap((_, row) =>
      turned(conjugate(space), move(row)).map((by, i) => at[i]! + by),
    );
    track(index, 'translation', Float32Array.from(places), 'VEC3');
  };
  turn(
    ['Head', 'head', 'mixamorigHead', 'J_Bip_C_Head'],
    (row) => [...(frames[row]!.headPose?.rotation ?? still)],
    (row) => [...(frames[row]!.headPose?.translation ?? [0, 0, 0])],
  );
  turn(['LeftEye', 'leftEye', 'mixamorigLeftEye', 'J_Adj_L_FaceEye'], (row) =>
    gazeTurn(frames[row]!.eyeGaze?.leftYaw ?? 0, frames[row]!.eyeGaze?.leftPitch ?? 0),
  );
  turn(['RightEye', 'rightEye', 'mixamorigRightEye', 'J_Adj_R_FaceEye'], (row) =>
    gazeTurn(frames[row]!.eyeGaze?.rightYaw ?? 0, frames[row]!.eyeGaze?.rightPitch ?? 0),
  );

  json.animations = [...(json.animations ?? []), { name, samplers, channels }];
  json.buffers = json.buffers?.length ? json.buffers : [{ byteLength: 0 }];
  json.buffers[0]!.byteLength = length;
  return closeGlb({ json, rest: binaryChunk(Buffer.concat(pieces)) });
}

const still: Quaternion = [0, 0, 0, 1];

/** Rotation of a node's parent at rest, in the file's space. */
function spaceOf(nodes: readonly GltfNode[], index: number): Quaternion {
  const parent = nodes.findIndex(({ children }) => children?.includes(index));
  if (parent < 0) return still;
  return times4(spaceOf(nodes, parent), nodes[parent]!.rotation ?? still);
}

function times4([ax, ay, az, aw]: Quaternion, [bx, by, bz, bw]: Quaternion): Quaternion {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

/** A vector, turned. */
const turned = (by: Quaternion, [x, y, z]: Vector): Vector => {
  const [a, b, c] = times4(times4(by, [x, y, z, 0]), conjugate(by));
  return [a, b, c];
};

const conjugate = ([x, y, z, w]: Quaternion): Quaternion => [-x, -y, -z, w];

function unit(quaternion: Quaternion): Quaternion {
  const length = Math.hypot(...quaternion) || 1;
  return quaternion.map((value) => value / length) as Quaternion;
}

/** Yaw about +Y, then pitch, where up is a turn about −X. */
const gazeTurn = (yaw: number, pitch: number): Quaternion =>
  times4([0, Math.sin(yaw / 2), 0, Math.cos(yaw / 2)], [Math.sin(-pitch / 2), 0, 0, Math.cos(pitch / 2)]);
