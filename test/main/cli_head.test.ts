/** `likeness head`: one photo, one head. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandLine, type Ended, spawnCommand } from '../support/command_line.ts';
import { sharedPhoto } from '../support/shared_heads.ts';

let folder: string;
let photo: string;
/** What the plain command wrote. */
let plain: Ended & { glb: Buffer };

const likeness = commandLine(() => ({ LIKENESS_HOME: folder }));
const args = (target: string): string[] => ['head', photo, '--sex', 'female', '-o', target, '--json'];

/** A head with what these files say, as it was made beside `plain`. */
async function head(files: { corrections?: string; options?: string }): Promise<Ended> {
  const flags = await Promise.all(
    Object.entries(files).map(async ([flag, text]) => {
      const file = join(folder, `${flag}.json`);
      await writeFile(file, text);
      return [`--${flag}`, file];
    }),
  );
  return likeness(...args(join(folder, 'other.glb')), ...flags.flat());
}
const hashOf = ({ out }: Ended): string => (JSON.parse(out) as { sha256: string }).sha256;
/** Its shape and pictures, without what the file says of how they were made. */
const shapeOf = (glb: Buffer): Buffer => glb.subarray(20 + glb.readUInt32LE(12));
/** How a head was made, as its scene's extras record it. */
const recordIn = (glb: Buffer): unknown =>
  JSON.parse(glb.toString('utf8', 20, 20 + glb.readUInt32LE(12))).scenes[0].extras;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'likeness-cli-head-'));
  photo = join(folder, 'nobody.png');
  await writeFile(photo, await sharedPhoto('female'));
  const target = join(folder, 'nobody.glb');
  const ended = await spawnCommand(args(target), { LIKENESS_HOME: folder }).ended;
  plain = { ...ended, glb: await readFile(target) };
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

test('makes a head of a photo, and the same bytes each time', { timeout: 120_000 }, async () => {
  expect(plain).toMatchObject({ code: 0, error: '' });
  expect(plain.glb.subarray(0, 4).toString()).toBe('glTF');
  expect(plain.glb).toHaveLength(JSON.parse(plain.out).bytes);
  // A choice of what a head is anyway is none.
  const again = await head({ options: '{"smile": 0}' });
  expect(hashOf(again)).toBe(hashOf(plain));
  expect(await readFile(join(folder, 'other.glb'))).toEqual(plain.glb);
});

test('takes corrections of the outline and choices of a head from files', { timeout: 120_000 }, async () => {
  expect(await head({ corrections: '{"crown": 0.1}', options: '{"head": 1.1}' })).toMatchObject({ code: 0 });
  const glb = await readFile(join(folder, 'other.glb'));
  expect(shapeOf(glb)).not.toEqual(shapeOf(plain.glb));
  expect(recordIn(glb)).toMatchObject({ corrected: true, options: { head: 1.1 } });
  expect(recordIn(plain.glb)).not.toMatchObject({ corrected: true });
});

test.each([
  ['corrections', '{"crown": "high"}', 'has no corrections'],
  ['options', '{"head": 3}', 'has no valid head options (head: '],
])('refuses %s that make no sense', async (flag, text, error) => {
  expect(await head({ [flag]: text })).toMatchObject({ code: 2, error: expect.stringContaining(error) });
});

test('says what is wrong with a file that is no photo, and writes nothing', async () => {
  const notes = join(folder, 'notes.txt');
  await writeFile(notes, 'not a photo');
  const { code, error } = await likeness('head', notes, '--sex', 'male', '-o', join(folder, 'nothing.glb'));
  expect(code).toBe(1);
  expect(error).toMatch(/not a picture/);
  expect(await readdir(folder)).not.toContain('nothing.glb');
});
