import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('the built command line says which Node it needs, where another would end in a stack trace', () => {
  const older = 'Object.defineProperty(process.versions, "node", { value: "20.20.2" })';
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--import',
      `data:text/javascript,${encodeURIComponent(older)}`,
      join(import.meta.dirname, '../../out/main/cli.js'),
      '--version',
    ],
    { encoding: 'utf8' },
  );
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^likeness needs Node 24 or newer, and this is Node 20\.20\.2\..*\n$/);
});
