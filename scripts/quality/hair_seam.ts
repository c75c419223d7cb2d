/**
 * node scripts/quality/hair_seam.ts <folder> [--only <name,name>]
 *
 * Measures the difference between generated and photographed hair, in Lab: in strips of 5 mm on both sides of
 * their transition, and between all photographed hair and all hair at the back. `manifest.csv` in the folder
 * (file,sex) gives the sex; without it every head is made as female.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { HeadModel } from '@likeness/portrait/contract/head_model.ts';
import { PortraitError } from '@likeness/portrait/contract/portrait_error.ts';
import { type FaceFit, facingCamera, project } from '@likeness/portrait/fit/face_fit.ts';
import { mapHair } from '@likeness/portrait/hair/hair_map.ts';
import { loadFaceNetworks } from '@likeness/portrait/landmarks/face_networks.ts';
import { modelHead } from '@likeness/portrait/make_head.ts';
import { type Lab, labOf } from '@likeness/portrait/photo/lab_colour.ts';
import { toLinear } from '@likeness/portrait/photo/linear_light.ts';
import { prepareSilhouette } from '@likeness/portrait/segment/silhouette.ts';
import { walkTriangles } from '@likeness/portrait/texture/texture_fill.ts';
import { percentile } from '@likeness/proto/percentile.ts';
import { parseManifest } from '../../main/batch/photos/manifest.ts';

/** Colours of a head's hair on both sides of the seam; differences are generated minus photographed. */
export interface HairSeam {
  /** Medians over the points of the seam: total difference, lightness, and chroma (red and yellow). */
  readonly step: number;
  readonly lightness: number;
  readonly chroma: number;
  /** All hair at the back minus all photographed hair. */
  readonly behind: Lab;
}

/** Facing at which a photo has full weight, and at which it has none; see hair_texture.ts. */
const [whole, none] = [0.42, 0.16];
const strip = 0.005;
/** Number of points along the seam: directions in the photo's plane. */
const sectors = 72;
const minTexels = 25;

/** Sums of linear colours. */
class Tint {
  readonly sum = [0, 0, 0];
  count = 0;
  add(colour: readonly number[]): void {
    for (const [c, value] of colour.entries()) this.sum[c]! += value;
    this.count++;
  }
  get lab(): Lab {
    return labOf(this.sum.map((value) => value / Math.max(1, this.count)) as [number, number, number]);
  }
}

const less = (a: Lab, b: Lab): Lab => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

/**
 * Measures the seam on the hair's sheet.
 *
 * @param isHair - Whether the photo shows hair at a position, pixels.
 */
export function measureHairSeam(
  model: HeadModel,
  fit: FaceFit,
  isHair: (x: number, y: number) => boolean,
): HairSeam | undefined {
  const sheet = model.surfaces.find(({ name }) => name === 'Hair');
  const picture = model.rasters.find(({ name }) => name === 'Hair');
  if (!sheet?.uv || !picture) return undefined;
  const base = model.neckBase ?? [0, 0, 0];
  const points = sheet.points.map((value, i) => value + base[i % 3]!);
  const facing = Float32Array.from({ length: points.length / 3 }, (_, i) =>
    facingCamera(fit.pose, sheet.normals, i),
  );
  const [rimOf, bareRim] = [whole, none].map((level) => crossings(points, facing, sheet.triangles, level));
  const seen = Array.from({ length: sectors }, () => new Tint());
  const made = Array.from({ length: sectors }, () => new Tint());
  const all = new Tint();
  const behind = new Tint();
  const middle = [0, 0, 0].map((_, c) => fit.neutral.reduce((sum, v, i) => (i % 3 === c ? sum + v : sum), 0));
  const [mx, my] = middle.map((sum) => (3 * sum) / fit.neutral.length) as [number, number, number];
  walkTriangles(picture.width, sheet.uv, sheet.triangles, (i, a, b, c, shares) => {
    const [wa = 0, wb = 0, wc = 0] = shares;
    const turned = wa * facing[a]! + wb * facing[b]! + wc * facing[c]!;
    const p = [0, 1, 2].map(
      (k) => wa * points[3 * a + k]! + wb * points[3 * b + k]! + wc * points[3 * c + k]!,
    ) as [number, number, number];
    // Below the ears the sheet's edges shade each other. Above them there is only hair.
    if (p[1] < 0) return;
    const colour = [0, 1, 2].map((k) => toLinear(picture.data[picture.channels * i + k]!));
    const sector = Math.floor(((Math.atan2(p[1] - my, p[0] - mx) / (2 * Math.PI) + 1) % 1) * sectors);
    if (turned >= whole) {
      if (!isHair(...project(fit.pose, p))) return;
      all.add(colour);
      if (isNear(rimOf!, p)) seen[sector]!.add(colour);
    } else if (turned <= none) {
      if (turned < -0.3) behind.add(colour);
      if (isNear(bareRim!, p)) made[sector]!.add(colour);
    }
  });
  const steps = seen.flatMap((tint, sector) =>
    Math.min(tint.count, made[sector]!.count) < minTexels ? [] : [less(made[sector]!.lab, tint.lab)],
  );
  if (steps.length === 0 || all.count === 0) return undefined;
  const middleOf = (values: number[]): number => percentile(values, 0.5);
  return {
    step: middleOf(steps.map((lab) => Math.hypot(...lab))),
    lightness: middleOf(steps.map(([lightness]) => Math.abs(lightness))),
    chroma: middleOf(steps.map(([, red, yellow]) => Math.hypot(red, yellow))),
    behind: less(behind.lab, all.lab),
  };
}

/** Points of a surface at which a value crosses a level. */
function crossings(
  points: Float32Array,
  values: Float32Array,
  triangles: ArrayLike<number>,
  level: number,
): Float32Array {
  const found: number[] = [];
  for (let t = 0; t < triangles.length; t++) {
    const [a, b] = [triangles[t]!, triangles[t % 3 === 2 ? t - 2 : t + 1]!];
    const [from, to] = [values[a]! - level, values[b]! - level];
    if (from * to >= 0) continue;
    for (let c = 0; c < 3; c++)
      found.push(points[3 * a + c]! + ((points[3 * b + c]! - points[3 * a + c]!) * from) / (from - to));
  }
  return Float32Array.from(found);
}

const isNear = (rim: Float32Array, [x, y, z]: readonly [number, number, number]): boolean => {
  for (let i = 0; i < rim.length; i += 3) {
    if ((rim[i]! - x) ** 2 + (rim[i + 1]! - y) ** 2 + (rim[i + 2]! - z) ** 2 < strip ** 2) return true;
  }
  return false;
};

if (import.meta.main) {
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const { values: options, positionals } = parseArgs({
    allowPositionals: true,
    options: { only: { type: 'string' } },
  });
  const folder = positionals[0];
  if (!folder) {
    print('usage: node scripts/quality/hair_seam.ts <folder> [--only <name,name>]');
    process.exit(2);
  }
  const manifest = await readFile(join(folder, 'manifest.csv'), 'utf8').catch(() => '');
  const sexes = new Map(parseManifest(manifest).rows.map(({ file, sex }) => [file, sex]));
  const only = options.only?.split(',');
  const networks = await loadFaceNetworks();
  const found: HairSeam[] = [];
  for (const file of (await readdir(folder)).sort()) {
    if (!/\.(jpe?g|png|webp|avif|tiff?)$/i.test(file)) continue;
    if (only && !only.some((name) => file.startsWith(name))) continue;
    const sex = sexes.get(file) ?? 'female';
    try {
      const { model, fit, picture, landmarks } = await modelHead({ photo: join(folder, file), sex });
      const cut = prepareSilhouette(picture, landmarks, networks.segmentation)(undefined);
      const map = mapHair(cut);
      const seam = measureHairSeam(model, fit, (x, y) => {
        const [cx, cy] = cut.toCrop(x, y);
        const [px, py] = [Math.floor(cx), Math.floor(cy)];
        if (px < 0 || py < 0 || px >= cut.width || py >= cut.height) return false;
        const i = py * cut.width + px;
        return cut.mask[i]! > 240 && map.hair[i]! > 0.5;
      });
      if (!seam) {
        print(`${file}: no seam`);
        continue;
      }
      found.push(seam);
      print(
        `${file}: step ${seam.step.toFixed(1)} (lightness ${seam.lightness.toFixed(1)}, chroma ${seam.chroma.toFixed(1)}), behind ${seam.behind.map((v) => v.toFixed(1)).join(' ')}`,
      );
    } catch (error) {
      if (!(error instanceof PortraitError)) throw error;
      print(`${file}: ${error.code}`);
    }
  }
  const mean = (values: number[]): string =>
    (values.reduce((sum, v) => sum + v, 0) / values.length).toFixed(2);
  print(
    `${found.length} heads: mean step ${mean(found.map(({ step }) => step))}, lightness ${mean(found.map(({ lightness }) => lightness))}, chroma ${mean(found.map(({ chroma }) => chroma))}; behind ${[0, 1, 2].map((c) => mean(found.map(({ behind }) => behind[c]!))).join(' ')}`,
  );
}
