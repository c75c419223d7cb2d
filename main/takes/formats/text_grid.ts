import type { AlignedPhone, SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';

/** A tier of intervals: consecutive labelled ranges of time. */
export interface IntervalTier {
  readonly name: string;
  readonly intervals: readonly Interval[];
}

interface Interval {
  /** Seconds. */
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

/**
 * Writes a recording's words and phones as Praat's TextGrid, in its long form: tiers `words` and `phones`,
 * with empty intervals for silence.
 *
 * @param seconds the recording's length
 */
export function textGrid(alignment: SpeechAlignment, seconds: number): string {
  const spoken = alignment.words.filter(({ start, end }) => end > start);
  const words = spoken.map(({ text, start, end }) => ({ start, end, label: text }));
  const phones = spoken.flatMap((word) => word.phones).map(intervalOf);
  const end = Math.max(seconds, ...[words.at(-1), phones.at(-1)].map((last) => last?.end ?? 0));
  const tiers = [
    { name: 'words', intervals: filled(words, end) },
    { name: 'phones', intervals: filled(phones, end) },
  ];
  return [
    'File type = "ooTextFile"',
    'Object class = "TextGrid"',
    '',
    'xmin = 0',
    `xmax = ${time(end)}`,
    'tiers? <exists>',
    `size = ${tiers.length}`,
    'item []:',
    ...tiers.flatMap((tier, at) => tierLines(tier, at + 1, end)),
    '',
  ].join('\n');
}

const intervalOf = ({ start, end, phone }: AlignedPhone): Interval => ({ start, end, label: phone });

/**
 * Praat requires tiers without gaps: an interval that overlaps its neighbour is cut, and dropped if nothing
 * remains.
 */
function filled(intervals: readonly Interval[], end: number): Interval[] {
  const all: Interval[] = [];
  let at = 0;
  for (const { start, end: until, label } of intervals) {
    const from = Math.max(at, round(start));
    const to = Math.min(round(until), end);
    if (to <= from) continue;
    if (from > at) all.push({ start: at, end: from, label: '' });
    all.push({ start: from, end: to, label });
    at = to;
  }
  if (at < end || all.length === 0) all.push({ start: at, end, label: '' });
  return all;
}

function tierLines({ name, intervals }: IntervalTier, number: number, end: number): string[] {
  return [
    `    item [${number}]:`,
    '        class = "IntervalTier"',
    `        name = "${quoted(name)}"`,
    '        xmin = 0',
    `        xmax = ${time(end)}`,
    `        intervals: size = ${intervals.length}`,
    ...intervals.flatMap(({ start, end: until, label }, at) => [
      `        intervals [${at + 1}]:`,
      `            xmin = ${time(start)}`,
      `            xmax = ${time(until)}`,
      `            text = "${quoted(label)}"`,
    ]),
  ];
}

/** Tenths of a millisecond; starts and ends are rounded before they are compared. */
const round = (seconds: number): number => Math.round(seconds * 10_000) / 10_000;
const time = (seconds: number): string => String(round(seconds));
const quoted = (text: string): string => text.replaceAll('"', '""').replace(/\s+/g, ' ');

/**
 * Parses the interval tiers of a TextGrid in its long or short form. Like Praat, it reads quoted strings,
 * standalone numbers and `<flags>`, and ignores the rest as comments.
 *
 * @returns null if the text is not a TextGrid, or is incomplete
 */
export function readTextGrid(text: string): IntervalTier[] | null {
  const tokens = praatTokens(text);
  let at = 0;
  const next = (): string | number | undefined => tokens[at++];
  const number = (): number => {
    const token = next();
    return typeof token === 'number' ? token : Number.NaN;
  };
  if (tokens[0] === 'ooTextFile' || tokens[0] === 'ooTextFile short') at += 1;
  if (next() !== 'TextGrid') return null;
  at += 2;
  const count = number();
  const tiers: IntervalTier[] = [];
  for (let tier = 0; tier < count; tier += 1) {
    const kind = next();
    const name = next();
    at += 2;
    const size = number();
    if (typeof name !== 'string' || !Number.isInteger(size)) return null;
    if (kind === 'TextTier') at += 2 * size;
    else if (kind === 'IntervalTier') {
      const intervals: Interval[] = [];
      for (let interval = 0; interval < size; interval += 1) {
        const [start, end, label] = [number(), number(), next()];
        if (typeof label !== 'string') return null;
        intervals.push({ start, end, label });
      }
      tiers.push({ name, intervals });
    } else return null;
  }
  return Number.isInteger(count) ? tiers : null;
}

function praatTokens(text: string): (string | number)[] {
  const tokens: (string | number)[] = [];
  for (const [token] of text.matchAll(/"(?:[^"]|"")*"|!.*|[^\s"]+/g)) {
    if (token.startsWith('"')) tokens.push(token.slice(1, -1).replaceAll('""', '"'));
    else if (/^[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?%?s?$/i.test(token)) tokens.push(Number.parseFloat(token));
  }
  return tokens;
}
