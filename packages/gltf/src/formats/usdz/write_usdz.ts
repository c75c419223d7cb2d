import type { Document } from '@gltf-transform/core';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { flatScene } from '../scene/flat_scene.ts';
import { Pictures } from '../scene/pictures.ts';
import { shapeNames } from '../scene/shape_names.ts';
import { type ZipEntry, zipDirectory, zipEntry, zipSum } from '../zip/zip_records.ts';
import { UsdMaterials } from './usd_material.ts';
import { writeMesh } from './usd_mesh.ts';
import { jointPaths, writeSkeleton } from './usd_skeleton.ts';
import { decimals, identifier, quoted, UsdText } from './usd_text.ts';

/**
 * A glTF document as USDZ: a USD file as text and its pictures, in a zip whose files lie at multiples of 64
 * bytes, as the format asks. Morph targets are UsdSkel blend shapes of the same names, the scene is one
 * skeleton, and an animation is what drives it. Metres, Y up. The same document gives the same bytes.
 *
 * @throws Failure `unsupported` where the document has no triangles, a picture can't be read, or it is over 4
 *   GiB
 *
 * @example
 * const document = await (await gltfIo()).readBinary(glb);
 * await writeFile('head.usdz', await writeUsdz(document));
 */
export async function writeUsdz(document: Document): Promise<Uint8Array> {
  const scene = flatScene(document);
  const root = '/Head';
  const materials = new UsdMaterials(`${root}/Materials`, new Pictures(), scene.tints);
  const joints = jointPaths(scene.nodes);
  const shapes = scene.nodes.map(({ mesh }) => (mesh ? shapeNames(mesh.targets) : []));
  const names = new Set(['Skeleton', 'Materials']);
  const usd = new UsdText();
  usd.line('#usda 1.0');
  usd.line('(');
  usd.line(`  defaultPrim = ${quoted(root.slice(1))}`);
  usd.line('  doc = "Likeness Studio"');
  usd.line('  metersPerUnit = 1');
  usd.line('  upAxis = "Y"');
  const [motion] = scene.motions;
  if (motion) {
    usd.line(`  startTimeCode = ${Math.round(motion.start * motion.rate)}`);
    usd.line(`  endTimeCode = ${Math.round(motion.end * motion.rate)}`);
    usd.line(`  timeCodesPerSecond = ${decimals(5)(motion.rate)}`);
    usd.line(`  framesPerSecond = ${decimals(5)(motion.rate)}`);
  }
  usd.line(')');
  // Materials take time, for their pictures; a block in braces must be written synchronously.
  const inside = new UsdText();
  const skeleton = `${root}/Skeleton`;
  const animation = writeSkeleton(inside, { scene, path: skeleton, joints, shapes });
  for (const [index, node] of scene.nodes.entries()) {
    if (!node.mesh) continue;
    const path = `${root}/${identifier(node.name, names)}`;
    writeMesh(inside, node, index, { path, skeleton, animation, joints, shapes: shapes[index]!, materials });
  }
  await materials.write(inside);
  usd.line(`def SkelRoot ${quoted(root.slice(1))} (`);
  usd.line('  kind = "component"');
  usd.line('  prepend apiSchemas = ["SkelBindingAPI"]');
  usd.line(')');
  usd.line('{');
  const text = Buffer.concat([usd.bytes(), inside.bytes(), Buffer.from('}\n')]);
  return archive([
    { name: 'head.usda', data: text },
    ...[...materials.files].map(([name, { data }]) => ({ name, data })),
  ]);
}

/** All dates are the first of 1980, so that the bytes depend only on the document. */
function archive(files: readonly { name: string; data: Uint8Array }[]): Uint8Array {
  const parts: Uint8Array[] = [];
  const entries: ZipEntry[] = [];
  let offset = 0;
  for (const { name, data } of files) {
    const entry = zipEntry({ name, ...zipSum(data), offset, at: 315_532_800_000, alignment: 64 });
    parts.push(entry.local, data);
    entries.push(entry);
    offset += entry.local.length + data.length;
    if (offset > 0xfff0_0000)
      throw new Failure('unsupported', t('format.usdz_too_much'), {
        hint: t('format.shorter'),
      });
  }
  return Buffer.concat([...parts, zipDirectory(entries, offset)]);
}
