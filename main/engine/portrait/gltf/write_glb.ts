import { gltfIo } from '../../../gltf/gltf_io.ts';
import type { HeadModel } from '../contract/head_model.ts';
import { headDocument } from './head_document.ts';

/**
 * Writes a head as binary glTF 2.0 without any extension (docs/formats/glb.md). The bytes depend on the model
 * alone.
 */
export async function writeGlb(model: HeadModel): Promise<Uint8Array> {
  return (await gltfIo()).writeBinary(await headDocument(model));
}
