import type { Material, Texture } from '@gltf-transform/core';
import { t } from '@likeness/messages';
import { messageOf } from '@likeness/node-kit/failure.ts';
import sharp from 'sharp';
import { glbFailure } from '../../glb_bounds.ts';

/** A picture file that every program reads: PNG or JPEG. */
export interface Picture {
  /** File name, unlike any other's. */
  name: string;
  data: Uint8Array;
}

type Part = 'color' | 'opaque' | 'alpha' | 'green' | 'blue';

/** The pictures of a document as PNG and JPEG, each made once. */
export class Pictures {
  readonly #made = new Map<string, Promise<Picture>>();
  readonly #numbers = new Map<Texture, number>();
  readonly #names = new Set<string>();

  /** Base colour; its transparency only where the material asks for it: importers show any that they find. */
  color(material: Material): Promise<Picture> | null {
    return this.#picture(
      material.getBaseColorTexture(),
      material.getAlphaMode() === 'OPAQUE' ? 'opaque' : 'color',
      `${material.getName() || 'Material'}_color`,
    );
  }

  /** Transparency alone, white where the surface is there; null where there is none. */
  alpha(material: Material): Promise<Picture> | null {
    const texture = material.getAlphaMode() === 'OPAQUE' ? null : material.getBaseColorTexture();
    return this.#picture(texture, 'alpha', `${material.getName() || 'Material'}_alpha`);
  }

  normal(material: Material): Promise<Picture> | null {
    return this.#picture(material.getNormalTexture(), 'color', `${material.getName() || 'Material'}_normal`);
  }

  emissive(material: Material): Promise<Picture> | null {
    return this.#picture(
      material.getEmissiveTexture(),
      'color',
      `${material.getName() || 'Material'}_emissive`,
    );
  }

  /** Roughness in grey: the green of glTF's picture of two things. */
  roughness(material: Material): Promise<Picture> | null {
    return this.#picture(
      material.getMetallicRoughnessTexture(),
      'green',
      `${material.getName() || 'Material'}_roughness`,
    );
  }

  /** Metalness in grey: the blue of the same. */
  metallic(material: Material): Promise<Picture> | null {
    if (material.getMetallicFactor() === 0) return null;
    return this.#picture(
      material.getMetallicRoughnessTexture(),
      'blue',
      `${material.getName() || 'Material'}_metallic`,
    );
  }

  #picture(texture: Texture | null, part: Part, otherwise: string): Promise<Picture> | null {
    const image = texture?.getImage();
    if (!texture || !image) return null;
    const number = this.#numbers.get(texture) ?? this.#numbers.size;
    this.#numbers.set(texture, number);
    const key = `${number}:${part}`;
    let made = this.#made.get(key);
    if (!made) {
      const suffix = part === 'color' || part === 'opaque' ? '' : `_${part}`;
      const stem = this.#unique(texture.getName() ? texture.getName() + suffix : otherwise);
      made = portable(image, part).then(({ data, extension }) => ({ name: `${stem}.${extension}`, data }));
      this.#made.set(key, made);
    }
    return made;
  }

  #unique(wanted: string): string {
    const plain = wanted.replace(/\.(png|jpe?g|webp|avif|ktx2)$/i, '').replace(/[^\p{L}\p{N}_-]+/gu, '_');
    let name = plain.slice(0, 80) || 'Texture';
    for (let number = 2; this.#names.has(name.toLowerCase()); number++)
      name = `${plain.slice(0, 80)}_${number}`;
    this.#names.add(name.toLowerCase());
    return name;
  }
}

async function portable(
  image: Uint8Array,
  part: Part,
): Promise<{ data: Uint8Array; extension: 'png' | 'jpg' }> {
  try {
    const { format, hasAlpha } = await sharp(image).metadata();
    const isWhole = part === 'color' || (part === 'opaque' && !hasAlpha);
    if (isWhole && format === 'png') return { data: image, extension: 'png' };
    if (isWhole && format === 'jpeg') return { data: image, extension: 'jpg' };
    const picture = sharp(image);
    if (part === 'opaque') picture.removeAlpha();
    if (part === 'alpha') picture.ensureAlpha().extractChannel('alpha');
    if (part === 'green' || part === 'blue') picture.toColourspace('srgb').removeAlpha().extractChannel(part);
    return { data: await picture.png({ compressionLevel: 9 }).toBuffer(), extension: 'png' };
  } catch (error) {
    throw glbFailure(t('glb.picture_unreadable', { why: messageOf(error) }));
  }
}
