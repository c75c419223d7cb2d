import { type Material as GltfMaterial, type Node as GltfNode, NodeIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import { vertexNormals } from '@likeness/geometry/vector.ts';
import type { HeadModel, Material, Raster, Surface } from '@likeness/portrait/contract/head_model.ts';
import { MeshoptDecoder } from 'meshoptimizer';
import sharp from 'sharp';
import { type Rendering, renderHead } from './rasteriser.ts';

/** Pixels of a texture that is read, and of the side at which it is looked up. */
const maxPixels = 8192 * 8192;
const textureSide = 2048;

/**
 * Draws a thumbnail of any binary glTF head in three-quarter view: RGBA, `size` pixels a side, on a transparent
 * background. The view fits the upper part of the scene.
 */
export async function thumbnail(glb: Uint8Array, size: number): Promise<Rendering> {
  const model = await readModel(glb);
  let low = Infinity;
  let high = -Infinity;
  for (const { points } of model.surfaces) {
    for (let i = 1; i < points.length; i += 3) {
      low = Math.min(low, points[i]);
      high = Math.max(high, points[i]);
    }
  }
  const height = Math.max(1e-6, high - low) * 1.08;
  return renderHead(model, { yaw: -18, pitch: 2, size, height, middle: (low + high) / 2 });
}

/** A file's meshes at rest in world space, as the rasteriser wants them. */
async function readModel(glb: Uint8Array): Promise<HeadModel> {
  await MeshoptDecoder.ready;
  const io = new NodeIO()
    .registerExtensions(ALL_EXTENSIONS)
    .registerDependencies({ 'meshopt.decoder': MeshoptDecoder });
  const document = await io.readBinary(glb);
  const rasters: Raster[] = [];
  /** The first is that of surfaces for which the file names none; unused ones are not read. */
  const worn: (GltfMaterial | null)[] = [null];
  const surfaces: Surface[] = [];
  const visit = (node: GltfNode): void => {
    const world = node.getSkin() ? [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] : node.getWorldMatrix();
    for (const primitive of node.getMesh()?.listPrimitives() ?? []) {
      const source = primitive.getAttribute('POSITION');
      if (!source || primitive.getMode() !== 4) continue;
      const count = source.getCount();
      const points = new Float32Array(count * 3);
      const element: number[] = [];
      for (let i = 0; i < count; i++) {
        const [x, y, z] = source.getElement(i, element) as [number, number, number];
        for (let c = 0; c < 3; c++)
          points[3 * i + c] = world[c] * x + world[4 + c] * y + world[8 + c] * z + world[12 + c];
      }
      const indices = primitive.getIndices();
      const triangles = indices
        ? Uint32Array.from({ length: indices.getCount() }, (_, i) => indices.getScalar(i))
        : Uint32Array.from({ length: count }, (_, i) => i);
      const read = (name: string, width: number): Float32Array | undefined => {
        const accessor = primitive.getAttribute(name);
        if (!accessor) return undefined;
        const values = new Float32Array(count * width);
        for (let i = 0; i < count; i++) {
          accessor.getElement(i, element);
          for (let c = 0; c < width; c++) values[width * i + c] = element[c];
        }
        return values;
      };
      const material = primitive.getMaterial();
      if (!worn.includes(material)) worn.push(material);
      const uv = read('TEXCOORD_0', 2);
      const colours = read('COLOR_0', 3);
      surfaces.push({
        name: node.getName(),
        material: worn.indexOf(material),
        node: 'Head',
        points,
        normals: vertexNormals(points, triangles),
        triangles,
        ...(uv ? { uv } : {}),
        ...(colours ? { colours } : {}),
      });
    }
  };
  for (const scene of document.getRoot().listScenes()) scene.traverse(visit);
  const materials: Material[] = [];
  for (const material of worn) materials.push(await readMaterial(material, rasters));
  return {
    surfaces,
    materials,
    rasters,
    targetNames: [],
    headPivot: [0, 0, 0],
    leftEye: [0, 0, 0],
    rightEye: [0, 0, 0],
    extras: {},
  };
}

/** Reads a material, and its picture into `rasters`. */
async function readMaterial(material: GltfMaterial | null, rasters: Raster[]): Promise<Material> {
  if (!material) return { name: '', colour: [1, 1, 1, 1], roughness: 1 };
  const image = material.getBaseColorTexture()?.getImage();
  const mode = material.getAlphaMode();
  const texture = rasters.length;
  if (image) {
    const { data, info } = await sharp(image, { limitInputPixels: maxPixels })
      // Only as large as it is visible: an artist's textures would take gigabytes.
      .resize({ width: textureSide, height: textureSide, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    rasters.push({ name: '', width, height, channels: channels === 4 ? 4 : 3, data });
  }
  return {
    name: material.getName(),
    colour: material.getBaseColorFactor(),
    roughness: material.getRoughnessFactor(),
    ...(image ? { texture } : {}),
    ...(mode === 'OPAQUE' ? {} : { alphaMode: mode }),
    doubleSided: material.getDoubleSided(),
  };
}
