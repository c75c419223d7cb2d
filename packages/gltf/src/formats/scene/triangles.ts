import { Primitive } from '@gltf-transform/core';

/** Points and lines have no surface. */
export const hasTriangles = (primitive: Primitive): boolean =>
  [Primitive.Mode.TRIANGLES, Primitive.Mode.TRIANGLE_STRIP, Primitive.Mode.TRIANGLE_FAN].includes(
    primitive.getMode(),
  );

/** A primitive's triangles as vertices × 3, all wound alike; strips and fans are taken apart. */
export function trianglesOf(primitive: Primitive): Uint32Array<ArrayBuffer> {
  const indices = primitive.getIndices();
  const length = indices?.getCount() ?? primitive.getAttribute('POSITION')?.getCount() ?? 0;
  const corners: number[] = [];
  const add = (...positions: [number, number, number]): void => {
    for (const position of positions) corners.push(indices ? indices.getScalar(position) : position);
  };
  const mode = primitive.getMode();
  if (mode === Primitive.Mode.TRIANGLES) for (let i = 0; i + 2 < length; i += 3) add(i, i + 1, i + 2);
  else if (mode === Primitive.Mode.TRIANGLE_FAN) for (let i = 1; i + 1 < length; i++) add(0, i, i + 1);
  else if (mode === Primitive.Mode.TRIANGLE_STRIP)
    for (let i = 0; i + 2 < length; i++) add(i, i + 1 + (i % 2), i + 2 - (i % 2));
  return Uint32Array.from(corners);
}
