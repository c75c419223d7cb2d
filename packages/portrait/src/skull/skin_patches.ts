import { type Patch, type Patches, pairOfCells } from '../contract/patches.ts';
import { fineFace } from '../topology/fine_face.ts';
import { craniumColumns, craniumRows } from './skull.ts';

/** The skin's vertex in a row and column of the cranium; row 0 is the face's oval. */
export const craniumVertex = (row: number, k: number): number =>
  row === 0
    ? fineFace.oval[k % craniumColumns]
    : fineFace.count + (row - 1) * craniumColumns + (k % craniumColumns);

/** The skin's vertex at a point of the cranium's grid. */
export const skinVertexOf = (i: number): number =>
  craniumVertex(Math.floor(i / craniumColumns), i % craniumColumns);

/** A patch is a triangle of the face before its last subdivision, or two neighbouring cells of the cranium. */
const list: readonly Patch[] = (() => {
  const patches: Patch[] = [];
  for (let i = 0; i < fineFace.triangles.length; i += 12) {
    const four = [...fineFace.triangles.subarray(i, i + 12)];
    // As `subdivideOnce` writes them: a ab ca, b bc ab, c ca bc, ab bc ca.
    const [a, ab, ca, b, bc] = four as [number, number, number, number, number];
    patches.push({ loop: [a, ab, b, bc, four[6], ca], triangles: four });
  }
  for (let row = 0; row < craniumRows; row++) {
    for (let k = 0; k < craniumColumns; k += 2) {
      // The columns run against the sense of the triangles.
      const [upper, lower] = [0, 1].map((down) => [2, 1, 0].map((n) => craniumVertex(row + down, k + n)));
      // A skull's curve of 2.5 mm an edge: 0.2 mm are not seen there.
      patches.push({ ...pairOfCells(upper, lower), ...(row > 0 ? { off: 2e-4 } : {}) });
    }
  }
  return patches;
})();

export const skinPatches: Patches = {
  list,
  rims: new Set([
    ...fineFace.mouthRim,
    ...fineFace.leftRim,
    ...fineFace.rightRim,
    ...Array.from({ length: craniumColumns }, (_, k) => craniumVertex(craniumRows, k)),
  ]),
};
