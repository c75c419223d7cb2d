import sharp from 'sharp';
import { describe, expect, it, vi } from 'vitest';
import { sharedMadeHead, sharedPhoto } from '../../../test/support/shared_heads.ts';
import type { HeadModel } from '../src/contract/head_model.ts';
import { restingFace } from '../src/default_head/resting_face.ts';
import { fitFace, project } from '../src/fit/face_fit.ts';
import { fringeRows, growFringe } from '../src/hair/fringe.ts';
import { frontalLandmarks } from '../src/landmarks/frontal_landmarks.ts';
import { modelHead } from '../src/make_head.ts';
import { at, length, subtract } from '../src/math/vector.ts';
import { craniumColumns } from '../src/skull/skull.ts';
import { fineFace } from '../src/topology/fine_face.ts';

vi.setConfig({ testTimeout: 240_000 });

const fit = fitFace(frontalLandmarks(restingFace));
const fine = fineFace.refine(fit.neutral, 3);
const everywhere = new Float32Array(craniumColumns).fill(1);
const [middle] = project(fit.pose, [0, 0, 0]);
/** A photo that shows hair from so far beside the face's middle outwards, metres. */
const curtain = (from: number) => (x: number) => (Math.abs(x - middle) > from * fit.pose.scale ? 1 : 0);
const grow = (from: number) => growFringe(fit, curtain(from), everywhere)!;

describe('hair over temple and cheek', () => {
  it('reaches as far in as the photo shows it', () => {
    for (const from of [0.06, 0.066]) {
      const { points, reach } = grow(from);
      const edge = Array.from({ length: craniumColumns }, (_, k) => k)
        .filter((k) => reach[k]! > 0.006 && Math.abs(points[3 * k + 1]!) < 0.02)
        .map((k) => Math.abs(points[3 * k]!));
      expect(edge.length).toBeGreaterThan(8);
      for (const x of edge) expect(Math.abs(x - from)).toBeLessThan(0.004);
    }
  });

  it('ends in a line, not in a saw', () => {
    const { points, reach } = grow(0.06);
    for (let k = 1; k + 1 < craniumColumns; k++) {
      if (!reach[k - 1] || !reach[k] || !reach[k + 1]) continue;
      const [a, b, c] = [at(points, k - 1), at(points, k), at(points, k + 1)];
      const bend = length(subtract([0, 1, 2].map((n) => (a[n]! + c[n]!) / 2) as typeof b, b));
      expect(bend, `column ${k}`).toBeLessThan(0.3 * length(subtract(c, a)));
    }
  });

  it('stands off the skin behind its edge', () => {
    const { points, reach } = grow(0.06);
    const clearance = (i: number): number => {
      let min = Infinity;
      for (let v = 0; v < fineFace.count; v++)
        min = Math.min(min, length(subtract(at(points, i), at(fine, v))));
      return min;
    };
    const deepest = reach.indexOf(Math.max(...reach));
    expect(clearance((fringeRows - 1) * craniumColumns + deepest)).toBeGreaterThan(0.0025);
  });

  it('bares the skin below it and leaves the rest alone', () => {
    const { covered } = grow(0.06);
    for (const under of [234, 454]) expect(covered[under], `${under}`).toBeGreaterThan(0.9);
    for (const bare of [1, 152, 133, 205]) expect(covered[bare], `${bare}`).toBe(0);
  });

  it('is not there where no hair hangs, or none to hang on', () => {
    expect(growFringe(fit, () => 0, everywhere)).toBeUndefined();
    expect(growFringe(fit, () => 1, new Float32Array(craniumColumns))).toBeUndefined();
  });

  it('falls before the cheek of a head with long hair, and of no other', async () => {
    const drawn = await sharedPhoto('female');
    const w = 640;
    // Two curtains from the crown to below the chin; the drawn face is some 230 pixels wide.
    const cx = w / 2;
    const locks = [-1, 1].map(
      (side) =>
        `<path d="M ${cx} 120 C ${cx + side * 150} 120 ${cx + side * 165} 260 ${cx + side * 165} 470
          L ${cx + side * 78} 470 C ${cx + side * 92} 400 ${cx + side * 88} 300 ${cx + side * 70} 225 Z"/>`,
    );
    const svg = `<svg width="${w}" height="${w}"><g fill="rgb(70,52,41)">${locks.join('')}</g></svg>`;
    const photo = await sharp(drawn)
      .composite([{ input: Buffer.from(svg) }])
      .png()
      .toBuffer();
    const long = await modelHead({ photo: new Uint8Array(photo), sex: 'female' });
    const short = await sharedMadeHead('female');
    /** How many of the hair's vertices stand before the cheeks. */
    const overCheeks = ({ surfaces, neckBase }: HeadModel): number => {
      const hair = surfaces.find((surface) => surface.name === 'Hair')!;
      let n = 0;
      for (let i = 0; i < hair.points.length / 3; i++) {
        const [x, y, z] = at(hair.points, i).map((v, c) => v + neckBase![c]!) as [number, number, number];
        if (Math.abs(x) > 0.045 && y < 0.01 && y > -0.04 && z > 0.012) n++;
      }
      return n;
    };
    // The sheet's edge lies under the skin there: a few of its vertices, not a strip.
    expect(overCheeks(short.model)).toBeLessThan(8);
    expect(overCheeks(long.model)).toBeGreaterThan(30);
  });
});
