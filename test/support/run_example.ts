import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** A folder that is removed after the test. */
export async function exampleFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'likeness-example-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Runs a package's `example.ts` in a Node of its own.
 *
 * @param workspace such as `packages/gltf`
 * @param cwd where it writes its files
 * @returns what it prints. Rejects where it exits with another code than 0
 */
export async function runExample(
  workspace: string,
  cwd: string,
  { args = [], env = {} }: { args?: readonly string[]; env?: Readonly<Record<string, string>> } = {},
): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(process.execPath, [join(root, workspace, 'example.ts'), ...args], {
    cwd,
    env: { ...process.env, ...env },
  });
}
