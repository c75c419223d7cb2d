/** Vectors, normals, medians, smoothing, noise and subdivision of meshes over typed arrays. */
export { refine, type SubdivisionLevel, subdivideOnce } from './loop_subdivision.ts';
export { at, length, type Vector, vertexNormals } from './vector.ts';
