import { expect, test } from 'vitest';
import { loadHead } from '../../../renderer/viewer/load-head.ts';
import { canShow, groupOf, morphsOf, otherSide, pose, presets } from '../../../renderer/viewer/morphs.ts';
import { photographTurn, thumbnailOf } from '../../../renderer/viewer/thumbnail.ts';
import { headGlb } from '../../fixtures/studio/head_glb.ts';

const never = new AbortController().signal;
const urlOf = (glb: Uint8Array): string =>
  URL.createObjectURL(new Blob([glb as Uint8Array<ArrayBuffer>], { type: 'model/gltf-binary' }));

test('a head’s shapes are found by name, and an expression sets all of them', async () => {
  const { scene } = await loadHead(urlOf(headGlb()), never);
  const morphs = morphsOf(scene);
  expect(morphs).toHaveLength(52 + 15);
  const weightOf = (name: string): number | undefined => morphs.find((one) => one.name === name)?.weight();
  morphs.find(({ name }) => name === 'tongueOut')?.set(1);
  pose(morphs, presets.smile);
  expect(weightOf('mouthSmileLeft')).toBe(0.85);
  expect(weightOf('tongueOut')).toBe(0);
  pose(morphs, {});
  expect(morphs.every((morph) => morph.weight() === 0)).toBe(true);
});

test('only expressions that a head can make are offered', async () => {
  const { scene } = await loadHead(urlOf(headGlb(['jawOpen', 'eyeBlinkLeft', 'viseme_aa'])), never);
  const morphs = morphsOf(scene);
  expect(canShow(morphs, 'openMouth')).toBe(true);
  expect(canShow(morphs, 'blink')).toBe(false);
  expect(morphs.map(({ name }) => groupOf(name))).toEqual(['mouth', 'eyes', 'visemes']);
});

test('a head that came without a picture is photographed: WebP, with a head in it', async () => {
  const webp = await thumbnailOf(urlOf(headGlb()), never);
  const picture = new Image();
  picture.src = `data:image/webp;base64,${webp}`;
  await picture.decode();
  expect([picture.naturalWidth, picture.naturalHeight]).toEqual([384, 384]);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 384;
  const brush = canvas.getContext('2d')!;
  brush.drawImage(picture, 0, 0);
  const alpha = (x: number, y: number): number => brush.getImageData(x, y, 1, 1).data[3] ?? 0;
  expect(alpha(192, 192)).toBe(255);
  expect(alpha(4, 4)).toBe(0);
});

test('a head that turns is a strip of its pictures, and none where each takes too long', async () => {
  const picture = new Image();
  picture.src = (await photographTurn(urlOf(headGlb()), never, Number.POSITIVE_INFINITY)) ?? '';
  await picture.decode();
  expect([picture.naturalWidth, picture.naturalHeight]).toEqual([13 * 160, 160]);
  expect(await photographTurn(urlOf(headGlb()), never, 0)).toBeNull();
});

test('the same shape on the other side is known by its name', () => {
  expect(otherSide('eyeBlinkLeft')).toBe('eyeBlinkRight');
  expect(otherSide('mouthSmileRight')).toBe('mouthSmileLeft');
  expect(otherSide('Brow_L')).toBe('Brow_R');
  expect(otherSide('jawOpen')).toBeNull();
  // Towards the left is no side of the face, yet its other one is towards the right.
  expect(otherSide('jawLeft')).toBe('jawRight');
});
