import { Logger, NodeIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS, EXTMeshoptCompression } from '@gltf-transform/extensions';
import { MeshoptDecoder } from 'meshoptimizer';

/**
 * The same head without EXT_meshopt_compression, at which Blender up to 5.1 and other importers stop ("not available on
 * this addon version"). A file that has none comes back as it is.
 *
 * @throws Error where `glb` is no GLB, or is packed wrongly
 */
export async function unpackedGlb(glb: Buffer): Promise<Buffer> {
  const head = glb.subarray(0, 20 + (glb.length < 20 ? 0 : glb.readUInt32LE(12)));
  if (!head.includes(EXTMeshoptCompression.EXTENSION_NAME)) return glb;
  await MeshoptDecoder.ready;
  const io = new NodeIO()
    .registerExtensions(ALL_EXTENSIONS)
    .registerDependencies({ 'meshopt.decoder': MeshoptDecoder });
  io.setLogger(new Logger(Logger.Verbosity.ERROR));
  const document = await io.readBinary(glb);
  document.createExtension(EXTMeshoptCompression).dispose();
  return Buffer.from(await io.writeBinary(document));
}
