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
  /** The name table for the face shapes; null: they keep their names. */
  table: NameTable | null;
  /** Names the files, without extension. */
  stem: string;
  about: HeadAbout;
}

export interface Converted {
  files: FormatFile[];
  /** How many face shapes move in it. */
  moving: number;
  /** Names that the target program expects but that will not move. */
  still: string[];
}

/**
 * Converts a head to another format. Takes any binary glTF; heads of the studio's earlier versions are
 * converted to today's scene. Writes no file.
 *
 * @throws Failure `unsupported` if the format can't hold it or it is too large; `invalid_input` where it is
 *   no binary glTF
 */
export async function convertHead(glb: Uint8Array, order: ConvertOrder): Promise<Converted> {
  const { format, table, stem } = order;
  await refuseUnboundedGlb(glb);
  // A file that every importer can read is returned unchanged, whatever its size.
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

/** As `shapesOf`, from the file's JSON alone. */
function shapesInFile(glb: Uint8Array): number {
  const { meshes = [] } = glbJson<{ meshes?: { extras?: { targetNames?: unknown } }[] }>(glb);
  const names = meshes.map(({ extras }) => extras?.targetNames).filter(Array.isArray) as unknown[][];
  return new Set(names.flat()).size;
}
