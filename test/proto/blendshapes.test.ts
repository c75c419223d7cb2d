import {
  arkitBlendshapeIndex,
  arkitBlendshapeNames,
  isArkitBlendshapeName,
  oculusVisemeNames,
} from '@likeness/proto/blendshapes.ts';
import { expect, test } from 'vitest';

test('ARKit has 52 different names, in Apple’s order', () => {
  expect(new Set(arkitBlendshapeNames).size).toBe(52);
  expect(arkitBlendshapeNames[0]).toBe('eyeBlinkLeft');
  expect(arkitBlendshapeNames.slice(14, 18)).toEqual(['jawForward', 'jawLeft', 'jawRight', 'jawOpen']);
  expect(arkitBlendshapeNames[51]).toBe('tongueOut');
});

test('every left channel has its right one', () => {
  const left = arkitBlendshapeNames.filter((name) => name.endsWith('Left'));
  expect(left.length).toBeGreaterThan(0);
  for (const name of left) expect(arkitBlendshapeNames).toContain(name.replace(/Left$/, 'Right'));
});

test('Oculus has 15 visemes, silence first', () => {
  expect(new Set(oculusVisemeNames).size).toBe(15);
  expect(oculusVisemeNames[0]).toBe('viseme_sil');
  expect(oculusVisemeNames[14]).toBe('viseme_U');
});

test('a name is found at its position, and names of Object are no channels', () => {
  for (const [index, name] of arkitBlendshapeNames.entries()) expect(arkitBlendshapeIndex[name]).toBe(index);
  expect(isArkitBlendshapeName('constructor')).toBe(false);
  expect(isArkitBlendshapeName('JawOpen')).toBe(false);
  expect(isArkitBlendshapeName('jawOpen')).toBe(true);
  expect(isArkitBlendshapeName('__proto__')).toBe(false);
});
