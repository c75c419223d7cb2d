import type { mat4, vec3, vec4 } from '@gltf-transform/core';
import type { MergedMesh } from './mesh_data.ts';

/** A place in the scene: a bone, an object with a mesh, or a group of others. */
export interface SceneNode {
  /** Unlike any other's of the scene. */
  name: string;
  kind: 'bone' | 'mesh' | 'group';
  /** Index of the place that it hangs on, always smaller than its own; −1 in the open. */
  parent: number;
  /** Metres, as glTF has it, in the parent's space. */
  translation: vec3;
  /** Quaternion x, y, z, w. */
  rotation: vec4;
  scale: vec3;
  /** At rest, in the scene's space. */
  world: mat4;
  mesh: MergedMesh | null;
  /** How far each morph target is on, 0..1, where nothing animates it. */
  weights: number[];
  /** The mesh's skin; null if it is rigid. */
  skin: PlacedSkin | null;
}

export interface PlacedSkin {
  /** Places, by the number of a joint in the mesh's influences. */
  joints: number[];
  /** Where each joint stood when the mesh was bound to it, in the scene's space. */
  binds: mat4[];
}
