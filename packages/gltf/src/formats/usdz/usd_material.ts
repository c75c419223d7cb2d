import type { Material } from '@gltf-transform/core';
import type { FlatScene } from '../scene/flat_scene.ts';
import type { Picture, Pictures } from '../scene/pictures.ts';
import { surfaceOf } from '../scene/surface.ts';
import { uvSetOf } from '../scene/vertices.ts';
import { decimals, identifier, quoted, type UsdText } from './usd_text.ts';

/**
 * Materials of a USD file as UsdPreviewSurface, which every viewer knows, and the pictures that they need.
 */
export class UsdMaterials {
  readonly #pictures: Pictures;
  readonly #tints: FlatScene['tints'];
  readonly #paths = new Map<Material | null, string>();
  readonly #names = new Set<string>();
  readonly files = new Map<string, Picture>();
  readonly #scope: string;

  constructor(scope: string, pictures: Pictures, tints: FlatScene['tints']) {
    this.#scope = scope;
    this.#pictures = pictures;
    this.#tints = tints;
  }

  /** The path of a material that `write` will write. */
  path(material: Material | null): string {
    const known = this.#paths.get(material);
    if (known) return known;
    const path = `${this.#scope}/${identifier(surfaceOf(material, this.#tints).name, this.#names)}`;
    this.#paths.set(material, path);
    return path;
  }

  async write(usd: UsdText): Promise<void> {
    const maps = new Map<Material | null, Maps>();
    for (const material of this.#paths.keys()) maps.set(material, await this.#maps(material));
    usd.block(`def Scope ${quoted(this.#scope.split('/').at(-1)!)}`, () => {
      for (const [material, path] of this.#paths) this.#writeOne(usd, material, path, maps.get(material)!);
    });
  }

  async #maps(material: Material | null): Promise<Maps> {
    if (!material) return {};
    const maps: Maps = {};
    const add = async (name: keyof Maps, wanted: Promise<Picture> | null, set: number) => {
      const picture = await wanted;
      if (!picture) return;
      maps[name] = { file: `textures/${picture.name}`, set };
      this.files.set(`textures/${picture.name}`, picture);
    };
    const base = uvSetOf(material.getBaseColorTextureInfo());
    const rough = uvSetOf(material.getMetallicRoughnessTextureInfo());
    await add('color', this.#pictures.color(material), base);
    await add('normal', this.#pictures.normal(material), uvSetOf(material.getNormalTextureInfo()));
    await add('emissive', this.#pictures.emissive(material), uvSetOf(material.getEmissiveTextureInfo()));
    await add('roughness', this.#pictures.roughness(material), rough);
    await add('metallic', this.#pictures.metallic(material), rough);
    return maps;
  }

  #writeOne(usd: UsdText, material: Material | null, path: string, maps: Maps): void {
    const { base, opacity, isOpaque, roughness, metallic, emissive, normalScale } = surfaceOf(
      material,
      this.#tints,
    );
    const of = (map: keyof Maps, output: string): string => `.connect = <${path}/${map}.outputs:${output}>`;
    usd.block(`def Material ${quoted(path.split('/').at(-1)!)}`, () => {
      usd.line(`token outputs:surface.connect = <${path}/surface.outputs:surface>`);
      usd.block('def Shader "surface"', () => {
        usd.line('uniform token info:id = "UsdPreviewSurface"');
        usd.line(`color3f inputs:diffuseColor${maps.color ? of('color', 'rgb') : ` = ${tuple(base)}`}`);
        usd.line(`float inputs:roughness${maps.roughness ? of('roughness', 'r') : ` = ${short(roughness)}`}`);
        usd.line(`float inputs:metallic${maps.metallic ? of('metallic', 'r') : ` = ${short(metallic)}`}`);
        usd.line(
          `color3f inputs:emissiveColor${maps.emissive ? of('emissive', 'rgb') : ` = ${tuple(emissive)}`}`,
        );
        if (maps.normal) usd.line(`normal3f inputs:normal${of('normal', 'rgb')}`);
        if (!isOpaque)
          usd.line(`float inputs:opacity${maps.color ? of('color', 'a') : ` = ${short(opacity)}`}`);
        if (material?.getAlphaMode() === 'MASK')
          usd.line(`float inputs:opacityThreshold = ${short(material.getAlphaCutoff())}`);
        usd.line('token outputs:surface');
      });
      const scales: Record<keyof Maps, number[]> = {
        color: [...base, opacity],
        emissive: [...emissive, 1],
        roughness: [roughness, roughness, roughness, 1],
        metallic: [metallic, metallic, metallic, 1],
        // A picture's 0..1 are a direction's −1..1.
        normal: [2 * normalScale, 2 * normalScale, 2, 1],
      };
      for (const [name, { file, set }] of Object.entries(maps) as [keyof Maps, MapFile][])
        writeMap(usd, `${path}/${name}`, { file, set, scale: scales[name] });
    });
  }
}

interface MapFile {
  file: string;
  /** Index of its set of texture coordinates. */
  set: number;
}
type Maps = Partial<Record<'color' | 'normal' | 'emissive' | 'roughness' | 'metallic', MapFile>>;

const short = decimals(5);
const tuple = (values: readonly number[]): string => `(${values.map(short).join(', ')})`;

/** The name of a mesh's texture coordinates. */
export const uvName = (set: number): string => (set === 0 ? 'st' : `st${set}`);

function writeMap(usd: UsdText, path: string, { file, set, scale }: MapFile & { scale: number[] }): void {
  const name = path.split('/').at(-1)!;
  const isColor = name === 'color' || name === 'emissive';
  usd.block(`def Shader ${quoted(name)}`, () => {
    usd.line('uniform token info:id = "UsdUVTexture"');
    usd.line(`asset inputs:file = @${file}@`);
    usd.line(`float2 inputs:st.connect = <${path}_uv.outputs:result>`);
    usd.line('token inputs:wrapS = "repeat"');
    usd.line('token inputs:wrapT = "repeat"');
    usd.line(`token inputs:sourceColorSpace = "${isColor ? 'sRGB' : 'raw'}"`);
    usd.line(`float4 inputs:scale = ${tuple(scale)}`);
    if (name === 'normal') usd.line(`float4 inputs:bias = ${tuple([-scale[0]! / 2, -scale[1]! / 2, -1, 0])}`);
    usd.line('float3 outputs:rgb');
    for (const output of ['r', 'a']) usd.line(`float outputs:${output}`);
  });
  usd.block(`def Shader ${quoted(`${name}_uv`)}`, () => {
    usd.line('uniform token info:id = "UsdPrimvarReader_float2"');
    usd.line(`string inputs:varname = "${uvName(set)}"`);
    usd.line('float2 outputs:result');
  });
}
