/**
 * Morph targets blended on the processor, into the drawn positions and normals.
 *
 * The shader of three.js evaluates all of a head's 67 targets at each vertex, whatever their weights, even
 * for teeth and tongue behind closed lips. Most targets move few vertices. Adding only the active ones takes
 * a fraction of a millisecond on any machine. Where the processor also draws, it saves most of the time.
 */
import { BufferAttribute, type BufferGeometry, DynamicDrawUsage, type Mesh } from 'three';

/** Effect of one target: vertices, and x y z for each. */
interface SparseTarget {
  vertices: Uint32Array;
  offsets: Float32Array;
}

export class MorphBlend {
  /** By the mesh's own order of targets; beyond 1 is exaggerated. */
  readonly weights: Float32Array;
  readonly #blended: BlendedAttribute[];
  /** Weights that the drawn positions have. */
  readonly #drawn: Float32Array;

  /** Removes the morph targets from the mesh: from here on use `weights` and `apply`. */
  constructor(mesh: Mesh) {
    const { geometry } = mesh;
    const { position: moves = [], normal: turns } = geometry.morphAttributes;
    this.#blended = [blended(geometry, 'position', moves as BufferAttribute[])];
    // Heads from before `portrait-13` have no morph normals.
    if (turns) this.#blended.push(blended(geometry, 'normal', turns as BufferAttribute[]));
    this.weights = new Float32Array(moves.length);
    this.#drawn = new Float32Array(moves.length);
    geometry.morphAttributes = {};
    delete mesh.morphTargetInfluences;
    delete mesh.morphTargetDictionary;
    // Its bounds would be those of the face at rest.
    mesh.frustumCulled = false;
  }

  /** Puts the weights into the positions and normals; the next drawing uploads those of which one changed. */
  apply(): void {
    const { weights } = this;
    for (const { attribute, rest, targets } of this.#blended) {
      if (!this.#changed(targets)) continue;
      const { array } = attribute;
      array.set(rest);
      for (const [at, target] of targets.entries()) if (weights[at] !== 0) add(array, target, weights[at]!);
      attribute.needsUpdate = true;
    }
    this.#drawn.set(weights);
  }

  /** Whether a weight changed whose target moves anything; most of an eyeball's don't. */
  #changed(targets: readonly SparseTarget[]): boolean {
    for (const [at, { vertices }] of targets.entries())
      if (vertices.length > 0 && this.weights[at] !== this.#drawn[at]) return true;
    return false;
  }
}

/** Drawn positions or normals of a mesh, their rest state, and the change by each target. */
interface BlendedAttribute {
  attribute: BufferAttribute;
  rest: Float32Array;
  targets: SparseTarget[];
}

function blended(
  geometry: BufferGeometry,
  name: 'position' | 'normal',
  targets: readonly BufferAttribute[],
): BlendedAttribute {
  // Attributes may be interleaved or quantized; what changes each frame is neither.
  const rest = valuesOf(geometry.attributes[name] as BufferAttribute);
  const attribute = new BufferAttribute(rest.slice(), 3).setUsage(DynamicDrawUsage);
  geometry.setAttribute(name, attribute);
  return { attribute, rest, targets: targets.map((target) => sparse(valuesOf(target))) };
}

function add(array: BufferAttribute['array'], { vertices, offsets }: SparseTarget, weight: number): void {
  for (let i = 0, from = 0; i < vertices.length; i++, from += 3) {
    const to = vertices[i]! * 3;
    array[to]! += weight * offsets[from]!;
    array[to + 1]! += weight * offsets[from + 1]!;
    array[to + 2]! += weight * offsets[from + 2]!;
  }
}

function valuesOf(attribute: BufferAttribute): Float32Array {
  const values = new Float32Array(attribute.count * 3);
  for (let vertex = 0; vertex < attribute.count; vertex++)
    values.set([attribute.getX(vertex), attribute.getY(vertex), attribute.getZ(vertex)], vertex * 3);
  return values;
}

function sparse(values: Float32Array): SparseTarget {
  const vertices: number[] = [];
  for (let vertex = 0; vertex * 3 < values.length; vertex++) {
    const at = vertex * 3;
    if (values[at] !== 0 || values[at + 1] !== 0 || values[at + 2] !== 0) vertices.push(vertex);
  }
  const offsets = new Float32Array(vertices.length * 3);
  for (const [i, vertex] of vertices.entries())
    offsets.set(values.subarray(vertex * 3, vertex * 3 + 3), i * 3);
  return { vertices: Uint32Array.from(vertices), offsets };
}
