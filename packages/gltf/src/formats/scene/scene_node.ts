import type { mat4, vec3, vec4 } from '@gltf-transform/core';
import type { MergedMesh } from './mesh_data.ts';

/** A node in the scene: a bone, an object with a mesh, or a group. */
export interface SceneNode {
  /** Unique in the scene. */
  name: string;
  kind: 'bone' | 'mesh' | 'group';
  /** Index of the parent node, always smaller than its own; −1 for a root. */
  parent: number;
  /** Metres, as glTF has it, in the parent's space. */
  translation: vec3;
  /** Quaternion x, y, z, w. */
  rotation: vec4;
  scale: vec3;
  /** At rest, in the scene's space. */
  world: mat4;
  mesh: MergedMesh | null;
  /** Weight of each morph target, 0..1, where nothing animates it. */
  weights: number[];
  /** The mesh's skin; null if it is rigid. */
  skin: PlacedSkin | null;
}

export interface PlacedSkin {
  /** Scene nodes, by the number of a joint in the mesh's influences. */
  joints: number[];
  /** Each joint's matrix when the mesh was bound to it, in the scene's space. */
  binds: mat4[];
}
