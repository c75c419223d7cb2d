import { thumbnail } from '@likeness/head-renderer/thumbnail.ts';
import type { HeadModel } from '@likeness/portrait/contract/head_model.ts';
import { hairDepth } from '@likeness/portrait/hair/hairline.ts';
import { arkitBlendshapeNames, oculusVisemeNames } from '@likeness/proto/blendshapes.ts';
import validator from 'gltf-validator';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { measureShapes } from '../../../scripts/quality/shape_checks.ts';
import { sharedGlb, sharedHead } from '../../../test/support/shared_heads.ts';
import { defaultHead } from '../src/index.ts';

// A whole head is made here: seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

interface GltfJson {
  nodes: { name: string; children?: number[] }[];
  skins: { joints: number[] }[];
  extensionsUsed?: string[];
  meshes: { name: string; extras?: { targetNames: string[] }; primitives: { targets?: unknown[] }[] }[];
}

function jsonOf(glb: Uint8Array): GltfJson {
  const length = new DataView(glb.buffer, glb.byteOffset).getUint32(12, true);
  return JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length))) as GltfJson;
}

const pixelAt = (data: Uint8Array, size: number, x: number, y: number): number[] => [
  ...data.subarray(4 * (y * size + x), 4 * (y * size + x) + 4),
];

describe('the default head', () => {
  let glb: Uint8Array;
  let model: HeadModel;
  beforeAll(async () => {
    glb = await sharedGlb('default');
    model = await sharedHead('female');
  });

  it('is valid glTF without a warning or an extension', async () => {
    const { issues } = await validator.validateBytes(glb);
    expect([issues.numErrors, issues.numWarnings], JSON.stringify(issues.messages)).toEqual([0, 0]);
    expect(jsonOf(glb).extensionsUsed).toBeUndefined();
  });

  it('keeps to the size that a library of hundreds can bear', () => {
    expect(glb.byteLength).toBeLessThan(3e6);
  });

  it('has the same bytes every time', async () => {
    expect(Buffer.compare(glb, await defaultHead())).toBe(0);
  });

  it('names all 52 ARKit shapes and 15 visemes on the head, on each eye those that turn it, and joints', () => {
    const { meshes, nodes, skins } = jsonOf(glb);
    expect(meshes.map(({ name }) => name).toSorted()).toEqual(['EyeLeft', 'EyeRight', 'Hair', 'Head']);
    const namesOf = (wanted: string) => meshes.find(({ name }) => name === wanted)!.extras?.targetNames;
    expect(namesOf('Head')).toEqual([...arkitBlendshapeNames, ...oculusVisemeNames]);
    expect(namesOf('EyeLeft')?.toSorted()).toEqual(
      ['Down', 'In', 'Out', 'Up'].map((way) => `eyeLook${way}Left`),
    );
    expect(namesOf('Hair')).toBeUndefined();
    for (const { extras, primitives } of meshes)
      for (const { targets = [] } of primitives)
        expect(targets).toHaveLength(extras?.targetNames.length ?? 0);
    expect(skins.map(({ joints }) => joints.map((joint) => nodes[joint]!.name))).toEqual([
      ['Head', 'Neck', 'LeftEye', 'RightEye'],
    ]);
  });

  it('moves something with every shape but the silent viseme', () => {
    for (const [i, name] of model.targetNames.entries()) {
      const furthest = Math.max(
        ...model.surfaces.map(
          (surface) => surface.morphs?.[i]?.reduce((max, v) => Math.max(max, Math.abs(v)), 0) ?? 0,
        ),
      );
      const [min, max] = name === 'viseme_sil' ? [0, 0] : [0.0008, 0.1];
      expect(furthest, name).toBeGreaterThanOrEqual(min);
      expect(furthest, name).toBeLessThanOrEqual(max);
    }
  });

  it('opens, blinks, smiles and closes as far as the bars ask', () => {
    const figures = measureShapes(model);
    expect(figures.jawOpen).toBeGreaterThan(0.15);
    expect(figures.blink).toBeLessThan(0.55);
    expect(figures.smile).toBeGreaterThan(0.1);
    expect(figures.pucker).toBeLessThan(-0.12);
    expect(figures.lidDepth).toBeLessThan(0.2);
    expect(figures.restGap).toBeLessThan(0.01);
    expect(figures.closedGap).toBeLessThan(0.01);
  });

  it('stands on its neck base in metres, faces +Z and carries no path', () => {
    const skin = model.surfaces.find((surface) => surface.name === 'Skin')!;
    const ys = skin.points.filter((_, i) => i % 3 === 1);
    expect(Math.min(...ys)).toBeGreaterThan(-0.03);
    expect(Math.max(...ys)).toBeGreaterThan(0.24);
    expect(Math.max(...ys)).toBeLessThan(0.34);
    // The nose's tip (landmark 1) lies before the ears (234, 454).
    expect(skin.points[5]!).toBeGreaterThan(skin.points[3 * 234 + 2]! + 0.06);
    expect(new TextDecoder().decode(glb)).not.toMatch(/[\\/]home[\\/]|[\\/]work[\\/]|\.jpe?g/);
  });

  it('rests with level lips, and leans forward from chin to forehead as heads of photos do', () => {
    const { points } = model.surfaces.find((surface) => surface.name === 'Skin')!;
    const y = (landmark: number): number => points[3 * landmark + 1]!;
    const z = (landmark: number): number => points[3 * landmark + 2]!;
    expect(Math.abs((y(78) + y(308) - y(13) - y(14)) / 2)).toBeLessThan(0.001);
    const slope = (Math.atan2(z(10) - z(152), y(10) - y(152)) * 180) / Math.PI;
    expect(slope).toBeGreaterThan(3.5);
    expect(slope).toBeLessThan(5.5);
  });

  it('lays no part of the skin over another in its picture', () => {
    const { uv, triangles } = model.surfaces.find((surface) => surface.name === 'Skin')!;
    const side = 1024;
    const taken = new Uint8Array(side * side);
    let twice = 0;
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => {
        const v = triangles[t + k]!;
        return [uv![2 * v]! * side, uv![2 * v + 1]! * side] as const;
      }) as [readonly [number, number], readonly [number, number], readonly [number, number]];
      const area = (p: readonly number[], q: readonly number[], x: number, y: number): number =>
        (q[0]! - p[0]!) * (y - p[1]!) - (q[1]! - p[1]!) * (x - p[0]!);
      const whole = area(a, b, c[0], c[1]);
      if (Math.abs(whole) < 1e-9) continue;
      const [xs, ys] = [0, 1].map((axis) => [a[axis]!, b[axis]!, c[axis]!]) as [number[], number[]];
      for (let y = Math.floor(Math.min(...ys)); y <= Math.max(...ys); y++)
        for (let x = Math.floor(Math.min(...xs)); x <= Math.max(...xs); x++) {
          const shares = [
            area(a, b, x + 0.5, y + 0.5),
            area(b, c, x + 0.5, y + 0.5),
            area(c, a, x + 0.5, y + 0.5),
          ];
          if (shares.some((share) => share / whole <= 0.02)) continue;
          if (taken[y * side + x]) twice += 1;
          taken[y * side + x] = 1;
        }
    }
    expect(twice).toBe(0);
    expect(taken.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(side * side * 0.5);
  });

  it('wears hair that begins in no even line, nor in one and its mirror image', () => {
    const across = Array.from({ length: 41 }, (_, k) => hairDepth([0.0015 * (k - 20), 0.061, 0.058]));
    expect(Math.max(...across) - Math.min(...across)).toBeGreaterThan(0.002);
    const sides = across.map((depth, k) => Math.abs(depth - across[40 - k]!));
    expect(Math.max(...sides)).toBeGreaterThan(0.001);
  });

  it('can be drawn small from its file', async () => {
    const size = 96;
    const drawn = await thumbnail(glb, size);
    expect(pixelAt(drawn.data, size, 48, 50)[3]).toBe(255);
    expect(pixelAt(drawn.data, size, 1, 1)[3]).toBe(0);
    const [r, , b] = pixelAt(drawn.data, size, 48, 56);
    expect(r!).toBeGreaterThan(b! + 10);
  });

  it('shows sex in the neck', async () => {
    const man = await sharedHead('male');
    const neckWidth = (head: HeadModel): number => {
      const { points } = head.surfaces.find((surface) => surface.name === 'Skin')!;
      let max = 0;
      for (let i = 0; i < points.length; i += 3)
        if (Math.abs(points[i + 1]! - 0.02) < 0.01) max = Math.max(max, points[i]!);
      return max;
    };
    expect(neckWidth(man)).toBeGreaterThan(neckWidth(model) * 1.08);
  });
});
