import { inEnglish } from '@likeness/messages';
import { type CsvCell, csvLine } from '@likeness/node-kit/csv.ts';
import type { JobRow } from './job_row.ts';

const columns = [
  'file',
  'name',
  'state',
  'message',
  'hint',
  'sex',
  'eyelidType',
  'profile',
  'remoteModelId',
  'modelId',
  'submits',
  'queuedAt',
  'submittedAt',
  'doneAt',
] as const;

/** Writes the result of every job as CSV (RFC 4180); times in ISO 8601. */
export function reportJobs(jobs: readonly JobRow[]): string {
  const rows = jobs.map((job) => {
    const values: Record<(typeof columns)[number], CsvCell> = {
      file: job.fileName,
      name: job.name,
      state: job.state,
      message: inEnglish(job.message),
      hint: inEnglish(job.hint),
      sex: job.sex,
      eyelidType: job.eyelidType,
      profile: job.profileName,
      remoteModelId: job.remoteModelId,
      modelId: job.state === 'done' ? job.modelId : '',
      submits: job.attempts,
      queuedAt: iso(job.queuedAt),
      submittedAt: iso(job.submittedAt),
      doneAt: iso(job.doneAt),
    };
    return csvLine(columns.map((column) => values[column]));
  });
  return csvLine(columns) + rows.join('');
}

const iso = (at: number | null): string => (at === null ? '' : new Date(at).toISOString());
