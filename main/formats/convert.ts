import { refuseUnboundedGlb } from '../gltf/glb_bounds.ts';
import { glbJson } from '../gltf/glb_json.ts';
import { decodeHead, isPackedOrOld } from '../gltf/head_file.ts';
import type { FormatFile } from './format_file.ts';
import { formats, type HeadAbout, type HeadFormat } from './formats.ts';
import { shapesOf } from './names/head_shapes.ts';
import type { NameTable } from './names/name_table.ts';
import { renameTargets } from './names/rename_targets.ts';
import { vrmPlan } from './vrm/write_vrm.ts';

export interface ConvertOrder {
  format: Exclude<HeadFormat, 'zip'>;
  /** Whose names the face shapes get; null: they keep theirs. */
  table: NameTable | null;
  /** Names the files, without extension. */
  stem: string;
  about: HeadAbout;
}

export interface Converted {
  files: FormatFile[];
  /** How many face shapes move in it. */
  moving: number;
  /** Names that the next program looks for, and that will not move. */
  still: string[];
}

/**
 * A head in another form. Any binary glTF is taken, heads of the studio's earlier versions in today's scene;
 * nothing is written.
 *
 * @throws Failure `unsupported` where the form can't hold it or it is larger than what is read;
 *   `invalid_input` where it is no binary glTF
 */
export async function convertHead(glb: Uint8Array, order: ConvertOrder): Promise<Converted> {
  const { format, table, stem } = order;
  await refuseUnboundedGlb(glb);
  // What every importer reads already goes as it is, byte for byte and whatever its size.
  if (format === 'glb' && table === null && !isPackedOrOld(glb))
    return { files: [{ name: `${stem}.glb`, data: glb }], moving: shapesInFile(glb), still: [] };
  const document = await decodeHead(glb);
  const { write, shapes } = formats[format];
  const isVrm = format === 'vrm' || format === 'vrm0';
  const plan = isVrm ? vrmPlan(document) : table && renameTargets(document, table);
  const moving = shapesOf(document).length;
  const files = await write(document, order);
  return {
    files,
    moving: shapes ? moving : 0,
    still: shapes ? (plan?.missing.map(({ name }) => name) ?? []) : [],
  };
}

/** As `shapesOf`, told by the file's JSON alone. */
function shapesInFile(glb: Uint8Array): number {
  const { meshes = [] } = glbJson<{ meshes?: { extras?: { targetNames?: unknown } }[] }>(glb);
  const names = meshes.map(({ extras }) => extras?.targetNames).filter(Array.isArray) as unknown[][];
  return new Set(names.flat()).size;
}
