import { glbVersion } from '@likeness/proto/glb_header.ts';
import { expect, test } from 'vitest';

test.each([
  ['a file of version 2', 'glTF\x02\0\0\0\0\0\0\0', 2],
  ['one of version 1', 'glTF\x01\0\0\0', 1],
  ['one that ends before its version', 'glTF\x02', 0],
  ['a page', '<!doctype html>', null],
  ['nothing', '', null],
])('%s begins as binary glTF says', (_, text, version) => {
  expect(glbVersion(Buffer.from(text, 'latin1'))).toBe(version);
});
