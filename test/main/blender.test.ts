import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { blenderIn, openInBlender } from '../../main/blender.ts';
import { findReader } from '../../scripts/readers.ts';
import { realHead } from '../support/heads/heads.ts';
import { describeWith } from '../support/readers.ts';

const noDialog = { choose: async () => null };
let folder: string;
const environment = { ...process.env };
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'likeness-open-blender-'));
});
afterEach(async () => {
  Object.assign(process.env, environment);
  if (environment.LIKENESS_BLENDER === undefined) delete process.env.LIKENESS_BLENDER;
  await rm(folder, { recursive: true, force: true });
});

/** A program that is called Blender and writes down what it was started with. */
async function fakeBlender(): Promise<{ program: string; started: string }> {
  const programs = join(folder, 'bin');
  const program = join(programs, 'blender');
  const started = join(folder, 'started');
  await mkdir(programs);
  await writeFile(
    program,
    `#!/bin/sh\nprintf '%s\\n' "$@" > '${started}.part'\nmv '${started}.part' '${started}'\n`,
  );
  await chmod(program, 0o755);
  return { program, started };
}

describe.skipIf(process.platform === 'win32')('Blender', () => {
  it('is found on the PATH, where it is chosen, and not where it has gone', async () => {
    const { program } = await fakeBlender();
    delete process.env.LIKENESS_BLENDER;
    process.env.PATH = `${join(folder, 'bin')}${delimiter}${environment.PATH}`;
    const file = join(folder, 'blender.json');
    expect(await blenderIn(file, noDialog).find()).toBe(program);
    const other = join(folder, 'blender-4.2');
    await writeFile(other, '#!/bin/sh\n');
    const choosing = blenderIn(file, { choose: async () => [other] });
    await expect(choosing.choose()).rejects.toMatchObject({ code: 'invalid_input' });
    await chmod(other, 0o755);
    expect(await choosing.choose()).toBe(other);
    expect(await blenderIn(file, noDialog).find()).toBe(other);
    await rm(other);
    expect(await blenderIn(file, noDialog).find()).toBe(program);
    for (const broken of ['{', '{"schemaVersion":2,"path":"/x"}']) {
      await writeFile(file, broken);
      expect(await blenderIn(file, noDialog).find()).toBe(program);
    }
  });

  it('is started with a script that opens the head, and goes on by itself', async () => {
    const { program, started } = await fakeBlender();
    const script = join(folder, 'open.py');
    await openInBlender(program, join(folder, 'a "quoted" head.glb'), script);
    const said = await expect
      .poll(() => readFile(started, 'utf8').catch(() => ''), { timeout: 10_000 })
      .not.toBe('')
      .then(() => readFile(started, 'utf8'));
    expect(said.trim().split('\n')).toEqual(['--python', script]);
    const glb = JSON.stringify(join(folder, 'a "quoted" head.glb'));
    expect(await readFile(script, 'utf8')).toContain(`import_scene.gltf(filepath=${glb})`);
  });

  it('that ends at once, as without a display, is told and not said to be starting', async () => {
    const program = join(folder, 'blender-without-display');
    await writeFile(program, '#!/bin/sh\nexit 1\n');
    await chmod(program, 0o755);
    await expect(
      openInBlender(program, join(folder, 'head.glb'), join(folder, 'open.py')),
    ).rejects.toMatchObject({ code: 'unsupported', message: expect.stringContaining('exit 1') });
  });

  it('that can’t be started is a sentence', async () => {
    await expect(
      openInBlender(join(folder, 'nowhere'), join(folder, 'head.glb'), join(folder, 'open.py')),
    ).rejects.toMatchObject({ code: 'unsupported' });
  });
});

describeWith('blender', 'the script that opens a head', () => {
  it('leaves the head alone in the scene, with its shapes', async () => {
    const { program } = await fakeBlender();
    const glb = join(folder, 'head.glb');
    const script = join(folder, 'open.py');
    await writeFile(glb, await realHead());
    await openInBlender(program, glb, script);
    const tell = `import bpy, json; print('FOUND', json.dumps({o.name: len(o.data.shape_keys.key_blocks) if o.type == 'MESH' and o.data.shape_keys else 0 for o in bpy.data.objects}))`;
    // Without a display nothing is drawn; the rest is what a window gets.
    const { stdout } = await promisify(execFile)(
      findReader('blender')!,
      ['--background', '--python-exit-code', '3', '--python', script, '--python-expr', tell],
      { timeout: 110_000 },
    );
    const found = JSON.parse(/FOUND (.*)/.exec(stdout)![1]!) as Record<string, number>;
    expect(Object.keys(found)).not.toContain('Cube');
    expect(Math.max(...Object.values(found))).toBeGreaterThan(60);
  }, 120_000);
});
