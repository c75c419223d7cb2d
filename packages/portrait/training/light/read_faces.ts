/**
 * node packages/portrait/training/light/read_faces.ts PHOTOS OUT
 *
 * Reads the faces of a folder of photos as the light network sees them: 64 × 64 cells of the face's layout. Writes a file
 * of 32-bit floats a photo: ln of the colours (3), normals (3), points (3), mask, share of skin, facing; plane by plane. Photos
 * whose file exists are left out, so that a run goes on where an earlier one ended.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { byCell, onFace, readFaceCells, side } from '../../src/albedo/face_cells.ts';
import { coarseCells } from '../../src/albedo/light_estimate.ts';
import { cells } from '../../src/albedo/light_network.ts';
import { withLearntDepth } from '../../src/fit/learnt_depth.ts';
import { mapHair } from '../../src/hair/hair_map.ts';
import { loadFaceNetworks } from '../../src/landmarks/face_networks.ts';
import { decodePhoto, openPortrait } from '../../src/photo/photo.ts';
import { lookCloser } from '../../src/preflight/closer_look.ts';
import { prepareSilhouette } from '../../src/segment/silhouette.ts';
import { fineFace } from '../../src/topology/fine_face.ts';

const [photos, out] = process.argv.slice(2) as [string, string];
mkdirSync(out, { recursive: true });
const networks = await loadFaceNetworks();

/** Means of `width` planes over 2 × 2 cells of the face. */
function halved(values: Float32Array, width: number): Float32Array {
  const sums = new Float32Array(width * cells * cells);
  const counts = new Float32Array(cells * cells);
  for (let i = 0; i < side * side; i++) {
    if (!onFace[i]) continue;
    const k = (Math.floor(i / side) >> 1) * cells + ((i % side) >> 1);
    counts[k]!++;
    for (let c = 0; c < width; c++) sums[width * k + c]! += values[width * i + c]!;
  }
  return sums.map((sum, i) => sum / Math.max(1, counts[Math.floor(i / width)]!));
}

const planes = (values: Float32Array, width: number): Float32Array[] =>
  Array.from({ length: width }, (_, c) => values.filter((_, i) => i % width === c));

for (const file of readdirSync(photos).sort()) {
  const target = join(out, `${parse(file).name}.f32`);
  if (existsSync(target) || !/\.(jpe?g|png)$/i.test(file)) continue;
  try {
    const opened = await openPortrait(readFileSync(join(photos, file)));
    const { checked, picture } = await lookCloser(networks, opened, await decodePhoto(opened), true);
    const fit = withLearntDepth(checked.fit);
    const cut = prepareSilhouette(picture, checked.landmarks, networks.segmentation)(undefined);
    const face = readFaceCells(picture, fit, cut, mapHair(cut));
    const { logs, normals, mask } = coarseCells(face);
    const points = halved(byCell(fineFace.refine(fit.neutral, 3), 3), 3);
    const all = [
      ...planes(logs, 3),
      ...planes(normals, 3),
      ...planes(points, 3),
      mask,
      halved(face.skin, 1),
      halved(face.facing, 1),
    ];
    writeFileSync(target, Buffer.concat(all.map((plane) => Buffer.from(plane.buffer))));
  } catch (error) {
    console.error(file, error instanceof Error ? error.message : error);
  }
}
