import {
  type Accessor,
  Document,
  Material,
  type Mesh,
  Primitive,
  type Property,
  TextureInfo,
} from '@gltf-transform/core';
import { assembleHead, followHead, nameTexture } from '@likeness/gltf/head_scene.ts';
import { morphNormals } from '@likeness/gltf/morph_normals.ts';
import { addTargets, setTargetNames } from '@likeness/gltf/morph_targets.ts';
import { MeshoptEncoder, MeshoptSimplifier } from 'meshoptimizer';
import sharp from 'sharp';
import type { HeadModel, Raster } from '../contract/head_model.ts';
import { tangentsOf } from '../texture/tangents.ts';
import { type headParts, leanHead, partOf } from './lean_head.ts';

/** A head as a glTF document in the scene of docs/formats/glb.md. Invisible parts are left out. */
export async function headDocument(full: HeadModel): Promise<Document> {
  await Promise.all([MeshoptEncoder.ready, MeshoptSimplifier.ready]);
  const pictures = Promise.all(full.rasters.map(encodeRaster));
  const model = leanHead(full);
  const document = new Document();
  document.getRoot().getAsset().generator = 'Likeness Studio portrait engine';
  const buffer = document.createBuffer();
  const materials = materialsOf(document, model, await pictures);
  const accessor = (
    array: Float32Array | Uint8Array | Uint16Array | Uint32Array,
    type: 'SCALAR' | 'VEC2' | 'VEC3' | 'VEC4',
  ): Accessor =>
    document
      .createAccessor()
      .setType(type)
      .setArray(array as Float32Array<ArrayBuffer>)
      .setBuffer(buffer);

  const meshOf = (part: (typeof headParts)[number]): Mesh | null => {
    const surfaces = model.surfaces.filter((surface) => partOf(surface) === part);
    if (surfaces.length === 0) return null;
    const mesh = document.createMesh();
    const moving = model.targetNames
      .map((name, target) => ({ name, target }))
      // The face has all targets, even those that move nothing; an eye has those that turn it.
      .filter(({ target }) => part === 'Head' || surfaces.some(({ morphs }) => morphs?.[target]));
    const names = moving.map(({ name }) => name);
    for (const surface of surfaces) {
      const count = surface.points.length / 3;
      const primitive = document
        .createPrimitive()
        .setMaterial(materials[surface.material]!)
        .setAttribute('POSITION', accessor(surface.points, 'VEC3'))
        .setAttribute('NORMAL', accessor(surface.normals, 'VEC3'))
        .setIndices(
          accessor(count < 65535 ? Uint16Array.from(surface.triangles) : surface.triangles, 'SCALAR'),
        );
      const { texture, normalTexture } = model.materials[surface.material]!;
      if (surface.uv && texture !== undefined)
        primitive.setAttribute('TEXCOORD_0', accessor(surface.uv, 'VEC2'));
      const tangents = normalTexture === undefined ? undefined : tangentsOf(surface);
      if (tangents) primitive.setAttribute('TANGENT', accessor(tangents, 'VEC4'));
      if (surface.colours)
        primitive.setAttribute('COLOR_0', accessor(opaque(surface.colours), 'VEC4').setNormalized(true));
      if (surface.node === 'skin') {
        const { joints, weights } = weighed(surface.headShare, count);
        primitive
          .setAttribute('JOINTS_0', accessor(joints, 'VEC4'))
          .setAttribute('WEIGHTS_0', accessor(weights, 'VEC4').setNormalized(true));
      } else if (surface.node === 'Head') followHead(document, primitive);
      const moves = moving.map(({ target }) => surface.morphs?.[target]);
      // Elsewhere, inside the mouth and on the eyes, nobody sees the difference.
      const turns = surface.name === 'Skin' ? morphNormals({ ...surface, names, moves }) : [];
      addTargets(document, primitive, moves, turns);
      mesh.addPrimitive(primitive);
    }
    if (names.length) setTargetNames(mesh, names).setWeights(names.map(() => 0));
    return mesh;
  };

  const scene = document.createScene('Likeness').setExtras({
    ...model.extras,
    ...(Object.keys(model.photoExpression ?? {}).length ? { photoExpression: model.photoExpression } : {}),
  });
  document.getRoot().setDefaultScene(scene);
  assembleHead(document, scene, {
    headPivot: model.headPivot,
    leftEye: model.leftEye,
    rightEye: model.rightEye,
    head: meshOf('Head')!,
    hair: meshOf('Hair'),
    cloth: meshOf('Cloth'),
    glasses: meshOf('Glasses'),
    eyes: { left: meshOf('LeftEye'), right: meshOf('RightEye') },
  });
  leaveOutUnworn(document);
  return document;
}

/** Drops materials that no surface wears, as a bald head's hair, and their pictures. */
function leaveOutUnworn(document: Document): void {
  const isOf = (property: Property, kind: typeof Primitive | typeof Material): boolean =>
    property.listParents().some((parent) => parent instanceof kind);
  for (const material of document.getRoot().listMaterials())
    if (!isOf(material, Primitive)) material.dispose();
  for (const texture of document.getRoot().listTextures()) if (!isOf(texture, Material)) texture.dispose();
}

function materialsOf(
  document: Document,
  { materials }: HeadModel,
  pictures: readonly { bytes: Uint8Array; mimeType: string }[],
): Material[] {
  const textures = pictures.map(({ bytes, mimeType }) =>
    document
      .createTexture()
      .setImage(bytes as Uint8Array<ArrayBuffer>)
      .setMimeType(mimeType),
  );
  return materials.map((given) => {
    const material = document
      .createMaterial(given.name)
      .setBaseColorFactor([...given.colour])
      .setMetallicFactor(given.metallic ?? 0)
      .setRoughnessFactor(given.roughness)
      .setDoubleSided(given.doubleSided ?? false);
    if (given.alphaMode) material.setAlphaMode(given.alphaMode);
    if (given.texture === undefined) return material;
    material.setBaseColorTexture(textures[given.texture]!);
    sampleSmoothly(material.getBaseColorTextureInfo()!);
    nameTexture(material);
    if (given.roughnessTexture !== undefined) {
      const roughness = textures[given.roughnessTexture]!.setName(`${given.name}_Roughness`);
      sampleSmoothly(material.setMetallicRoughnessTexture(roughness).getMetallicRoughnessTextureInfo()!);
    }
    if (given.normalTexture !== undefined) {
      const normals = textures[given.normalTexture]!.setName(`${given.name}_Normal`);
      sampleSmoothly(material.setNormalTexture(normals).getNormalTextureInfo()!);
    }
    return material;
  });
}

function sampleSmoothly(info: TextureInfo): void {
  info
    .setWrapS(TextureInfo.WrapMode.CLAMP_TO_EDGE!)
    .setWrapT(TextureInfo.WrapMode.CLAMP_TO_EDGE!)
    .setMagFilter(TextureInfo.MagFilter.LINEAR!)
    .setMinFilter(TextureInfo.MinFilter.LINEAR_MIPMAP_LINEAR!);
}

/** A picture as the file has it: JPEG of its quality, or PNG. */
export async function encodeRaster(raster: Raster): Promise<{ bytes: Uint8Array; mimeType: string }> {
  const { width, height, channels, quality, fullChroma } = raster;
  const image = sharp(raster.data, { raw: { width, height, channels } });
  if (quality === undefined)
    return { bytes: await image.png({ compressionLevel: 9 }).toBuffer(), mimeType: 'image/png' };
  const chromaSubsampling = fullChroma ? '4:4:4' : '4:2:0';
  const jpeg = image.jpeg({ quality, chromaSubsampling, mozjpeg: false, optimiseCoding: true });
  return { bytes: await jpeg.toBuffer(), mimeType: 'image/jpeg' };
}

/** Linear RGB, × 3, as bytes with full cover. */
function opaque(colours: Float32Array): Uint8Array {
  const bytes = new Uint8Array((colours.length / 3) * 4).fill(255);
  for (let i = 0; i < colours.length / 3; i++)
    for (let c = 0; c < 3; c++)
      bytes[4 * i + c] = Math.round(255 * Math.min(1, Math.max(0, colours[3 * i + c]!)));
  return bytes;
}

/** The joints `Head` (0) and `Neck` (1): the neck has what is not the head's. */
function weighed(
  share: Float32Array | undefined,
  count: number,
): { joints: Uint8Array; weights: Uint8Array } {
  const joints = new Uint8Array(4 * count);
  const weights = new Uint8Array(4 * count);
  for (let i = 0; i < count; i++) {
    const head = Math.round(255 * (share?.[i] ?? 1));
    weights.set([head, 255 - head], 4 * i);
    // A slot of no weight must name joint 0.
    if (head < 255) joints[4 * i + 1] = 1;
  }
  return { joints, weights };
}
