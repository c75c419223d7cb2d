import { type Key, type Said, type Sentence, say } from '#sentences';

const mebibyte = 1024 * 1024;

/**
 * What a GLB may ask for before anything of it is decoded. A head of the engine's takes a hundredth of it, an
 * artist's with textures of 4k and seventy morph targets a quarter.
 */
export const glbLimits = {
  /** Bytes of the file, as a download's. */
  fileBytes: 1024 * mebibyte,
  jsonBytes: 32 * mebibyte,
  /** Values in the JSON chunk, how deep they lie in each other, and characters of one that is no data. */
  jsonValues: 2_000_000,
  jsonDepth: 100,
  textLength: 65_536,
  /** Entries of each of the file's lists: accessors, nodes, meshes, … */
  entries: 100_000,
  nodes: 10_000,
  /** Nodes from a scene's own down to the deepest. */
  depth: 100,
  /** Primitives of all meshes, and joints of all skins. */
  primitives: 10_000,
  joints: 100_000,
  /** Samplers and channels of all animations, and the values that they name. */
  tracks: 100_000,
  trackValues: 64_000_000,
  /** Morph targets of a primitive, and of all. */
  targets: 1000,
  allTargets: 20_000,
  /** Bytes of all accessors and of all packed views when they are unpacked. */
  expandedBytes: 512 * mebibyte,
  /** Bytes of those that nothing in the file stands behind: they are zeros, but for a few values. */
  emptyBytes: 256 * mebibyte,
  /** Vertices and corners of triangles that a scene draws, each mesh as often as it stands in it. */
  vertices: 8_000_000,
  corners: 24_000_000,
  /** Vertices of all morph targets of all primitives. */
  targetVertices: 64_000_000,
  images: 256,
  /** Pixels of one image, of its longer side, and of all. */
  imageSide: 16_384,
  imagePixels: 8192 * 8192,
  allPixels: 400_000_000,
} as const;

/** What is wrong with a GLB. */
export interface GlbFault {
  /** `damaged`: it is none, or not all of one. `refused`: it is one, and the studio does not decode it. */
  kind: 'damaged' | 'refused';
  /** A sentence. */
  text: Said;
}

/** What is wrong with the file, as the rest of a sentence: "The file …". */
export class Fault extends Error {
  readonly kind: GlbFault['kind'];
  readonly rest: Sentence;
  constructor(rest: Sentence, kind: GlbFault['kind'] = 'refused') {
    super(rest.text);
    this.rest = rest;
    this.kind = kind;
  }
}

/** What there can be too many of; `glb_count.entries` has a name to it. */
type CountKey = Exclude<Extract<Key, `glb_count.${string}`>, 'glb_count.entries'>;

export function atMost(value: number, most: number, what: CountKey): void {
  if (value > most) throw tooMany(value, most, say(what));
}

export const tooMany = (value: number, most: number, what: Sentence): Fault =>
  new Fault(
    say('glb_fault.too_many', {
      value: Math.round(value).toLocaleString('en'),
      what,
      most: most.toLocaleString('en'),
    }),
  );
