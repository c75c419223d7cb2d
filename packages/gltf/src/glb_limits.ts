import { type KeyedMessage, type Message, t } from '@likeness/messages';

const mebibyte = 1024 * 1024;

/**
 * Limits of a GLB, checked before any of it is decoded. The engine's heads use a hundredth of them; an
 * artist's head with 4k textures and seventy morph targets uses a quarter.
 */
export const glbLimits = {
  /** Bytes of the file, as a download's. */
  fileBytes: 1024 * mebibyte,
  jsonBytes: 32 * mebibyte,
  /** Values in the JSON chunk, their nesting depth, and the length of a string that isn't a data URI. */
  jsonValues: 2_000_000,
  jsonDepth: 100,
  textLength: 65_536,
  /** Entries of each of the file's lists: accessors, nodes, meshes, … */
  entries: 100_000,
  nodes: 10_000,
  /** Depth of nodes below a scene. */
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
  /** Bytes of accessors without data in the file: zeros, apart from a few sparse values. */
  emptyBytes: 256 * mebibyte,
  /** Vertices and triangle corners that a scene draws, counting each instance of a mesh. */
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

/** A defect of a GLB. */
export interface GlbFault {
  /** `damaged`: not a GLB, or not a complete one. `refused`: a valid GLB that the studio does not decode. */
  kind: 'damaged' | 'refused';
  /** A sentence. */
  text: Message;
}

/** A defect of the file. */
export class Fault extends Error {
  readonly kind: GlbFault['kind'];
  readonly problem: KeyedMessage;
  constructor(problem: KeyedMessage, kind: GlbFault['kind'] = 'refused') {
    super(problem.text);
    this.problem = problem;
    this.kind = kind;
  }
}

/** Branches of `glb_fault.too_many`; `entries` takes the list's name. */
type Counted =
  | 'bytes'
  | 'json_bytes'
  | 'json_values'
  | 'characters'
  | 'packed_bytes'
  | 'vertex_bytes'
  | 'empty_bytes'
  | 'pixels'
  | 'attributes'
  | 'primitives'
  | 'targets'
  | 'target_vertices'
  | 'target_names'
  | 'drawn_vertices'
  | 'drawn_corners'
  | 'scene_nodes'
  | 'instance_attributes'
  | 'joints'
  | 'tracks'
  | 'track_values'
  | 'entries';

/** @throws {Fault} if there are more */
export function atMost(value: number, max: number, what: Counted, name = ''): void {
  if (value > max)
    throw new Fault(
      t('glb_fault.too_many', {
        value: Math.round(value).toLocaleString('en'),
        what,
        name,
        most: max.toLocaleString('en'),
      }),
    );
}
