import { vertexNormals } from '@likeness/geometry/vector.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { byCell, type FaceCells, onFace, side } from '../src/albedo/face_cells.ts';
import { estimateLight } from '../src/albedo/light_estimate.ts';
import { cells, inputs, type LightNetwork, loadLightNetwork } from '../src/albedo/light_network.ts';
import { castOf, lightToRemove, lostInShade, skinGains, withoutCast } from '../src/albedo/remove_light.ts';
import { craniumColumns, craniumRows } from '../src/skull/skull.ts';
import { fineFace } from '../src/topology/fine_face.ts';
import { meanFace } from '../src/topology/mean_face.ts';

const area = side * side;
let network: LightNetwork;
beforeAll(async () => {
  network = await loadLightNetwork();
});

const normals = byCell(vertexNormals(fineFace.refine(meanFace, 3), fineFace.triangles), 3);
const all = Float32Array.from(onFace);

/** A face of one skin, linear RGB, as a light shows it that depends on the normal. */
function faceOf(
  skin: readonly [number, number, number],
  light: (normal: readonly [number, number, number], c: number) => number,
  paint: (x: number, y: number) => readonly number[] = () => [1, 1, 1],
): FaceCells {
  const colours = new Float32Array(3 * area);
  for (let i = 0; i < area; i++)
    for (let c = 0; c < 3; c++) {
      const normal = [normals[3 * i]!, normals[3 * i + 1]!, normals[3 * i + 2]!] as const;
      const painted = paint((i % side) / side, Math.floor(i / side) / side)[c]!;
      colours[3 * i + c] = Math.min(1, skin[c]! * light(normal, c) * painted);
    }
  const facing = Float32Array.from({ length: area }, (_, i) => normals[3 * i + 2]!);
  return { colours, normals, facing, shown: facing.map((f, i) => (f > 0.3 ? all[i]! : 0)), skin: all };
}

const fair = [0.6, 0.36, 0.26] as const;
const deep = [0.09, 0.045, 0.028] as const;
const evenLight = (): number => 0.85;
const fromTheSide = ([x, , z]: readonly [number, number, number], c: number): number =>
  [0.25, 0.28, 0.32][c]! + Math.max(0, 0.8 * x + 0.5 * z) * [0.8, 0.75, 0.68][c]!;

const fromAbove = ([, y, z]: readonly [number, number, number], c: number): number =>
  [0.3, 0.31, 0.33][c]! + Math.max(0, 0.85 * y + 0.45 * z) * [0.8, 0.78, 0.74][c]!;

/** Colours of the mean face at places of its layout after the light was removed, linear. */
function albedoOf(face: FaceCells): (u: number, v: number) => number[] {
  const { tone, gain } = estimateLight(network, face);
  return (u, v) => {
    let nearest = 0;
    const off = (i: number): number =>
      Math.hypot(fineFace.layout[2 * i]! - u, fineFace.layout[2 * i + 1]! - v);
    for (let i = 1; i < fineFace.count; i++) if (off(i) < off(nearest)) nearest = i;
    const cell = Math.floor(v * side) * side + Math.floor(u * side);
    return [0, 1, 2].map((c) => face.colours[3 * cell + c]! * Math.exp(gain[3 * nearest + c]! + tone[c]!));
  };
}
const leftCheek = [0.72, 0.6] as const;
const rightCheek = [0.28, 0.6] as const;
const upperLip = [0.5, 0.675] as const;
const lowerLip = [0.5, 0.715] as const;

it('computes what its training computed', () => {
  const fields = Float32Array.from({ length: 2 * inputs * cells * cells }, (_, i) =>
    Math.sin(i * 0.0137 + 3 * Math.sin(i * 0.00071)),
  );
  for (let n = 0; n < 2; n++)
    for (let i = 0; i < cells * cells; i++) {
      const mask = (n * inputs + inputs - 1) * cells * cells + i;
      fields[mask] = fields[mask]! > -0.3 ? 1 : 0;
    }
  const gains = network(fields);
  const at = (n: number, y: number, x: number, c: number): number =>
    gains[3 * ((n * cells + y) * cells + x) + c]!;
  // By PyTorch, of the same weights.
  expect(at(0, 5, 7, 0)).toBeCloseTo(1.4433, 2);
  expect(at(0, 32, 32, 1)).toBeCloseTo(-0.3895, 2);
  expect(at(0, 60, 3, 2)).toBeCloseTo(-0.1651, 2);
  expect(at(1, 20, 50, 0)).toBeCloseTo(0.5594, 2);
  expect(at(1, 33, 12, 1)).toBeCloseTo(-0.3597, 2);
  expect(at(1, 47, 31, 2)).toBeCloseTo(-0.0681, 2);
});

describe('a face lit from the side', () => {
  it('keeps less than a third of the difference of its cheeks, dark or fair', () => {
    for (const skin of [fair, deep]) {
      const face = faceOf(skin, fromTheSide);
      const before = Math.log(fromTheSide([0.6, 0, 0.8], 1) / fromTheSide([-0.6, 0, 0.8], 1));
      const albedo = albedoOf(face);
      const [left, right] = [albedo(...leftCheek)[1]!, albedo(...rightCheek)[1]!];
      expect(before).toBeGreaterThan(0.8);
      expect(Math.abs(Math.log(left / right))).toBeLessThan(before / 3);
    }
  });

  it('gives up what is blown out on one side alone', () => {
    const glaring = faceOf(fair, ([x], c) => (x > 0.25 ? 6 : fromTheSide([x, 0, 0.8], c)));
    const { lost } = estimateLight(network, glaring);
    const mean = (isLeft: boolean): number => {
      const cheek = [...lost.keys()].filter((i) => {
        const u = fineFace.layout[2 * i]!;
        return (
          Math.abs(fineFace.layout[2 * i + 1]! - 0.6) < 0.06 && Math.abs(u - (isLeft ? 0.75 : 0.25)) < 0.06
        );
      });
      return cheek.reduce((sum, i) => sum + lost[i]!, 0) / cheek.length;
    };
    expect(mean(true)).toBeGreaterThan(0.8);
    expect(mean(false)).toBeLessThan(0.02);
  });
});

describe('paint on a face', () => {
  type Place = readonly [u: number, v: number];
  interface Paint {
    readonly colour: readonly number[];
    readonly middles: readonly Place[];
    readonly radii: Place;
    /** How much of it is left at least, of its ln. */
    readonly kept: number;
  }
  const freckles = Array.from(
    { length: 40 },
    (_, i): Place => [0.42 + 0.024 * (i % 8), 0.18 + 0.03 * Math.floor(i / 8)],
  );
  const makeUp: Record<string, Paint> = {
    lipstick: { colour: [0.7, 0.25, 0.3], middles: [lowerLip, upperLip], radii: [0.12, 0.025], kept: 0.95 },
    brows: {
      colour: [0.3, 0.25, 0.25],
      middles: [
        [0.68, 0.36],
        [0.32, 0.36],
      ],
      radii: [0.11, 0.022],
      kept: 0.7,
    },
    freckles: { colour: [0.7, 0.6, 0.55], middles: freckles, radii: [0.008, 0.008], kept: 0.7 },
    blush: { colour: [1, 0.75, 0.75], middles: [leftCheek, rightCheek], radii: [0.08, 0.06], kept: 0.25 },
    'eye shadow': {
      colour: [0.6, 0.6, 0.8],
      middles: [
        [0.67, 0.43],
        [0.33, 0.43],
      ],
      radii: [0.08, 0.025],
      kept: 0.5,
    },
  };
  const beard: Paint = { colour: [0.35, 0.32, 0.32], middles: [[0.5, 0.86]], radii: [0.3, 0.09], kept: 0.5 };
  const stubble: Paint = { ...beard, colour: [0.75, 0.82, 0.86], kept: 0.7 };
  const painter =
    (paints: readonly Paint[]) =>
    (x: number, y: number): readonly number[] =>
      paints.find(({ middles, radii }) =>
        middles.some(([u, v]) => Math.hypot((x - u) / radii[0], (y - v) / radii[1]) < 1),
      )?.colour ?? [1, 1, 1];

  it.each([
    ['make-up, brows and freckles', makeUp],
    ['a beard', { beard }],
    ['stubble', { stubble }],
  ])('keeps %s', (_, paints) => {
    for (const skin of [fair, deep])
      for (const light of [fromTheSide, fromAbove]) {
        const painted = albedoOf(faceOf(skin, light, painter(Object.values(paints))));
        const plain = albedoOf(faceOf(skin, light));
        for (const [name, { colour, middles, kept }] of Object.entries(paints)) {
          const place = middles[0]!;
          const left = [0, 1, 2].reduce(
            (sum, c) => sum + Math.log(painted(...place)[c]! / plain(...place)[c]!),
            0,
          );
          const share = left / colour.reduce((sum, value) => sum + Math.log(value), 0);
          expect.soft(share, name).toBeGreaterThan(kept);
          expect.soft(share, name).toBeLessThan(1.3);
        }
      }
  });

  it('is as dark on the lower lip as on the upper one in light from above', () => {
    for (const skin of [fair, deep]) {
      const albedo = albedoOf(faceOf(skin, fromAbove, painter([makeUp.lipstick!])));
      const seen = Math.log(fromAbove([0, 0.4, 0.9], 1) / fromAbove([0, -0.4, 0.9], 1));
      expect(seen).toBeGreaterThan(0.6);
      expect(Math.abs(Math.log(albedo(...lowerLip)[1]! / albedo(...upperLip)[1]!))).toBeLessThan(0.45);
    }
  });
});

describe('a face in even light', () => {
  it('stays as dark or fair as it is', () => {
    for (const skin of [fair, deep]) {
      const face = faceOf(skin, evenLight);
      const lightness = Math.log(albedoOf(face)(...leftCheek)[1]! / (0.85 * skin[1]));
      expect(Math.abs(lightness)).toBeLessThan(0.12);
    }
  });
});

describe('the removed light', () => {
  const estimate = {
    tone: [0.2, -0.1, 0.1] as const,
    gain: new Float32Array(3 * fineFace.count).fill(0.5),
    lost: all,
  };
  const count = fineFace.count + craniumRows * craniumColumns;
  const noHair = new Float32Array(fineFace.count);
  const cranium = { columnDistance: new Float32Array(craniumColumns * (craniumRows + 1)).fill(0.1) };

  it('is zero at light 1 and scales with the share', () => {
    expect([lightToRemove(1), lightToRemove(), lightToRemove(0)]).toEqual([0, 1, 1]);
    expect(skinGains(estimate, 0, noHair, count, cranium).every((gain) => gain === 1)).toBe(true);
    const [whole, half] = [1, 0.5].map((share) =>
      Math.log(skinGains(estimate, share, noHair, count, cranium)[0]!),
    );
    expect(half! / whole!).toBeCloseTo(0.5);
  });

  it('is the cast alone far from the face, and on hair before it', () => {
    const fringe = Float32Array.from(noHair, (_, i) => Number(i === 1));
    const gains = skinGains(estimate, 1, fringe, count, cranium);
    expect(Math.log(gains[3 * fineFace.count]!)).toBeCloseTo(0.2 / 2.2);
    expect(Math.log(gains[0]!)).toBeCloseTo(0.7 / 2.2);
    expect(Math.log(gains[3]!)).toBeCloseTo(0.2 / 2.2);
  });

  it('goes on from a fringe to the hair above it as the cast alone', () => {
    const fringe = Float32Array.from(noHair, (_, i) => Number(i === fineFace.oval[0]));
    const touching = { columnDistance: new Float32Array(craniumColumns * (craniumRows + 1)) };
    const gains = skinGains(estimate, 1, fringe, count, touching);
    expect(Math.log(gains[3 * fineFace.count]!)).toBeCloseTo(0.2 / 2.2);
    expect(Math.log(gains[3 * (fineFace.count + 1)]!)).toBeCloseTo(0.7 / 2.2);
  });

  it('takes no dark fringe for shade that hides the skin', () => {
    const shaded = { ...estimate, lost: noHair.map(() => 1) };
    const fringe = Float32Array.from(noHair, (_, i) => Number(i === 1));
    expect([...lostInShade(shaded, 0.5, fringe).slice(0, 3)]).toEqual([0.5, 0, 0.5]);
  });

  it('leaves grey where the cast lay on grey', () => {
    const cast = castOf(estimate, 1);
    const lit = cast.map((factor) => 255 * (0.2 * factor) ** (1 / 2.2));
    const { data } = withoutCast({ data: Uint8Array.from(lit), width: 1, height: 1 }, cast);
    expect(Math.max(...data) - Math.min(...data)).toBeLessThan(3);
  });
});
