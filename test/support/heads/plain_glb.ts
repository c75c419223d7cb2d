import { convertHead } from '@likeness/gltf/formats/convert.ts';

/** A head as the studio exports it as GLB: one file that every importer reads. */
export async function plainGlb(glb: Uint8Array): Promise<Uint8Array> {
  const { files } = await convertHead(glb, {
    format: 'glb',
    table: null,
    stem: 'head',
    about: { name: 'Head' },
  });
  return files[0]!.data;
}
