import { type Document, Logger } from '@gltf-transform/core';
import {
  EXTMeshoptCompression,
  EXTTextureAVIF,
  EXTTextureWebP,
  KHRMaterialsPBRSpecularGlossiness,
  KHRMeshQuantization,
} from '@gltf-transform/extensions';
import { dequantize, meshopt, metalRough, textureCompress } from '@gltf-transform/functions';
import { t } from '@likeness/messages';
import { Failure, messageOf } from '@likeness/node-kit/failure.ts';
import { describeHead } from '@likeness/proto/heads/head_json.ts';
import { MeshoptEncoder } from 'meshoptimizer';
import sharp from 'sharp';
import { refuseUnboundedGlb } from './glb_bounds.ts';
import { glbJson } from './glb_json.ts';
import { gltfIo } from './gltf_io.ts';
import { makeLean } from './lean_document.ts';
import { isOldScene, modernise } from './modern_head.ts';
import { setTargetNames, targetNames } from './morph_targets.ts';

/** Maximum size of a file to parse and rewrite, bytes: it is in memory several times meanwhile. */
const maxRewrittenBytes = 256 * 1024 * 1024;

/** Kinds of pictures that many importers can't read. */
const pictureKinds: readonly string[] = [EXTTextureWebP.EXTENSION_NAME, EXTTextureAVIF.EXTENSION_NAME];

/** Compression extensions that many importers can't read. */
const packings: readonly string[] = [
  EXTMeshoptCompression.EXTENSION_NAME,
  KHRMeshQuantization.EXTENSION_NAME,
  ...pictureKinds,
];

/**
 * Reads a head from any program; one that an earlier version of the studio made is converted to today's scene
 * (docs/formats/glb.md).
 *
 * @throws Failure `unsupported` if it exceeds the limits, `invalid_input` if it can't be decoded
 */
export async function readHead(glb: Uint8Array): Promise<Document> {
  await refuseUnboundedGlb(glb);
  return decodeHead(glb);
}

/** The same for a file that has already been checked against the limits. */
export async function decodeHead(glb: Uint8Array): Promise<Document> {
  if (glb.byteLength > maxRewrittenBytes)
    throw new Failure(
      'unsupported',
      t('glb.too_large_to_rewrite', {
        megabytes: Math.round(glb.byteLength / 2 ** 20),
        most: maxRewrittenBytes / 2 ** 20,
      }),
      { hint: t('glb.smaller_pictures') },
    );
  try {
    const document = await (await gltfIo()).readBinary(glb);
    modernise(document);
    nameTargets(document);
    if (uses(document, specularGlossiness)) await document.transform(metalRough());
    return document;
  } catch (cause) {
    throw new Failure('invalid_input', t('glb.unreadable', { why: messageOf(cause) }), {
      hint: t('glb.choose_another'),
      cause,
    });
  }
}

/** The older model of materials, which hardly any program still reads: Sketchfab's files have it. */
const specularGlossiness = KHRMaterialsPBRSpecularGlossiness.EXTENSION_NAME;

const uses = (document: Document, extension: string): boolean =>
  document
    .getRoot()
    .listExtensionsUsed()
    .some(({ extensionName }) => extensionName === extension);

/** Moves names of morph targets from a mesh's primitives, where some exporters write them, to the mesh. */
function nameTargets(document: Document): void {
  for (const mesh of document.getRoot().listMeshes()) {
    const isOnParts = mesh.listPrimitives().some((primitive) => primitive.getExtras().targetNames);
    if (isOnParts && !Array.isArray(mesh.getExtras().targetNames)) setTargetNames(mesh, targetNames(mesh));
  }
}

/** Removes all compression from a head and stores unmoved data sparsely, so that every importer reads it. */
export async function unpackHead(document: Document): Promise<void> {
  const packed = document
    .getRoot()
    .listExtensionsUsed()
    .filter(({ extensionName }) => packings.includes(extensionName));
  if (packed.some(({ extensionName }) => extensionName === KHRMeshQuantization.EXTENSION_NAME))
    await document.transform(dequantize());
  await unpackPictures(document);
  for (const extension of packed) extension.dispose();
  makeLean(document);
}

/** Converts pictures that many importers can't read to PNG; their extensions stay. */
export async function unpackPictures(document: Document): Promise<void> {
  if (pictureKinds.some((extension) => uses(document, extension)))
    await document.transform(
      textureCompress({ encoder: sharp, targetFormat: 'png', formats: /^image\/(webp|avif)$/ }),
    );
}

/** A head as one file that every importer reads. */
export async function writeHead(document: Document): Promise<Uint8Array> {
  await unpackHead(document);
  return (await gltfIo()).writeBinary(document);
}

/** WebP quality, 0..100: no visible difference on skin. */
const quality = 85;
/**
 * Texture kinds to recompress, all but normal maps: WebP would halve two of their three components, and a
 * skin's are small.
 */
const looked = /^(?!normalTexture)/;

/**
 * A head in as few bytes as possible, for programs that read meshopt and WebP: positions and shapes are
 * quantised to 0.02 mm.
 */
export async function writeWebHead(document: Document): Promise<Uint8Array> {
  document.setLogger(new Logger(Logger.Verbosity.WARN));
  const io = await gltfIo();
  const isPacked = uses(document, EXTMeshoptCompression.EXTENSION_NAME);
  await document.transform(textureCompress({ encoder: sharp, targetFormat: 'webp', quality, slots: looked }));
  if (
    document
      .getRoot()
      .listTextures()
      .some((texture) => texture.getMimeType() === 'image/webp')
  )
    document.createExtension(EXTTextureWebP).setRequired(true);
  // Quantised again, geometry would lose precision a second time.
  if (isPacked) return io.writeBinary(document);
  // The meshopt codec compresses runs of zeros but does not take sparse accessors.
  for (const accessor of document.getRoot().listAccessors()) accessor.setSparse(false);
  await document.transform(meshopt({ encoder: MeshoptEncoder, level: 'medium' }));
  return io.writeBinary(document);
}

/**
 * Whether importers need a rewritten file: it is compressed, has materials of the older model, faces −Z, or
 * has an earlier version's scene.
 */
export function needsRewriting(glb: Uint8Array): boolean {
  const json = glbJson<{ extensionsUsed?: string[]; nodes?: { name?: string }[] }>(glb);
  const { extensionsUsed = [], nodes = [] } = json;
  return (
    extensionsUsed.some((name) => packings.includes(name) || name === specularGlossiness) ||
    describeHead(json).facing === '-Z' ||
    isOldScene(nodes.map(({ name }) => name))
  );
}
