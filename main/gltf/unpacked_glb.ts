import { EXTMeshoptCompression } from '@gltf-transform/extensions';
import { gltfIo } from './gltf_io.ts';

/**
 * The same head without EXT_meshopt_compression, at which Blender up to 5.1 and other importers stop ("not available on
 * this addon version"). A file that has none comes back as it is, and no copy of it.
 *
 * @throws Error where `glb` is no GLB, or is packed wrongly
 */
export async function unpackedGlb(glb: Uint8Array): Promise<Buffer> {
  const bytes = Buffer.isBuffer(glb) ? glb : bufferOn(glb);
  const head = bytes.subarray(0, 20 + (bytes.length < 20 ? 0 : bytes.readUInt32LE(12)));
  if (!head.includes(EXTMeshoptCompression.EXTENSION_NAME)) return bytes;
  const io = await gltfIo();
  const document = await io.readBinary(bytes);
  document.createExtension(EXTMeshoptCompression).dispose();
  return bufferOn(await io.writeBinary(document));
}

const bufferOn = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
