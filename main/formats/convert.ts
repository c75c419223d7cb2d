import type { Document } from '@gltf-transform/core';
import type { channelNames } from '#contract';
import { Failure } from '../failure.ts';
import { refuseUnboundedGlb } from '../gltf/glb_bounds.ts';
import { gltfIo } from '../gltf/gltf_io.ts';
import { type FormatFile, formats, type HeadAbout, type HeadFormat } from './formats.ts';
import { renameShapes } from './shape_names.ts';

export interface ConvertOrder {
  format: Exclude<HeadFormat, 'zip'>;
  /** What the face shapes are called by. */
  names: (typeof channelNames)[number];
  /** Names the files, without extension. */
  stem: string;
  about: HeadAbout;
}

export interface Converted {
  files: FormatFile[];
  /** How many face shapes move in it. */
  moving: number;
  /** Those of the head's that do not, by the head's own names. */
  still: string[];
}

/**
 * A head in another form. Any binary glTF is taken; nothing is written.
 *
 * @throws Failure `unsupported` where the form can't hold it or it is larger than what is read; `invalid_input` where it
 *   is no binary glTF
 */
export async function convertHead(glb: Uint8Array, order: ConvertOrder): Promise<Converted> {
  await refuseUnboundedGlb(glb);
  const document = await opened(glb);
  const { moving, still } = renameShapes(document, order);
  const { write, shapes } = formats[order.format];
  const files = await write(document, order);
  return { files, moving: shapes ? moving : 0, still: shapes ? still : [] };
}

async function opened(glb: Uint8Array): Promise<Document> {
  try {
    return await (await gltfIo()).readBinary(glb);
  } catch (cause) {
    throw new Failure(
      'invalid_input',
      `This can't be read as a 3D head: ${cause instanceof Error ? cause.message : String(cause)}`,
      { hint: 'Take a GLB (binary glTF 2.0) that opens in another program.', cause },
    );
  }
}
