import { type Movement, shareLeft, withoutFaint } from '@likeness/gltf/morph_targets.ts';
import { MeshoptEncoder, MeshoptSimplifier } from 'meshoptimizer';
import type { HeadModel, Surface } from '../contract/head_model.ts';
import type { Patch, Patches } from '../contract/patches.ts';

/**
 * Tolerances of the simplification, metres: the distance of a removed mid-edge vertex from the surface, its
 * shift along the surface, and the difference of its morph targets.
 */
const tolerance = { off: 1.3e-4, along: 7e-4, shape: 9.5e-5 };
/**
 * The same of texture coordinates (2 pixels of 1024), the normal (cosine), the head's joint and colours
 * (linear).
 */
const attributeTolerance = { uv: 2e-3, normal: 0.99, share: 0.03, colour: 0.01 };

/**
 * Prepares the head for its file, in the file's order. Removes vertices and movements that nobody can see, and sorts
 * each surface's vertices by use. Hair follows the head's joint alone. Surfaces stay within 0.13 mm, shapes within 0.1
 * mm. `MeshoptEncoder` and `MeshoptSimplifier` must be ready.
 */
export function leanHead(model: HeadModel): HeadModel {
  const coarse = model.surfaces.map((surface) =>
    surface.name === 'HairInside' ? withFewerTriangles(surface, hairBudget.error) : surface,
  );
  const besides = coarse
    .filter(({ name }) => name === 'HairStrands' || name === 'HairInside')
    .reduce((sum, { triangles }) => sum + triangles.length / 3, 0);
  const surfaces = coarse.map((surface) => {
    const { morphs: exact, patches, ...still } = surface;
    if (surface.name === 'Hair') return inOrderOfUse(besides ? sheetBelow(still, besides) : still);
    if (!exact) return inOrderOfUse(still);
    const moves = exact.map((move) => move && withoutFaint(move));
    const lean = patches ? withoutMiddles(still, { exact, moves }, patches) : still;
    const behind = behindLips[surface.name];
    if (behind) return inOrderOfUse(withFewerTriangles(lean, behind), moves);
    return inOrderOfUse(lean.covered ? withFewerTriangles(lean, hairErrors.scalp) : lean, moves);
  });
  return { ...model, surfaces: surfaces.toSorted((a, b) => partIndex(a) - partIndex(b)) };
}

/** Objects of the file in its order: what the surfaces of each are gathered in. */
export const headParts = ['Head', 'LeftEye', 'RightEye', 'Hair', 'Cloth', 'Glasses'] as const;

export const partOf = ({ name, node }: Surface): (typeof headParts)[number] =>
  name.startsWith('Hair')
    ? 'Hair'
    : name === 'Cloth' || name === 'Glasses'
      ? name
      : node === 'skin'
        ? 'Head'
        : node;

const partIndex = (surface: Surface): number => headParts.indexOf(partOf(surface));

/** How far the hair's sheet and the scalp below it may move off their places, metres: millimetres part them. */
const hairErrors = { sheet: 3e-4, scalp: 8e-4 } as const;
/** How far what lies behind the lips may move off its place, metres: it is small, and moves with the jaw as a whole. */
const behindLips: Readonly<Record<string, number>> = { Teeth: 1.2e-4, Gums: 3e-4, Tongue: 3e-4 };

/** Triangles of all hair, and how far its sheet may move off its place to come down to them, metres. */
const hairBudget = { triangles: 5000, error: 2e-3 } as const;

/** The hair's sheet with so many triangles `besides`: ribbons over it, which hide how coarse it is, and its inside. */
function sheetBelow(sheet: Surface, besides: number): Surface {
  const even = withFewerTriangles(sheet, hairErrors.sheet);
  const left = hairBudget.triangles - besides;
  return even.triangles.length / 3 > left ? withFewerTriangles(even, hairBudget.error, left) : even;
}

/** Weights of an error of the normal, and of texture coordinates or colours, against one of the place. */
const textureWeights = [0.01, 0.01, 0.01, 0.2, 0.2, 0];
const colourWeights = [0.004, 0.004, 0.004, 0.01, 0.01, 0.01];

/**
 * The hair's sheet, or what lies below it, with fewer triangles where it is even; its edges stay.
 *
 * @param max - Metres off its place.
 * @param min - Triangles at which it is few enough.
 */
function withFewerTriangles(surface: Surface, max: number, min = 0): Surface {
  const { points, normals, uv, colours, triangles, covered } = surface;
  const attributes = new Float32Array((points.length / 3) * 6);
  for (let i = 0; i < points.length / 3; i++) {
    attributes.set(normals.subarray(3 * i, 3 * i + 3), 6 * i);
    if (colours) attributes.set(colours.subarray(3 * i, 3 * i + 3), 6 * i + 3);
    else if (uv) attributes.set(uv.subarray(2 * i, 2 * i + 2), 6 * i + 3);
  }
  const error = max / MeshoptSimplifier.getScale(points, 3);
  const [fewer] = MeshoptSimplifier.simplifyWithAttributes(
    Uint32Array.from(triangles),
    points,
    3,
    attributes,
    6,
    colours ? colourWeights : textureWeights,
    covered ? covered.map((under) => 1 - under) : null,
    3 * min,
    error,
    ['LockBorder'],
  );
  return { ...surface, triangles: fewer };
}

interface Shapes {
  exact: NonNullable<Surface['morphs']>;
  /** Without what nobody sees. */
  moves: readonly (Movement | undefined)[];
}

/** Leaves out what lies in the middle between two neighbours, in place and in every shape. */
function withoutMiddles(surface: Surface, shapes: Shapes, { list, rims }: Patches): Surface {
  const count = surface.points.length / 3;
  const gone = new Uint8Array(count);
  const seen = new Uint8Array(count);
  const moving = targetsByVertex(shapes.moves, count);
  for (const { loop, off = tolerance.off } of list) {
    for (let n = 1; n < loop.length; n += 2) {
      const middle = loop[n]!;
      if (middle < 0 || seen[middle] || rims?.has(middle)) continue;
      seen[middle] = 1;
      const [a, b] = [loop[n - 1]!, loop[(n + 1) % loop.length]!];
      if (isBetween(surface, middle, a, b, off) && movesBetween(shapes.exact, moving, middle, a, b))
        gone[middle] = 1;
    }
  }
  const triangles: number[] = [];
  let patched = 0;
  for (const { loop, triangles: whole } of list) {
    patched += whole.length;
    const isWhole = loop.every((vertex) => vertex < 0 || !gone[vertex]);
    for (const corner of isWhole ? whole : filled(loop, gone, surface.points)) triangles.push(corner);
  }
  for (let i = patched; i < surface.triangles.length; i++) triangles.push(surface.triangles[i]!);
  return { ...surface, triangles: Uint32Array.from(triangles) };
}

function isBetween(
  { points, normals, uv, headShare, colours }: Surface,
  v: number,
  a: number,
  b: number,
  maxOff: number,
): boolean {
  let off = 0;
  let along = 0;
  let normal = 0;
  let length = 0;
  for (let c = 0; c < 3; c++) {
    const error = points[3 * v + c]! - (points[3 * a + c]! + points[3 * b + c]!) / 2;
    const between = normals[3 * a + c]! + normals[3 * b + c]!;
    off += error * normals[3 * v + c]!;
    along += error * error;
    normal += between * normals[3 * v + c]!;
    length += between * between;
  }
  if (Math.abs(off) > maxOff || Math.sqrt(along) > tolerance.along) return false;
  if (normal < attributeTolerance.normal * Math.sqrt(length)) return false;
  const offMiddle = (values: Float32Array, width: number, c: number): number =>
    values[width * v + c]! - (values[width * a + c]! + values[width * b + c]!) / 2;
  if (uv && Math.hypot(offMiddle(uv, 2, 0), offMiddle(uv, 2, 1)) > attributeTolerance.uv) return false;
  if (headShare && Math.abs(offMiddle(headShare, 1, 0)) > attributeTolerance.share) return false;
  return !colours || [0, 1, 2].every((c) => Math.abs(offMiddle(colours, 3, c)) <= attributeTolerance.colour);
}

/** Bit sets of the targets that move each vertex: `words` numbers a vertex. */
function targetsByVertex(moves: Shapes['moves'], count: number) {
  const words = Math.ceil(moves.length / 32);
  const bits = new Int32Array(count * words);
  for (const [target, move] of moves.entries()) {
    if (!move) continue;
    const { vertices } = move;
    const bit = 1 << (target & 31);
    for (let n = 0; n < vertices.length; n++) bits[vertices[n]! * words + (target >> 5)]! |= bit;
  }
  return { words, bits };
}

/**
 * Whether a vertex moves like the midpoint of its neighbours. One that no target moves visibly needs no
 * check.
 */
function movesBetween(
  exact: Shapes['exact'],
  { words, bits }: ReturnType<typeof targetsByVertex>,
  v: number,
  a: number,
  b: number,
): boolean {
  for (let word = 0; word < words; word++) {
    let left = bits[v * words + word]! | bits[a * words + word]! | bits[b * words + word]!;
    while (left !== 0) {
      const bit = 31 - Math.clz32(left);
      left &= ~(1 << bit);
      if (shapeError(exact[32 * word + bit]!, 3 * v, 3 * a, 3 * b) > tolerance.shape ** 2) return false;
    }
  }
  return true;
}

/** Square of how far a vertex's own movement lies from the middle of what is left of its neighbours'. */
function shapeError(move: Float32Array, v: number, a: number, b: number): number {
  const ofA = shareLeft(move[a]!, move[a + 1]!, move[a + 2]!);
  const ofB = shareLeft(move[b]!, move[b + 1]!, move[b + 2]!);
  // In the file's single precision.
  const x = move[v]! - (Math.fround(move[a]! * ofA) + Math.fround(move[b]! * ofB)) / 2;
  const y = move[v + 1]! - (Math.fround(move[a + 1]! * ofA) + Math.fround(move[b + 1]! * ofB)) / 2;
  const z = move[v + 2]! - (Math.fround(move[a + 2]! * ofA) + Math.fround(move[b + 2]! * ofB)) / 2;
  return x * x + y * y + z * z;
}

/** Triangles over what is left of a patch's loop: the shortest diagonals, and none along a side. */
function filled(loop: Patch['loop'], gone: Uint8Array, points: Float32Array): number[] {
  const sides = loop.length;
  // Positions in the loop: odd ones lie on a side, even ones are corners between two.
  const left: number[] = [];
  for (let n = 0; n < sides; n++) if (loop[n]! >= 0 && !gone[loop[n]!]) left.push(n);
  const inLine = (before: number, at: number, after: number): boolean =>
    at % 2 === 1 && (before + 1) % sides === at && (at + 1) % sides === after;
  const out: number[] = [];
  while (left.length > 3) {
    let best = -1;
    let shortest = Infinity;
    for (let n = 0; n < left.length; n++) {
      const before = left[(n || left.length) - 1]!;
      const after = left[(n + 1) % left.length]!;
      if (inLine(before, left[n]!, after)) continue;
      // The cut-off part must not leave a line behind.
      const rest = left.length === 4 ? left.toSpliced(n, 1) : [];
      if (rest.some((at, k) => inLine(rest.at(k - 1)!, at, rest[(k + 1) % 3]!))) continue;
      const squaredLength = apart(points, loop[before]!, loop[after]!);
      if (squaredLength < shortest) [best, shortest] = [n, squaredLength];
    }
    out.push(left.at(best - 1)!, left[best]!, left[(best + 1) % left.length]!);
    left.splice(best, 1);
  }
  return [...out, ...left].map((n) => loop[n]!);
}

/** Square of the way between two points. */
const apart = (points: Float32Array, a: number, b: number): number =>
  (points[3 * a]! - points[3 * b]!) ** 2 +
  (points[3 * a + 1]! - points[3 * b + 1]!) ** 2 +
  (points[3 * a + 2]! - points[3 * b + 2]!) ** 2;

/**
 * Removes triangles without area and unused vertices. Renumbers the others in the order of use: caches and the codecs
 * of indices and attributes need it.
 */
function inOrderOfUse(surface: Surface, moves?: Shapes['moves']): Surface {
  const { points } = surface;
  const isSamePoint = (a: number, b: number): boolean =>
    points[3 * a] === points[3 * b] &&
    points[3 * a + 1] === points[3 * b + 1] &&
    points[3 * a + 2] === points[3 * b + 2];
  const used: number[] = [];
  for (let i = 0; i < surface.triangles.length; i += 3) {
    const [a, b, c] = [surface.triangles[i]!, surface.triangles[i + 1]!, surface.triangles[i + 2]!];
    if (!isSamePoint(a, b) && !isSamePoint(b, c) && !isSamePoint(c, a)) used.push(a, b, c);
  }
  const triangles = Uint32Array.from(used);
  // Numbers those in use from 0 on, others with 2³² − 1.
  const [order, count] = MeshoptEncoder.reorderMesh(triangles, true, true);
  const newIndex = Int32Array.from({ length: points.length / 3 }, (_, i) => order[i] ?? -1);
  return { ...rearranged(surface, newIndex, count, moves), triangles };
}

/** @param newIndex a vertex's new number; −1: it goes */
function rearranged(surface: Surface, newIndex: Int32Array, count: number, moves?: Shapes['moves']): Surface {
  const move = (values: Float32Array, width: number): Float32Array => {
    const out = new Float32Array(count * width);
    for (let vertex = 0, from = 0; vertex < newIndex.length; vertex++, from += width) {
      const to = newIndex[vertex]! * width;
      if (to >= 0) for (let c = 0; c < width; c++) out[to + c] = values[from + c]!;
    }
    return out;
  };
  const moved = ({ vertices, values }: Movement): Float32Array => {
    const out = new Float32Array(3 * count);
    for (let n = 0; n < vertices.length; n++) {
      const to = 3 * newIndex[vertices[n]!]!;
      if (to < 0) continue;
      out[to] = values[3 * n]!;
      out[to + 1] = values[3 * n + 1]!;
      out[to + 2] = values[3 * n + 2]!;
    }
    return out;
  };
  return {
    ...surface,
    points: move(surface.points, 3),
    normals: move(surface.normals, 3),
    ...(surface.uv ? { uv: move(surface.uv, 2) } : {}),
    ...(surface.colours ? { colours: move(surface.colours, 3) } : {}),
    ...(surface.headShare ? { headShare: move(surface.headShare, 1) } : {}),
    ...(moves ? { morphs: moves.map((one) => one && moved(one)) } : {}),
  };
}
