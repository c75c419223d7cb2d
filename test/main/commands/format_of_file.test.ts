import { expect, test } from 'vitest';
import { fileFormats, formatFor } from '../../../main/commands/head_files.ts';
import { exportFormats } from '../../../preload/contract.ts';

test.each([
  [undefined, 'head.fbx', 'fbx'],
  [undefined, 'Head.USDZ', 'usdz'],
  [undefined, 'head.vrm', 'vrm'],
  [undefined, 'head.glb', 'glb'],
  // What is said counts; a folder's name says nothing, and neither does what isn't known.
  ['glb-meshopt', 'head.fbx', 'glb-meshopt'],
  [undefined, 'head.gltf', 'glb'],
  [undefined, 'heads.zip', 'glb'],
  [undefined, 'head', 'glb'],
  [undefined, undefined, 'glb'],
] as const)('--format %s with --out %s is %s', (said, out, format) => {
  expect(formatFor(said, out, fileFormats)).toBe(format);
});

test('heads of the library go into a zip by its ending', () => {
  expect(formatFor(undefined, 'heads.zip', exportFormats)).toBe('zip');
});
