import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TakeProblem } from '#contract';
import { facesOf, readArrivals } from '#proto/take_stream.ts';
import { faceRegions } from '#proto/takes/edits/edit_limits.ts';
import { type Said, say } from '#sentences';
import { fileErrorCode } from '../../base/error_codes.ts';
import { Failure, saidOf } from '../../failure.ts';
import { readInside } from '../../storage/inside_folder.ts';
import { reasonOf, recordIn } from '../read_take.ts';
import { readWords } from '../second_face.ts';
import { mostTakeBytes, type TakeRecord, takeFiles } from '../take_record.ts';
import { readWavSound } from '../wav_file.ts';
import { readEditList } from './edit_list.ts';
import { listAttempts } from './take_attempts.ts';

/** Seconds by which sound and record may differ: a rounding. */
const tolerance = 0.01;

/**
 * Reads every file of a take and tells what is wrong with it. Nothing is changed.
 *
 * @param folder absolute @param prefix before the names of its files
 * @returns names of the files that were read, and what is wrong
 */
export async function verifyTake(
  folder: string,
  prefix = '',
): Promise<{ files: string[]; problems: TakeProblem[] }> {
  const files: string[] = [];
  const problems: TakeProblem[] = [];
  const look = async (
    what: keyof typeof takeFiles,
    check: (bytes: Buffer) => Promise<Said> | Said,
    hint: Said,
  ) => {
    const file = `${prefix}${takeFiles[what]}`;
    try {
      const bytes = await readInside(folder, join(folder, takeFiles[what]), mostTakeBytes[what]);
      files.push(file);
      const problem = await check(bytes);
      if (problem !== '') problems.push({ file, problem, hint });
    } catch (error) {
      const isMissing = fileErrorCode(error) === 'ENOENT';
      if (isMissing && !['record', 'audio', 'face'].includes(what)) return;
      if (!isMissing) files.push(file);
      const told = error instanceof Failure && error.advice !== '' ? error.advice : hint;
      problems.push({ file, problem: isMissing ? say('takes.file_missing') : saidOf(error), hint: told });
    }
  };
  const record = await recordIn(folder).catch((error: unknown) => {
    problems.push({
      file: `${prefix}${takeFiles.record}`,
      problem: reasonOf(error),
      hint: say('takes.put_right'),
    });
    return null;
  });
  if (record) files.push(`${prefix}${takeFiles.record}`);
  await look('audio', (bytes) => soundProblem(bytes, record), say('verify_take.from_a_copy'));
  await look('face', faceProblem, say('verify_take.hear_again'));
  await look('second', faceProblem, say('verify_take.hear_again'));
  await look(
    'words',
    async () => ((await readWords(folder)) ? '' : say('verify_take.words')),
    say('verify_take.hear_again'),
  );
  await look('edits', () => editsProblem(folder), say('edits.put_right'));
  const attempts = prefix === '' ? await readdir(join(folder, 'attempts')).catch((): string[] => []) : [];
  for (const attempt of attempts) {
    const found = await verifyTake(join(folder, 'attempts', attempt), `attempts/${attempt}/`);
    files.push(...found.files);
    problems.push(...found.problems);
  }
  return { files, problems };
}

function soundProblem(bytes: Buffer, record: TakeRecord | null): Said {
  const { samples, sampleRate } = readWavSound(bytes);
  const seconds = samples.length / sampleRate;
  if (!record || Math.abs(seconds - record.seconds) <= tolerance) return '';
  return say('verify_take.length', { seconds: seconds.toFixed(2), stated: record.seconds.toFixed(2) });
}

function faceProblem(bytes: Buffer): Said {
  const { arrivals, wholeBytes } = readArrivals(bytes);
  if (wholeBytes < bytes.length)
    return say('verify_take.cut_off', { whole: wholeBytes, bytes: bytes.length });
  return facesOf(arrivals).some(({ frames }) => frames.length > 0) ? '' : say('verify_take.no_face');
}

async function editsProblem(folder: string): Promise<Said> {
  const { history, wholeBytes, bytes } = await readEditList(folder);
  if (wholeBytes < bytes) return say('verify_take.half_line');
  const known = new Set((await listAttempts(folder)).map(({ id }) => id));
  const { taken } = history.edits;
  const missing = faceRegions.flatMap((region) => taken[region]).find(({ attempt }) => !known.has(attempt));
  return missing ? say('edits.no_attempt', { attempt: missing.attempt }) : '';
}
