import { posedPoints } from '@likeness/head-renderer/rasteriser.ts';
import { frontalLandmarks } from '@likeness/synthetic-heads/frontal_landmarks.ts';
import { restingFace } from '@likeness/synthetic-heads/resting_face.ts';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { sharedHead } from '../../../test/support/shared_heads.ts';
import type { HeadModel } from '../src/contract/head_model.ts';
import { fitFace } from '../src/fit/face_fit.ts';
import { type FaceSides, faceSidesTop } from '../src/hair/face_sides.ts';
import { openSheet } from '../src/hair/hair_sheet.ts';
import { earShape } from '../src/parts/ear_shape.ts';
import { buildEar, type Ear, tuckBehindEars } from '../src/parts/ears.ts';
import { buildCranium, craniumColumns, craniumRows } from '../src/skull/skull.ts';
import { fineFace } from '../src/topology/fine_face.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const fit = fitFace(frontalLandmarks(restingFace));
const cranium = buildCranium(fit.neutral, fineFace.refine(fit.neutral, 3), 'male');
const count = (craniumRows + 1) * craniumColumns;
const hairOf = (coverage: number) => openSheet(cranium.points, new Float32Array(count).fill(coverage));

/** Skin that stands out beside the head between two heights, by so much; metres. */
function sideOf(top: number, bottom: number, out: number): Float32Array {
  return new Float32Array(110).map((_, row) => {
    const y = faceSidesTop - 0.001 * row;
    // The head narrows towards the jaw.
    return y <= top && y >= bottom ? (y < -0.02 ? 0.066 : 0.076) + out : 0;
  });
}
const sight = (side: Float32Array): FaceSides => ({ left: side, right: side });
const extent = (ear: Ear, axis: 0 | 1): [number, number] => {
  const values = Array.from({ length: ear.points.length / 3 }, (_, i) => ear.points[3 * i + axis]!);
  return [Math.min(...values), Math.max(...values)];
};
const grow = (beside?: FaceSides, coverage = 0): Ear =>
  buildEar(fit, cranium, hairOf(coverage), 'male', beside);

describe('the ears', () => {
  it('are dark in their bowl and behind, where little light comes', () => {
    const ring = earShape.light.findIndex((_, i) => earShape.patch[2 * i] !== 0.5);
    expect(ring).toBeGreaterThan(0);
    const mean = (from: number, to: number): number =>
      earShape.light.subarray(from, to).reduce((sum, light) => sum + light / (to - from), 0);
    const rim = mean(earShape.backFrom - ring, earShape.backFrom);
    expect(rim).toBeGreaterThan(0.8);
    expect(mean(0, 4 * ring)).toBeLessThan(0.78 * rim);
    expect(mean(earShape.light.length - ring, earShape.light.length)).toBeLessThan(0.5 * rim);
  });

  it('stand off the head as far as the photo shows', () => {
    const near = extent(grow(sight(sideOf(0.022, -0.036, 0.006))), 0)[1];
    const far = extent(grow(sight(sideOf(0.022, -0.036, 0.016))), 0)[1];
    expect(far - near).toBeGreaterThan(0.005);
    expect(far - near).toBeLessThan(0.015);
  });

  it('begin and end where the photo shows them', () => {
    const [lowSmall, highSmall] = extent(grow(sight(sideOf(0.018, -0.034, 0.01))), 1);
    const [lowLarge, highLarge] = extent(grow(sight(sideOf(0.026, -0.046, 0.01))), 1);
    expect(highLarge).toBeGreaterThan(highSmall + 0.003);
    expect(lowLarge).toBeLessThan(lowSmall - 0.004);
  });

  it('sit as low as their lobes show where hair hides their upper ends', () => {
    const [low, high] = extent(grow(sight(sideOf(-0.008, -0.058, 0.012))), 1);
    const [defaultLow, defaultHigh] = extent(grow(), 1);
    expect(low).toBeLessThan(defaultLow - 0.006);
    expect(high).toBeLessThan(defaultHigh - 0.006);
    expect(high - low).toBeCloseTo(defaultHigh - defaultLow, 2);
  });

  it('stand before all hair: sheet and ribbons are tucked in behind them', () => {
    const ear = grow();
    const { origin, out } = ear.frame;
    const [x, y, z] = origin.map((value, axis) => value + 0.004 * out[axis]!) as [number, number, number];
    const points = Float32Array.of(x, y, z, -x, y, z, x, y + 0.08, z);
    const none = new Float32Array();
    const hair = hairOf(0);
    const ribbons = {
      normals: none,
      uv: none,
      gridPositions: none,
      tone: none,
      triangles: new Uint32Array(),
    };
    const sheet = points.slice();
    tuckBehindEars({ ...hair, points: sheet, ribbons: { ...ribbons, points } }, ear);
    for (const tucked of [sheet, points]) {
      expect(tucked[0]).toBeLessThan(x - 0.015);
      expect(tucked[3]).toBeGreaterThan(0.015 - x);
      expect(tucked[6]).toBe(Math.fround(x));
    }
  });

  it('are the usual ones where nothing is seen of them', () => {
    const nothing = sight(new Float32Array(110));
    expect([...grow(nothing).points]).toEqual([...grow().points]);
  });

  it('are left out under hair, but not where one of them is seen', () => {
    const nothing = new Float32Array(110);
    expect(grow(sight(nothing), 1).hidden).toEqual({ left: true, right: true });
    expect(grow(sight(nothing), 0).hidden).toEqual({ left: false, right: false });
    const left = { left: sideOf(0.022, -0.036, 0.01), right: nothing };
    expect(grow(left, 1).hidden).toEqual({ left: false, right: true });
  });

  it('are left out where hair hangs beside a lobe, which is all that is seen: they would cut it in two', () => {
    const lobes = sight(sideOf(-0.02, -0.052, 0.01));
    expect(grow(lobes, 1).hidden).toEqual({ left: true, right: true });
    expect(grow(lobes, 0.3).hidden).toEqual({ left: false, right: false });
  });

  it('are left out on both sides where hair hides one but for its lobe, and most of the other', () => {
    const lobe = { left: sideOf(-0.02, -0.052, 0.01), right: new Float32Array(110) };
    const patchy = hairOf(1);
    for (let i = 0; i < patchy.coverage.length; i += 4) if (patchy.points[3 * i]! < 0) patchy.coverage[i] = 0;
    const hidden = (sides: FaceSides): Ear['hidden'] => buildEar(fit, cranium, patchy, 'male', sides).hidden;
    expect(hidden(lobe)).toEqual({ left: true, right: true });
    expect(hidden({ ...lobe, left: sideOf(0.022, -0.036, 0.01) })).toEqual({ left: false, right: false });
  });

  it('are both as the near one of a head that is turned away', () => {
    const lobe = { left: sideOf(-0.02, -0.052, 0.01), right: sideOf(0.022, -0.036, 0.01) };
    const turned = (yaw: number) =>
      buildEar({ ...fit, pose: { ...fit.pose, yaw } }, cranium, hairOf(1), 'female', lobe).hidden;
    expect(turned(0)).toEqual({ left: true, right: false });
    expect(turned(25)).toEqual({ left: false, right: false });
    expect(turned(-25)).toEqual({ left: true, right: true });
  });
});

describe('a head with ears', () => {
  let model: HeadModel;
  beforeAll(async () => {
    model = await sharedHead('female');
  });

  it('keeps hair and scalp out of the concha', () => {
    const inside: number[] = [];
    const skin = posedPoints(model, model.surfaces[0]!, {});
    // The left ear follows face and cranium; its first ring is the bottom of the concha.
    const start = fineFace.count + craniumRows * craniumColumns;
    const [x0, y0, z0] = [skin[3 * start]!, skin[3 * start + 1]!, skin[3 * start + 2]!];
    const others = [skin.subarray(0, 3 * start), model.surfaces.find(({ name }) => name === 'Hair')!.points];
    for (const points of others)
      for (let i = 0; i < points.length; i += 3)
        if (Math.hypot(points[i + 1]! - y0, points[i + 2]! - z0) < 0.006 && points[i]! > 0)
          inside.push(points[i]! - x0);
    expect(inside.length).toBeGreaterThan(0);
    expect(Math.max(...inside)).toBeLessThan(0);
  });

  it('is closed below, and a lid takes its margin along', () => {
    const { points, triangles } = model.surfaces[0]!;
    const place = (i: number): string =>
      [...points.subarray(3 * i, 3 * i + 3)].map((v) => Math.round(1e6 * v)).join();
    const edges = new Map<string, number>();
    for (let t = 0; t < triangles.length; t += 3) {
      const low = [0, 1, 2].every((e) => points[3 * triangles[t + e]! + 1]! < 0.012);
      for (let e = 0; low && e < 3; e++) {
        const key = [place(triangles[t + e]!), place(triangles[t + ((e + 1) % 3)]!)].sort().join(' ');
        edges.set(key, (edges.get(key) ?? 0) + 1);
      }
    }
    // All that lies round the lower end meets something; only the cut of this test at 12 mm is open.
    const open = [...edges].filter(([, n]) => n < 2).flatMap(([key]) => key.split(' '));
    for (const end of open) expect(Number(end.split(',')[1])).toBeGreaterThan(-6000);
    expect(edges.size).toBeGreaterThan(300);
    const margins = model.surfaces.find(({ name }) => name === 'LidMargins')!;
    const blink = margins.morphs![model.targetNames.indexOf('eyeBlinkLeft')]!;
    expect(Math.min(...blink.filter((_, i) => i % 3 === 1))).toBeLessThan(-0.004);
  });

  it('gives a man the larger larynx', async () => {
    const throat = (head: HeadModel): number => {
      const { points } = head.surfaces[0]!;
      let front = -1;
      let above = -1;
      for (let i = 0; i < points.length; i += 3) {
        if (Math.abs(points[i]!) > 0.003 || points[i + 2]! < 0) continue;
        const y = points[i + 1]!;
        if (Math.abs(y - 0.022) < 0.004) front = Math.max(front, points[i + 2]!);
        if (Math.abs(y - 0.004) < 0.004) above = Math.max(above, points[i + 2]!);
      }
      return front - above;
    };
    expect(throat(await sharedHead('male'))).toBeGreaterThan(throat(model) + 0.0015);
  });

  it('has one shape of ear, lit less in the concha than on the helix', () => {
    expect(earShape.light[0]!).toBeLessThan(0.8);
    expect(Math.max(...earShape.light)).toBeGreaterThan(0.95);
    expect(Math.max(...earShape.triangles)).toBe(earShape.points.length / 3 - 1);
  });
});
