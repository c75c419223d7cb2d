import type { mat4 } from '@gltf-transform/core';

/** Columns one after the other, as glTF has them. */
export type Matrix = mat4;

export const identity: Matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

export const moveBy = ([x, y, z]: readonly [number, number, number]): Matrix => [
  1,
  0,
  0,
  0,
  0,
  1,
  0,
  0,
  0,
  0,
  1,
  0,
  x,
  y,
  z,
  1,
];

/** Half a turn about the vertical: what looked along +Z looks along −Z. */
export const halfTurn: Matrix = [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1];

/** The product that does `second` first. */
export function times(first: Matrix, second: Matrix): Matrix {
  return Array.from({ length: 16 }, (_, place) => {
    const row = place % 4;
    const column = place - row;
    let sum = 0;
    for (let k = 0; k < 4; k++) sum += first[k * 4 + row]! * second[column + k]!;
    return sum;
  }) as Matrix;
}

/** The inverse of an affine matrix; one that flattens space has none and gives the identity. */
export function inverse(m: Matrix): Matrix {
  const [a, b, c, , d, e, f, , g, h, i, , x, y, z] = m;
  const determinant = a * (e * i - f * h) - d * (b * i - c * h) + g * (b * f - c * e);
  if (Math.abs(determinant) < 1e-18) return identity;
  const s = 1 / determinant;
  const turned: [number, number, number, number, number, number, number, number, number] = [
    (e * i - f * h) * s,
    (c * h - b * i) * s,
    (b * f - c * e) * s,
    (f * g - d * i) * s,
    (a * i - c * g) * s,
    (c * d - a * f) * s,
    (d * h - e * g) * s,
    (b * g - a * h) * s,
    (a * e - b * d) * s,
  ];
  const [p, q, r, t, u, v, w, j, k] = turned;
  return [
    p,
    q,
    r,
    0,
    t,
    u,
    v,
    0,
    w,
    j,
    k,
    0,
    -(p * x + t * y + w * z),
    -(q * x + u * y + j * z),
    -(r * x + v * y + k * z),
    1,
  ];
}

export const isIdentity = (m: Matrix): boolean =>
  m.every((value, place) => Math.abs(value - identity[place]!) < 1e-9);

/** Whether a matrix does nothing but move. */
export const onlyMoves = (m: Matrix): boolean =>
  m.every((value, place) => place > 11 || Math.abs(value - identity[place]!) < 1e-9);

/** Where the origin goes. */
export const placeOf = (m: Matrix): [number, number, number] => [m[12], m[13], m[14]];
