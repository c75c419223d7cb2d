import type { Material } from '@gltf-transform/core';
import type { FlatScene } from '../scene/flat_scene.ts';
import type { Picture, Pictures } from '../scene/pictures.ts';
import { type Surface, surfaceOf } from '../scene/surface.ts';
import { uvSetOf } from '../scene/vertices.ts';
import { double, type FbxNode, int, named, node, raw, text } from './fbx_binary.ts';
import { uvSetName } from './fbx_geometry.ts';
import { color, enumeration, type FbxObjects, factor, properties, property, string } from './fbx_objects.ts';

/**
 * Adds materials and their pictures, each once. FBX knows only Phong. Further properties follow Blender's
 * exporter, whose source is public: roughness as shininess, metalness as reflection. Both are maps under the
 * names that Maya also uses (read by assimp and Unity).
 */
export class FbxMaterials {
  readonly #objects: FbxObjects;
  readonly #pictures: Pictures;
  readonly #tints: FlatScene['tints'];
  readonly #ids = new Map<Material | null, number>();
  readonly #videos = new Map<Picture, number>();
  readonly #names = new Set<string>();

  constructor(objects: FbxObjects, pictures: Pictures, tints: FlatScene['tints']) {
    this.#objects = objects;
    this.#pictures = pictures;
    this.#tints = tints;
  }

  /** @returns its id */
  async id(material: Material | null): Promise<number> {
    const known = this.#ids.get(material);
    if (known !== undefined) return known;
    const surface = surfaceOf(material, this.#tints);
    const id = this.#objects.add(
      'Material',
      { name: this.#unique(surface.name), kind: 'Material', type: '' },
      [
        node('Version', [int(102)]),
        node('ShadingModel', [text('phong')]),
        node('MultiLayer', [int(0)]),
        properties(...this.#values(surface)),
      ],
    );
    this.#ids.set(material, id);
    if (material) await this.#maps(material, id);
    return id;
  }

  #values({ base, opacity, roughness, metallic, emissive, normalScale }: Surface): FbxNode[] {
    return [
      string('ShadingModel', 'phong'),
      color('EmissiveColor', emissive),
      factor('EmissiveFactor', emissive.some((value) => value > 0) ? 1 : 0),
      color('AmbientColor', [0, 0, 0]),
      color('DiffuseColor', base),
      factor('DiffuseFactor', 1),
      color('TransparentColor', [1 - opacity, 1 - opacity, 1 - opacity]),
      factor('TransparencyFactor', 1 - opacity),
      factor('Opacity', opacity),
      color('SpecularColor', [1, 1, 1]),
      factor('SpecularFactor', 0.25),
      factor('Shininess', ((1 - roughness) * 10) ** 2),
      factor('ShininessExponent', ((1 - roughness) * 10) ** 2),
      color('ReflectionColor', [1, 1, 1]),
      factor('ReflectionFactor', metallic),
      factor('BumpFactor', normalScale),
    ];
  }

  async #maps(material: Material, id: number): Promise<void> {
    const pictures = this.#pictures;
    const base = uvSetOf(material.getBaseColorTextureInfo());
    const rough = uvSetOf(material.getMetallicRoughnessTextureInfo());
    const maps = [
      ['DiffuseColor', pictures.color(material), base],
      ['TransparentColor', pictures.alpha(material), base],
      ['NormalMap', pictures.normal(material), uvSetOf(material.getNormalTextureInfo())],
      ['EmissiveColor', pictures.emissive(material), uvSetOf(material.getEmissiveTextureInfo())],
      ['Maya|TEX_roughness_map', pictures.roughness(material), rough],
      ['Maya|TEX_metallic_map', pictures.metallic(material), rough],
    ] as const;
    for (const [slot, wanted, set] of maps) {
      const picture = await wanted;
      if (picture) this.#objects.connect(this.#texture(picture, set), id, slot);
    }
  }

  #texture(picture: Picture, set: number): number {
    const stem = picture.name.replace(/\.\w+$/, '');
    const id = this.#objects.add('Texture', { name: stem, kind: 'Texture', type: '' }, [
      node('Type', [text('TextureVideoClip')]),
      node('Version', [int(202)]),
      node('TextureName', [named(stem, 'Texture')]),
      properties(
        string('UVSet', uvSetName(set)),
        property('UseMaterial', 'bool', '', '', int(1)),
        enumeration('WrapModeU', 0),
        enumeration('WrapModeV', 0),
      ),
      node('Media', [named(stem, 'Video')]),
      node('FileName', [text(picture.name)]),
      node('RelativeFilename', [text(picture.name)]),
      node('ModelUVTranslation', [double(0), double(0)]),
      node('ModelUVScaling', [double(1), double(1)]),
      node('Texture_Alpha_Source', [text('None')]),
      node('Cropping', [int(0), int(0), int(0), int(0)]),
    ]);
    this.#objects.connect(this.#video(picture, stem), id);
    return id;
  }

  #video(picture: Picture, stem: string): number {
    const known = this.#videos.get(picture);
    if (known !== undefined) return known;
    const id = this.#objects.add('Video', { name: stem, kind: 'Video', type: 'Clip' }, [
      node('Type', [text('Clip')]),
      properties(string('Path', picture.name, 'XRefUrl')),
      node('UseMipMap', [int(0)]),
      node('Filename', [text(picture.name)]),
      node('RelativeFilename', [text(picture.name)]),
      node('Content', [raw(picture.data)]),
    ]);
    this.#videos.set(picture, id);
    return id;
  }

  #unique(wanted: string): string {
    let name = wanted;
    for (let number = 2; this.#names.has(name); number++) name = `${wanted}_${number}`;
    this.#names.add(name);
    return name;
  }
}
