/** What the page needs of takes without zod. */
import { maxScriptCharacters } from '@likeness/proto/takes/script_limits.ts';
import type { SearchFields } from '../constants.ts';

/** Fields that words of a search among takes can name. */
export const takeSearchFields = {
  tag: { kind: 'text', values: ['none'] },
  rating: { kind: 'stars', values: [] },
  made: { kind: 'day', values: [] },
  by: { kind: 'text', values: [] },
  from: { kind: 'word', values: ['microphone', 'file'] },
  script: { kind: 'word', values: ['yes', 'none'] },
  state: { kind: 'word', values: ['ok', 'recovered', 'gaps', 'damaged'] },
} as const satisfies SearchFields;
export type TakeSearchField = keyof typeof takeSearchFields;

/** Figures of a take's scorecard, in the order in which they are shown. */
export const takeFigures = [
  'closures',
  'peaks',
  'jawLag',
  'jawFollows',
  'silence',
  'jitter',
  'range',
  'late',
  'missing',
  'offset',
] as const;

export const takeSorts = ['created', 'name', 'rating', 'length'] as const;

export const takeFormats = [
  'livelink',
  'glb',
  'fbx',
  'vrma',
  'csv',
  'jsonl',
  'a2f',
  'visemes',
  'rhubarb',
  'blair',
  'moho',
  'textgrid',
  'srt',
  'vtt',
] as const;

/** Of an export of takes. */
export const takeExportLimits = { takes: 2000 } as const;

/** Those that are made of the words: a take without a script has none. */
export const takeFormatsOfWords = [
  'textgrid',
  'srt',
  'vtt',
] as const satisfies (typeof takeFormats)[number][];

/** Of a take's script, and of how its second face moves. */
export const scriptLimits = {
  characters: maxScriptCharacters,
  words: 200_000,
  /** Of a script's file in base64: 4 MiB. */
  fileCharacters: 5_600_000,
  dial: { least: 0.2, most: 2 },
} as const;
