import { renderHead } from '@likeness/head-renderer/rasteriser.ts';
import type { HeadModel } from '@likeness/portrait/contract/head_model.ts';
import sharp from 'sharp';

/** A photo of nobody: a head's model before a camera that is known. */
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
