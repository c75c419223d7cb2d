import type { Document, Material } from '@gltf-transform/core';
import type { FormatFile } from './format_file.ts';
import { type FlatScene, flatScene } from './scene/flat_scene.ts';
import { determinant, identity, moved, normalMatrix } from './scene/matrix.ts';
import { Pictures } from './scene/pictures.ts';
import type { SceneNode } from './scene/scene_node.ts';
import { surfaceOf } from './scene/surface.ts';
import { uvSetOf } from './scene/vertices.ts';

/** Lines per string: all of a large head's would exceed the longest string. */
const linesPerChunk = 100_000;

/**
 * A head at rest as Wavefront OBJ with its material and textures: metres, Y up, triangles. OBJ knows neither
 * morph targets nor bones.
 *
 * @param stem - Names the files, without extension.
 * @throws Failure `unsupported` where the document has no triangles, or a picture can't be read
 */
export async function objFiles(document: Document, stem: string): Promise<FormatFile[]> {
  const scene = flatScene(document);
  const materials = [...new Set(scene.nodes.flatMap(({ mesh }) => mesh?.materials ?? []))];
  const lines = [`# Likeness Studio`, `mtllib ${stem}.mtl`];
  const base = { v: 1, vt: 1 };
  for (const node of scene.nodes) writeNode(node, lines, base, materials);
  const { text, pictures } = await materialFile(materials, scene.tints);
  return [
    { name: `${stem}.obj`, data: bytesOf(lines) },
    { name: `${stem}.mtl`, data: Buffer.from(text) },
    ...pictures,
  ];
}

function bytesOf(lines: readonly string[]): Uint8Array {
  const parts: Buffer[] = [];
  for (let from = 0; from < lines.length; from += linesPerChunk)
    parts.push(Buffer.from(`${lines.slice(from, from + linesPerChunk).join('\n')}\n`));
  return Buffer.concat(parts);
}

/** One object: its points, its texture coordinates, and its triangles material by material. */
function writeNode(
  { name, mesh, skin, world }: SceneNode,
  lines: string[],
  base: { v: number; vt: number },
  materials: readonly (Material | null)[],
): void {
  if (!mesh) return;
  // A skinned mesh's points stand in the scene already.
  const matrix = skin ? identity : world;
  const turn = normalMatrix(matrix);
  const isMirrored = determinant(matrix) < 0;
  /** Where the texture coordinates of each set begin: OBJ knows one set, so each material's own is written. */
  const starts = new Map<Float32Array, number>();
  const uvsOf = (material: Material | null): Float32Array | undefined =>
    mesh.uvs[uvSetOf(material?.getBaseColorTextureInfo())] ?? mesh.uvs[0];
  lines.push(`o ${name.replace(/\s+/g, '_')}`);
  const rows = function* (values: Float32Array): Generator<[number, number, number]> {
    for (let i = 0; i < values.length; i += 3) yield [values[i]!, values[i + 1]!, values[i + 2]!];
  };
  for (const [x, y, z] of rows(mesh.positions)) lines.push(`v ${numbers(moved(matrix, x, y, z, 1))}`);
  for (const uvs of new Set(mesh.materials.map(uvsOf))) {
    if (!uvs) continue;
    starts.set(uvs, base.vt);
    base.vt += uvs.length / 2;
    for (let i = 0; i < uvs.length; i += 2) lines.push(`vt ${numbers([uvs[i]!, 1 - uvs[i + 1]!])}`);
  }
  for (const [x, y, z] of rows(mesh.normals)) {
    const normal = moved(turn, x, y, z, 0);
    const length = Math.hypot(...normal) || 1;
    lines.push(`vn ${numbers(normal.map((value) => value / length))}`);
  }
  for (const [slot, material] of mesh.materials.entries()) {
    const start = starts.get(uvsOf(material)!);
    const corner = (at: number): string => {
      const point = base.v + mesh.corners[at]!;
      return `${point}/${start === undefined ? '' : start + mesh.rows[at]!}/${point}`;
    };
    lines.push(`usemtl material_${materials.indexOf(material)}`);
    for (const [triangle, own] of mesh.slots.entries()) {
      if (own !== slot) continue;
      const [a, b, c] = [3 * triangle, 3 * triangle + 1, 3 * triangle + 2];
      lines.push(`f ${(isMirrored ? [a, c, b] : [a, b, c]).map(corner).join(' ')}`);
    }
  }
  base.v += mesh.positions.length / 3;
}

async function materialFile(
  materials: readonly (Material | null)[],
  tints: FlatScene['tints'],
): Promise<{ text: string; pictures: FormatFile[] }> {
  const made = new Pictures();
  const lines: string[] = [];
  const pictures = new Map<string, FormatFile>();
  for (const [number, material] of materials.entries()) {
    const { base, opacity } = surfaceOf(material, tints);
    lines.push(`newmtl material_${number}`, `Kd ${numbers(base)}`, `d ${numbers([opacity])}`);
    const picture = material && (await made.color(material));
    if (!picture) continue;
    pictures.set(picture.name, picture);
    lines.push(`map_Kd ${picture.name}`);
  }
  return { text: `${lines.join('\n')}\n`, pictures: [...pictures.values()] };
}

const numbers = (values: readonly number[]): string =>
  values.map((value) => String(Math.round(value * 1e6) / 1e6)).join(' ');
