import type { Document, Node } from '@gltf-transform/core';
import { posedPoints } from '@likeness/head-renderer/rasteriser.ts';
import type { HeadModel } from '@likeness/portrait';
import { lowerLip, upperLip } from '@likeness/portrait/topology/face_topology.ts';
import { arkitBlendshapeNames, oculusVisemeNames } from '@likeness/proto/blendshapes.ts';
import validator from 'gltf-validator';
import { beforeAll, describe, expect, it } from 'vitest';
import { measureShapes } from '../../../scripts/quality/shape_checks.ts';
import { oldHead } from '../../../test/fixtures/heads/old_head.ts';
import { realHead } from '../../../test/support/heads/heads.ts';
import { glbOf, pointsOf } from '../../../test/support/heads/hostile_glb.ts';
import { plainGlb } from '../../../test/support/heads/plain_glb.ts';
import { sharedGlb, sharedHead } from '../../../test/support/shared_heads.ts';
import { readHead, writeHead, writeWebHead } from '../src/head_file.ts';
import { addTargets } from '../src/morph_targets.ts';

const allNames = [...arkitBlendshapeNames, ...oculusVisemeNames];
const issuesOf = async (glb: Uint8Array) => {
  const { issues } = await validator.validateBytes(glb);
  return [issues.numErrors, issues.numWarnings, JSON.stringify(issues.messages)].slice(0, 2);
};
const objectOf = (document: Document, name: string): Node =>
  document
    .getRoot()
    .listNodes()
    .find((node) => node.getName() === name && node.getMesh())!;

/** The skin's landmarks in a file, found by their places, as the model has them: to measure them alike. */
function landmarksOf(document: Document, model: HeadModel): { model: HeadModel; off: number } {
  const skin = model.surfaces.find(({ name }) => name === 'Skin')!;
  const node = objectOf(document, 'Head');
  const primitive = node.getMesh()!.listPrimitives()[0]!;
  // What is packed lies on a grid, which the skeleton's inverse matrices lead back.
  const back = node.getSkin()!.getInverseBindMatrices()!.getElement(1, []);
  const positions = primitive.getAttribute('POSITION')!;
  const place = (i: number) =>
    positions.getElement(i, []).map((value, axis) => value * back[5 * axis]! + back[12 + axis]!);
  const all = Array.from({ length: positions.getCount() }, (_, i) => place(i));
  const points = skin.points.slice();
  const morphs = model.targetNames.map(() => new Float32Array(points.length));
  const jawOpen = model.targetNames.indexOf('jawOpen');
  const jaw = primitive.listTargets()[jawOpen]!.getAttribute('POSITION')!;
  let off = 0;
  for (let landmark = 0; landmark < 468; landmark++) {
    let [found, nearest, alike] = [0, Infinity, Infinity];
    for (const [i, at] of all.entries()) {
      const way = Math.hypot(...at.map((value, axis) => value - skin.points[3 * landmark + axis]!));
      if (way > 4e-5) continue;
      // Closed lips lie on each other: of two vertices in one place the jaw takes one along.
      const drop = jaw.getElement(i, [])[1]! * back[5]!;
      const difference = Math.abs(drop - model.surfaces[0]!.morphs![jawOpen]![3 * landmark + 1]!);
      if (difference < alike) [found, nearest, alike] = [i, way, difference];
    }
    off = Math.max(off, nearest);
    points.set(all[found]!, 3 * landmark);
    for (const [number, target] of primitive.listTargets().entries()) {
      const way = target.getAttribute('POSITION')!.getElement(found, []);
      for (const [axis, value] of way.entries()) {
        morphs[number]![3 * landmark + axis] = value * back[5 * axis]!;
        off = Math.max(
          off,
          Math.abs(value * back[5 * axis]! - (skin.morphs![number]?.[3 * landmark + axis] ?? 0)),
        );
      }
    }
  }
  const measured = { ...skin, points, morphs };
  return { model: { ...model, surfaces: [measured] }, off };
}

/**
 * How far the lips stand open at their widest place, metres upwards; below zero they are pressed into each
 * other.
 */
function lipOpening(model: HeadModel, weights: Record<string, number>): number {
  const points = posedPoints(model, model.surfaces.find(({ name }) => name === 'Skin')!, weights);
  return Math.max(
    ...upperLip[3]!
      .slice(1, 10)
      .map((top, n) => points[3 * top + 1]! - points[3 * lowerLip[3]![n + 1]! + 1]!),
  );
}

describe('a head that goes through a writer', () => {
  let model: HeadModel;
  let glb: Uint8Array;
  beforeAll(async () => {
    model = await sharedHead('female');
    glb = await sharedGlb('female');
  }, 120_000);

  it.each([
    ['plain', writeHead, 1e-4],
    ['for the web', writeWebHead, 1.2e-4],
  ] as const)(
    '%s keeps its shapes, and the lips of p, b and m closed by jaw and by viseme',
    async (_, write, max) => {
      const written = await write(await readHead(glb));
      expect(await issuesOf(written)).toEqual([0, 0]);
      const { model: read, off } = landmarksOf(await readHead(written), model);
      expect(off).toBeLessThan(max);
      const [before, after] = [measureShapes(model), measureShapes(read)];
      expect(after.restGap).toBeLessThan(before.restGap + 0.0005);
      expect(after.closedGap).toBeLessThan(before.closedGap + 0.001);
      expect(after.closedGap).toBeLessThan(0.01);
      expect(after.jawOpen).toBeCloseTo(before.jawOpen, 2);
      for (const weight of [0.25, 0.5, 0.75, 1])
        expect(lipOpening(read, { viseme_PP: weight })).toBeLessThan(2e-5);
      expect(lipOpening(read, { viseme_PP: 1 })).toBeLessThan(-1e-4);
      // What an open mouth measures, so that the above says something.
      expect(lipOpening(read, { jawOpen: 0.1 })).toBeGreaterThan(5e-4);
    },
  );

  it('keeps the skin’s normals as they are, for the web too', async () => {
    const normalsOf = (document: Document) =>
      document
        .getRoot()
        .listTextures()
        .find((texture) => texture.getName() === 'Skin_Normal')!
        .getImage()!;
    const own = normalsOf(await readHead(glb));
    expect(own.byteLength).toBeLessThan(40_000);
    expect(Buffer.compare(normalsOf(await readHead(await writeWebHead(await readHead(glb)))), own)).toBe(0);
  });

  it('takes as many bytes as it may', async () => {
    expect(glb.byteLength).toBeLessThan(3e6);
    expect((await writeWebHead(await readHead(glb))).byteLength).toBeLessThan(1.6e6);
  });

  it('is no other when it is written a second time', async () => {
    const again = await writeHead(await readHead(glb));
    expect(Math.abs(again.byteLength - glb.byteLength)).toBeLessThan(2000);
    expect(Buffer.compare(again, await writeHead(await readHead(glb)))).toBe(0);
    expect(await plainGlb(glb)).toBe(glb);
  });
});

describe.each([true, false])('a head of an earlier engine, packed: %s', (packed) => {
  it('becomes four objects on one skeleton, with the shapes that it had', async () => {
    const { glb, model } = await oldHead({ packed });
    const written = await plainGlb(glb);
    expect(await issuesOf(written)).toEqual([0, 0]);
    const document = await readHead(written);
    const root = document.getRoot();
    expect(root.listExtensionsUsed()).toEqual([]);
    expect(
      root
        .listMeshes()
        .map((mesh) => mesh.getName())
        .toSorted(),
    ).toEqual(['EyeLeft', 'EyeRight', 'Hair', 'Head']);
    expect(root.listSkins().map((skin) => skin.listJoints().map((joint) => joint.getName()))).toEqual([
      ['Head', 'Neck', 'LeftEye', 'RightEye'],
    ]);
    const head = objectOf(document, 'Head').getMesh()!;
    expect(head.getExtras().targetNames).toEqual(allNames);
    expect(head.listPrimitives().map((primitive) => primitive.getMaterial()!.getName())).toEqual(
      expect.arrayContaining([
        'Skin',
        'Teeth',
        'Gums',
        'Tongue',
        'MouthInside',
        'EyelidMargins',
        'Eyelashes',
      ]),
    );
    expect(objectOf(document, 'Hair').getMesh()!.listPrimitives()[0]!.listTargets()).toEqual([]);
    expect(objectOf(document, 'EyeLeft').getMesh()!.getExtras().targetNames).toHaveLength(4);
    expect(objectOf(document, 'EyeLeft').getWorldTranslation()[0]).toBeCloseTo(model.leftEye[0], 4);
    expect(root.getDefaultScene()!.getExtras()).toMatchObject({ engine: 'portrait-11' });
    expect(landmarksOf(document, model).off).toBeLessThan(1e-4);
  });
});

describe('a head of another maker', () => {
  it('that is plain stays byte for byte', async () => {
    const glb = await realHead();
    expect(await plainGlb(glb)).toBe(glb);
  });

  it('that is packed is unpacked, and keeps its nodes and shapes', async () => {
    const packed = await writeWebHead(await readHead(await realHead()));
    const plain = await plainGlb(packed);
    expect(await issuesOf(plain)).toEqual([0, 0]);
    const document = await readHead(plain);
    expect(
      document
        .getRoot()
        .listExtensionsUsed()
        .map(({ extensionName }) => extensionName),
    ).toEqual([]);
    expect(
      document
        .getRoot()
        .listNodes()
        .map((node) => node.getName()),
    ).toContain('LeftEye');
    const [mesh] = document.getRoot().listMeshes();
    expect(mesh!.getExtras().targetNames).toEqual(allNames);
  });

  it('with a thousand shapes that rest pays for them once', async () => {
    const document = await readHead(await realHead());
    const primitive = document.getRoot().listMeshes()[0]!.listPrimitives()[0]!;
    for (const target of primitive.listTargets()) target.dispose();
    addTargets(
      document,
      primitive,
      Array.from({ length: 1000 }, () => undefined),
    );
    const glb = await writeHead(document);
    expect(glb.byteLength).toBeLessThan(60_000);
    expect((await readHead(glb)).getRoot().listMeshes()[0]!.listPrimitives()[0]!.listTargets()).toHaveLength(
      1000,
    );
  });

  it.each([
    ['no file of this kind', Buffer.from('not a head at all, really'), /not binary glTF/],
    ['cut off', Buffer.from(glbOf(pointsOf(3))).subarray(0, 60), /224 bytes but has 60/],
    ['with more points than it has', glbOf(pointsOf(3e9)), /./],
    ['of 300 MB', glbOf(pointsOf(3), Buffer.alloc(300 * 2 ** 20)), /300 MB/],
  ])('that is %s is refused with a sentence', async (_, glb, says) => {
    await expect(readHead(glb)).rejects.toThrow(says);
    await expect(readHead(glb)).rejects.toMatchObject({
      code: expect.stringMatching(/unsupported|invalid_input/),
    });
  });
});
