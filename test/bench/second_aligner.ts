/** Pocketsphinx from Debian as a second aligner: when it hears each word of a text that it is told. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const dictionary = '/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict';

/** Whether pocketsphinx and its English model are installed. */
export const hasSecondAligner = (): boolean =>
  existsSync(dictionary) && existsSync('/usr/bin/pocketsphinx_continuous');

/**
 * Debian's version can't align, but it follows a grammar: this text alone, with pauses where they come.
 *
 * @param sound 16 kHz
 * @returns seconds at which each word begins; undefined where it lacks a word or does not follow to the end
 */
export function secondOnsets(sound: Float32Array, words: readonly string[]): number[] | undefined {
  const known = new Set(
    readFileSync(dictionary, 'utf8')
      .split('\n')
      .map((row) => row.split(' ', 1)[0]),
  );
  const plain = words.map((word) => word.toLowerCase());
  if (plain.some((word) => !known.has(word))) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'likeness-words-'));
  try {
    const grammar = join(folder, 'words.gram');
    writeFileSync(grammar, `#JSGF V1.0;\ngrammar words;\npublic <words> = ${plain.join(' ')};\n`);
    const raw = join(folder, 'sound.raw');
    const samples = Int16Array.from(sound, (x) => Math.round(Math.max(-1, Math.min(1, x)) * 32767));
    writeFileSync(raw, new Uint8Array(samples.buffer));
    const wide = ['-beam', '1e-120', '-pbeam', '1e-120', '-wbeam', '1e-100'];
    const whole = ['-remove_silence', 'no', '-fwdflat', 'no', '-bestpath', 'no', '-logfn', '/dev/null'];
    const printed = execFileSync(
      'pocketsphinx_continuous',
      ['-infile', raw, '-jsgf', grammar, '-time', 'yes', ...wide, ...whole],
      { encoding: 'utf8' },
    );
    const heard = printed
      .split('\n')
      .map((row) => row.split(' '))
      .filter((row) => row.length === 4 && /^[a-z']+(\(\d\))?$/.test(row[0] as string));
    const names = heard.map(([word = '']) => word.replace(/\(\d\)$/, ''));
    return names.join(' ') === plain.join(' ') ? heard.map((row) => Number(row[1])) : undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
