/** The page's constants for takes, without zod. */
import { maxScriptCharacters } from '@likeness/proto/takes/script_limits.ts';
import type { SearchFields } from '../constants.ts';

/** Fields of a search among takes. */
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

/** Figures of a take's scorecard, in display order. */
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

/** Constants of a take's export. */
export const takeExportLimits = { takes: 2000 } as const;

/** Formats that need the words: a take without a transcript does not have them. */
export const takeFormatsOfWords = [
  'textgrid',
  'srt',
  'vtt',
] as const satisfies (typeof takeFormats)[number][];

/** Constants of a take's transcript and of its second face. */
export const scriptLimits = {
  characters: maxScriptCharacters,
  words: 200_000,
  /** Limit for a transcript's file in base64: 4 MiB. */
  fileCharacters: 5_600_000,
  dial: { least: 0.2, most: 2 },
} as const;
