import { MeshoptEncoder } from 'meshoptimizer';
import sharp from 'sharp';
import type { HeadModel, Raster, Surface } from './head_model.ts';
import { subtract, type Vector } from './vector.ts';

const FLOAT = 5126;
const USHORT = 5123;
const UINT = 5125;
const UBYTE = 5121;

interface View {
  bytes: Uint8Array;
  target?: number;
  /** For EXT_meshopt_compression. */
  mode?: 'ATTRIBUTES' | 'TRIANGLES' | 'INDICES';
  filter?: 'OCTAHEDRAL' | 'EXPONENTIAL' | 'NONE';
  stride: number;
  count: number;
  /** Bits kept by the exponential filter. */
  bits?: number;
}

/** Displacements below this many metres are left out of a target. */
const stillness = 2.5e-5;

/**
 * Writes a head as binary glTF 2.0: morph targets as sparse accessors without normal deltas (they cost as
 * much again and move a highlight by little), textures as JPEG, with `meshopt` also EXT_meshopt_compression.
 * The bytes depend on the model alone.
 */
export async function writeGlb(model: HeadModel, meshopt: boolean): Promise<Uint8Array> {
  const views: View[] = [];
  const accessors: Record<string, unknown>[] = [];
  const put = (view: View): number => {
    views.push(view);
    return views.length - 1;
  };
  const addFloats = (
    values: Float32Array,
    width: 2 | 3,
    kind: string,
    bits: number,
    target = 34962,
  ): number => {
    const count = values.length / width;
    const view = put({
      bytes: bytesOf(values),
      target,
      mode: 'ATTRIBUTES',
      filter: 'EXPONENTIAL',
      stride: width * 4,
      count,
      bits,
    });
    accessors.push({
      bufferView: view,
      componentType: FLOAT,
      count,
      type: width === 3 ? 'VEC3' : 'VEC2',
      ...(kind === 'POSITION' ? bounds(values) : {}),
    });
    return accessors.length - 1;
  };
  const addBytes = (
    values: Uint8Array,
    width: 4,
    count: number,
    normalized: boolean,
    type: string,
  ): number => {
    const view = put({
      bytes: values,
      target: 34962,
      mode: 'ATTRIBUTES',
      filter: 'NONE',
      stride: width,
      count,
    });
    accessors.push({ bufferView: view, componentType: UBYTE, normalized, count, type });
    return accessors.length - 1;
  };
  const addIndices = (triangles: Uint32Array, vertexCount: number): number => {
    const short = vertexCount < 65535;
    const values = short ? Uint16Array.from(triangles) : triangles;
    const view = put({
      bytes: bytesOf(values),
      target: 34963,
      mode: 'TRIANGLES',
      stride: short ? 2 : 4,
      count: values.length,
    });
    accessors.push({
      bufferView: view,
      componentType: short ? USHORT : UINT,
      count: values.length,
      type: 'SCALAR',
    });
    return accessors.length - 1;
  };
  const zeroAccessors = new Map<number, number>();
  const zeros = (count: number): number => {
    let index = zeroAccessors.get(count);
    if (index === undefined) {
      index =
        accessors.push({ componentType: FLOAT, count, type: 'VEC3', min: [0, 0, 0], max: [0, 0, 0] }) - 1;
      zeroAccessors.set(count, index);
    }
    return index;
  };
  const addTarget = (delta: Float32Array | undefined, count: number): number => {
    const moving: number[] = [];
    if (delta) {
      for (let i = 0; i < count; i++) {
        if (
          Math.max(Math.abs(delta[3 * i]!), Math.abs(delta[3 * i + 1]!), Math.abs(delta[3 * i + 2]!)) >
          stillness
        )
          moving.push(i);
      }
    }
    if (!delta || moving.length === 0) return zeros(count);
    const values = new Float32Array(moving.length * 3);
    for (let k = 0; k < moving.length; k++)
      for (let c = 0; c < 3; c++) values[3 * k + c] = delta[3 * moving[k]! + c]!;
    const indices = count < 65535 ? Uint16Array.from(moving) : Uint32Array.from(moving);
    const indexView = put({
      bytes: bytesOf(indices),
      mode: 'INDICES',
      stride: indices.BYTES_PER_ELEMENT,
      count: indices.length,
    });
    const valueView = put({
      bytes: bytesOf(values),
      mode: 'ATTRIBUTES',
      filter: 'EXPONENTIAL',
      stride: 12,
      count: moving.length,
      bits: 9,
    });
    const range = bounds(values);
    const full = moving.length === count;
    accessors.push({
      componentType: FLOAT,
      count,
      type: 'VEC3',
      min: full ? range.min : range.min.map((v) => Math.min(0, v)),
      max: full ? range.max : range.max.map((v) => Math.max(0, v)),
      sparse: {
        count: moving.length,
        indices: { bufferView: indexView, componentType: count < 65535 ? USHORT : UINT },
        values: { bufferView: valueView },
      },
    });
    return accessors.length - 1;
  };

  const meshes: Record<string, unknown>[] = [];
  const nodes: Record<string, unknown>[] = [];
  const head: number[] = [];
  const eyes = { LeftEye: [] as number[], RightEye: [] as number[] };
  const roots: number[] = [];
  const skinned: number[] = [];
  if (meshopt) await MeshoptEncoder.ready;
  for (const original of model.surfaces) {
    const surface = meshopt ? inOrderOfUse(original) : original;
    const count = surface.points.length / 3;
    const attributes: Record<string, number> = {
      POSITION: addFloats(surface.points, 3, 'POSITION', 15),
      NORMAL: addFloats(surface.normals, 3, 'NORMAL', 9),
    };
    if (surface.uv) attributes.TEXCOORD_0 = addFloats(surface.uv, 2, 'TEXCOORD_0', 13);
    if (surface.colours) {
      const bytes = new Uint8Array(count * 4);
      for (let i = 0; i < count; i++) {
        for (let c = 0; c < 3; c++)
          bytes[4 * i + c] = Math.round(255 * Math.min(1, Math.max(0, surface.colours[3 * i + c]!)));
        bytes[4 * i + 3] = 255;
      }
      attributes.COLOR_0 = addBytes(bytes, 4, count, true, 'VEC4');
    }
    if (surface.node === 'skin') {
      const joints = new Uint8Array(count * 4);
      const weights = new Uint8Array(count * 4);
      for (let i = 0; i < count; i++) {
        const w = Math.round(255 * (surface.headShare?.[i] ?? 1));
        // Joint 0 is Head, joint 1 Neck; an unused slot must name joint 0.
        joints[4 * i + 1] = w < 255 ? 1 : 0;
        weights[4 * i] = w;
        weights[4 * i + 1] = 255 - w;
      }
      attributes.JOINTS_0 = addBytes(joints, 4, count, false, 'VEC4');
      attributes.WEIGHTS_0 = addBytes(weights, 4, count, true, 'VEC4');
    }
    const primitive: Record<string, unknown> = {
      attributes,
      indices: addIndices(surface.triangles, count),
      material: surface.material,
      mode: 4,
    };
    const mesh: Record<string, unknown> = { name: surface.name, primitives: [primitive] };
    if (surface.morphs) {
      primitive.targets = surface.morphs.map((delta) => ({ POSITION: addTarget(delta, count) }));
      mesh.weights = surface.morphs.map(() => 0);
      mesh.extras = { targetNames: model.targetNames };
    }
    meshes.push(mesh);
    const node: Record<string, unknown> = { name: surface.name, mesh: meshes.length - 1 };
    const index = nodes.push(node) - 1;
    if (surface.node === 'skin') {
      node.skin = 0;
      skinned.push(index);
    } else if (surface.node === 'Head') {
      node.translation = negate(model.headPivot);
      head.push(index);
    } else eyes[surface.node].push(index);
  }
  const leftEye =
    nodes.push({
      name: 'LeftEye',
      translation: round(subtract(model.leftEye, model.headPivot)),
      children: eyes.LeftEye,
    }) - 1;
  const rightEye =
    nodes.push({
      name: 'RightEye',
      translation: round(subtract(model.rightEye, model.headPivot)),
      children: eyes.RightEye,
    }) - 1;
  const headNode =
    nodes.push({
      name: 'Head',
      translation: round(model.headPivot),
      children: [...head, leftEye, rightEye],
    }) - 1;
  const neckNode = nodes.push({ name: 'Neck', children: [headNode] }) - 1;
  roots.push(neckNode, ...skinned);
  const inverse = new Float32Array(32);
  const [px, py, pz] = round(model.headPivot);
  inverse.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -px, -py, -pz, 1], 0);
  inverse.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], 16);
  const inverseView = put({ bytes: bytesOf(inverse), stride: 64, count: 2 });
  accessors.push({ bufferView: inverseView, componentType: FLOAT, count: 2, type: 'MAT4' });
  const skin = {
    name: 'HeadAndNeck',
    joints: [headNode, neckNode],
    inverseBindMatrices: accessors.length - 1,
    skeleton: neckNode,
  };

  const encoded = await Promise.all(model.rasters.map(encodeRaster));
  const images = encoded.map(({ bytes, mimeType }, i) => ({
    name: model.rasters[i]!.name,
    mimeType,
    bufferView: put({ bytes, stride: 0, count: 0 }),
  }));
  const json: Record<string, unknown> = {
    asset: { version: '2.0', generator: 'Likeness Studio portrait engine' },
    scene: 0,
    scenes: [
      {
        name: 'Head',
        nodes: roots,
        extras: {
          ...model.extras,
          ...(Object.keys(model.photoExpression ?? {}).length
            ? { photoExpression: model.photoExpression }
            : {}),
        },
      },
    ],
    nodes,
    meshes,
    skins: [skin],
    accessors,
    materials: model.materials.map((m) => ({
      name: m.name,
      pbrMetallicRoughness: {
        baseColorFactor: m.colour,
        metallicFactor: m.metallic ?? 0,
        roughnessFactor: m.roughness,
        ...(m.texture === undefined ? {} : { baseColorTexture: { index: m.texture } }),
      },
      ...(m.normalMap === undefined
        ? {}
        : { normalTexture: { index: m.normalMap, scale: m.normalScale ?? 1 } }),
      ...(m.emissive ? { emissiveFactor: m.emissive } : {}),
      ...(m.alphaMode
        ? { alphaMode: m.alphaMode, ...(m.alphaMode === 'MASK' ? { alphaCutoff: 0.4 } : {}) }
        : {}),
      ...(m.doubleSided ? { doubleSided: true } : {}),
    })),
    textures: images.map((_, i) => ({ sampler: 0, source: i })),
    images,
    samplers: [{ magFilter: 9729, minFilter: 9987, wrapS: 33071, wrapT: 33071 }],
  };
  if (images.length === 0) for (const key of ['textures', 'images', 'samplers']) delete json[key];
  return pack(json, views, meshopt);
}

/** Lays the views out, compressing what can be when `meshopt` is on, and wraps all in the GLB container. */
function pack(json: Record<string, unknown>, views: View[], meshopt: boolean): Uint8Array {
  const chunks: Uint8Array[] = [];
  let offset = 0;
  let fallback = 0;
  const bufferViews = views.map((view) => {
    let { bytes } = view;
    const rawLength = bytes.byteLength;
    let extension: Record<string, unknown> | undefined;
    if (meshopt && view.mode) {
      let source = bytes;
      let filter = view.filter ?? 'NONE';
      if (filter === 'EXPONENTIAL') {
        const floats = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
        source = MeshoptEncoder.encodeFilterExp(
          floats,
          view.count,
          view.stride,
          view.bits ?? 12,
          'SharedComponent',
        );
      }
      if (view.mode !== 'ATTRIBUTES') filter = 'NONE';
      bytes = MeshoptEncoder.encodeGltfBuffer(source, view.count, view.stride, view.mode, 0);
      extension = {
        buffer: 0,
        byteOffset: 0,
        byteLength: bytes.byteLength,
        byteStride: view.stride,
        count: view.count,
        mode: view.mode,
        ...(filter === 'NONE' ? {} : { filter }),
      };
    }
    const padding = (4 - (offset % 4)) % 4;
    if (padding) chunks.push(new Uint8Array(padding));
    offset += padding;
    const at = offset;
    chunks.push(bytes);
    offset += bytes.byteLength;
    const stride = view.target === 34962 && view.stride % 4 === 0 ? { byteStride: view.stride } : {};
    const target = view.target ? { target: view.target } : {};
    if (!extension) return { buffer: 0, byteOffset: at, byteLength: rawLength, ...stride, ...target };
    extension.byteOffset = at;
    fallback += (4 - (fallback % 4)) % 4;
    const result = {
      buffer: 1,
      byteOffset: fallback,
      byteLength: rawLength,
      ...stride,
      ...target,
      extensions: { EXT_meshopt_compression: extension },
    };
    fallback += rawLength;
    return result;
  });
  const length = offset + ((4 - (offset % 4)) % 4);
  const compressed = fallback > 0;
  const full = {
    ...json,
    ...(compressed
      ? { extensionsUsed: ['EXT_meshopt_compression'], extensionsRequired: ['EXT_meshopt_compression'] }
      : {}),
    bufferViews,
    buffers: [
      { byteLength: length },
      ...(compressed
        ? [{ byteLength: fallback, extensions: { EXT_meshopt_compression: { fallback: true } } }]
        : []),
    ],
  };
  const text = new TextEncoder().encode(JSON.stringify(full));
  const textLength = text.byteLength + ((4 - (text.byteLength % 4)) % 4);
  const out = new Uint8Array(12 + 8 + textLength + 8 + length);
  const header = new DataView(out.buffer);
  header.setUint32(0, 0x46546c67, true);
  header.setUint32(4, 2, true);
  header.setUint32(8, out.byteLength, true);
  header.setUint32(12, textLength, true);
  header.setUint32(16, 0x4e4f534a, true);
  out.fill(0x20, 20, 20 + textLength);
  out.set(text, 20);
  header.setUint32(20 + textLength, length, true);
  header.setUint32(24 + textLength, 0x004e4942, true);
  let at = 28 + textLength;
  for (const chunk of chunks) {
    out.set(chunk, at);
    at += chunk.byteLength;
  }
  return out;
}

/**
 * Renumbers vertices in the order of use, which the index and attribute codecs need to do well.
 * `MeshoptEncoder` must be ready.
 */
export function inOrderOfUse(surface: Surface): Surface {
  const count = surface.points.length / 3;
  const [remap, unique] = MeshoptEncoder.reorderMesh(Uint32Array.from(surface.triangles), true, true);
  if (unique !== count) return surface;
  const triangles = new Uint32Array(surface.triangles.length);
  // reorderMesh rewrites the indices it was given; ask again on the array that is kept.
  triangles.set(surface.triangles);
  const [map] = MeshoptEncoder.reorderMesh(triangles, true, true);
  void remap;
  const move = (values: Float32Array, width: number): Float32Array => {
    const out = new Float32Array(values.length);
    for (let i = 0; i < count; i++) {
      const to = map[i]!;
      for (let c = 0; c < width; c++) out[to * width + c] = values[i * width + c]!;
    }
    return out;
  };
  return {
    ...surface,
    triangles,
    points: move(surface.points, 3),
    normals: move(surface.normals, 3),
    ...(surface.uv ? { uv: move(surface.uv, 2) } : {}),
    ...(surface.colours ? { colours: move(surface.colours, 3) } : {}),
    ...(surface.headShare ? { headShare: move(surface.headShare, 1) } : {}),
    ...(surface.photoLight ? { photoLight: move(surface.photoLight, 3) } : {}),
    ...(surface.morphs
      ? { morphs: surface.morphs.map((delta) => (delta ? move(delta, 3) : undefined)) }
      : {}),
  };
}

async function encodeRaster(raster: Raster): Promise<{ bytes: Uint8Array; mimeType: string }> {
  const image = sharp(raster.data, {
    raw: { width: raster.width, height: raster.height, channels: raster.channels },
  });
  if (raster.quality === undefined) {
    return {
      bytes: new Uint8Array(await image.png({ compressionLevel: 9 }).toBuffer()),
      mimeType: 'image/png',
    };
  }
  const jpeg = await image
    .jpeg({ quality: raster.quality, chromaSubsampling: '4:2:0', mozjpeg: false, optimiseCoding: true })
    .toBuffer();
  return { bytes: new Uint8Array(jpeg), mimeType: 'image/jpeg' };
}

function bytesOf(values: Float32Array | Uint16Array | Uint32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

function bounds(values: Float32Array): { min: number[]; max: number[] } {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < values.length; i += 3) {
    for (let c = 0; c < 3; c++) {
      min[c] = Math.min(min[c]!, values[i + c]!);
      max[c] = Math.max(max[c]!, values[i + c]!);
    }
  }
  return { min, max };
}

const round = (p: Vector): Vector => [Math.fround(p[0]), Math.fround(p[1]), Math.fround(p[2])];
const negate = (p: Vector): Vector => round([-p[0], -p[1], -p[2]]);
