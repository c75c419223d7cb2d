import { gltfIo } from '@likeness/gltf/gltf_io.ts';
import type { HeadModel } from '../contract/head_model.ts';
import { encodeRaster, headDocument } from './head_document.ts';

/** Maximum size of a head's file, bytes. */
const maxGlbBytes = 3_000_000;

/** By how much the quality of JPEGs is lowered, step by step, where the file is larger. */
const coarser = [5, 10, 16] as const;

/**
 * Writes a head as binary glTF 2.0 without any extension (docs/formats/glb.md). The bytes depend on the model
 * alone. Where it would be too large, its pictures are coarser: they are large because they are noisy, and
 * noise hides it.
 */
export async function writeGlb(model: HeadModel): Promise<Uint8Array> {
  const io = await gltfIo();
  const document = await headDocument(model);
  let bytes = await io.writeBinary(document);
  for (const less of coarser) {
    if (bytes.byteLength <= maxGlbBytes) break;
    const textures = document.getRoot().listTextures();
    for (const [i, raster] of model.rasters.entries()) {
      if (raster.quality === undefined) continue;
      const picture = await encodeRaster({ ...raster, quality: raster.quality - less });
      textures[i]!.setImage(picture.bytes as Uint8Array<ArrayBuffer>);
    }
    bytes = await io.writeBinary(document);
  }
  return bytes;
}
