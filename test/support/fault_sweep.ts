/** Fails the n-th operation of the disk within a work of the studio, for every n, and says what did not hold. */
import { cpSync, existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '@likeness/engine/http/refusal.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { databaseFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import { type Fault, withFault } from './disk_faults.ts';

/** Something that a person does, on a data folder. */
export interface FaultedOperation {
  name: string;
  /** What was there before. */
  prepare(folder: string): Promise<unknown>;
  /** Does it, and closes what it opened whatever happens. Throws what a person would be told. */
  work(folder: string): Promise<unknown>;
  /** Starts again. @param isDone Whether `work` succeeded. @returns what does not hold, one sentence each */
  check(folder: string, isDone: boolean): Promise<string[]>;
}

export interface SweepResult {
  operation: string;
  fault: Fault;
  /** Places at which the disk failed. */
  tried: number;
  /** How often the person was told; the other faults were met by something that can do without. */
  refused: number;
  problems: string[];
}

/** @param stride 1: every n. */
export async function sweep(
  operation: FaultedOperation,
  fault: Fault,
  stride = 1,
  withOneFault: typeof withFault = withFault,
): Promise<SweepResult> {
  const place = mkdtempSync(join(tmpdir(), 'likeness-faults-'));
  const [pristine, folder] = [join(place, 'pristine'), join(place, 'data')];
  const result: SweepResult = { operation: operation.name, fault, tried: 0, refused: 0, problems: [] };
  try {
    await operation.prepare(folder);
    cpSync(folder, pristine, { recursive: true });
    for (let at = 1; ; at += stride) {
      rmSync(folder, { recursive: true, force: true });
      cpSync(pristine, folder, { recursive: true });
      let error: unknown = null;
      const hasFailed = await withOneFault({ folder, fault, at }, async () => {
        error = await operation.work(folder).then(
          () => null,
          (thrown: unknown) => thrown,
        );
      });
      if (!hasFailed) return result;
      result.tried += 1;
      if (error !== null) result.refused += 1;
      const open = await filesLeftOpen(folder);
      const problems = await operation
        .check(folder, error === null)
        .catch((thrown: unknown) => [`it can't be opened again: ${String(thrown)}`]);
      problems.push(...open.map((path) => `left open: ${path}`));
      if (fault !== 'END' && error !== null && !isInWords(error))
        problems.push(`no words: ${stackOf(error)}`);
      result.problems.push(...problems.map((problem) => `${operation.name}, ${fault} at ${at}: ${problem}`));
    }
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Files below a folder that this process has open and does not close within half a second. Only Linux can tell. */
async function filesLeftOpen(folder: string): Promise<string[]> {
  const descriptors = '/proc/self/fd';
  for (let waited = 0; ; waited += 1) {
    const open = (existsSync(descriptors) ? readdirSync(descriptors) : [])
      .map((name) => realFileOf(join(descriptors, name)))
      .filter((path) => path.startsWith(folder) && !path.endsWith(' (deleted)'));
    if (open.length === 0 || waited === 25) return open;
    await pause(20);
  }
}

/** Empty where the descriptor was closed meanwhile. */
function realFileOf(descriptor: string): string {
  try {
    return readlinkSync(descriptor);
  } catch {
    return '';
  }
}

/** Whether an error has a message for a person in both languages, where it leaves the studio. */
const isInWords = (error: unknown): boolean =>
  databaseFailure(error) instanceof Failure || error instanceof Refusal;

const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 6).join(' | ') : String(error);
