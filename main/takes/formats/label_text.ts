import { noiseMark } from '@likeness/proto/text/unspoken.ts';

/** Labels that aligners write for silence. */
const silences =
  /^(?:s?sil|sp|pau|h#|#|<eps>|<s>|<\/s>|<sil>|<p:>|_|-|!sil|!enter|!exit|sent-start|sent-end)$/i;
/** Labels of noise, laughter and unknown words. */
const noises = /^(?:spn|nsn|SPN|NSN|LAU|SNP|xxx)$/;
/** A complete label in brackets: (laughter). */
const inBrackets = /^\([^()]*\)$/;
/** Marks within a label: those of any text, and <laugh>, **breath**, ((noise)), (..), +BREATH+. */
const marks = new RegExp(
  String.raw`${noiseMark}|<[^<>]*>|\*\*[^*]+\*\*|\*[^*\s]+\*|\(\([^()]*\)\)|\(\.+\)|(?<!\S)\+\p{L}[^+\s]*\+(?!\S)`,
  'gu',
);
const phone = /^(?:[A-Z]{1,2}[012]?|sil|sp|spn)$/;
const fewestPhones = 6;

/**
 * Returns the words of labels without silences and noises. Joins Chinese ones, because spaces between
 * characters would hide the words from the dictionary.
 */
export function labelsAsText(labels: readonly string[]): { text: string; noise: string[] } {
  const noise = new Set<string>();
  const words = labels.flatMap((label) => {
    const whole = label.trim();
    if (silences.test(whole)) return [];
    if (inBrackets.test(whole)) {
      noise.add(whole);
      return [];
    }
    const unmarked = label.replace(marks, (mark) => {
      if (!silences.test(mark)) noise.add(mark);
      return ' ';
    });
    return unmarked.split(/\s+/).filter((word) => {
      if (noises.test(word)) noise.add(word);
      return word !== '' && !silences.test(word) && !noises.test(word);
    });
  });
  const text = words.join(' ').replace(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, '');
  return { text, noise: [...noise] };
}

/** Labels that consist only of phones: they contain no words. */
export function arePhones(labels: readonly string[]): boolean {
  const phones = labels.map((label) => label.trim()).filter(Boolean);
  return (
    phones.length >= fewestPhones &&
    phones.every((label) => phone.test(label) || silences.test(label) || noises.test(label))
  );
}

const number = String.raw`\d+(?:\.\d+)?(?:e[-+]?\d+)?`;
const seconds = String.raw`(?:\d+:){0,2}\d+(?:[.,]\d+)?(?:e[-+]?\d+)?`;
const timesAndLabel = new RegExp(
  String.raw`^(${seconds})[ \t]*[\t; ][ \t]*(${seconds})(?:[\t; ][ \t]*(.*))?$`,
);
const commas = new RegExp(`^(${number}),(${number}),(.*)$`);
const timeAndLabel = /^\d+\.\d+[\t ]+(?:\d+[\t ]+)?(\D.*)$/;
const festival = /^\d+(?:\.\d+)?\s+\d+\s+(\S+)/;
/** Extra lines between labels: of HTK's master files, and Audacity's frequencies. */
const unlabelled = /^(?:\.|\/\/\/|#!MLF!#|".*"|\\.*)$/;

export interface ReadLabels {
  labels: string[];
  /** Lines that are not labels. */
  others: string[];
}

/**
 * Parses a `.lab` file. Formats: HTK (start and end in 100 ns, the label, a score); ESPS and Festival (end in
 * seconds, a colour, the label, after a `#`); WaveSurfer, Audacity and others (start and end in seconds, the
 * label); markers (one time and the label).
 *
 * @returns null if most lines have no time: then it is plain text, the input of forced aligners
 */
export function readLabels(text: string): ReadLabels | null {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const head = lines.indexOf('#');
  const body = (head >= 0 ? lines.slice(head + 1) : lines).filter(
    (line) => line !== '' && !unlabelled.test(line),
  );
  const readers = head >= 0 ? [inFestival] : [timedReader(body), inMarkers(body)];
  for (const read of readers) {
    const labels = body.map(read);
    const found = labels.filter((label) => label !== null);
    if (found.length > 0 && found.length * 2 >= body.length)
      return { labels: found, others: body.filter((_, at) => labels[at] === null) };
  }
  return null;
}

/** Whether every line is a label with two times, separated by tabs: Audacity uses the extension `.txt`. */
export const areTabbedLabels = (text: string): boolean =>
  text
    .trim()
    .split(/\r?\n/)
    .every((line) => /^(?:\\|\d+[.,]\d+\t\d+[.,]\d+(?:\t|$)|\s*$)/.test(line));

type ReadLabel = (line: string) => string | null;

const inFestival: ReadLabel = (line) => festival.exec(line)?.[1] ?? timeAndLabel.exec(line)?.[1] ?? null;

const inMarkers = (lines: readonly string[]): ReadLabel =>
  // A single line may also be a sentence about 3.5 million people.
  lines.length < 2 ? () => null : (line) => timeAndLabel.exec(line)?.[1] ?? null;

/** Two times and a label. Integers are HTK's if a score follows the label, otherwise Festival's colours. */
function timedReader(lines: readonly string[]): ReadLabel {
  const found = lines.flatMap((line) => {
    const [, start, end] = timesAndLabel.exec(line) ?? commas.exec(line) ?? [];
    return start !== undefined && end !== undefined ? [{ start, end }] : [];
  });
  const isWhole = found.every(({ start, end }) => /^\d+$/.test(start + end));
  const isColoured = !isWhole && found.every(({ end }) => /^\d+$/.test(end));
  if (isColoured) return inFestival;
  return (line) => {
    const match = timesAndLabel.exec(line) ?? commas.exec(line);
    if (!match) return null;
    const label = match[3] ?? '';
    return isWhole ? label.replace(/\s+[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?:\s.*)?$/i, '') : label.trim();
  };
}
