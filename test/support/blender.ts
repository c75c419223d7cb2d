import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';

/** `describe` where the program can be started; else its tests are skipped, and the log says why. */
export function describeWith(program: 'blender' | 'assimp', name: string, tests: () => void): void {
  const { error } = spawnSync(program, ['--version'], { stdio: 'ignore' });
  if (!error) {
    describe(name, tests);
    return;
  }
  console.warn(`“${name}” is skipped: ${program} is not on this machine.`);
  describe.skip(name, tests);
}

/**
 * Runs Python inside Blender without a window, in an empty scene.
 *
 * @param script - May use `bpy` and `args`; what it leaves in `result` is given back.
 */
export async function inBlender<Result>(script: string, args: Record<string, unknown>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'likeness-blender-'));
  try {
    const [file, answer] = [join(folder, 'script.py'), join(folder, 'result.json')];
    await writeFile(
      file,
      [
        'import bpy, json',
        'bpy.ops.wm.read_factory_settings(use_empty=True)',
        `args = json.loads(${JSON.stringify(JSON.stringify(args))})`,
        script,
        `with open(${JSON.stringify(answer)}, 'w') as out: json.dump(result, out)`,
      ].join('\n'),
    );
    await ran('blender', ['--background', '--factory-startup', '--python-exit-code', '3', '--python', file]);
    return JSON.parse(await readFile(answer, 'utf8')) as Result;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What `assimp info` says of a file. @throws Error with its words where it can't read the file */
export const assimpInfo = (path: string): Promise<string> => ran('assimp', ['info', path]);

function ran(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
    child.on('error', reject);
    child.on('close', (status) =>
      status === 0 ? resolve(text) : reject(new Error(`${program} ended with ${status}:\n${text}`)),
    );
  });
}
