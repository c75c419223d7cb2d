import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Message, t } from '@likeness/messages';
import { fileErrorCode } from '@likeness/node-kit/error_codes.ts';
import { Failure, messageOf } from '@likeness/node-kit/failure.ts';
import { openBounded, readInside } from '@likeness/node-kit/storage/inside_folder.ts';
import { facesOf, readArrivals } from '@likeness/proto/take_stream.ts';
import { faceRegions } from '@likeness/proto/takes/edits/edit_limits.ts';
import type { TakeProblem } from '#contract';
import { readWords } from '../full_pass_face.ts';
import { reasonOf, recordIn } from '../read_take.ts';
import { openTakeSound } from '../sound/mono_sound.ts';
import { refuseOversizedSound } from '../sound/take_sound.ts';
import { maxTakeBytes, type TakeRecord, takeFiles } from '../take_record.ts';
import { readEditList } from './edit_list.ts';
import { listOverdubs } from './take_overdubs.ts';

/** Maximum difference between audio and record, seconds: rounding. */
const tolerance = 0.01;

/**
 * Reads every file of a take and reports problems. Changes nothing.
 *
 * @param folder absolute @param prefix before the names of its files
 * @returns names of the files that were read, and the problems
 */
export async function verifyTake(
  folder: string,
  prefix = '',
): Promise<{ files: string[]; problems: TakeProblem[] }> {
  const files: string[] = [];
  const problems: TakeProblem[] = [];
  /** @param check receives the path of a file that is inside the folder and within its size limit */
  const checkFile = async (
    what: keyof typeof takeFiles,
    check: (path: string) => Promise<Message> | Message,
    hint: Message,
  ) => {
    const file = `${prefix}${takeFiles[what]}`;
    try {
      const path = join(folder, takeFiles[what]);
      await (await openBounded(folder, path, maxTakeBytes[what])).close();
      files.push(file);
      const problem = await check(path);
      if (problem !== '') problems.push({ file, problem, hint });
    } catch (error) {
      const isMissing = fileErrorCode(error) === 'ENOENT';
      if (isMissing && !['record', 'audio', 'face'].includes(what)) return;
      if (!isMissing) files.push(file);
      const advice = error instanceof Failure && error.advice !== '' ? error.advice : hint;
      problems.push({ file, problem: isMissing ? t('takes.file_missing') : messageOf(error), hint: advice });
    }
  };
  const record = await recordIn(folder).catch((error: unknown) => {
    problems.push({
      file: `${prefix}${takeFiles.record}`,
      problem: reasonOf(error),
      hint: t('takes.put_right'),
    });
    return null;
  });
  if (record) files.push(`${prefix}${takeFiles.record}`);
  await checkFile('audio', (path) => soundProblem(path, record), t('verify_take.from_a_copy'));
  const faceIn = (what: 'face' | 'second') => async (path: string) =>
    faceProblem(await readInside(folder, path, maxTakeBytes[what]));
  await checkFile('face', faceIn('face'), t('verify_take.reanalyse'));
  await checkFile('second', faceIn('second'), t('verify_take.reanalyse'));
  await checkFile(
    'words',
    async () => ((await readWords(folder)) ? '' : t('verify_take.words')),
    t('verify_take.reanalyse'),
  );
  await checkFile('edits', () => editsProblem(folder), t('edits.put_right'));
  const attempts = prefix === '' ? await readdir(join(folder, 'attempts')).catch((): string[] => []) : [];
  for (const attempt of attempts) {
    const found = await verifyTake(join(folder, 'attempts', attempt), `attempts/${attempt}/`);
    files.push(...found.files);
    problems.push(...found.problems);
  }
  return { files, problems };
}

/** Reads only the header, and compares it with the record and the file's size. */
async function soundProblem(path: string, record: TakeRecord | null): Promise<Message> {
  if (record) await refuseOversizedSound(path, record);
  const { samples, format } = await openTakeSound(path);
  const seconds = samples / format.sampleRate;
  if (!record || Math.abs(seconds - record.seconds) <= tolerance) return '';
  return t('verify_take.length', { seconds: seconds.toFixed(2), stated: record.seconds.toFixed(2) });
}

function faceProblem(bytes: Buffer): Message {
  const { arrivals, wholeBytes } = readArrivals(bytes);
  if (wholeBytes < bytes.length) return t('verify_take.cut_off', { whole: wholeBytes, bytes: bytes.length });
  return facesOf(arrivals).some(({ frames }) => frames.length > 0) ? '' : t('verify_take.no_face');
}

async function editsProblem(folder: string): Promise<Message> {
  const { history, wholeBytes, bytes } = await readEditList(folder);
  if (wholeBytes < bytes) return t('verify_take.half_line');
  const known = new Set((await listOverdubs(folder)).map(({ id }) => id));
  const { taken } = history.edits;
  const missing = faceRegions.flatMap((region) => taken[region]).find(({ attempt }) => !known.has(attempt));
  return missing ? t('edits.no_overdub', { attempt: missing.attempt }) : '';
}
