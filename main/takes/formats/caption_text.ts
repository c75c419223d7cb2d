import { withoutReferences } from './character_references.ts';
import type { ReadWords } from './read_words.ts';

/**
 * Reads the words of a SubRip or WebVTT file, one line per cue. Not with a package: for an empty cue,
 * @plussub/srt-vtt-parser reads the number and time of the next cue as words, and it throws for a file with
 * one bad line.
 *
 * A SubRip cue extends to the next time, because many contain blank lines. In WebVTT a blank line ends a cue,
 * and no player shows later text without a time: it is skipped and reported.
 *
 * @returns null if there is no cue
 */
export function captionText(text: string): ReadWords | null {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const times = lines.flatMap((line, at) => (timeLine.test(line) ? [at] : []));
  const [first] = times;
  if (first === undefined) return null;
  const isVtt = /^\ufeff?WEBVTT/.test(text);
  const before = lines.slice(0, first);
  const isNumbered = counter.test(before.at(-1) ?? '');
  const leftOut = isVtt ? unshownBlocks(blocksOf(before).slice(1), true) : [];
  if (!isVtt) leftOut.push(...blocksOf(isNumbered ? before.slice(0, -1) : before));
  const cues: string[] = [];
  for (const [index, at] of times.entries()) {
    const next = times[index + 1];
    const beside = (lines[at] ?? '').replace(timeLine, '').replace(settings, '');
    const body = lines.slice(at + 1, next);
    const spoken = isVtt ? cueOfVtt(body, next !== undefined, leftOut) : cueOfSubRip(body, next, isNumbered);
    cues.push(...cueLines([beside, ...spoken], cues.at(-1)));
  }
  const shown = leftOut
    .map((block) => withoutTags(block).trim())
    .filter((block) => /[\p{L}\p{N}]/u.test(block));
  return { text: cues.join('\n'), leftOut: [{ kind: 'untimed', what: shown }] };
}

/** Hours, thousandths and separators may be missing or different: `1:02`, `00:00:01:12`, `00:00:01, 500`. */
const time = String.raw`[-−]?\d+[hms]?(?:[ \t]?[:.,; ]?[ \t]?\d+[hms]?)*`;
const clock = String.raw`\d+(?::\d+)+(?:[.,;][ \t]?\d+)?`;
const timeLine = new RegExp(
  String.raw`^\s*${time}\s*(?:-{2,3}|[–—])>\s*(?:${time})?|^\s*${clock}\s*(?:->|→)\s*${clock}`,
);
const settings = /(?:^|\s)[a-z]\w*:[^\s:]+/gi;
const counter = /^\s*#?\d+[.)]?\s*$/;
const rolling = /<\d{2}:\d{2}(?::\d{2})?\.\d{3}>/;

const blocksOf = (lines: readonly string[]): string[] =>
  lines
    .join('\n')
    .split(/\n[ \t]*\n\s*/)
    .map((block) => block.trim())
    .filter(Boolean);

/**
 * WebVTT blocks without visible text, except notes and styles. @param isNamed the last has a cue's name below
 */
function unshownBlocks(blocks: readonly string[], isNamed: boolean): string[] {
  const named = isNamed
    ? [...blocks.slice(0, -1), (blocks.at(-1) ?? '').replace(/(?:^|\n)[^\n]*$/, '')]
    : blocks;
  return named.filter((block) => block !== '' && !/^(?:NOTE|STYLE|REGION)(?:\s|$)/.test(block));
}

/** @param goesOn another cue follows */
function cueOfVtt(body: readonly string[], goesOn: boolean, leftOut: string[]): string[] {
  const blank = body.findIndex((line) => line.trim() === '');
  // Without a blank line, the next cue's number follows the words.
  if (blank < 0) return goesOn && counter.test(body.at(-1) ?? '') ? body.slice(0, -1) : [...body];
  const rest = body.slice(blank);
  leftOut.push(...unshownBlocks(blocksOf(rest), goesOn && rest.at(-1)?.trim() !== ''));
  return body.slice(0, blank);
}

/** @param next line of the next time */
function cueOfSubRip(body: readonly string[], next: number | undefined, isNumbered: boolean): string[] {
  const isNext = next !== undefined && isNumbered && counter.test(body.at(-1) ?? '');
  return isNext ? body.slice(0, -1) : [...body];
}

function cueLines(lines: readonly string[], last: string | undefined): string[] {
  const plain = lines.map((line) => withoutTags(line).trim()).filter((line) => line !== '');
  // Rolling captions repeat the previous line above the new one, or alone.
  const repeats =
    plain[0] !== undefined &&
    plain[0] === last &&
    (lines.some((line) => rolling.test(line)) || plain.length === 1);
  const spoken = repeats ? plain.slice(1) : plain;
  return spoken.length > 0 ? [spoken.join('\n')] : [];
}

const withoutTags = (line: string): string =>
  withoutReferences(line.replace(/<\/?[a-z\d][^<>]*>/gi, '').replace(/\{\\[^{}]*\}/g, ''));
