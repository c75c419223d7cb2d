import {
  Extension,
  type Material,
  type Mesh,
  type Node,
  type NodeIO,
  type Texture,
  TextureInfo,
  type WriterContext,
} from '@gltf-transform/core';
import { sparseIo } from '../../gltf_io.ts';

/** Positions of things in the file that is being written. */
export interface FileIndices {
  node(node: Node): number;
  mesh(mesh: Mesh): number;
  material(material: Material): number;
  /** Index of an image. */
  image(texture: Texture): number;
  /** Index of a texture, which VRM 0.x refers to instead of a texture info. */
  texture(texture: Texture): number;
}

/**
 * A file-wide extension in the glTF root. Its content is built when the file is written, because the numbers
 * of nodes and meshes are known only then.
 */
abstract class RootExtension<Content> extends Extension {
  #describe: ((indices: FileIndices) => Content) | null = null;

  describe(describe: (indices: FileIndices) => Content): this {
    this.#describe = describe;
    return this;
  }

  override read(): this {
    return this;
  }

  override write(context: WriterContext): this {
    if (!this.#describe) return this;
    const at =
      <T>(map: Map<T, number>, what: string) =>
      (one: T): number => {
        const index = map.get(one);
        if (index === undefined)
          throw new Error(`${this.extensionName} points to a ${what} that is not in the file.`);
        return index;
      };
    const { json } = context.jsonDoc;
    const root = json as { extensions?: Record<string, unknown> };
    root.extensions = {
      ...root.extensions,
      [this.extensionName]: this.#describe({
        node: at(context.nodeIndexMap, 'node'),
        mesh: at(context.meshIndexMap, 'mesh'),
        material: at(context.materialIndexMap, 'material'),
        image: at(context.imageIndexMap, 'picture'),
        texture: (texture) =>
          context.createTextureInfoDef(texture, new TextureInfo(this.document.getGraph())).index,
      }),
    };
    return this;
  }
}

/** VRM 1.0. https://github.com/vrm-c/vrm-specification/tree/master/specification/VRMC_vrm-1.0 */
export class VrmcVrm<Content> extends RootExtension<Content> {
  static override readonly EXTENSION_NAME = 'VRMC_vrm';
  override readonly extensionName = VrmcVrm.EXTENSION_NAME;
}

/** VRM 0.x. https://github.com/vrm-c/vrm-specification/tree/master/specification/0.0 */
export class Vrm0<Content> extends RootExtension<Content> {
  static override readonly EXTENSION_NAME = 'VRM';
  override readonly extensionName = Vrm0.EXTENSION_NAME;
}

/**
 * VRM Animation 1.0.
 * https://github.com/vrm-c/vrm-specification/tree/master/specification/VRMC_vrm_animation-1.0
 */
export class VrmcVrmAnimation<Content> extends RootExtension<Content> {
  static override readonly EXTENSION_NAME = 'VRMC_vrm_animation';
  override readonly extensionName = VrmcVrmAnimation.EXTENSION_NAME;
}

/**
 * Writes a document with one of these extensions. Reading ignores them (`gltf_io.ts`): another author's VRM
 * metadata applies to that file alone.
 */
export const vrmIo = (): NodeIO => sparseIo([VrmcVrm, Vrm0, VrmcVrmAnimation]);
