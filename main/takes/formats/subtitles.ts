import type { AlignedWord, SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import type { Cue } from '@likeness/proto/takes/film_message.ts';

/** `sentences`: cues of one or two lines, ended at sentences and clauses. `words`: one cue a word. */
export type CueKind = 'sentences' | 'words';

/** Limits for subtitles from the guides of Netflix and the BBC, for English and for Chinese. */
const widest = { narrow: 42, wide: 16 } as const;
const maxLines = 2;
const longestCue = 7;
const shortestCue = 0.8;
/** Comfortable reading speed, characters per second. */
const readingSpeed = { narrow: 17, wide: 9 } as const;
/** Minimum pause that starts a new cue, seconds. */
const longPause = 1;
/** Minimum gap between two cues, so that the viewer notices the change. */
const minGap = 0.05;

/**
 * @param script source of the alignment's words
 * @param seconds duration of the audio: the last cue ends with it
 */
export function subRip(
  alignment: SpeechAlignment,
  script: string,
  kind: CueKind,
  seconds = Number.POSITIVE_INFINITY,
): string {
  return cuesOf(alignment, script, kind, seconds)
    .map(({ start, end, lines }, at) =>
      [`${at + 1}`, `${clock(start, ',')} --> ${clock(end, ',')}`, ...lines, ''].join('\n'),
    )
    .join('\n');
}

/**
 * @param script source of the alignment's words
 * @param seconds duration of the audio: the last cue ends with it
 */
export function webVtt(
  alignment: SpeechAlignment,
  script: string,
  kind: CueKind,
  seconds = Number.POSITIVE_INFINITY,
): string {
  const cues = cuesOf(alignment, script, kind, seconds).map(({ start, end, lines }) =>
    [`${clock(start, '.')} --> ${clock(end, '.')}`, ...lines.map(escaped), ''].join('\n'),
  );
  return ['WEBVTT\n', ...cues].join('\n');
}

const escaped = (line: string): string =>
  line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Hours, minutes, seconds and thousandths. */
function clock(seconds: number, point: ',' | '.'): string {
  const all = Math.max(0, Math.round(seconds * 1000));
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const thousandths = String(all % 1000).padStart(3, '0');
  return `${two(all / 3_600_000)}:${two((all / 60_000) % 60)}:${two((all / 1000) % 60)}${point}${thousandths}`;
}

/** A written word with its punctuation and its time. */
interface WrittenWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether a space precedes it. */
  readonly spaced: boolean;
  readonly ends: 'sentence' | 'clause' | null;
}

/**
 * @param script source of the alignment's words
 * @param seconds duration of the audio: the last cue ends with it
 */
export function cuesOf(alignment: SpeechAlignment, script: string, kind: CueKind, seconds: number): Cue[] {
  const words = writtenWords(alignment.words, script);
  if (kind === 'words') return words.map(({ start, end, text }) => ({ start, end, lines: [text] }));
  const groups: WrittenWord[][] = [];
  let group: WrittenWord[] = [];
  for (const [at, word] of words.entries()) {
    if (group.length > 0 && beginsAnew(group, word)) {
      groups.push(group);
      group = [];
    }
    group.push(word);
    if (at === words.length - 1) groups.push(group);
  }
  return readable(groups.flatMap(halved), seconds);
}

/** Returns the spoken words of a script: those of one number are joined, and skipped ones are left out. */
function writtenWords(words: readonly AlignedWord[], script: string): WrittenWord[] {
  const tokens: { from: number; to: number; start: number; end: number }[] = [];
  for (const { from, to, start, end, flag } of words) {
    if (flag === 'left_out' || end <= start) continue;
    const last = tokens.at(-1);
    if (last && from < last.to) {
      last.end = Math.max(last.end, end);
      last.to = Math.max(last.to, to);
    } else tokens.push({ from, to, start, end });
  }
  return tokens.map(({ from, to, start, end }, at) => {
    const before = script.slice(tokens[at - 1]?.to ?? 0, from);
    const after = script.slice(to, tokens[at + 1]?.from ?? script.length);
    const closing = /^[^\s\p{L}\p{N}([{<“‘「『（【]*/u.exec(after)?.[0] ?? '';
    const opening = /[([“‘"'「『（¿¡]*$/u.exec(before)?.[0] ?? '';
    return {
      text: `${opening}${script.slice(from, to)}${closing}`.replace(/\s+/g, ' '),
      start,
      end,
      spaced: /\s/.test(before),
      ends: endOf(after),
    };
  });
}

const endOf = (after: string): WrittenWord['ends'] =>
  /^["'”’」』)）]*[.!?…。！？]/u.test(after)
    ? 'sentence'
    : /^["'”’」』)）]*[,;:，；：、—–]/u.test(after)
      ? 'clause'
      : null;

function beginsAnew(group: readonly WrittenWord[], next: WrittenWord): boolean {
  const last = group.at(-1)!;
  if (last.ends === 'sentence' || next.start - last.end > longPause) return true;
  return next.end - group[0]!.start > longestCue || wrapped([...group, next]) === null;
}

/** A cue that becomes full within a sentence is split at its last clause, if a third or more precedes it. */
function halved(group: readonly WrittenWord[]): (readonly WrittenWord[])[] {
  if (group.at(-1)!.ends) return [group];
  const clause = group.findLastIndex(({ ends }) => ends !== null);
  if (clause < group.length / 3 - 1 || clause < 0) return [group];
  return [group.slice(0, clause + 1), group.slice(clause + 1)];
}

/** Width of a line: a Chinese character is wider than two Latin letters. */
const kindOf = (text: string): 'wide' | 'narrow' => (/\p{Script=Han}/u.test(text) ? 'wide' : 'narrow');

const joined = (words: readonly WrittenWord[]): string =>
  words.map(({ text, spaced }, at) => (spaced && at > 0 ? ` ${text}` : text)).join('');

/** Splits words into one or two lines, the second rather longer; null if they don't fit. */
function wrapped(words: readonly WrittenWord[]): string[] | null {
  const whole = joined(words);
  const max = widest[kindOf(whole)];
  if (whole.length <= max || words.length === 1) return [whole];
  let best: { lines: string[]; cost: number } | null = null;
  for (let at = 1; at < words.length; at += 1) {
    const lines = [joined(words.slice(0, at)), joined(words.slice(at))];
    if (lines.some((line) => line.length > max)) continue;
    const [first = '', second = ''] = lines;
    const clause = words[at - 1]!.ends ? 0 : 10;
    const cost = Math.abs(second.length - first.length) + (first.length > second.length ? 3 : 0) + clause;
    if (!best || cost < best.cost) best = { lines, cost };
  }
  return best && best.lines.length <= maxLines ? best.lines : null;
}

/** Extends cues for readability, up to the next one. */
function readable(groups: readonly (readonly WrittenWord[])[], seconds: number): Cue[] {
  return groups.map((group, at) => {
    const text = joined(group);
    const start = group[0]!.start;
    const spokenEnd = group.at(-1)!.end;
    const wanted = start + Math.max(shortestCue, text.length / readingSpeed[kindOf(text)]);
    const next = groups[at + 1]?.[0]?.start ?? seconds + minGap;
    const end = Math.max(spokenEnd, Math.min(wanted, next - minGap));
    return { start, end: Math.min(end, Math.max(spokenEnd, next)), lines: wrapped(group) ?? [text] };
  });
}
