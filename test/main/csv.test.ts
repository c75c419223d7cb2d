import { csvLine, fieldText } from '@likeness/node-kit/csv.ts';
import { expect, it } from 'vitest';
import { reportJobs } from '../../main/batch/jobs/job_report.ts';
import { exportRecords } from '../../main/library/export/record_export.ts';

/** What a cell says that stood in quotes. */
const readQuoted = (text: string): string => fieldText({ text, isQuoted: true, line: 1, column: 1 });

const formulas = [
  '=1+1',
  ' =1+1',
  '＝1+1',
  '\u00a0＠x',
  '-2+3',
  '+1',
  '@x',
  '\t=1',
  '\rx',
  '\nx',
  "'=1",
  "''=1",
];

it.each(formulas)('a cell that a spreadsheet would run is made harmless, and comes back: %j', (text) => {
  const cell = csvLine([text])
    .replace(/\r\n$/, '')
    .replace(/^"(.*)"$/s, '$1')
    .replaceAll('""', '"');
  expect(cell).toBe(`'${text}`);
  expect(readQuoted(cell)).toBe(text);
});

it.each(['plain', "'Abd", "it's", '', 'a=b', 'x, "y"'])(
  'a cell that runs nothing stays as it is: %j',
  (text) => {
    const cell = csvLine([text])
      .replace(/\r\n$/, '')
      .replace(/^"(.*)"$/s, '$1')
      .replaceAll('""', '"');
    expect(cell).toBe(text);
    expect(readQuoted(text)).toBe(text);
  },
);

it('text with quotes or commas is quoted, with its quotes doubled (RFC 4180)', () => {
  expect(csvLine(['say "hi"', 'a,b', 'plain'])).toBe('"say ""hi""","a,b",plain\r\n');
});

it('numbers stay numbers, and nothing stays empty', () => {
  expect(csvLine([-1.5, null, 3])).toBe('-1.5,,3\r\n');
});

it.each(formulas)('every table that the studio writes has the same guard: %j', (text) => {
  const quoted = csvLine([text]).trimEnd();
  expect(
    reportJobs([
      {
        fileName: text,
        message: '',
        hint: '',
        queuedAt: null,
        submittedAt: null,
        doneAt: null,
      } as unknown as Parameters<typeof reportJobs>[0][number],
    ]),
  ).toContain(quoted);
  const record = { name: text, tags: [], consent: { who: text, basis: '', until: null } };
  expect(exportRecords([record as unknown as Parameters<typeof exportRecords>[0][number]], 'csv')).toContain(
    quoted,
  );
});
