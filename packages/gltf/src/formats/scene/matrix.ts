import type { mat4, vec3 } from '@gltf-transform/core';

/** Matrices of 4 × 4, column-major, as glTF and FBX both keep them: the translation is at 12, 13, 14. */
export const identity: mat4 = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** `a` after `b`. */
export function multiplied(a: mat4, b: mat4): mat4 {
  const product = [...identity] as mat4;
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let i = 0; i < 4; i++) sum += a[i * 4 + row]! * b[column * 4 + i]!;
      product[column * 4 + row] = sum;
    }
  }
  return product;
}

/** Determinant of the part that turns and scales: negative where it mirrors. */
export const determinant = (m: mat4): number =>
  m[0] * (m[5] * m[10] - m[6] * m[9]) -
  m[4] * (m[1] * m[10] - m[2] * m[9]) +
  m[8] * (m[1] * m[6] - m[2] * m[5]);

/** The inverse of an affine matrix; null where it flattens space and has none. */
export function inverted(m: mat4): mat4 | null {
  const d = determinant(m);
  if (!Number.isFinite(1 / d)) return null;
  const a = [
    (m[5] * m[10] - m[6] * m[9]) / d,
    (m[2] * m[9] - m[1] * m[10]) / d,
    (m[1] * m[6] - m[2] * m[5]) / d,
    (m[6] * m[8] - m[4] * m[10]) / d,
    (m[0] * m[10] - m[2] * m[8]) / d,
    (m[2] * m[4] - m[0] * m[6]) / d,
    (m[4] * m[9] - m[5] * m[8]) / d,
    (m[1] * m[8] - m[0] * m[9]) / d,
    (m[0] * m[5] - m[1] * m[4]) / d,
  ] as const;
  const back = (row: 0 | 1 | 2): number => -(a[row] * m[12] + a[row + 3]! * m[13] + a[row + 6]! * m[14]);
  return [a[0], a[1], a[2], 0, a[3], a[4], a[5], 0, a[6], a[7], a[8], 0, back(0), back(1), back(2), 1];
}

/** Matrix of the same kind as `m`, in units of which `scale` make one of its own. */
export const inUnits = (m: mat4, scale: number): mat4 =>
  m.map((value, i) => (i >= 12 && i < 15 ? value * scale : value)) as mat4;

/** @param w - 1 for a point, 0 for a direction. */
export function moved(m: mat4, x: number, y: number, z: number, w: 0 | 1): vec3 {
  return [
    m[0] * x + m[4] * y + m[8] * z + w * m[12],
    m[1] * x + m[5] * y + m[9] * z + w * m[13],
    m[2] * x + m[6] * y + m[10] * z + w * m[14],
  ];
}

/** The normal matrix of `m`: its inverse, transposed. */
export function normalMatrix(m: mat4): mat4 {
  const i = inverted([...m.slice(0, 12), 0, 0, 0, 1] as mat4) ?? identity;
  return [i[0], i[4], i[8], 0, i[1], i[5], i[9], 0, i[2], i[6], i[10], 0, 0, 0, 0, 1];
}
