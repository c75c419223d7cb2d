import { type Document, type Node, Primitive } from '@gltf-transform/core';
import { dequantize } from '@gltf-transform/functions';
import type { FormatFile } from './format_file.ts';
import { identity, moved } from './scene/matrix.ts';

/** Lines per string: all of a large head's would exceed the longest string. */
const linesAtOnce = 100_000;

/**
 * A head at rest as Wavefront OBJ with its material and textures: metres, Y up, triangles. OBJ knows neither
 * morph targets nor bones.
 *
 * @param stem - Names the files, without extension.
 */
export async function objFiles(document: Document, stem: string): Promise<FormatFile[]> {
  await document.transform(dequantize());
  const { materials, textures } = materialText(document);
  const lines = [`# Likeness Studio`, `mtllib ${stem}.mtl`];
  const base = { v: 1, vt: 1, vn: 1 };
  for (const node of document.getRoot().listNodes()) writeNode(node, lines, base, document);
  return [
    { name: `${stem}.obj`, data: bytesOf(lines) },
    { name: `${stem}.mtl`, data: Buffer.from(`${materials.join('\n')}\n`) },
    ...textures,
  ];
}

function bytesOf(lines: readonly string[]): Uint8Array {
  const parts: Buffer[] = [];
  for (let from = 0; from < lines.length; from += linesAtOnce)
    parts.push(Buffer.from(`${lines.slice(from, from + linesAtOnce).join('\n')}\n`));
  return Buffer.concat(parts);
}

function writeNode(
  node: Node,
  lines: string[],
  base: { v: number; vt: number; vn: number },
  document: Document,
): void {
  const mesh = node.getMesh();
  if (!mesh) return;
  // A skinned mesh stands where its bind pose is; its node's own place counts for nothing (glTF 2.0,
  // 3.7.3.3).
  const matrix = node.getSkin() ? identity : node.getWorldMatrix();
  const allMaterials = document.getRoot().listMaterials();
  for (const [part, primitive] of mesh.listPrimitives().entries()) {
    const position = primitive.getAttribute('POSITION');
    if (!position || primitive.getMode() !== Primitive.Mode.TRIANGLES) continue;
    const normal = primitive.getAttribute('NORMAL');
    const uv = primitive.getAttribute('TEXCOORD_0');
    const indices = primitive.getIndices();
    const material = primitive.getMaterial();
    lines.push(`o ${(node.getName() || mesh.getName() || 'mesh').replace(/\s+/g, '_')}_${part}`);
    if (material) lines.push(`usemtl material_${allMaterials.indexOf(material)}`);
    const element: number[] = [];
    for (let i = 0; i < position.getCount(); i += 1) {
      const [x = 0, y = 0, z = 0] = position.getElement(i, element);
      const at = moved(matrix, x, y, z, 1);
      lines.push(`v ${at.map(round).join(' ')}`);
    }
    for (let i = 0; uv && i < uv.getCount(); i += 1) {
      const [u = 0, v = 0] = uv.getElement(i, element);
      lines.push(`vt ${round(u)} ${round(1 - v)}`);
    }
    for (let i = 0; normal && i < normal.getCount(); i += 1) {
      const [x = 0, y = 0, z = 0] = normal.getElement(i, element);
      const at = moved(matrix, x, y, z, 0);
      lines.push(`vn ${at.map(round).join(' ')}`);
    }
    const corners = indices?.getCount() ?? position.getCount();
    const corner = (at: number): string => {
      const i = indices ? indices.getScalar(at) : at;
      const texture = uv ? String(base.vt + i) : '';
      return `${base.v + i}${uv || normal ? `/${texture}` : ''}${normal ? `/${base.vn + i}` : ''}`;
    };
    for (let at = 0; at + 2 < corners; at += 3)
      lines.push(`f ${corner(at)} ${corner(at + 1)} ${corner(at + 2)}`);
    base.v += position.getCount();
    base.vt += uv?.getCount() ?? 0;
    base.vn += normal?.getCount() ?? 0;
  }
}

function materialText(document: Document): { materials: string[]; textures: FormatFile[] } {
  const materials: string[] = [];
  const textures = new Map<unknown, FormatFile>();
  for (const [number, material] of document.getRoot().listMaterials().entries()) {
    const [r, g, b, a] = material.getBaseColorFactor();
    materials.push(`newmtl material_${number}`, `Kd ${round(r)} ${round(g)} ${round(b)}`, `d ${round(a)}`);
    const texture = material.getBaseColorTexture();
    const image = texture?.getImage();
    if (!texture || !image) continue;
    const extension =
      texture.getMimeType() === 'image/jpeg' ? 'jpg' : (texture.getMimeType().split('/')[1] ?? 'img');
    const file = textures.get(texture) ?? { name: `texture_${textures.size}.${extension}`, data: image };
    textures.set(texture, file);
    materials.push(`map_Kd ${file.name}`);
  }
  return { materials, textures: [...textures.values()] };
}

const round = (value: number): string => String(Math.round(value * 1e6) / 1e6);
