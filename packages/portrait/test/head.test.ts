import { at, dot, normalise } from '@likeness/geometry/vector.ts';
import { neutralColours } from '@likeness/synthetic-heads/drawn_colours.ts';
import { frontalLandmarks } from '@likeness/synthetic-heads/frontal_landmarks.ts';
import { restingFace } from '@likeness/synthetic-heads/resting_face.ts';
import { describe, expect, it, vi } from 'vitest';
import { lightMouth, renderInPhotoPose } from '../../../scripts/quality/likeness.ts';
import { photograph } from '../../../test/support/drawn_photo.ts';
import { sharedHead, sharedMadeHead, sharedPhoto } from '../../../test/support/shared_heads.ts';
import { photographDefault } from '../../../test/support/synthetic_photo.ts';
import type { HeadModel } from '../src/contract/head_model.ts';
import { buildExpressions } from '../src/expressions/expressions.ts';
import { photoExpression } from '../src/expressions/photo_expression.ts';
import { fitFace } from '../src/fit/face_fit.ts';
import { loadFaceNetworks } from '../src/landmarks/face_networks.ts';
import { modelHead } from '../src/make_head.ts';
import { readPhoto } from '../src/photo/photo.ts';
import { checkFace } from '../src/preflight/portrait_check.ts';
import { lowerLip, upperLip } from '../src/topology/face_topology.ts';
import { meanFace } from '../src/topology/mean_face.ts';

// Whole heads are made here: seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

describe('the mouth of a photo', () => {
  it('is closed on the neutral head and comes back by its own weights', () => {
    const rest = fitFace(frontalLandmarks(restingFace));
    const moves = buildExpressions(rest);
    const laugh = restingFace.slice();
    for (const name of ['mouthUpperUp', 'mouthLowerDown']) {
      for (const side of ['Left', 'Right']) {
        const { skin } = moves.find((move) => move.name === `${name}${side}`)!;
        for (let i = 0; i < laugh.length; i++) laugh[i]! += 0.6 * skin![i]!;
      }
    }
    const gapOf = (face: Float32Array): number => face[3 * 13 + 1]! - face[3 * 14 + 1]!;
    const fit = fitFace(frontalLandmarks(laugh));
    expect(Math.abs(gapOf(fit.neutral))).toBeLessThan(0.0005);
    const expressions = buildExpressions(fit);
    const weights = photoExpression(fit, expressions);
    const back = fit.neutral.slice();
    for (const [name, weight] of Object.entries(weights)) {
      expect(weight).toBeGreaterThan(0);
      expect(weight).toBeLessThanOrEqual(1);
      const { skin } = expressions.find((expression) => expression.name === name)!;
      for (let i = 0; i < back.length; i++) back[i]! += weight * skin![i]!;
    }
    expect(gapOf(laugh)).toBeGreaterThan(0.006);
    // All along the lips, not in their middle alone.
    for (const [k, upper] of upperLip[3]!.slice(1, 10).entries()) {
      const lower = lowerLip[3]![k + 1]!;
      const open = (face: Float32Array): number => face[3 * upper + 1]! - face[3 * lower + 1]!;
      expect(open(back) / open(laugh), `column ${k + 1}`).toBeGreaterThan(0.85);
      expect(open(back) / open(laugh), `column ${k + 1}`).toBeLessThan(1.15);
    }
    expect(photoExpression(rest, moves)).toEqual({});
  });
});

describe('a head made of a known portrait', () => {
  it('shows eyelid type in the lids', async () => {
    const photo = await sharedPhoto('female');
    const lids = await Promise.all(
      (['single', 'double'] as const).map(
        async (eyelidType) => (await modelHead({ photo, sex: 'female', eyelidType })).model,
      ),
    );
    const z = lids.map((head) => head.surfaces[0]!.points[3 * 27 + 2]!);
    expect(z[0]! - z[1]!).toBeGreaterThan(0.00025);
    expect(Buffer.compare(lids[0]!.rasters[0]!.data, lids[1]!.rasters[0]!.data)).not.toBe(0);
  });

  it('knows how far it was turned, short of it by no more than the network sees too little of a turn', async () => {
    const model = await sharedHead('female');
    const networks = await loadFaceNetworks();
    const read = async (yaw: number, pitch: number): Promise<number> => {
      const { png } = await photograph(model, { yaw, pitch });
      return checkFace(networks, await readPhoto(png)).fit.pose.yaw;
    };
    expect(Math.abs(await read(0, 0))).toBeLessThan(0.4);
    // The landmarks of a turned head lie between those of the turn and those of a frontal face: 10 to 17 %
    // are lost.
    for (const pitch of [0, 8]) {
      const [left, right] = [await read(12, pitch), await read(-12, pitch)];
      for (const share of [left / 12, right / -12]) {
        expect(share).toBeGreaterThan(0.82);
        expect(share).toBeLessThan(1.02);
      }
      // The drawn skin's spots are not the same on both sides.
      expect(Math.abs(left + right), `${left} ${right}`).toBeLessThan(0.9);
    }
  });

  it('stands level, for the most part, though its forehead slopes and its chin comes forward', () => {
    const lean = (12 * Math.PI) / 180;
    for (const sign of [1, -1]) {
      const face = restingFace.slice();
      for (let i = 0; i < face.length; i += 3) {
        const [y, z] = [restingFace[i + 1]!, restingFace[i + 2]!];
        face[i + 1] = y * Math.cos(lean) + sign * z * Math.sin(lean);
        face[i + 2] = z * Math.cos(lean) - sign * y * Math.sin(lean);
      }
      const { pose, neutral } = fitFace(frontalLandmarks(face));
      expect(pose.pitch).toBeCloseTo(sign * 12, 0);
      expect((Math.asin(pose.z[1]) * 180) / Math.PI).toBeCloseTo(sign * 6, 0);
      const slope = Math.atan2(
        neutral[3 * 10 + 2]! - neutral[3 * 152 + 2]!,
        neutral[3 * 10 + 1]! - neutral[3 * 152 + 1]!,
      );
      expect((slope * 180) / Math.PI).toBeCloseTo(-sign * 6, 0);
    }
  });

  it('lies on its photo, and the mouth is as dark inside as there', async () => {
    const model = await sharedHead('female');
    const open = { jawOpen: 0.35, mouthUpperUpLeft: 0.4, mouthUpperUpRight: 0.4 };
    const { png, height } = await photograph(model, { morphs: open });
    const made = await modelHead({ photo: png, sex: 'female' });
    const { fit, picture } = made;
    // The teeth are what a mouth without light shows; here they are painted over with darkness.
    const rim = [13, 14].map((i) => fit.photo[2 * i + 1]!);
    const dark = { ...picture, data: Uint8Array.from(picture.data) };
    for (let y = Math.floor(rim[0]!) + 1; y < rim[1]!; y++)
      for (let x = 285; x < 355; x++) dark.data.fill(12, 3 * (y * height + x), 3 * (y * height + x) + 3);
    const middle = (lit: HeadModel): number => {
      const drawn = renderInPhotoPose(lit, fit, picture, true);
      const y = Math.round((rim[0]! + rim[1]!) / 2);
      return drawn.data[4 * (y * drawn.width + 320) + 1]!;
    };
    const asDrawn = middle(lightMouth(made.model, fit, picture));
    expect(middle(lightMouth(made.model, fit, dark))).toBeLessThan(0.6 * asDrawn);
  });

  it('has the proportions that went in', async () => {
    const wide = meanFace.map((v, i) => (i % 3 === 0 ? v * (Math.abs(v) > 0.045 ? 1.09 : 1) : v));
    const ratios: number[] = [];
    for (const face of [meanFace, wide]) {
      const { fit } = checkFace(await loadFaceNetworks(), await readPhoto(await photographDefault(face)));
      const width = fit.neutral[3 * 454]! - fit.neutral[3 * 234]!;
      const tall = fit.neutral[3 * 10 + 1]! - fit.neutral[3 * 152 + 1]!;
      ratios.push(width / tall);
    }
    const went = (meanFace[3 * 454]! - meanFace[3 * 234]!) / (meanFace[3 * 10 + 1]! - meanFace[3 * 152 + 1]!);
    expect(Math.abs(ratios[0]! / went - 1)).toBeLessThan(0.06);
    expect(ratios[1]!).toBeGreaterThan(ratios[0]! * 1.02);
  });

  it('finds its landmarks where they were drawn', async () => {
    const model = await sharedHead('female');
    const { landmarks, picture } = await sharedMadeHead('female');
    const { points } = model.surfaces.find((surface) => surface.name === 'Skin')!;
    let error = 0;
    for (let i = 0; i < 468; i++) {
      const x = 320 + (picture.height / 0.4) * points[3 * i]!;
      const y = 320 - (picture.height / 0.4) * (points[3 * i + 1]! - 0.15);
      error += Math.hypot(landmarks.points[3 * i]! - x, landmarks.points[3 * i + 1]! - y) / 468;
    }
    expect(error / landmarks.iod).toBeLessThan(0.05);
  });

  it('has no dents where skull and neck meet behind the ears', async () => {
    const { surfaces } = (await sharedMadeHead('female')).model;
    const { points, normals, triangles } = surfaces.find(({ name }) => name === 'Skin')!;
    const around = new Map<number, Set<number>>();
    for (let t = 0; t < triangles.length; t += 3) {
      const corners = triangles.subarray(t, t + 3);
      for (const a of corners) around.set(a, new Set([...(around.get(a) ?? []), ...corners]));
    }
    const dents = [...around].flatMap(([i, near]) => {
      const [x, y, z] = at(points, i);
      if (Math.abs(x) < 0.03 || y < 0.05 || y > 0.13 || z > 0.01) return [];
      const sum = [0, 1, 2].map((c) => [...near].reduce((total, j) => total + normals[3 * j + c]!, 0));
      return [
        (180 / Math.PI) *
          Math.acos(Math.min(1, dot(normalise(sum as [number, number, number]), at(normals, i)))),
      ];
    });
    expect(dents.length).toBeGreaterThan(200);
    expect(Math.max(...dents)).toBeLessThan(3);
  });

  it('has the skin, hair and iris colours that went in', async () => {
    const colours = {
      ...neutralColours,
      skin: [150, 104, 82],
      hair: [30, 26, 26],
      iris: [70, 112, 158],
    } as const;
    const { model } = await modelHead({ photo: await photographDefault(undefined, colours), sex: 'female' });
    const skin = model.rasters.find((raster) => raster.name === 'Skin')!;
    const cheek = [0, 1, 2].map(
      (c) =>
        skin.data[3 * (Math.floor(0.56 * skin.height) * skin.width + Math.floor(0.38 * skin.width)) + c]!,
    );
    for (let c = 0; c < 3; c++)
      expect(Math.abs(cheek[c]! - colours.skin[c]!), `cheek ${cheek}`).toBeLessThan(40);
    const eye = model.rasters.find((raster) => raster.name === 'LeftEye')!;
    const iris = [0, 1, 2].map((c) => {
      let sum = 0;
      for (let k = 0; k < 24; k++) {
        const x = Math.round(eye.width * (0.5 + 0.085 * Math.cos((k * Math.PI) / 12)));
        const y = Math.round(eye.height * (0.5 + 0.085 * Math.sin((k * Math.PI) / 12)));
        sum += eye.data[3 * (y * eye.width + x) + c]! / 24;
      }
      return sum;
    });
    expect(iris[2]!, `iris ${iris}`).toBeGreaterThan(iris[0]! + 15);
    const hair = model.rasters.find((raster) => raster.name === 'Hair')!;
    const mean = hair.data.reduce((sum, v) => sum + v, 0) / hair.data.length;
    expect(mean).toBeLessThan(75);
  });
});
