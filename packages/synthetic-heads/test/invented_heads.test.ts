import { gltfIo } from '@likeness/gltf/gltf_io.ts';
import { landmark } from '@likeness/portrait/topology/landmark.ts';
import { defaultHeads } from '@likeness/proto/heads/default_heads.ts';
import validator from 'gltf-validator';
import { describe, expect, it } from 'vitest';
import { sharedGlb, sharedHead } from '../../../test/support/shared_heads.ts';
import { inventedHeads } from '../src/invented_heads.ts';

describe.each(defaultHeads)("the studio's own head %s", (name) => {
  it('is a valid file of at most 3 MB', { timeout: 120_000 }, async () => {
    const bytes = await sharedGlb(name);
    expect(bytes.byteLength).toBeLessThanOrEqual(3_000_000);
    const { issues } = await validator.validateBytes(bytes);
    expect(issues.numErrors + issues.numWarnings).toBe(0);
    expect(issues.messages.map(({ code }) => code)).not.toContain('UNUSED_OBJECT');
  });

  it('has hair of its own with ribbons, together at most 5,000 triangles', { timeout: 120_000 }, async () => {
    const { json } = await (await gltfIo()).binaryToJSON(await sharedGlb(name));
    const hair = json.meshes!.find((mesh) => mesh.name === 'Hair')!.primitives;
    expect(hair.map(({ material }) => json.materials![material!]!.name)).toEqual([
      'Hair',
      ...(name === 'man' ? [] : ['HairInside']),
      'HairStrands',
    ]);
    expect(json.images!.map((image) => image.name)).toContain('Hair_BaseColor');
    const triangles = hair.reduce((sum, { indices }) => sum + json.accessors![indices!]!.count / 3, 0);
    expect(triangles).toBeGreaterThan(1500);
    expect(triangles).toBeLessThanOrEqual(5000);
  });

  it('is the same on both sides, with its lips closed', () => {
    const { face } = inventedHeads[name];
    const at = (point: keyof typeof landmark, c: number): number => face[3 * landmark[point] + c]!;
    expect(at('leftEyeOuter', 0)).toBeCloseTo(-at('rightEyeOuter', 0), 4);
    expect(at('leftEyeOuter', 1)).toBeCloseTo(at('rightEyeOuter', 1), 4);
    expect(at('upperLipInner', 1) - at('lowerLipInner', 1)).toBeLessThan(0.0005);
  });
});

it('makes three faces, not one in three colours', () => {
  const width = (name: (typeof defaultHeads)[number]): number =>
    Math.max(
      ...inventedHeads[name].face.filter((_, i) => i % 3 === 0 && inventedHeads[name].face[i + 1]! < -0.06),
    );
  expect(width('man')).toBeGreaterThan(1.06 * width('default'));
  expect(width('stylised')).toBeLessThan(width('default'));
});

it.each(['default', 'man'] as const)(
  'lets the hair of %s grow out of the skin of the forehead',
  async (name) => {
    const { surfaces } = await sharedHead(name);
    const [skin, hair] = ['Skin', 'Hair'].map(
      (part) => surfaces.find((surface) => surface.name === part)!.points,
    );
    const highest = Math.max(...hair!.filter((_, i) => i % 3 === 1));
    /** From the lowest hair over the forehead in a strip to the nearest skin, metres. */
    const gaps = [-0.03, -0.02, -0.01, 0, 0.01, 0.02, 0.03].map((middle) => {
      const strip: number[][] = [];
      for (let i = 0; i < hair!.length; i += 3) {
        const [x, y, z] = hair!.subarray(i, i + 3);
        if (Math.abs(x! - middle) < 0.006 && z! > 0.03 && y! > highest - 0.1) strip.push([x!, y!, z!]);
      }
      const [lowest] = strip.toSorted((a, b) => a[1]! - b[1]!);
      let gap = Infinity;
      for (let i = 0; i < skin!.length; i += 3)
        gap = Math.min(gap, Math.hypot(...lowest!.map((value, k) => value - skin![i + k]!)));
      return gap;
    });
    expect(Math.max(...gaps)).toBeLessThan(0.004);
  },
);
