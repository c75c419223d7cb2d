import { Format as Gltf } from '@gltf-transform/core';
import { gltfIo } from '../gltf_io.ts';
import { unpackHead, writeHead, writeWebHead } from '../head_file.ts';
import { writeFbx } from './fbx/write_fbx.ts';
import type { FormatFile } from './format_file.ts';
import { type exportFormats, type FileFormat, formatFiles } from './format_names.ts';
import type { OpenHead } from './head/open_head.ts';
import { objFiles } from './obj.ts';
import { writeUsdz } from './usdz/write_usdz.ts';
import { metaOfOwn, type VrmMeta } from './vrm/vrm_meta.ts';
import { writeVrm } from './vrm/write_vrm.ts';

export type HeadFormat = (typeof exportFormats)[number];

/** Metadata and permissions of a head, for formats that can hold them. */
export type HeadAbout = VrmMeta;

/** Writes a head; the last step, so it may change the document. */
type Writer = (head: OpenHead, options: { stem: string; about: HeadAbout }) => Promise<FormatFile[]>;

const one =
  (format: FileFormat, write: (head: OpenHead, about: HeadAbout) => Promise<Uint8Array>): Writer =>
  async (head, { stem, about }) => [
    { name: `${stem}.${formatFiles[format].ending}`, data: await write(head, about) },
  ];

/** The writer of each format. */
export const writers: Readonly<Record<FileFormat, Writer>> = {
  glb: one('glb', ({ document }) => writeHead(document)),
  'glb-meshopt': one('glb-meshopt', ({ document }) => writeWebHead(document)),
  vrm: one('vrm', (head, about) => vrmOfHead(head, about, '1.0')),
  vrm0: one('vrm0', (head, about) => vrmOfHead(head, about, '0.x')),
  fbx: one('fbx', ({ document }) => writeFbx(document)),
  usdz: one('usdz', ({ document }) => writeUsdz(document)),
  gltf: gltfFiles,
  obj: ({ document }, { stem }) => objFiles(document, stem),
};

const vrmOfHead = (
  { document, bones, expressions, vrm }: OpenHead,
  about: HeadAbout,
  version: '1.0' | '0.x',
): Promise<Uint8Array> =>
  writeVrm(document, { version, meta: vrm ? metaOfOwn(about, vrm.meta) : about, bones, expressions });

async function gltfFiles({ document }: OpenHead, { stem }: { stem: string }): Promise<FormatFile[]> {
  await unpackHead(document);
  const io = await gltfIo();
  const { json, resources } = await io.writeJSON(document, { format: Gltf.GLTF, basename: stem });
  return [
    { name: `${stem}.gltf`, data: Buffer.from(JSON.stringify(json)) },
    ...Object.entries(resources).map(([name, data]) => ({ name, data })),
  ];
}
