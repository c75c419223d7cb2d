import { smoothCircle } from '../math/circular_filter.ts';
import { at, normalise } from '../math/vector.ts';
import { craniumColumns } from '../skull/skull.ts';
import { type Canvas, pixelOf } from '../texture/texture_fill.ts';
import { fineFace } from '../topology/fine_face.ts';
import type { AssembledSkin } from './appearance.ts';

/** How far inside the face's rim its skin is read, metres: hairs are painted up to it. */
const rimDepth = 0.012;

/** The fine face's vertex that is nearest, seen from the front. */
function nearestTo(points: Float32Array, x: number, y: number): number {
  let nearest = 0;
  let least = Infinity;
  for (let i = 0; i < fineFace.count; i++) {
    const far = (points[3 * i] - x) ** 2 + (points[3 * i + 1] - y) ** 2;
    if (far >= least) continue;
    least = far;
    nearest = i;
  }
  return nearest;
}

/** The texture's skin just inside the face's rim, craniumColumns × 3, 0..255. */
export function rimSkin({ colour, size }: Canvas, skin: AssembledSkin): Float32Array {
  const rim = new Float32Array(3 * craniumColumns);
  for (let k = 0; k < craniumColumns; k++) {
    const edge = at(skin.points, fineFace.oval[k]);
    const inwards = normalise([-edge[0], -edge[1], 0]);
    const [x, y] = [edge[0] + rimDepth * inwards[0], edge[1] + rimDepth * inwards[1]];
    const inside = 3 * pixelOf(skin.uv, nearestTo(skin.points, x, y), size);
    rim.set(colour.subarray(inside, inside + 3), 3 * k);
  }
  for (let c = 0; c < 3; c++) {
    const even = smoothCircle(
      rim.filter((_, i) => i % 3 === c),
      4,
    );
    for (let k = 0; k < craniumColumns; k++) rim[3 * k + c] = even[k];
  }
  return rim;
}
