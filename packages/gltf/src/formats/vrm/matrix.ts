import type { mat4 } from '@gltf-transform/core';
import { determinant, identity, inverted } from '../scene/matrix.ts';

/** Columns one after the other, as glTF has them. */
export type Matrix = mat4;

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

/** The inverse of an affine matrix; one that flattens space has none and gives the identity. */
export const inverse = (m: Matrix): Matrix =>
  Math.abs(determinant(m)) < 1e-18 ? identity : (inverted(m) ?? identity);

export const isIdentity = (m: Matrix): boolean =>
  m.every((value, index) => Math.abs(value - identity[index]!) < 1e-9);

/** Whether a matrix does nothing but move. */
export const onlyMoves = (m: Matrix): boolean =>
  m.every((value, index) => index > 11 || Math.abs(value - identity[index]!) < 1e-9);

/** Where the origin goes. */
export const translationOf = (m: Matrix): [number, number, number] => [m[12], m[13], m[14]];
