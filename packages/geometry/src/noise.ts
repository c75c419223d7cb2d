/** A repeatable hash of a lattice point, 0..1. */
export function hash(x: number, y: number): number {
  let h = (Math.imul(x, 374761393) + Math.imul(y, 668265263)) | 0;
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

/** The same of any place, by a sine. */
export function sineHash(x: number, y: number): number {
  const s = Math.sin(x * 127.1 + y * 311.7) * 43758.5453;
  return s - Math.floor(s);
}

/** Smooth noise over the plane, 0..1, one lattice cell a unit; `seed` picks another one. */
export function grain(x: number, y: number, seed: number): number {
  const ix = Math.floor(x);
  const iy = Math.floor(y);
  const fx = x - ix;
  const fy = y - iy;
  const sx = fx * fx * (3 - 2 * fx);
  const sy = fy * fy * (3 - 2 * fy);
  const row = iy + 1013 * seed;
  const top = hash(ix, row) + (hash(ix + 1, row) - hash(ix, row)) * sx;
  const bottom = hash(ix, row + 1) + (hash(ix + 1, row + 1) - hash(ix, row + 1)) * sx;
  return top + (bottom - top) * sy;
}
