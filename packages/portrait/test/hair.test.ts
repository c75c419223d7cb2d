import { at, dot, length, subtract, type Vector, vertexNormals } from '@likeness/geometry/vector.ts';
import { renderHead } from '@likeness/head-renderer/rasteriser.ts';
import { MeshoptEncoder, MeshoptSimplifier } from 'meshoptimizer';
import sharp from 'sharp';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { sharedMadeHead, sharedPhoto } from '../../../test/support/shared_heads.ts';
import type { HeadModel } from '../src/contract/head_model.ts';
import { leanHead } from '../src/gltf/lean_head.ts';
import { modelHead } from '../src/make_head.ts';
import { landmark } from '../src/topology/landmark.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

/** The vertices of the hair, metres above the neck's base, by their column round the head. */
function columnsOf({ surfaces }: HeadModel): Map<number, Vector[]> {
  const hair = surfaces.find((surface) => surface.name === 'Hair')!;
  const columns = new Map<number, Vector[]>();
  for (let i = 0; i < hair.points.length / 3; i++) {
    const column = Math.round(hair.uv![2 * i]! * 144);
    columns.set(column, [...(columns.get(column) ?? []), at(hair.points, i)]);
  }
  return columns;
}

describe('the hair of a man photographed', () => {
  let plain: HeadModel;
  /** A lamp shines on his bald spot, and a curtain hangs behind him. */
  let disturbed: HeadModel;
  beforeAll(async () => {
    const drawn = await sharedPhoto('male');
    plain = (await sharedMadeHead('male')).model;
    // Something as dark as his hair hangs behind his right side, from the ear to below the chin.
    const [w, h] = [640, 640];
    const curtain = `<rect x="${w / 2 - 150}" y="${h * 0.4}" width="46" height="${h * 0.34}" fill="rgb(70,52,41)"/>`;
    // A lamp shines on a bald spot above the forehead.
    const shine = `<ellipse cx="${w / 2}" cy="${h * 0.24}" rx="60" ry="22" fill="rgb(238,232,236)"/>`;
    const photo = await sharp(drawn)
      .composite([{ input: Buffer.from(`<svg width="${w}" height="${h}">${curtain}${shine}</svg>`) }])
      .png()
      .toBuffer();
    disturbed = (await modelHead({ photo: new Uint8Array(photo), sex: 'male' })).model;
  });

  it('is no lighter behind because a bald spot shines in front', () => {
    const backOf = ({ rasters }: HeadModel): number => {
      const { data, width, height, channels } = rasters.find(({ name }) => name === 'Hair')!;
      const back = data.subarray(Math.floor(0.6 * height) * width * channels);
      return back.reduce((sum, value) => sum + value / back.length, 0);
    };
    expect(Math.abs(backOf(disturbed) - backOf(plain))).toBeLessThan(5);
  });

  it('rises gradually from the forehead: it stood up from it as a step of 8 mm', () => {
    const skin = plain.surfaces.find(({ name }) => name === 'Skin')!.points;
    const off = (p: Vector): number => {
      let nearest = Infinity;
      for (let i = 0; i < skin.length / 3; i++) nearest = Math.min(nearest, length(subtract(p, at(skin, i))));
      return nearest;
    };
    for (const column of [66, 72, 78]) {
      const rows = columnsOf(plain).get(column)!.slice(0, 8).map(off);
      const rises = rows.slice(1).map((distance, n) => distance - rows[n]!);
      expect(Math.max(...rises)).toBeLessThan(0.005);
    }
  });

  it('is drawn in strands behind, that run down the head', () => {
    const { data, width, height, channels } = plain.rasters.find(({ name }) => name === 'Hair')!;
    let [across, along] = [0, 0];
    // The middle of the back, where the way of the hair is the texture's from above to below.
    for (let y = Math.floor(0.5 * height); y < 0.7 * height; y++) {
      for (let x = Math.floor(0.44 * width); x < 0.56 * width; x++) {
        const at = (dx: number, dy: number): number => data[((y + dy) * width + x + dx) * channels]!;
        across += Math.abs(at(6, 0) - at(0, 0));
        along += Math.abs(at(0, 6) - at(0, 0));
      }
    }
    expect(across).toBeGreaterThan(1.5 * along);
  });

  it('keeps its places where it lies close on the skin: coarser, the file showed teeth of skin at the hairline', async () => {
    await MeshoptEncoder.ready;
    await MeshoptSimplifier.ready;
    const hairOf = (model: HeadModel) => model.surfaces.find(({ name }) => name === 'Hair')!;
    const whole = hairOf(plain);
    const lean = hairOf(leanHead(plain));
    const placeOf = (points: Float32Array, i: number): string => points.subarray(3 * i, 3 * i + 3).join();
    const kept = new Set(Array.from({ length: lean.points.length / 3 }, (_, i) => placeOf(lean.points, i)));
    const close = [...new Set(whole.triangles)].filter((i) => !whole.covered![i]);
    expect(close.length).toBeGreaterThan(100);
    expect(close.filter((i) => !kept.has(placeOf(whole.points, i)))).toEqual([]);
    expect(lean.triangles.length).toBeLessThan(0.9 * whole.triangles.length);
  });

  it('has ribbons close over it behind, in its own colours, within 5,000 triangles', () => {
    const { points, colours, triangles } = plain.surfaces.find(({ name }) => name === 'HairStrands')!;
    expect(triangles.length / 3).toBeGreaterThan(500);
    expect(triangles.length / 3).toBeLessThanOrEqual(5000);
    const sheet = [...columnsOf(plain).values()].flat();
    const face = Math.max(...sheet.map(([, , z]) => z));
    let red = 0;
    for (let i = 0; i < points.length / 3; i++) {
      const [x, y, z] = at(points, i);
      const off = Math.min(...sheet.map(([a, b, c]) => Math.hypot(a - x, b - y, c - z)));
      expect(off).toBeLessThan(0.02);
      expect(z).toBeLessThan(face);
      red += (3 * colours![3 * i]!) / points.length;
    }
    // The hair's red in the photo is 70 of 255, .06 linear; the skin's is .63.
    expect(red).toBeGreaterThan(0.03);
    expect(red).toBeLessThan(0.12);
  });

  it('has loose strands that stand off it, where it is not clipped', () => {
    const { points, uv } = plain.surfaces.find(({ name }) => name === 'HairStrands')!;
    const sheet = [...columnsOf(plain).values()].flat();
    // The right half of the picture of strands; ribbons have a vertex on either edge by turns.
    const upper = Array.from({ length: points.length / 6 }, (_, n) => 2 * n + 1).filter(
      (i) => uv![2 * i]! > 0.5,
    );
    const off = upper.map((i) => {
      const [x, y, z] = at(points, i);
      return Math.min(...sheet.map(([a, b, c]) => Math.hypot(a - x, b - y, c - z)));
    });
    expect(upper.length / 6).toBeGreaterThan(30);
    const sorted = off.toSorted((a, b) => a - b);
    expect(sorted[sorted.length >> 1]).toBeGreaterThan(0.003);
    expect(sorted.at(-1)).toBeLessThan(0.014);
  });

  it('is drawn on nothing with strands that are transparent in part, on a background mixed with it', () => {
    const alphasOf = (background?: readonly [number, number, number]): Uint8Array => {
      const view = { yaw: 90, size: 300, height: 0.3, ...(background ? { background } : {}) };
      return renderHead(plain, view).data.filter((_, i) => i % 4 === 3);
    };
    const isPart = (alpha: number): boolean => alpha > 0 && alpha < 255;
    expect(alphasOf().filter(isPart).length).toBeGreaterThan(30);
    expect(alphasOf([90, 90, 90]).some(isPart)).toBe(false);
  });

  it('comes down before the ears as a sideburn, as far as he has one', () => {
    const skin = plain.surfaces.find(({ name }) => name === 'Skin')!;
    const left = Array.from({ length: skin.points.length / 3 }, (_, i) => at(skin.points, i)).filter(
      ([x]) => x > 0.04,
    );
    const widest = Math.max(...left.map(([x]) => x));
    const helix = left.filter(([x]) => x > widest - 0.006);
    const [, earTop, depth] = helix.reduce((one, other) => (other[1] > one[1] ? other : one));
    const before = [...columnsOf(plain).values()]
      .flat()
      .filter(([x, , z]) => x > 0.05 && z > depth + 0.008 && z < depth + 0.02);
    const lowest = Math.min(...before.map(([, y]) => y));
    expect(lowest).toBeLessThan(earTop - 0.01);
    expect(lowest).toBeGreaterThan(earTop - 0.04);
  });

  it('ends at the nape in a line that wanders, without steps', () => {
    const hem: number[] = [];
    const columns = columnsOf(plain);
    // Column 72 is the middle of the back.
    for (let column = 60; column <= 84; column++)
      hem.push(Math.min(...columns.get(column)!.map(([, y]) => y)));
    expect(Math.max(...hem) - Math.min(...hem)).toBeGreaterThan(0.003);
    for (let n = 1; n < hem.length; n++)
      expect(Math.abs(hem[n]! - hem[n - 1]!), `column ${59 + n}`).toBeLessThan(0.006);
  });
});

describe('short hair where no photo shows it', () => {
  let hair: Vector[];
  let strands: Vector[];
  let skin: Vector[];
  let hem: number;
  beforeAll(async () => {
    const { surfaces } = (await sharedMadeHead('male')).model;
    const pointsOf = (name: string): Vector[] => {
      const { points } = surfaces.find((surface) => surface.name === name)!;
      return Array.from({ length: points.length / 3 }, (_, i) => at(points, i));
    };
    strands = pointsOf('HairStrands');
    // Behind the ears.
    hair = pointsOf('Hair').filter(([, , z]) => z < 0);
    skin = pointsOf('Skin').filter(([, , z]) => z < 0);
    hem = Math.min(...hair.map(([, y]) => y));
  });

  const between = (points: Vector[], from: number, to: number): Vector[] =>
    points.filter(([, y]) => y > hem + from && y < hem + to);

  it('is cut ever shorter down to the nape instead of overhanging it', () => {
    const thickness = (from: number, to: number): number => {
      const off = between(hair, from, to)
        .filter(([x]) => Math.abs(x) < 0.012)
        .map((p) => Math.min(...skin.map((q) => Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]))));
      return off.reduce((sum, value) => sum + value / off.length, 0);
    };
    expect(thickness(0.01, 0.035)).toBeLessThan(0.004);
    expect(thickness(0.09, 0.12)).toBeGreaterThan(0.005);
    expect(thickness(0.13, 0.16)).toBeGreaterThan(0.007);
  });

  it('runs down and a little back at the sides, in strands that differ', () => {
    // Six pairs of vertices make a strand: its first and its fourth.
    const ways = Array.from({ length: strands.length / 12 }, (_, n) => 12 * n)
      .filter(
        (n) =>
          Math.abs(strands[n]![0]) > 0.05 && strands[n]![1] > hem + 0.035 && strands[n]![1] < hem + 0.115,
      )
      .map((n) => subtract(strands[n + 6]!, strands[n]!))
      .map(([, y, z]) => (Math.atan2(-z, -y) * 180) / Math.PI);
    const mean = ways.reduce((sum, way) => sum + way / ways.length, 0);
    const spread = Math.sqrt(ways.reduce((sum, way) => sum + (way - mean) ** 2 / ways.length, 0));
    expect(ways.length).toBeGreaterThan(30);
    expect(mean).toBeGreaterThan(8);
    expect(mean).toBeLessThan(26);
    expect(spread).toBeGreaterThan(14);
  });

  it('ends across the nape nearly as wide as the neck, instead of in a point', () => {
    const widest = (points: Vector[]): number =>
      Math.max(...between(points, 0.008, 0.02).map(([x]) => Math.abs(x)));
    expect(widest(hair)).toBeGreaterThan(0.85 * widest(skin));
  });
});

describe('hair beside the neck', () => {
  it('hangs beside the corners of the jaw and not before the throat, whatever the photo shows it beside', async () => {
    const drawn = await sharedPhoto('female');
    const [w, h] = [640, 640];
    const strand = (x: number): string =>
      `<rect x="${x}" y="${h * 0.36}" width="52" height="${h * 0.4}" fill="rgb(74,52,38)"/>`;
    const photo = await sharp(drawn)
      .composite([
        {
          input: Buffer.from(
            `<svg width="${w}" height="${h}">${strand(w / 2 - 160)}${strand(w / 2 + 108)}</svg>`,
          ),
        },
      ])
      .png()
      .toBuffer();
    // A network takes rectangles for no part of a person: strokes say that they are.
    const strokes = [w / 2 - 134, w / 2 + 134].map((x) => ({
      kind: 'hair' as const,
      points: [x / w, 0.38, x / w, 0.74],
      radius: 24 / w,
    }));
    const { model, fit } = await modelHead({
      photo: new Uint8Array(photo),
      sex: 'female',
      corrections: { strokes },
    });
    const base = model.neckBase!;
    const mouth = fit.neutral[3 * 13 + 1]! - base[1];
    const corner = fit.neutral[3 * 172 + 2]! - base[2];
    const beside = [...columnsOf(model).values()].flat().filter(([x, y]) => Math.abs(x) > 0.07 && y < mouth);
    expect(beside.length).toBeGreaterThan(50);
    expect(Math.max(...beside.map(([, , z]) => z))).toBeLessThan(corner + 0.012);
    // No strands grow out of the throat, behind which it hangs.
    const skin = model.surfaces.find(({ name }) => name === 'Skin')!;
    const normals = vertexNormals(skin.points, skin.triangles);
    const skinPoints = Array.from({ length: skin.points.length / 3 }, (_, i) => at(skin.points, i));
    const strands = model.surfaces.find(({ name }) => name === 'HairStrands')!.points;
    const low = Array.from({ length: strands.length / 3 }, (_, i) => at(strands, i)).filter(
      ([, y]) => y < mouth,
    );
    const within = low.filter((p) => {
      const away = skinPoints.map((q) => length(subtract(p, q)));
      const nearest = away.indexOf(Math.min(...away));
      return dot(subtract(p, skinPoints[nearest]!), at(normals, nearest)) < -0.005;
    });
    expect(low.length).toBeGreaterThan(200);
    expect(within.length / low.length).toBeLessThan(0.04);
  });

  it('goes on to the shoulders where braids hang beside the neck', async () => {
    const drawn = await sharedPhoto('male');
    const [w, h] = [640, 640];
    const braid = (x: number, side: number): string =>
      Array.from({ length: 16 }, (_, k) => {
        const [cx, cy] = [x + 1.5 * side * k, h * (0.36 + 0.037 * k)];
        const turned = `rotate(${k % 2 ? 35 : -35} ${cx} ${cy})`;
        return `<ellipse cx="${cx}" cy="${cy}" rx="20" ry="24" transform="${turned}" fill="rgb(65,46,33)"/>`;
      }).join('');
    const braids = `<svg width="${w}" height="${h}">${braid(w / 2 - 128, -1)}${braid(w / 2 + 128, 1)}</svg>`;
    const photo = await sharp(drawn)
      .composite([{ input: Buffer.from(braids) }])
      .png()
      .toBuffer();
    // A network takes ellipses for no part of a person.
    const strokes = [-1, 1].map((side) => ({
      kind: 'hair' as const,
      points: [0.5 + (128 * side) / w, 0.36, 0.5 + (150 * side) / w, 0.9],
      radius: 16 / w,
    }));
    const { model, fit } = await modelHead({
      photo: new Uint8Array(photo),
      sex: 'female',
      corrections: { strokes },
    });
    const chin = fit.neutral[3 * landmark.chin + 1]! - model.neckBase![1];
    const beside = [...columnsOf(model).values()].flat().filter(([x]) => Math.abs(x) > 0.06);
    expect(Math.min(...beside.map(([, y]) => y))).toBeLessThan(chin - 0.02);
  });

  it('ends at the chin where the photo’s does, and a collar of another colour is none of it', async () => {
    const drawn = await sharedPhoto('default');
    const [w, h] = [640, 640];
    const collar = `<svg width="${w}" height="${h}"><rect x="${w / 2 - 170}" y="${h * 0.66}" width="340" height="${
      h * 0.34
    }" fill="rgb(196,24,30)"/></svg>`;
    const photo = await sharp(drawn)
      .composite([{ input: Buffer.from(collar) }])
      .png()
      .toBuffer();
    const { model, fit } = await modelHead({ photo: new Uint8Array(photo), sex: 'female' });
    const chin = fit.neutral[3 * landmark.chin + 1]! - model.neckBase![1];
    const lowest = Math.min(...[...columnsOf(model).values()].flat().map(([, y]) => y));
    expect(lowest).toBeGreaterThan(chin - 0.02);
    // From behind its end is a line that bends here and there, and no saw.
    const columns = columnsOf(model);
    const hem = Array.from({ length: 41 }, (_, k) => Math.min(...columns.get(52 + k)!.map(([, y]) => y)));
    const bends = hem.slice(2).map((y, k) => Math.abs(y - 2 * hem[k + 1]! + hem[k]!));
    expect(bends.reduce((sum, bend) => sum + bend)).toBeLessThan(0.045);
    // No scissors cut it: over a few centimetres it wanders from a straight line.
    const wanders = hem.slice(5, -5).map((y, k) => Math.abs(y - (hem[k]! + hem[k + 10]!) / 2));
    expect(wanders.reduce((sum, way) => sum + way) / wanders.length).toBeGreaterThan(0.0012);
    // From the front one looks at its inside beside the neck, and that is shaded.
    const inside = model.surfaces.find(({ name }) => name === 'HairInside')!;
    expect(Math.max(...inside.colours!)).toBeLessThan(0.65);
    const count = inside.points.length / 3;
    const inwards = Array.from({ length: count }, (_, i) => {
      const [x, , z] = at(inside.points, i);
      return dot(at(inside.normals, i), [x, 0, z - model.headPivot[2]]) < 0;
    });
    expect(inwards.filter(Boolean).length).toBeGreaterThan(0.9 * count);
    // Behind, it lies at the neck: a shell would be hollow.
    const skin = model.surfaces.find(({ name }) => name === 'Skin')!.points;
    const offSkin = (p: Vector): number => {
      let nearest = 1;
      for (let i = 0; i < skin.length / 3; i++) nearest = Math.min(nearest, length(subtract(at(skin, i), p)));
      return nearest;
    };
    const behind = Array.from({ length: count }, (_, i) => at(inside.points, i)).filter(
      ([x]) => Math.abs(x) < 0.03,
    );
    expect(behind.length).toBeGreaterThan(20);
    expect(Math.max(...behind.map(offSkin))).toBeLessThan(0.013);
    const { data, channels } = model.rasters.find(({ name }) => name === 'Hair')!;
    for (let i = 0; i < data.length; i += channels)
      expect(data[i]! - data[i + 1]!, `pixel ${i / channels}`).toBeLessThan(90);
  });

  it('goes on round above the edge of a photo that cuts it off, without a dent behind it', async () => {
    const drawn = await sharedPhoto('default');
    const crowns = await Promise.all(
      [0, 135].map(async (top) => {
        const photo = await sharp(drawn)
          .extract({ left: 0, top, width: 640, height: 640 - top })
          .png()
          .toBuffer();
        const { model } = await modelHead({ photo: new Uint8Array(photo), sex: 'female' });
        const { points } = model.surfaces.find(({ name }) => name === 'Hair')!;
        const middle = Array.from({ length: points.length / 3 }, (_, i) => at(points, i)).filter(
          ([x]) => Math.abs(x) < 0.02,
        );
        return [0.06, 0.04, 0.02, 0].map((depth) =>
          Math.max(
            ...middle.filter(([, , z]) => Math.abs(z - depth - model.headPivot[2]) < 0.01).map(([, y]) => y),
          ),
        );
      }),
    );
    const [whole, cutOff] = crowns as [number[], number[]];
    expect(Math.max(...whole.map((y, k) => y - cutOff[k]!))).toBeLessThan(0.016);
  });
});
