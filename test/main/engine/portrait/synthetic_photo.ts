import sharp from 'sharp';
import type { DrawnColours } from '../../../../main/engine/portrait/appearance/drawn_colours.ts';
import type { HeadModel } from '../../../../main/engine/portrait/contract/head_model.ts';
import { defaultHeadModel } from '../../../../main/engine/portrait/default_head/default_head.ts';
import { renderHead } from '../../../../main/engine/portrait/render/rasteriser.ts';

/** A photo of nobody: the default head, or one of another shape or colour, before a camera that is known. */
export async function photograph(
  model: HeadModel,
  view: { yaw?: number; pitch?: number; size?: number; morphs?: Record<string, number> } = {},
): Promise<{ png: Uint8Array; width: number; height: number }> {
  const drawn = renderHead(model, {
    size: 640,
    height: 0.4,
    middle: 0.15,
    unlit: true,
    background: [150, 158, 168],
    ...view,
  });
  const png = await sharp(drawn.data, { raw: { width: drawn.width, height: drawn.height, channels: 4 } })
    .removeAlpha()
    .png()
    .toBuffer();
  return { png: new Uint8Array(png), width: drawn.width, height: drawn.height };
}

let plain: Promise<Uint8Array> | undefined;

/** Drawing the default head takes some two seconds: a file of tests draws the plain one once. */
export async function photographDefault(face?: Float32Array, colours?: DrawnColours): Promise<Uint8Array> {
  const draw = async () => (await photograph(await defaultHeadModel('female', face, colours))).png;
  if (face || colours) return draw();
  plain ??= draw();
  return plain;
}
