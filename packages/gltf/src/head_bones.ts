import type { Document, Node } from '@gltf-transform/core';
import { type BoneName, bonesByName } from '@likeness/proto/heads/bone_names.ts';

/** A head's bones, as far as it has them. */
export type Bones = Partial<Record<BoneName, Node>>;

/** A document's bones by name. A node with a mesh is not a bone. */
export function bonesOf(document: Document): Bones {
  const root = document.getRoot();
  const joints = new Set(root.listSkins().flatMap((skin) => skin.listJoints()));
  return bonesByName(
    root
      .listNodes()
      .filter((node) => !node.getMesh())
      .map((bone) => ({ bone, name: bone.getName(), isJoint: joints.has(bone) })),
  );
}
