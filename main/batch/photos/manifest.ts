import { type Message, t } from '@likeness/messages';
import { type CsvField, csvLine, fieldText, readCsv } from '@likeness/node-kit/csv.ts';
import type { HeadOptions } from '@likeness/proto/heads/head_options.ts';
import { maxPhotosPerPerson } from '@likeness/proto/heads/person_photos.ts';
import { type eyelidTypes, manifestColumns, type manifestFaults, type sexes } from '#contract';
import { readOptions, writeOptions } from './head_options_text.ts';

/** One line of a manifest; empty fields are undefined. */
export interface ManifestRow {
  line: number;
  /** As written: a name, or a path with `/` or `\\`. */
  file: string;
  sex?: (typeof sexes)[number];
  eyelidType?: (typeof eyelidTypes)[number];
  name?: string;
  tags?: string[];
  options?: HeadOptions | null;
  /** Photos with the same value are of one person. */
  person?: string;
}

export type ManifestFault = (typeof manifestFaults)[number];

export interface ManifestProblem {
  /** 1-based. */
  line: number;
  column: number;
  fault: ManifestFault;
  /** The column concerned; empty for the whole line or file. */
  value: string;
  /** The problem as a sentence. */
  problem: Message;
}

const sentences: Readonly<Record<ManifestFault, (value: string) => Message>> = {
  empty: () => t('manifest.empty'),
  unknown_column: (title) => t('manifest.unknown_column', { title, columns: manifestColumns.join(', ') }),
  no_file_column: () => t('manifest.no_file_column'),
  too_many_cells: (count) => t('manifest.too_many_cells', { count }),
  no_sex: (word) => t('manifest.no_sex', { word }),
  no_eyelid: (word) => t('manifest.no_eyelid', { word }),
  name_too_long: () => t('manifest.name_too_long'),
  too_many_tags: () => t('manifest.too_many_tags'),
  no_options: (word) => t('manifest.no_options', { word }),
  too_many_of_person: (person) => t('manifest.too_many_of_person', { person, most: maxPhotosPerPerson }),
  file_missing: () => t('manifest.file_missing'),
  open_quote: () => t('manifest.open_quote'),
  no_photo: (file) => t('manifest.no_photo', { file }),
  several_photos: (file) => t('manifest.several_photos', { file }),
};

/** Maximum characters of a cell to quote in a problem: a file without line ends is one cell. */
const shownValue = 200;

/** Returns a problem with its position. @param place - Line and column, both from 1. */
export function manifestProblem(
  { line, column }: { line: number; column: number },
  fault: ManifestFault,
  whole = '',
): ManifestProblem {
  const value = whole.length > shownValue ? `${whole.slice(0, shownValue)}…` : whole;
  return { line, column, fault, value, problem: sentences[fault](value) };
}

const sexWords: Readonly<Record<string, (typeof sexes)[number]>> = {
  female: 'female',
  f: 'female',
  w: 'female',
  '1': 'female',
  woman: 'female',
  女: 'female',
  male: 'male',
  m: 'male',
  '0': 'male',
  man: 'male',
  男: 'male',
};
const eyelidWords: Readonly<Record<string, (typeof eyelidTypes)[number]>> = {
  single: 'single',
  '1': 'single',
  double: 'double',
  '2': 'double',
};

/** Parses a sex from the words of manifests and folder names; null if it is neither. */
const sexByWord = (word: string): (typeof sexes)[number] | null => sexWords[codeWord(word)] ?? null;

/** Normalizes a word: full-width letters from phones, `1.0` from spreadsheets. */
const codeWord = (word: string): string =>
  word
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/^(\d)\.0+$/, '$1');

/**
 * Parses `file,sex,eyelidType,name,tags,options,person` (RFC 4180; comma, semicolon or tab). Columns come in
 * any order, and only `file` is required. Tags are separated by `;` or `|`; options look like `smile=1;
 * head=1.05`. An invalid line is skipped and reported by line and column.
 */
export function parseManifest(text: string): { rows: ManifestRow[]; problems: ManifestProblem[] } {
  const problems: ManifestProblem[] = [];
  const { lines, open } = readCsv(text);
  if (open) problems.push(manifestProblem(open, 'open_quote'));
  const first = lines.findIndex((cells) => cells.some(({ text: title }) => title.trim() !== ''));
  const [header, ...body] = first < 0 ? lines : lines.slice(first);
  if (!header) return { rows: [], problems: [manifestProblem({ line: 1, column: 1 }, 'empty')] };
  const columns = header.map(({ text: title, line, column }) => {
    const found = manifestColumns.find((name) => name.toLowerCase() === title.trim().toLowerCase());
    if (!found && title.trim() !== '') {
      problems.push(manifestProblem({ line, column }, 'unknown_column', title.trim()));
    }
    return found;
  });
  if (!columns.includes('file')) {
    problems.push(manifestProblem({ line: 1, column: 1 }, 'no_file_column'));
    return { rows: [], problems };
  }
  const rows: ManifestRow[] = [];
  for (const cells of body) {
    if (cells.every((cell) => cell.text.trim() === '')) continue;
    const before = problems.length;
    const row = readRow(cells, columns, problems);
    if (problems.length === before) rows.push(row);
  }
  return { rows, problems };
}

export interface ManifestEntry {
  file: string;
  sex: string | null;
  eyelidType: string | null;
  name: string;
  tags: readonly string[];
  options: HeadOptions | null;
  /** Photos with the same value are of one person; undefined: a photo alone. */
  person?: string;
}

/** Writes a manifest that `parseManifest` reads back unchanged. */
export const writeManifest = (entries: readonly ManifestEntry[]): string =>
  [
    manifestColumns.filter((column) => column !== 'person' || entries.some(({ person }) => person)),
    ...entries.map(({ file, sex, eyelidType, name, tags, options, person }) => [
      file,
      sex,
      eyelidType,
      name,
      tags.map((tag) => tag.replace(/[\\;|]/g, '\\$&')).join(';'),
      writeOptions(options),
      ...(entries.some((entry) => entry.person) ? [person ?? ''] : []),
    ]),
  ]
    .map(csvLine)
    .join('');

/** Tags separated by `;` or `|`; a `\` escapes these signs within a tag. */
const tagsIn = (text: string): string[] => [
  ...new Set(
    (text.match(/(?:\\[\\;|]|[^;|])+/g) ?? [])
      .map((tag) => tag.trim().replace(/\\([\\;|])/g, '$1'))
      .filter((tag) => tag !== ''),
  ),
];

function readRow(
  cells: readonly CsvField[],
  columns: readonly ((typeof manifestColumns)[number] | undefined)[],
  problems: ManifestProblem[],
): ManifestRow {
  const row: ManifestRow = { line: cells[0]?.line ?? 0, file: '' };
  for (const [column, cell] of cells.entries()) {
    // Blanks within quotes are kept: they may belong to a file name.
    const value = fieldText(cell);
    const fault = (kind: ManifestFault, about = value): void => {
      problems.push(manifestProblem(cell, kind, about));
    };
    if (column >= columns.length) {
      if (value !== '') fault('too_many_cells', String(columns.length));
      continue;
    }
    if (value.trim() === '' || columns[column] === undefined) continue;
    switch (columns[column]) {
      case 'file':
        row.file = value;
        break;
      case 'sex': {
        const sex = sexByWord(value);
        if (sex) row.sex = sex;
        else fault('no_sex');
        break;
      }
      case 'eyelidType': {
        const eyelidType = eyelidWords[codeWord(value)];
        if (eyelidType) row.eyelidType = eyelidType;
        else fault('no_eyelid');
        break;
      }
      case 'name':
        if (value.length <= 120) row.name = value.trim();
        else fault('name_too_long');
        break;
      case 'person':
        if (value.length <= 120) row.person = value.trim();
        else fault('name_too_long');
        break;
      case 'tags': {
        const tags = tagsIn(value);
        if (tags.length > 50 || tags.some((tag) => tag.length > 60)) fault('too_many_tags');
        else row.tags = tags;
        break;
      }
      case 'options': {
        const { options, wrong } = readOptions(value);
        if (wrong === null) row.options = options;
        else fault('no_options', wrong);
        break;
      }
    }
  }
  if (row.file === '') {
    const column = cells[columns.indexOf('file')]?.column ?? 1;
    problems.push(manifestProblem({ line: row.line, column }, 'file_missing'));
  }
  return row;
}

/** Returns the sex that a photo's folders name; the innermost such folder decides. */
export function sexByFolder(folder: string): 'female' | 'male' | null {
  const words: Readonly<Record<string, 'female' | 'male'>> = {
    females: 'female',
    women: 'female',
    girls: 'female',
    女性: 'female',
    女生: 'female',
    males: 'male',
    men: 'male',
    boys: 'male',
    男性: 'male',
    男生: 'male',
  };
  for (const part of folder.split('/').reverse()) {
    const word = part.trim().toLowerCase();
    const sex = words[word] ?? (/^[01]$/.test(word) ? null : sexByWord(word));
    if (sex) return sex;
  }
  return null;
}
