import type { Raster, Surface } from '../contract/head_model.ts';
import type { HairRibbons } from '../hair/strands/hair_ribbons.ts';
import { toLinear } from '../photo/linear_light.ts';
import { chinColumn, craniumColumns, craniumRows } from '../skull/skull.ts';
import { material } from './head_materials.ts';

/**
 * Ribbons as a surface of the hair, coloured by the sheet's picture below them.
 *
 * @param points - About the neck's base.
 */
export function ribbonSurface(ribbons: HairRibbons, points: Float32Array, hair: Raster): Surface {
  const count = points.length / 3;
  const colours = new Float32Array(points.length);
  for (let i = 0; i < count; i++) {
    const row = ribbons.gridPositions[2 * i] / craniumRows;
    const around =
      ((ribbons.gridPositions[2 * i + 1] - chinColumn + 2 * craniumColumns) % craniumColumns) /
      craniumColumns;
    const mean = meanAbout(hair, around * hair.width, row * hair.height);
    for (let c = 0; c < 3; c++) colours[3 * i + c] = Math.min(1, toLinear(mean[c] * ribbons.tone[i]));
  }
  return {
    name: 'HairStrands',
    material: material('HairStrands'),
    node: 'skin',
    points,
    normals: ribbons.normals,
    uv: ribbons.uv,
    colours,
    triangles: ribbons.triangles,
  };
}

/** Half of the window about a ribbon's vertex, parts of the picture: some ten strands, no single one. */
const window = { across: 0.018, along: 0.012 } as const;

/** Mean colour about a place of a picture, sRGB 0..255. */
function meanAbout(
  { data, width, height, channels }: Raster,
  x: number,
  y: number,
): readonly [number, number, number] {
  const sum = [0, 0, 0] as [number, number, number];
  let n = 0;
  const [wide, high] = [window.across * width, window.along * height];
  for (let dy = -1; dy <= 1; dy += 0.5) {
    const py = Math.min(height - 1, Math.max(0, Math.round(y + dy * high)));
    for (let dx = -1; dx <= 1; dx += 0.2) {
      const px = Math.min(width - 1, Math.max(0, Math.round(x + dx * wide)));
      const i = channels * (py * width + px);
      for (const c of [0, 1, 2] as const) sum[c] += data[i + c];
      n++;
    }
  }
  return [sum[0] / n, sum[1] / n, sum[2] / n];
}
