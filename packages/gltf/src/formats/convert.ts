import type { Document, Primitive } from '@gltf-transform/core';
import { type Message, t } from '@likeness/messages';
import { glbFailure, refuseUnboundedGlb } from '../glb_bounds.ts';
import { glbJson } from '../glb_json.ts';
import { needsRewriting } from '../head_file.ts';
import type { FormatFile } from './format_file.ts';
import { type FileFormat, formatFiles } from './format_names.ts';
import { type HeadAbout, writers } from './formats.ts';
import { openHead } from './head/open_head.ts';
import { shapesOf, shapesOfGlb } from './names/head_shapes.ts';
import type { NameTable } from './names/name_table.ts';
import { renameTargets } from './names/rename_targets.ts';
import { hasTriangles } from './scene/triangles.ts';
import { licenceLine, type OwnVrm } from './vrm/own_vrm.ts';
import { vrmPlan } from './vrm/write_vrm.ts';

export interface ConvertOrder {
  format: FileFormat;
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
  /** Names that the target program expects but that stay still. */
  still: string[];
  /** Parts of the source that the format can't hold, such as springs or a licence. */
  leftOut: readonly Message[];
}

/**
 * Converts a head to another format. Takes any binary glTF; heads of the studio's earlier versions are
 * converted to today's scene. Writes no file.
 *
 * @throws Failure `unsupported` if nothing of the head would be visible in the format, or it is too large;
 * `invalid_input` if it isn't a binary glTF file
 */
export async function convertHead(glb: Uint8Array, order: ConvertOrder): Promise<Converted> {
  const { format, table, stem } = order;
  await refuseUnboundedGlb(glb);
  // A file that every importer can read is returned unchanged, whatever its size.
  if (format === 'glb' && table === null && !needsRewriting(glb) && hasMeshes(glb)) {
    const moving = shapesOfGlb(glb).names.length;
    return { files: [{ name: `${stem}.glb`, data: glb }], moving, still: [], leftOut: [] };
  }
  const head = await openHead(glb);
  const { document, expressions, vrm } = head;
  refuseWithoutSurface(document);
  const { shapes } = formatFiles[format];
  const isVrm = format === 'vrm' || format === 'vrm0';
  const plan = isVrm ? vrmPlan(document, expressions) : table && renameTargets(document, table);
  const moving = shapesOf(document).length;
  const files = await writers[format](head, order);
  return {
    files,
    moving: shapes ? moving : 0,
    still: shapes ? (plan?.missing.map(({ name }) => name) ?? []) : [],
    leftOut: vrm ? (isVrm ? vrm.leftOut : licenceLeftOut(vrm)) : [],
  };
}

const hasMeshes = (glb: Uint8Array): boolean =>
  (glbJson<{ meshes?: unknown[] }>(glb).meshes?.length ?? 0) > 0;

/** @throws Failure `unsupported` if nothing of the document is visible */
function refuseWithoutSurface(document: Document): void {
  const root = document.getRoot();
  const scene = root.getDefaultScene() ?? root.listScenes()[0];
  let isSeen = false;
  scene?.traverse((node) => {
    isSeen ||= node.getMesh()?.listPrimitives().some(hasTriangle) ?? false;
  });
  if (!isSeen) throw glbFailure(t('glb.no_triangles'));
}

const hasTriangle = (primitive: Primitive): boolean => {
  const corners = primitive.getIndices() ?? primitive.getAttribute('POSITION');
  return hasTriangles(primitive) && (corners?.getCount() ?? 0) >= 3;
};

/** Formats other than VRM can't hold its permissions. */
const licenceLeftOut = ({ meta }: OwnVrm): Message[] => [
  t('vrm.left_licence', { author: licenceLine(meta) }),
];
