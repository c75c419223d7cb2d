import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { findReader, type Reader } from '../../scripts/readers.ts';

/** `describe` where the reader is on this machine; else its tests are skipped, and the log says why. */
export function describeWith(reader: Reader, name: string, tests: () => void): void {
  if (findReader(reader)) {
    describe(name, tests);
    return;
  }
  console.warn(`“${name}” is skipped: ${reader} is not on this machine.`);
  describe.skip(name, tests);
}

/**
 * Runs Python inside Blender without a window, in an empty scene, and gives back what it left in `result`.
 *
 * @param script may use `bpy`, `np` and `args`; must set `result` to something that JSON can hold
 * @throws Error with Blender's own words where the script raises
 */
export async function inBlender<Result>(
  script: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'likeness-blender-'));
  try {
    const file = join(folder, 'script.py');
    const answer = join(folder, 'result.json');
    await writeFile(join(folder, 'args.json'), JSON.stringify(args));
    await writeFile(file, `${prelude(folder, await numpyFolder())}\n${script}\n${ending(answer)}`);
    const said = await run(findReader('blender')!, [
      '--background',
      '--factory-startup',
      '--python-exit-code',
      '3',
      '--python',
      file,
    ]);
    if (said.status !== 0) throw new Error(`Blender ended with ${said.status}:\n${said.text}`);
    return JSON.parse(await readFile(answer, 'utf8')) as Result;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What `assimp info` says of a file. @throws Error with its words where it can't read the file */
export async function assimpInfo(path: string): Promise<string> {
  const said = await run(findReader('assimp')!, ['info', path]);
  if (said.status !== 0) throw new Error(said.text);
  return said.text;
}

/** Debian's Blender 3.4 brings add-ons that know NumPy by names which newer ones have dropped. */
const prelude = (folder: string, numpy: string | null): string => `
import json, sys
try:
    import numpy as np
except ModuleNotFoundError:
    sys.path.append(${JSON.stringify(numpy ?? '')})
    import numpy as np
for old, new in dict(bool=bool, int=int, float=float, object=object, str=str).items():
    if old not in np.__dict__: setattr(np, old, new)
import bpy
bpy.ops.wm.read_factory_settings(use_empty=True)
with open(${JSON.stringify(join(folder, 'args.json'))}) as given: args = json.load(given)
result = None
`;

const ending = (answer: string): string => `
with open(${JSON.stringify(answer)}, 'w') as out: json.dump(result, out)
`;

/** The folder of the PATH's own Python that has NumPy in it, for a Blender that was installed without. */
async function numpyFolder(): Promise<string | null> {
  const { status, text } = await run('python3', [
    '-c',
    'import numpy, os; print(os.path.dirname(os.path.dirname(numpy.__file__)))',
  ]).catch(() => ({ status: 1, text: '' }));
  return status === 0 ? text.trim() : null;
}

function run(command: string, args: readonly string[]): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
    child.on('error', reject);
    child.on('close', (status) => resolve({ status: status ?? 1, text }));
  });
}
