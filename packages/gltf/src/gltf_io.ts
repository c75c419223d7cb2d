import { type Document, type Extension, type JSONDocument, Logger, NodeIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import { MeshoptDecoder, MeshoptEncoder } from 'meshoptimizer';
import { SparseWriter } from './sparse_writer.ts';

class SparseIo extends NodeIO {
  override async writeJSON(
    document: Document,
    options?: Parameters<NodeIO['writeJSON']>[1],
  ): Promise<JSONDocument> {
    const packing = document.createExtension(SparseWriter);
    try {
      return await super.writeJSON(document, options);
    } finally {
      packing.dispose();
    }
  }
}

/**
 * A writer with every extension that gltf-transform knows and these, with the fast sparse packing. It logs
 * errors only: warnings such as dense sparse morph targets are of no use to someone who exports a head.
 */
export const sparseIo = (extensions: readonly (typeof Extension)[] = []): NodeIO =>
  new SparseIo()
    .setLogger(new Logger(Logger.Verbosity.ERROR))
    .registerExtensions([...ALL_EXTENSIONS, SparseWriter, ...extensions]);

let io: Promise<NodeIO> | null = null;

/** Reads and writes GLB with every extension that gltf-transform knows, compressed geometry included. */
export function gltfIo(): Promise<NodeIO> {
  io ??= (async () => {
    await Promise.all([MeshoptDecoder.ready, MeshoptEncoder.ready]);
    return sparseIo().registerDependencies({
      'meshopt.decoder': MeshoptDecoder,
      'meshopt.encoder': MeshoptEncoder,
    });
  })();
  return io;
}
