/**
 * Morph targets blended on the processor, into the positions that are drawn.
 *
 * three's shader walks through all of a head's 67 targets at each of its vertices, whatever they weigh, and so it does
 * for teeth and tongue behind closed lips. Most targets move few vertices: adding those that have a weight up takes a
 * fraction of a millisecond on any machine, and where the processor draws as well it is most of the time saved.
 */
import { BufferAttribute, DynamicDrawUsage, type Mesh } from 'three';

/** What one target moves: vertices, and x y z for each. */
interface SparseTarget {
  vertices: Uint32Array;
  offsets: Float32Array;
}

export class MorphBlend {
  /** By the mesh's own order of targets; beyond 1 is exaggerated. */
  readonly weights: Float32Array;
  readonly #positions: BufferAttribute;
  readonly #rest: Float32Array;
  readonly #targets: SparseTarget[];
  /** Weights that the drawn positions have. */
  readonly #drawn: Float32Array;

  /** Takes the morph targets off the mesh: from here on they are moved through `weights` and `apply`. */
  constructor(mesh: Mesh) {
    const { geometry } = mesh;
    const { position } = geometry.attributes;
    const targets = geometry.morphAttributes.position ?? [];
    // Attributes may be interleaved or quantized; what changes each frame is neither.
    this.#rest = valuesOf(position as BufferAttribute);
    this.#targets = targets.map((target) => sparse(valuesOf(target as BufferAttribute)));
    this.#positions = new BufferAttribute(this.#rest.slice(), 3).setUsage(DynamicDrawUsage);
    this.weights = new Float32Array(targets.length);
    this.#drawn = new Float32Array(targets.length);
    geometry.setAttribute('position', this.#positions);
    geometry.morphAttributes = {};
    delete mesh.morphTargetInfluences;
    delete mesh.morphTargetDictionary;
    // Its bounds were those of the face at rest.
    mesh.frustumCulled = false;
  }

  /** Puts the weights into the positions; the next drawing uploads them where one changed. */
  apply(): void {
    const { weights } = this;
    if (!this.#changed()) return;
    const positions = this.#positions.array;
    positions.set(this.#rest);
    for (const [at, { vertices, offsets }] of this.#targets.entries()) {
      const weight = weights[at]!;
      if (weight === 0) continue;
      for (let i = 0, from = 0; i < vertices.length; i++, from += 3) {
        const to = vertices[i]! * 3;
        positions[to]! += weight * offsets[from]!;
        positions[to + 1]! += weight * offsets[from + 1]!;
        positions[to + 2]! += weight * offsets[from + 2]!;
      }
    }
    this.#drawn.set(weights);
    this.#positions.needsUpdate = true;
  }

  /** Whether a weight changed whose target moves anything: most of an eyeball's do not. */
  #changed(): boolean {
    for (const [at, { vertices }] of this.#targets.entries())
      if (vertices.length > 0 && this.weights[at] !== this.#drawn[at]) return true;
    return false;
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
