/** Applies a face to a head: weights to morph targets by name, pose to bones, gaze to eyes. */

import {
  drivenWeight,
  type FoundDrive,
  findDrive,
  type ShapeDrive,
} from '@likeness/proto/face/shape_drives.ts';
import { type BoneCandidate, bonesByName } from '@likeness/proto/heads/bone_names.ts';
import { JointSpace } from '@likeness/proto/heads/joint_space.ts';
import type { FaceState } from '@likeness/proto/live/face_state.ts';
import { Group, Mesh, type Object3D, Quaternion, SkinnedMesh, Bone as ThreeBone, Vector3 } from 'three';
import type { HeadBones } from '../viewer/load-head.ts';
import type { FaceStyle, Region } from './face-style.ts';
import { MorphBlend } from './morph-blend.ts';

/** Where an ARKit channel or a viseme belongs. */
function regionOf(channel: string): Region {
  if (/^jaw/i.test(channel)) return 'jaw';
  if (/^brow/i.test(channel)) return 'brows';
  if (/^eye/i.test(channel)) return 'eyes';
  if (/^(cheek|nose)/i.test(channel)) return 'cheeks';
  return 'mouth';
}

interface Bone {
  node: Object3D;
  position: Vector3;
  rotation: Quaternion;
  /** Of its parent at rest. */
  space: JointSpace;
}

/** A morph target of one mesh. */
interface Target {
  weights: Float32Array;
  at: number;
}

/** A shape that is moved otherwise than by the channel of its name. */
interface Driven {
  found: FoundDrive;
  targets: Target[];
}

/**
 * Drives one head; it takes the morph targets off the head's meshes, so a head has one driver for its life.
 */
export class FaceDriver {
  /** By channel name: every morph target that has it, on every mesh. */
  readonly #targets = new Map<string, Target[]>();
  readonly #blends: MorphBlend[] = [];
  readonly #head: Bone | null;
  readonly #eyes: { left: Bone | null; right: Bone | null };
  /**
   * Height of the eyes in the world as it was when the driver was made,
   * metres; null where a head has no bones for them.
   */
  readonly eyeLevel: number | null;
  /** Shown weights, after smoothing, by position of `#names`. */
  #shown = new Float32Array(0);
  #names: readonly string[] = [];
  #targetsByChannel: (Target[] | undefined)[] = [];
  #regions: Region[] = [];
  #drives: readonly ShapeDrive[] = [];
  /** By `#drives`, for the channels of the face that is shown. */
  #driven: Driven[] = [];
  readonly #rotation = new Quaternion();
  readonly #spare = new Quaternion();

  /** @param bones default: those that the nodes' names tell */
  constructor(scene: Object3D, bones: HeadBones = bonesIn(scene)) {
    scene.updateWorldMatrix(true, true);
    scene.traverse((node) => {
      if (!(node instanceof Mesh) || !node.morphTargetDictionary) return;
      const morphTargets: [string, number][] = Object.entries(node.morphTargetDictionary);
      const blend = new MorphBlend(node);
      this.#blends.push(blend);
      for (const [name, at] of morphTargets) {
        const those = this.#targets.get(name) ?? [];
        those.push({ weights: blend.weights, at });
        this.#targets.set(name, those);
      }
    });
    this.#head = restOf(bones.head);
    this.#eyes = { left: restOf(bones.leftEye), right: restOf(bones.rightEye) };
    const { left, right } = this.#eyes;
    const heightOf = (eye: Bone): number => eye.node.getWorldPosition(new Vector3()).y;
    this.eyeLevel = left && right ? (heightOf(left) + heightOf(right)) / 2 : null;
  }

  /** The node that the head's pose turns; null where there is none. */
  get head(): Object3D | null {
    return this.#head?.node ?? null;
  }

  /**
   * Sets the drives of a head whose shape names differ from the channels', or that the user mapped. Other
   * shapes follow the channel of the same name.
   */
  setDrives(drives: readonly ShapeDrive[]): void {
    this.#drives = drives;
    this.#learn(this.#names);
  }

  /** @param seconds since the last call, for the smoothing */
  apply(face: FaceState, style: FaceStyle, seconds: number): void {
    if (face.channelNames !== this.#names) this.#learn(face.channelNames);
    const { smoothing, gains } = style;
    const follow = smoothing > 0 ? 1 - Math.exp((-seconds * 1000) / smoothing) : 1;
    for (let i = 0; i < this.#shown.length; i++) {
      const region = this.#regions[i]!;
      const wanted = style.eyeMotion || region !== 'eyes' ? face.weights[i]! * gains[region] : 0;
      this.#shown[i]! += (wanted - this.#shown[i]!) * follow;
      for (const { weights, at } of this.#targetsByChannel[i] ?? [])
        weights[at] = Math.min(1.2, this.#shown[i]!);
    }
    for (const { found, targets } of this.#driven) {
      const weight = Math.min(1.2, drivenWeight(found, this.#shown));
      for (const { weights, at } of targets) weights[at] = weight;
    }
    for (const blend of this.#blends) blend.apply();
    this.#pose(face, style);
  }

  /** The face at rest. */
  rest(): void {
    for (const morphTargets of this.#targets.values())
      for (const { weights, at } of morphTargets) weights[at] = 0;
    for (const bone of [this.#head, this.#eyes.left, this.#eyes.right]) {
      bone?.node.quaternion.copy(bone.rotation);
      bone?.node.position.copy(bone.position);
    }
    this.#shown.fill(0);
    for (const blend of this.#blends) blend.apply();
  }

  #learn(names: readonly string[]): void {
    this.#names = names;
    this.#shown = new Float32Array(names.length);
    this.#regions = names.map(regionOf);
    // A head that has both sets is driven by one: together they would open the mouth twice.
    const hasArkit = this.#targets.has('jawOpen');
    const set = new Set(this.#drives.map(({ shape }) => shape));
    this.#targetsByChannel = names.map((name) =>
      (hasArkit && name.startsWith('viseme_')) || set.has(name) ? undefined : this.#targets.get(name),
    );
    this.#driven = this.#drives.flatMap((drive) => {
      const found = findDrive(drive, names);
      const targets = this.#targets.get(drive.shape);
      return found && targets ? [{ found, targets }] : [];
    });
    this.rest();
  }

  #pose({ translation, rotation, gaze }: FaceState, { headMotion, eyeMotion }: FaceStyle): void {
    if (this.#head) {
      const { node, position, space } = this.#head;
      this.#turn(this.#head, headMotion ? this.#rotation.fromArray(rotation) : this.#rotation.identity());
      node.position.copy(position);
      if (headMotion) node.position.add(offset.fromArray(space.move(translation)));
    }
    for (const side of ['left', 'right'] as const) {
      const eye = this.#eyes[side];
      if (!eye) continue;
      const yaw = eyeMotion ? gaze[`${side}Yaw`] : 0;
      const pitch = eyeMotion ? gaze[`${side}Pitch`] : 0;
      // Up is a turn about −X.
      this.#rotation.setFromAxisAngle(xAxis, -pitch).premultiply(this.#spare.setFromAxisAngle(yAxis, yaw));
      this.#turn(eye, this.#rotation);
    }
  }

  /** Turns a bone by a rotation that is given in the head's space. */
  #turn({ node, rotation, space }: Bone, { x, y, z, w }: Quaternion): void {
    node.quaternion.fromArray(space.turn([x, y, z, w])).multiply(rotation);
  }
}

const xAxis = new Vector3(1, 0, 0);
const yAxis = new Vector3(0, 1, 0);
const offset = new Vector3();

/**
 * The name as in the file. three's loader makes names unique, starting with the scene: in a file whose scene
 * is called `Head`, as in the studio's own, it calls the bone `Head_1`.
 */
const nameOf = ({ name, userData }: Object3D): string =>
  typeof userData.name === 'string' ? userData.name : name;

/** A head's bones by their names. A mesh may have a bone's name; the bone is what it hangs on. */
function bonesIn(scene: Object3D): HeadBones {
  const candidates: BoneCandidate<Object3D>[] = [];
  scene.traverse((bone) => {
    if (bone === scene || isObject(bone)) return;
    candidates.push({ bone, name: nameOf(bone), isJoint: bone instanceof ThreeBone });
  });
  return bonesByName(candidates);
}

function restOf(node: Object3D | undefined): Bone | null {
  if (!node) return null;
  const space = new JointSpace(node.parent?.matrixWorld.elements ?? null);
  return { node, position: node.position.clone(), rotation: node.quaternion.clone(), space };
}

/** A mesh, or the group that three makes of one with several materials. */
const isObject = (node: Object3D): boolean =>
  node instanceof Mesh ||
  (node instanceof Group && node.children.some((child) => child instanceof SkinnedMesh));
