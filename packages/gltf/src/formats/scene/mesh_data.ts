import type { Material, Primitive } from '@gltf-transform/core';

/** A morph target of a mesh: only the points that it moves. */
export interface MorphTarget {
  name: string;
  /** Points, ascending. */
  points: Uint32Array;
  /** How far each goes, points × 3. */
  offsets: Float32Array;
  /** How each one's normal changes, points × 3; null where the file does not say. */
  normals: Float32Array | null;
}

/** Joints that hold a point, four or eight of them by point. */
export interface Influences {
  width: number;
  joints: Uint16Array;
  /** Points × width, 0..1, each point's sum 1. */
  weights: Float32Array;
}

/**
 * All primitives of a glTF mesh as one. Points that differ only in their texture coordinates, colour or
 * material are one point, as in a modelling program. Each triangle has the index of its material.
 */
export interface MergedMesh {
  name: string;
  /** Points × 3. */
  positions: Float32Array;
  /** Points × 3, unit length. */
  normals: Float32Array;
  /** Triangles × 3, into points. */
  corners: Uint32Array;
  /** Triangles × 3, into the rows of `uvs` and `colors`. */
  rows: Uint32Array;
  /** Rows × 2, as in glTF: v runs down. */
  uvs: Float32Array[];
  /** Rows × 4, linear, 0..1; null where the mesh has none. */
  colors: Float32Array | null;
  /** The materials in its slots; null stands for glTF's default grey. */
  materials: (Material | null)[];
  /** The slot of each triangle. */
  slots: Uint32Array;
  targets: MorphTarget[];
  influences: Influences | null;
}

/**
 * Primitives of a mesh that share their vertices: the first of them, and where the vertices stand in the
 * whole.
 */
export interface Block {
  primitive: Primitive;
  first: number;
  count: number;
}
