import { refine, subdivideOnce, vertexNormals } from '@likeness/geometry';

// A square of two triangles, metres.
const triangles = [0, 1, 2, 0, 2, 3];
const corners = Float32Array.from([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]);
const finer = subdivideOnce(4, triangles);
const points = refine(finer, corners, 3);
const normals = vertexNormals(points, finer.triangles);
console.log(`${points.length / 3} vertices, normal ${normals.subarray(0, 3).join(' ')}`);
