import type { Document, Mesh, Primitive } from '@gltf-transform/core';
import { arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { sharedGlb } from '../../../../test/support/shared_heads.ts';
import { type BuiltInTable, builtInTable, builtInTables } from '../../src/formats/names/built_in_tables.ts';
import { shapesOf } from '../../src/formats/names/head_shapes.ts';
import { planNames, rowsOf } from '../../src/formats/names/name_table.ts';
import { renameTargets } from '../../src/formats/names/rename_targets.ts';
import { gltfIo } from '../../src/gltf_io.ts';
import { validateGlb } from '../../src/gltf_validator.ts';
import { makeLean } from '../../src/lean_document.ts';
import { targetNames } from '../../src/morph_targets.ts';
import { addTake } from '../../src/take_animation.ts';

const bytes = await sharedGlb('default');
let head: Document;
beforeEach(async () => {
  head = await (await gltfIo()).readBinary(bytes);
});

/** The mesh that shows the skin, and its part of it. */
function skinOf(document: Document): { mesh: Mesh; primitive: Primitive } {
  for (const mesh of document.getRoot().listMeshes())
    for (const primitive of mesh.listPrimitives())
      if (primitive.getMaterial()?.getName() === 'Skin') return { mesh, primitive };
  throw new Error('There is no skin.');
}
/** What a shape does to the skin: a difference x y z a vertex, metres. */
function shape(document: Document, name: string): Float32Array {
  const { mesh, primitive } = skinOf(document);
  const target = primitive.listTargets()[targetNames(mesh).indexOf(name)];
  expect(target, name).toBeDefined();
  return Float32Array.from(target!.getAttribute('POSITION')!.getArray()!);
}
function expectAlike(one: Float32Array, other: Float32Array): void {
  expect(one.length).toBe(other.length);
  let max = 0;
  for (const [at, value] of one.entries()) max = Math.max(max, Math.abs(value - other[at]!));
  expect(max).toBeLessThan(1e-6);
}
const tableOf = (id: BuiltInTable) => builtInTable(id)!;

describe('names by a vocabulary', () => {
  it.each([
    ['arkit-pascal', ['EyeBlinkLeft', 'JawOpen', 'TongueOut']],
    ['arkit-snake', ['eye_blink_left', 'jaw_open', 'mouth_roll_lower']],
    ['arkit-short', ['eyeBlink_L', 'jawOpen', 'mouthSmile_R', 'jawLeft']],
    ['oculus', ['viseme_PP', 'viseme_aa', 'jawOpen']],
    ['oculus-short', ['PP', 'aa', 'ih', 'oh', 'ou']],
    ['vrchat', ['vrc.v_pp', 'vrc.v_ih', 'vrc.v_sil']],
    ['vrm', ['aa', 'blink', 'blinkLeft', 'lookLeft', 'happy', 'neutral', 'jawOpen']],
    ['vrm0', ['A', 'Blink', 'Blink_L', 'Joy', 'Fun']],
    ['cc4', ['Eye_Blink_L', 'Brow_Raise_Inner_R', 'Mouth_Funnel_Up_L', 'Eye_L_Look_L', 'V_Explosive']],
    [
      'metahuman',
      ['CTRL_expressions_jawOpen', 'CTRL_expressions_mouthFunnelUL', 'CTRL_expressions_eyeLookLeftR'],
    ],
    ['preston-blair', ['AI', 'E', 'O', 'U', 'FV', 'L', 'MBP', 'WQ', 'etc', 'rest']],
    ['rhubarb', [...'ABCDEFGHX']],
  ] as const)('of %s are all there, once each, and the file is valid', async (id, names) => {
    const plan = renameTargets(head, tableOf(id));
    expect(plan.missing).toEqual([]);
    makeLean(head);
    const glb = await (await gltfIo()).writeBinary(head);
    const again = await (await gltfIo()).readBinary(glb);
    for (const mesh of again.getRoot().listMeshes()) {
      const own = targetNames(mesh);
      expect(new Set(own).size).toBe(own.length);
      for (const primitive of mesh.listPrimitives()) expect(primitive.listTargets()).toHaveLength(own.length);
    }
    expect(shapesOf(again)).toEqual(expect.arrayContaining([...names]));
    expect((await validateGlb(glb, 10)).issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
  });

  it('know every channel of ARKit and every viseme, and name nothing twice', () => {
    for (const id of Object.keys(builtInTables) as BuiltInTable[]) {
      const { rows } = tableOf(id);
      const names = rows.map(({ name }) => name);
      expect(new Set(names).size, id).toBe(names.length);
      expect(planNames(shapesOf(head), tableOf(id)).missing, id).toEqual([]);
      // A head with ARKit's channels alone can make every vocabulary.
      expect(planNames(arkitBlendshapeNames, tableOf(id)).missing, id).toEqual([]);
      for (const { made } of [planNames(arkitBlendshapeNames, tableOf(id))])
        for (const { lacking, name } of made) expect(lacking, `${id} ${name}`).toEqual([]);
    }
    const arkit: BuiltInTable[] = ['cc4', 'metahuman'];
    for (const id of arkit) {
      const { unused } = planNames(arkitBlendshapeNames, tableOf(id));
      expect(unused, id).toEqual([]);
    }
  });

  it('made of several shapes are their weighted sum, and the shapes keep what they do', () => {
    const left = shape(head, 'eyeBlinkLeft');
    const right = shape(head, 'eyeBlinkRight');
    const aa = shape(head, 'viseme_aa');
    renameTargets(head, tableOf('vrm'));
    expectAlike(
      shape(head, 'blink'),
      left.map((value, at) => value + right[at]!),
    );
    expectAlike(shape(head, 'blinkLeft'), left);
    expectAlike(shape(head, 'aa'), aa);
    expect(shapesOf(head)).not.toContain('viseme_aa');
    expect(shape(head, 'neutral').every((value) => value === 0)).toBe(true);
  });

  it('of one side are halves that make the whole together, each on its own side', () => {
    const whole = shape(head, 'browInnerUp');
    const funnel = shape(head, 'mouthFunnel');
    const base = skinOf(head).primitive.getAttribute('POSITION')!.getArray()!;
    renameTargets(head, tableOf('cc4'));
    const left = shape(head, 'Brow_Raise_Inner_L');
    const right = shape(head, 'Brow_Raise_Inner_R');
    expectAlike(
      left.map((value, at) => value + right[at]!),
      whole,
    );
    const far = (values: Float32Array, sign: number): number =>
      Math.max(...[...values].map((value, at) => (base[at - (at % 3)]! * sign > 0.02 ? Math.abs(value) : 0)));
    expect(far(left, 1)).toBeGreaterThan(0.001);
    expect(far(left, -1)).toBe(0);
    expect(far(right, -1)).toBeGreaterThan(0.001);
    expect(far(right, 1)).toBe(0);
    // Four quarters of the lips are one whole.
    const quarters = ['Up_L', 'Up_R', 'Down_L', 'Down_R'].map((end) => shape(head, `Mouth_Funnel_${end}`));
    expectAlike(
      funnel.map((_, at) => quarters.reduce((sum, values) => sum + values[at]!, 0)),
      funnel,
    );
  });
  it('can be all that is left', async () => {
    const plan = renameTargets(head, tableOf('rhubarb'), { others: 'drop' });
    expect(shapesOf(head).toSorted()).toEqual([...'ABCDEFGHX']);
    expect(plan.unused).toContain('eyeBlinkLeft');
    makeLean(head);
    expect((await (await gltfIo()).writeBinary(head)).length).toBeLessThan(bytes.length);
  });

  it('take weights at rest and tracks of an animation along', async () => {
    const channelNames = arkitBlendshapeNames;
    const frames = [0, 1, 2].map((n) => ({
      timeCode: n / 30,
      weights: Float32Array.from(channelNames, (_, channel) => (n * channel) / 200),
      headPose: undefined,
      eyeGaze: undefined,
    }));
    const face = { channelNames, frames, frameRate: 30, serverShare: new Float32Array(3) };
    const animated = await (await gltfIo()).readBinary(bytes);
    addTake(animated, face, 'take');
    skinOf(animated).mesh.setWeights(targetNames(skinOf(animated).mesh).map((_, at) => at / 100));
    renameTargets(animated, tableOf('cc4'), { others: 'drop' });
    const skin = skinOf(animated).mesh;
    const names = targetNames(skin);
    expect(skin.getWeights()[names.indexOf('Jaw_Open')]).toBeCloseTo(
      channelNames.indexOf('jawOpen') / 100,
      6,
    );
    const [animation] = animated.getRoot().listAnimations();
    const track = animation!
      .listChannels()
      .find((one) => one.getTargetPath() === 'weights' && one.getTargetNode()?.getMesh() === skin)!;
    const values = track.getSampler()!.getOutput()!.getArray()!;
    expect(values).toHaveLength(3 * names.length);
    const at = names.indexOf('Mouth_Smile_R');
    expect(values[2 * names.length + at]).toBeCloseTo((2 * channelNames.indexOf('mouthSmileRight')) / 200, 6);
    const io = await gltfIo();
    makeLean(animated);
    expect((await validateGlb(await io.writeBinary(animated), 10)).issues.numErrors).toBe(0);
  });
});

describe('what will not move', () => {
  it('is said of a head without the shapes', () => {
    const plan = planNames(['jawOpen', 'Smile', 'EyeBlink_L'], tableOf('vrm'));
    const of = (name: string) => plan.made.find((made) => made.name === name);
    expect(of('blinkLeft')).toMatchObject({ lacking: [] });
    expect(of('blink')).toMatchObject({ lacking: ['eyeBlinkRight'] });
    expect(of('aa')!.lacking).toContain('mouthLowerDownLeft');
    expect(plan.missing).toContainEqual({ name: 'blinkRight', needs: ['eyeBlinkRight'] });
    expect(plan.unused).toEqual(['Smile']);
  });

  it('is everything but rest where there are no shapes, and nothing fails', () => {
    for (const mesh of head.getRoot().listMeshes())
      for (const primitive of mesh.listPrimitives())
        for (const target of primitive.listTargets()) primitive.removeTarget(target);
    const plan = renameTargets(head, tableOf('rhubarb'));
    expect(plan.made.map(({ name }) => name)).toEqual(['X']);
    expect(plan.missing.map(({ name }) => name)).toEqual([...'ABCDEFGH']);
  });

  it('is not what has its name already', () => {
    const plan = planNames(['aa', 'Blink'], {
      id: 'own',
      rows: rowsOf({ aa: ['viseme_aa'], blink: ['eyeBlinkLeft'] }),
    });
    expect(plan.made.map(({ name }) => name)).toEqual(['aa']);
    expect(plan.missing).toEqual([{ name: 'blink', needs: ['eyeBlinkLeft'] }]);
  });

  it('a name that another shape has already is given a number there', () => {
    const mesh = skinOf(head).mesh;
    const names = targetNames(mesh);
    mesh.setExtras({ targetNames: names.map((name) => (name === 'tongueOut' ? 'Jaw_Open' : name)) });
    renameTargets(head, { id: 'own', rows: rowsOf({ mouthOpen: ['jawOpen'], tongueOut: [''] }) });
    const after = targetNames(mesh);
    expect(new Set(after).size).toBe(after.length);
  });
});
