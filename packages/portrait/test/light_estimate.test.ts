import { beforeAll, describe, expect, it } from 'vitest';
import { byCell, type FaceCells, onFace, side } from '../src/albedo/face_cells.ts';
import { estimateLight } from '../src/albedo/light_estimate.ts';
import { cells, inputs, type LightNetwork, loadLightNetwork } from '../src/albedo/light_network.ts';
import { castOf, lightTaken, skinGains, withoutCast } from '../src/albedo/remove_light.ts';
import { vertexNormals } from '../src/math/vector.ts';
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

/** Colours of the mean face at a place of its layout after the light was removed, linear. */
function skinAt(face: FaceCells, u: number, v: number): number[] {
  const { tone, gain } = estimateLight(network, face);
  let nearest = 0;
  const off = (i: number): number => Math.hypot(fineFace.layout[2 * i]! - u, fineFace.layout[2 * i + 1]! - v);
  for (let i = 1; i < fineFace.count; i++) if (off(i) < off(nearest)) nearest = i;
  const cell = Math.floor(v * side) * side + Math.floor(u * side);
  return [0, 1, 2].map((c) => face.colours[3 * cell + c]! * Math.exp(gain[3 * nearest + c]! + tone[c]!));
}
const leftCheek = [0.72, 0.6] as const;
const rightCheek = [0.28, 0.6] as const;
const lips = [0.5, 0.705] as const;

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
      const [left, right] = [skinAt(face, ...leftCheek)[1]!, skinAt(face, ...rightCheek)[1]!];
      expect(before).toBeGreaterThan(0.8);
      expect(Math.abs(Math.log(left / right))).toBeLessThan(before / 3);
    }
  });

  it('keeps painted lips', () => {
    const isLip = (x: number, y: number): boolean =>
      Math.hypot((x - lips[0]) / 0.11, (y - lips[1]) / 0.035) < 1;
    const painted = faceOf(fair, fromTheSide, (x, y) => (isLip(x, y) ? [0.7, 0.25, 0.3] : [1, 1, 1]));
    const plain = faceOf(fair, fromTheSide);
    const [withPaint, without] = [skinAt(painted, ...lips), skinAt(plain, ...lips)];
    expect(withPaint[1]! / without[1]!).toBeLessThan(0.35);
    expect(withPaint[0]! / without[0]!).toBeGreaterThan(0.55);
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

describe('a face in even light', () => {
  it('stays as dark or fair as it is', () => {
    for (const skin of [fair, deep]) {
      const face = faceOf(skin, evenLight);
      const lightness = Math.log(skinAt(face, ...leftCheek)[1]! / (0.85 * skin[1]));
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
  const cranium = { way: new Float32Array(craniumColumns * (craniumRows + 1)).fill(0.1) };

  it('is zero at light 1 and scales with the share', () => {
    expect([lightTaken(1), lightTaken(), lightTaken(0)]).toEqual([0, 1, 1]);
    expect(skinGains(estimate, 0, count, cranium).every((gain) => gain === 1)).toBe(true);
    const [whole, half] = [1, 0.5].map((share) => Math.log(skinGains(estimate, share, count, cranium)[0]!));
    expect(half! / whole!).toBeCloseTo(0.5);
  });

  it('is the cast alone far from the face', () => {
    const gains = skinGains(estimate, 1, count, cranium);
    expect(Math.log(gains[3 * fineFace.count]!)).toBeCloseTo(0.2 / 2.2);
    expect(Math.log(gains[0]!)).toBeCloseTo(0.7 / 2.2);
  });

  it('leaves grey where the cast lay on grey', () => {
    const cast = castOf(estimate, 1);
    const lit = cast.map((factor) => 255 * (0.2 * factor) ** (1 / 2.2));
    const { data } = withoutCast({ data: Uint8Array.from(lit), width: 1, height: 1 }, cast);
    expect(Math.max(...data) - Math.min(...data)).toBeLessThan(3);
  });
});
