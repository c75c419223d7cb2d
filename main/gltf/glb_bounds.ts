import type { FileHandle } from 'node:fs/promises';
import sharp from 'sharp';
import { binChunk, glbVersion, jsonChunk } from '#proto/glb_header.ts';
import { type Said, say } from '#sentences';
import { type ImageKind, imageKind } from '../base/image_kind.ts';
import { Failure } from '../failure.ts';

const mebibyte = 1024 * 1024;

/**
 * What a GLB may ask for before anything of it is decoded. A head of the engine's takes a hundredth of it, an artist's
 * with textures of 4k and seventy morph targets a quarter.
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

/** Where a GLB is read from: a file, or bytes in memory. */
interface GlbSource {
  size: number;
  read(at: number, length: number): Promise<Buffer>;
}

/** What is wrong with a GLB. */
export interface GlbFault {
  /** `damaged`: it is none, or not all of one. `refused`: it is one, and the studio does not decode it. */
  kind: 'damaged' | 'refused';
  /** A sentence. */
  text: Said;
}

/** What is wrong with the file, as the rest of a sentence: "The file …". */
class Fault extends Error {
  readonly kind: GlbFault['kind'];
  constructor(rest: string, kind: GlbFault['kind'] = 'refused') {
    super(rest);
    this.kind = kind;
  }
}

/**
 * Holds a GLB against `glbLimits` before anything of it is decoded: only its JSON chunk is parsed, and the headers of
 * its pictures are read. Whoever decodes one asks here first.
 *
 * @returns null where it may be decoded
 */
export const glbFault = (glb: Uint8Array): Promise<GlbFault | null> => {
  const bytes = Buffer.from(glb.buffer, glb.byteOffset, glb.byteLength);
  return faultOf({ size: bytes.length, read: async (at, length) => bytes.subarray(at, at + length) });
};

/** As `glbFault`, of an open file, of which little is read. */
export async function glbFileFault(file: FileHandle): Promise<GlbFault | null> {
  const { size } = await file.stat();
  return faultOf({
    size,
    async read(at, length) {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - at)));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, at);
      return bytes.subarray(0, bytesRead);
    },
  });
}

/** @throws Failure `unsupported` where `glbFault` finds something */
export async function refuseUnboundedGlb(glb: Uint8Array): Promise<void> {
  const fault = await glbFault(glb);
  if (fault) throw glbFailure(fault.text);
}

/** @param fault - A sentence. */
export const glbFailure = (fault: Said): Failure =>
  new Failure('unsupported', fault, {
    hint: say('glb.export_anew'),
  });

async function faultOf(source: GlbSource): Promise<GlbFault | null> {
  try {
    await look(source);
    return null;
  } catch (error) {
    if (error instanceof Fault)
      return { kind: error.kind, text: say('glb.fault', { problem: error.message }) };
    throw error;
  }
}

async function look(source: GlbSource): Promise<void> {
  const { size } = source;
  const head = await source.read(0, 20);
  const version = glbVersion(head);
  if (head.length < 20 || version === null) throw new Fault('is no binary glTF (GLB)', 'damaged');
  if (version !== 2) throw new Fault(`is binary glTF ${version}; only 2 is known`, 'damaged');
  const said = head.readUInt32LE(8);
  if (said !== size) throw new Fault(`says that it has ${said} bytes and has ${size}`, 'damaged');
  atMost(size, glbLimits.fileBytes, 'bytes');
  const jsonBytes = head.readUInt32LE(12);
  if (head.readUInt32LE(16) !== jsonChunk) throw new Fault('does not begin with a JSON chunk', 'damaged');
  if (20 + jsonBytes > size) throw new Fault('is cut off within its JSON chunk', 'damaged');
  atMost(jsonBytes, glbLimits.jsonBytes, 'bytes of JSON');
  const gltf = parsed(await source.read(20, jsonBytes));
  const binary = await binaryOf(source, 20 + jsonBytes);
  lookAtGltf(gltf, binary.length);
  await lookAtImages(gltf, source, binary.start);
}

/** Where the binary chunk is; empty where there is none. */
async function binaryOf(source: GlbSource, at: number): Promise<{ start: number; length: number }> {
  const head = await source.read(at, 8);
  if (head.length < 8) return { start: at, length: 0 };
  // A kind of chunk that is not known is passed over, as the format asks.
  if (head.readUInt32LE(4) !== binChunk) return { start: at, length: 0 };
  const length = head.readUInt32LE(0);
  if (at + 8 + length > source.size) throw new Fault('is cut off within its BIN chunk', 'damaged');
  return { start: at + 8, length };
}

type Json = Record<string, unknown>;

function parsed(bytes: Buffer): Json {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Fault('has a JSON chunk that is not JSON', 'damaged');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Fault('has a JSON chunk that is no glTF', 'damaged');
  measure(value);
  return value as Json;
}

/** Counts what the JSON holds, level by level: a walk that calls itself would end at what it looks for. */
function measure(root: object): void {
  let level: object[] = [root];
  let values = 0;
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > glbLimits.jsonDepth) throw new Fault(`has JSON more than ${glbLimits.jsonDepth} levels deep`);
    const below: object[] = [];
    for (const value of level) {
      const inside = Object.values(value);
      values += inside.length;
      atMost(values, glbLimits.jsonValues, 'values in its JSON');
      for (const one of inside) {
        if (typeof one === 'object' && one !== null) below.push(one);
        else if (typeof one === 'string' && !one.startsWith('data:'))
          atMost(one.length, glbLimits.textLength, 'characters in one text');
      }
    }
    level = below;
  }
}

function atMost(value: number, most: number, what: string): void {
  if (value > most)
    throw new Fault(
      `has ${Math.round(value).toLocaleString('en')} ${what}, and at most ${most.toLocaleString('en')} are read`,
    );
}

/** A list of objects in the file; empty where there is none. */
function list(of: Json, name: string, most: number = glbLimits.entries): Json[] {
  const value = of[name];
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Fault(`has “${name}” that is no list`);
  atMost(value.length, most, name);
  for (const one of value) {
    if (typeof one !== 'object' || one === null || Array.isArray(one))
      throw new Fault(`has something in “${name}” that is no object`);
  }
  return value as Json[];
}

const objectIn = (of: Json, name: string): Json | null => {
  const value = of[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
};

/** A whole number from 0 on. */
function whole(of: Json, name: string, where: string, otherwise?: number): number {
  const value = of[name] ?? otherwise;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new Fault(`has ${where} whose ${name} is ${shown(value)}, not a whole number from 0 on`);
  return value;
}

const shown = (value: unknown): string => String(JSON.stringify(value) ?? value).slice(0, 40);

/** An index into a list of so many; null where it is not given. */
function index(value: unknown, length: number, what: string): number | null {
  if (value === undefined) return null;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value >= length)
    throw new Fault(`names ${what} ${shown(value)}, which it does not have`);
  return value;
}

function indices(value: unknown, length: number, what: string): number[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Fault(`has a list of ${what}s that is none`);
  return value.map((one) => index(one ?? null, length, what)!);
}

const componentBytes: Record<number, number> = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
const components: Record<string, number> = {
  SCALAR: 1,
  VEC2: 2,
  VEC3: 3,
  VEC4: 4,
  MAT2: 4,
  MAT3: 9,
  MAT4: 16,
};
const packings = ['EXT_meshopt_compression', 'KHR_meshopt_compression'];

interface View {
  /** Bytes when it is unpacked. */
  bytes: number;
  stride: number | null;
}

function lookAtGltf(gltf: Json, binaryBytes: number): void {
  for (const name of ['materials', 'textures', 'samplers', 'cameras']) list(gltf, name);
  for (const name of ['extensionsUsed', 'extensionsRequired']) {
    const used = gltf[name];
    if (used !== undefined && !(Array.isArray(used) && used.length <= 1000))
      throw new Fault(`has “${name}” that is no list`);
  }
  const views = viewsOf(gltf, binaryBytes);
  const counts = countsOf(gltf, views);
  const meshes = meshesOf(gltf, counts);
  lookAtNodes(gltf, meshes, counts);
  lookAtMotion(gltf, counts);
}

/** @returns the buffer views, by their number */
function viewsOf(gltf: Json, binaryBytes: number): View[] {
  const buffers = list(gltf, 'buffers').map((buffer, number) => {
    const bytes = whole(buffer, 'byteLength', `buffer ${number}`);
    const { uri } = buffer;
    // One that a packed view falls back on is empty, and is there by its length only.
    const fallsBack = packings.some((name) => objectIn(objectIn(buffer, 'extensions') ?? {}, name));
    if (uri !== undefined) {
      if (typeof uri !== 'string' || !uri.startsWith('data:'))
        throw new Fault('keeps its data in other files; all of it must be inside');
      if (bytes > uri.length) throw new Fault(`has buffer ${number} with less in it than it says`);
    } else if (number === 0 && !fallsBack && bytes > binaryBytes) {
      throw new Fault(`says that its data has ${bytes} bytes and has ${binaryBytes}`);
    }
    return { bytes, isThere: uri !== undefined || (number === 0 && !fallsBack) };
  });
  const within = (region: Json, where: string, needsData: boolean): number => {
    const number = index(region.buffer ?? null, buffers.length, 'buffer')!;
    const length = whole(region, 'byteLength', where);
    const buffer = buffers[number]!;
    if (whole(region, 'byteOffset', where, 0) + length > buffer.bytes)
      throw new Fault(`has ${where} that ends after its buffer`);
    if (needsData && !buffer.isThere) throw new Fault(`has ${where} in a buffer that has no data`);
    return length;
  };
  let unpacked = 0;
  return list(gltf, 'bufferViews').map((view, number) => {
    const where = `buffer view ${number}`;
    const extensions = objectIn(view, 'extensions') ?? {};
    const packing = packings.map((name) => objectIn(extensions, name)).find((found) => found !== null);
    const bytes = within(view, where, !packing);
    const stride = view.byteStride === undefined ? null : whole(view, 'byteStride', where);
    if (stride !== null && (stride < 1 || stride > 252))
      throw new Fault(`has ${where} with a stride of ${stride} bytes`);
    if (!packing) return { bytes, stride };
    within(packing, `the packed ${where}`, true);
    const step = whole(packing, 'byteStride', `the packed ${where}`);
    const packed = whole(packing, 'count', `the packed ${where}`) * step;
    if (step < 1 || step > 256) throw new Fault(`has the packed ${where} with a stride of ${step} bytes`);
    unpacked += packed;
    atMost(unpacked, glbLimits.expandedBytes, 'bytes of packed data');
    if (packed !== bytes) throw new Fault(`has ${where} of ${bytes} bytes, which is packed as ${packed}`);
    return { bytes, stride };
  });
}

/** @returns how many elements each accessor has */
function countsOf(gltf: Json, views: readonly View[]): number[] {
  let expanded = 0;
  let empty = 0;
  const reach = (region: Json, bytes: number, where: string, step?: number, count = 1): void => {
    const view = views[index(region.bufferView ?? null, views.length, 'buffer view')!]!;
    const offset = whole(region, 'byteOffset', where, 0);
    const used = step === undefined || count === 0 ? bytes : (count - 1) * step + bytes / count;
    if (offset + used > view.bytes)
      throw new Fault(`has ${where} with more in it than its buffer view holds`);
  };
  return list(gltf, 'accessors').map((accessor, number) => {
    const where = `accessor ${number}`;
    const count = whole(accessor, 'count', where);
    const component = componentBytes[Number(accessor.componentType)];
    const width = components[String(accessor.type)];
    if (component === undefined || width === undefined)
      throw new Fault(`has ${where} of a kind that glTF does not know`);
    const bytes = count * component * width;
    expanded += bytes;
    atMost(expanded, glbLimits.expandedBytes, 'bytes of vertex data when it is unpacked');
    if (accessor.bufferView === undefined) {
      empty += bytes;
      atMost(empty, glbLimits.emptyBytes, 'bytes of vertex data that it does not hold');
    } else {
      const view = views[index(accessor.bufferView, views.length, 'buffer view')!]!;
      // Columns of small matrices are padded; they are rare, and read as if they were not.
      reach(accessor, bytes, where, view.stride ?? undefined, count);
    }
    const sparse = objectIn(accessor, 'sparse');
    if (accessor.sparse !== undefined && !sparse)
      throw new Fault(`has ${where} with a “sparse” that is none`);
    if (!sparse) return count;
    const given = whole(sparse, 'count', `the sparse ${where}`);
    const places = objectIn(sparse, 'indices');
    const values = objectIn(sparse, 'values');
    if (!places || !values || given > count) throw new Fault(`has the sparse ${where} without what it needs`);
    const placeBytes = componentBytes[Number(places.componentType)];
    if (placeBytes === undefined)
      throw new Fault(`has the sparse ${where} of a kind that glTF does not know`);
    reach(places, given * placeBytes, `the sparse ${where}`);
    reach(values, given * component * width, `the sparse ${where}`);
    return count;
  });
}

/** Attributes of a vertex: a handful, and those of a program's own. */
const mostAttributes = 64;

interface MeshSize {
  vertices: number;
  corners: number;
}

function meshesOf(gltf: Json, counts: readonly number[]): MeshSize[] {
  const materials = list(gltf, 'materials').length;
  let primitives = 0;
  let targets = 0;
  let targetVertices = 0;
  const attributesOf = (of: unknown): number[] => {
    if (typeof of !== 'object' || of === null) throw new Fault('has a mesh without attributes');
    const used = Object.values(of);
    atMost(used.length, mostAttributes, 'attributes in one primitive');
    return indices(used, counts.length, 'accessor');
  };
  return list(gltf, 'meshes').map((mesh) => {
    const size: MeshSize = { vertices: 0, corners: 0 };
    const parts = list(mesh, 'primitives', glbLimits.primitives);
    primitives += parts.length;
    atMost(primitives, glbLimits.primitives, 'primitives');
    lookAtNames(mesh);
    for (const part of parts) {
      lookAtNames(part);
      const extensions = objectIn(part, 'extensions');
      if (extensions?.KHR_draco_mesh_compression)
        throw new Fault('is packed with Draco, which the studio does not read; export it without');
      const used = attributesOf(part.attributes);
      const vertices = Math.max(0, ...used.map((number) => counts[number]!));
      const corners = index(part.indices, counts.length, 'accessor');
      index(part.material, materials, 'material');
      size.vertices += vertices;
      size.corners += corners === null ? vertices : counts[corners]!;
      const morphs = list(part, 'targets', glbLimits.targets);
      targets += morphs.length;
      atMost(targets, glbLimits.allTargets, 'morph targets');
      for (const morph of morphs) {
        for (const number of attributesOf(morph)) targetVertices += Math.max(vertices, counts[number]!);
      }
      atMost(targetVertices, glbLimits.targetVertices, 'vertices in its morph targets');
    }
    return size;
  });
}

/** Names of morph targets stand where everybody has agreed to look for them, and nowhere in the format. */
function lookAtNames(named: Json): void {
  const names = objectIn(named, 'extras')?.targetNames;
  if (Array.isArray(names)) atMost(names.length, glbLimits.targets, 'names of morph targets');
}

/** Nodes make a tree: each has one parent at most, and a scene does not go too deep. */
function lookAtNodes(gltf: Json, meshes: readonly MeshSize[], counts: readonly number[]): void {
  const nodes = list(gltf, 'nodes', glbLimits.nodes);
  const skins = list(gltf, 'skins').length;
  const children = nodes.map((node) => indices(node.children, nodes.length, 'node'));
  const hasParent = new Set<number>();
  for (const of of children) {
    for (const child of of) {
      if (hasParent.has(child)) throw new Fault(`has node ${child} in two places`);
      hasParent.add(child);
    }
  }
  let level = nodes.flatMap((_, number) => (hasParent.has(number) ? [] : [number]));
  let reached = 0;
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > glbLimits.depth) throw new Fault(`has nodes more than ${glbLimits.depth} deep in each other`);
    reached += level.length;
    level = level.flatMap((number) => children[number]!);
  }
  if (reached < nodes.length) throw new Fault('has nodes in a circle');

  const drawn = { vertices: 0, corners: 0 };
  const draw = (number: number): void => {
    const node = nodes[number]!;
    index(node.skin, skins, 'skin');
    const mesh = index(node.mesh, meshes.length, 'mesh');
    if (mesh === null) return;
    const instances = instancesOf(node, counts);
    drawn.vertices += meshes[mesh]!.vertices * instances;
    drawn.corners += meshes[mesh]!.corners * instances;
    atMost(drawn.vertices, glbLimits.vertices, 'vertices to be drawn');
    atMost(drawn.corners, glbLimits.corners, 'corners of triangles to be drawn');
  };
  // Some who read heads go through the scenes, some through the nodes.
  for (const number of nodes.keys()) draw(number);
  drawn.vertices = 0;
  drawn.corners = 0;
  let seen = 0;
  for (const scene of list(gltf, 'scenes', 1000)) {
    let below = indices(scene.nodes, nodes.length, 'node');
    if (new Set(below).size < below.length) throw new Fault('has a scene that holds a node twice');
    while (below.length > 0) {
      seen += below.length;
      atMost(seen, 2 * glbLimits.nodes, 'nodes in its scenes');
      for (const number of below) draw(number);
      below = below.flatMap((number) => children[number]!);
    }
  }
  index(gltf.scene, list(gltf, 'scenes').length, 'scene');
}

function instancesOf(node: Json, counts: readonly number[]): number {
  const attributes = objectIn(
    objectIn(objectIn(node, 'extensions') ?? {}, 'EXT_mesh_gpu_instancing') ?? {},
    'attributes',
  );
  if (!attributes) return 1;
  atMost(Object.keys(attributes).length, mostAttributes, 'attributes of instances');
  return Math.max(
    1,
    ...indices(Object.values(attributes), counts.length, 'accessor').map((at) => counts[at]!),
  );
}

function lookAtMotion(gltf: Json, counts: readonly number[]): void {
  const nodes = list(gltf, 'nodes').length;
  let joints = 0;
  for (const skin of list(gltf, 'skins')) {
    joints += indices(skin.joints, nodes, 'node').length;
    atMost(joints, glbLimits.joints, 'joints');
    index(skin.inverseBindMatrices, counts.length, 'accessor');
  }
  let tracks = 0;
  let values = 0;
  for (const animation of list(gltf, 'animations')) {
    for (const name of ['samplers', 'channels']) tracks += list(animation, name).length;
    atMost(tracks, glbLimits.tracks, 'animation tracks');
    for (const { input, output } of list(animation, 'samplers')) {
      for (const at of [input, output]) values += counts[index(at ?? null, counts.length, 'accessor')!]!;
      atMost(values, glbLimits.trackValues, 'values in its animations');
    }
  }
}

/** Pixels by a picture's header, not by what the file says of it. */
async function lookAtImages(gltf: Json, source: GlbSource, binaryStart: number): Promise<void> {
  const views = list(gltf, 'bufferViews');
  let pixels = 0;
  const known = new Map<unknown, { width: number; height: number }>();
  for (const [number, image] of list(gltf, 'images', glbLimits.images).entries()) {
    const size = known.get(image.bufferView) ?? (await sizeOf(await bytesOf(image), number));
    if (image.uri === undefined) known.set(image.bufferView, size);
    const { width, height } = size;
    const side = Math.max(width, height);
    if (side > glbLimits.imageSide || width * height > glbLimits.imagePixels)
      throw new Fault(`has image ${number} of ${width} × ${height} pixels; at most 8192 × 8192 are read`);
    pixels += width * height;
    atMost(pixels, glbLimits.allPixels, 'pixels in its images');
  }

  async function bytesOf({ uri, bufferView }: Json): Promise<Buffer> {
    if (uri !== undefined) {
      const data = typeof uri === 'string' && /^data:[^,]{0,200};base64,/.exec(uri);
      if (!data) throw new Fault('keeps its pictures in other files; all of it must be inside');
      return Buffer.from(uri.slice(data[0].length), 'base64');
    }
    const view = views[index(bufferView ?? null, views.length, 'buffer view')!]!;
    if (view.buffer !== 0) throw new Fault('keeps its pictures in other files; all of it must be inside');
    return source.read(binaryStart + Number(view.byteOffset ?? 0), Number(view.byteLength));
  }
}

/** Pictures that a GLB may have, besides KTX2. */
const textureKinds: ReadonlySet<ImageKind | null> = new Set(['jpeg', 'png', 'webp', 'avif']);

async function sizeOf(bytes: Buffer, number: number): Promise<{ width: number; height: number }> {
  // KTX 2.0, 3: identifier, vkFormat, typeSize, pixelWidth, pixelHeight.
  if (bytes.length >= 28 && bytes.toString('latin1', 1, 7) === 'KTX 20')
    return { width: bytes.readUInt32LE(20), height: bytes.readUInt32LE(24) };
  // A decoder goes by the content as well: what is named a JPEG may be an SVG, which is a program.
  if (!textureKinds.has(imageKind(bytes)))
    throw new Fault(`has image ${number} that is no JPEG, PNG, WebP, AVIF or KTX2`);
  try {
    const { width, height } = await sharp(bytes, { limitInputPixels: false, failOn: 'none' }).metadata();
    return { width, height };
  } catch {
    throw new Fault(`has image ${number} whose header can't be read`);
  }
}
