/**
 * `npm run quality -- words [--development | --live] [--write]`: measures how accurately the words of a
 * transcript are aligned with its audio.
 *
 * Uses the full pass, or with `--live` the live network with 60 ms. flite's slt and rms have true phone
 * times, but their words come from a dictionary like ours. Real speech has times from another aligner
 * (TextGrid) or, if pocketsphinx is installed, from a second one. `--development` prints the same for the
 * voices on which the numbers in packages/speech/src/align were chosen.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '@likeness/proto/seeded_random.ts';
import { loadFullPassModel, loadSpeechModel } from '@likeness/speech';
import { alignedLabels, alignWords } from '@likeness/speech/align/index.ts';
import { joinedFloats } from '@likeness/speech/joined_floats.ts';
import { readScript, type SpokenWord } from '@likeness/speech/words/index.ts';
import { syllablePhones } from '@likeness/speech/words/mandarin/pinyin_phones.ts';
import { corruptScript } from '../../test/bench/corrupt_script.ts';
import { hearSound } from '../../test/bench/hear_sound.ts';
import { hasSecondAligner, secondOnsets } from '../../test/bench/second_aligner.ts';
import {
  alignedRecording,
  fliteVoice,
  hasFlite,
  type LabelledSound,
  type MandarinSyllable,
  mandarinSyllables,
  readSound,
  realSpeechFolder,
  syllableOnset,
} from '../../test/bench/speech_audio.ts';
import { accuracy, eventScore, stretches } from '../../test/bench/speech_figures.ts';
import { developmentLines, testLines } from '../../test/bench/speech_lines.ts';
import { posteriors, winnersOf } from '../../test/bench/speech_systems.ts';
import { pinyinOf } from '../../test/bench/zhuyin.ts';
import { recordFigure } from './quality_figures.ts';

if (!hasFlite()) {
  console.error('flite is not installed: its voices are the test (apt-get install flite)');
  process.exit(1);
}

const [bilabial, labiodental] = [1, 2];
const everything = (): boolean => true;
const speechOnly = (label: number): boolean => label !== 0;
const live = process.argv.includes('--live') ? loadSpeechModel() : undefined;
const second = await loadFullPassModel();
const heardFrom = (sound: Float32Array) => {
  if (!live) return hearSound(second, sound);
  const made = posteriors(live, sound, 6);
  return { frames: made.length / 15, posteriors: made };
};
const englishWords = async (text: string): Promise<readonly SpokenWord[]> =>
  (await readScript(text, { language: 'en' })).words;
const pool = await englishWords([...testLines, ...developmentLines].join('\n'));

const two = (value: number): string => (Number.isNaN(value) ? '–' : value.toFixed(2));
const three = (value: number): string => value.toFixed(3);

/** Words of a TextGrid's first tier; an empty one is a pause. */
function textGridWords(name: string): { text: string; start: number }[] {
  const rows = readFileSync(join(realSpeechFolder, `${name}.TextGrid`), 'utf8').split(/\r?\n/);
  const tier = rows.indexOf('"words"');
  return Array.from({ length: Number(rows[tier + 3]) }, (_, k) => ({
    text: (rows[tier + 6 + 3 * k] ?? '').replaceAll('"', ''),
    start: Number(rows[tier + 4 + 3 * k]),
  }));
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(share * values.length)] ?? Number.NaN;

/**
 * Error of the boundaries between the same two visemes, ms; and the share without a boundary within 150 ms.
 */
function edges(made: Uint8Array, labels: Uint8Array): { off: number[]; missed: number } {
  const off: number[] = [];
  let count = 0;
  for (let i = 1; i < labels.length; i++) {
    const [from, to] = [labels[i - 1], labels[i]];
    if (from === to || (from as number) > 14 || (to as number) > 14) continue;
    count++;
    for (let d = 0; d <= 15; d++) {
      const side = [i + d, i - d].find((k) => k > 0 && made[k - 1] === from && made[k] === to);
      if (side === undefined) continue;
      off.push(10 * (side - i));
      break;
    }
  }
  return { off, missed: 1 - off.length / count };
}

/** Figures of one voice with one script. */
interface Measured {
  accuracy: number;
  closures: number;
  falseClosures: number;
  falseLipTeeth: number;
  /** Share of the wrong words in the script that are flagged. */
  wrongFlagged: number;
  /** Loss of accuracy of the other words. */
  untouchedLoss: number;
}

async function measure(voice: LabelledSound, words: readonly SpokenWord[]): Promise<Measured> {
  const { name, sound, labels } = voice;
  const heard = heardFrom(sound);
  const before = performance.now();
  const { verdict, words: found } = await alignWords(heard, words);
  const took = performance.now() - before;
  const written = winnersOf(alignedLabels({ words: found }, heard));
  const alone = winnersOf(heard.posteriors);
  const seconds = sound.length / 16000;
  const contacts = (of: Uint8Array, viseme: number) => stretches(of.length, (i) => of[i] === viseme);
  const scoreOf = (viseme: number) =>
    eventScore(contacts(written, viseme), contacts(labels, viseme), seconds);
  const [closures, lipTeeth] = [scoreOf(bilabial), scoreOf(labiodental)];
  const events = [closures, lipTeeth].map(
    ({ hit, falsePerMinute }) => `${two(hit)} (${falsePerMinute.toFixed(1)})`,
  );
  const { off, missed } = edges(written, labels);
  const sizes = off.map(Math.abs);
  const flagged = found.filter(({ flag }) => flag !== null).length;
  console.log(`${name}: ${verdict}, ${words.length} words, ${two(flagged / words.length)} flagged`);
  console.log(
    `  accuracy (speech frames) ${three(accuracy(alone, labels, everything))} (${three(accuracy(alone, labels, speechOnly))}) → ${three(accuracy(written, labels, everything))} (${three(accuracy(written, labels, speechOnly))})`,
  );
  console.log(`  p/b/m, f/v hit (false a minute) ${events.join(', ')}`);
  console.log(
    `  edges off by median ${quantile(sizes, 0.5)} ms, P90 ${quantile(sizes, 0.9)} ms, late by ${quantile(off, 0.5)} ms; ${two(missed)} not found`,
  );
  console.log(`  aligned in ${(took / 1000).toFixed(2)} s for ${seconds.toFixed(0)} s`);
  const mistakes =
    verdict === 'aligned' ? await measureMistakes(voice, words, heard, found, written) : undefined;
  return {
    accuracy: accuracy(written, labels, everything),
    closures: closures.hit,
    falseClosures: closures.falsePerMinute,
    falseLipTeeth: lipTeeth.falsePerMinute,
    ...(mistakes ?? { wrongFlagged: Number.NaN, untouchedLoss: Number.NaN }),
  };
}

/** The same with one word in ten wrong. */
async function measureMistakes(
  { labels }: LabelledSound,
  words: readonly SpokenWord[],
  heard: ReturnType<typeof heardFrom>,
  right: Awaited<ReturnType<typeof alignWords>>['words'],
  rightLabels: Uint8Array,
): Promise<Pick<Measured, 'wrongFlagged' | 'untouchedLoss'>> {
  let [wrong, noticed, sound, flagged, frames, before, after] = [0, 0, 0, 0, 0, 0, 0];
  for (const seed of [1, 2, 3, 4]) {
    const script = corruptScript(words, pool, seededRandom(seed * 977));
    const { words: found } = await alignWords(heard, script.words);
    if (found.length === 0) continue;
    const written = winnersOf(alignedLabels({ words: found }, heard));
    for (const dropped of script.dropped) {
      wrong++;
      if (found[dropped - 1]?.flag || found[dropped]?.flag) noticed++;
    }
    for (const [k, { flag }] of found.entries()) {
      const index = script.rightIndex[k] as number;
      if (index < 0) {
        wrong++;
        if (flag) noticed++;
        continue;
      }
      sound++;
      if (flag) flagged++;
      const { start, end } = right[index] as { start: number; end: number };
      for (let frame = Math.round(100 * start); frame < Math.round(100 * end); frame++) {
        if ((labels[frame] ?? 255) > 14) continue;
        frames++;
        before += Number(rightLabels[frame] === labels[frame]);
        after += Number(written[frame] === labels[frame]);
      }
    }
  }
  console.log(
    `  one word in ten wrong: ${two(noticed / wrong)} of ${wrong} flagged, ${two(flagged / sound)} of the others; untouched words ${three(before / frames)} → ${three(after / frames)}`,
  );
  return { wrongFlagged: noticed / wrong, untouchedLoss: (before - after) / frames };
}

/** Records a figure of two voices, unless a voice is missing or does not follow its script. */
function record(id: string, voices: readonly Measured[], figure: keyof Measured): void {
  const value = voices.map((voice) => voice[figure]);
  if (value.length === 2 && value.every(Number.isFinite))
    recordFigure({ id: `${id}-${live ? 'live' : 'full'}`, value });
}

async function compareOnsets(name: string, sound: Float32Array, words: readonly SpokenWord[]): Promise<void> {
  const theirs = secondOnsets(
    sound,
    words.map(({ text }) => text),
  );
  if (!theirs) {
    console.log(`${name}: pocketsphinx does not follow the text`);
    return;
  }
  const { words: found, verdict } = await alignWords(heardFrom(sound), words);
  const pairs = found.map((word, k) => ({ ...word, off: 1000 * (word.start - (theirs[k] as number)) }));
  const sure = pairs.filter(({ flag }) => flag !== 'left_out' && flag !== 'changed').map(({ off }) => off);
  console.log(
    `${name}: ${verdict}, ${sure.length} of ${words.length} words unflagged; onsets against pocketsphinx: median |off| ${quantile(sure.map(Math.abs), 0.5).toFixed(0)} ms, P90 ${quantile(sure.map(Math.abs), 0.9).toFixed(0)} ms, late by ${quantile(sure, 0.5).toFixed(0)} ms`,
  );
}

/** Seconds by which the middle of a contact may differ from its syllable's audible start. */
const initialWithin = 0.1;
/** Syllables joined into one recording. */
const syllablesInARow = 20;

/**
 * Measures the lips of Mandarin initials: syllables of a voice that is in no training data, in lists of
 * known words. A recording begins with the syllable's first sound; the closure before it can't be heard.
 */
async function measureInitials(syllables: readonly MandarinSyllable[]): Promise<void> {
  const lips: Partial<Record<MandarinSyllable['initial'], number>> = {
    'b p': bilabial,
    m: bilabial,
    f: labiodental,
  };
  const random = seededRandom(5);
  const order = syllables
    .filter(({ letters }) => syllablePhones(pinyinOf(letters)).length > 0)
    .map((syllable) => ({ syllable, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ syllable }) => syllable);
  const found = new Map<string, { hit: number; flagged: number; all: number }>();
  let [madeUp, seconds] = [0, 0];
  const classifications = new Set<string>();
  for (let k = 0; k < order.length; k += syllablesInARow) {
    const list = order.slice(k, k + syllablesInARow);
    const words = list.map(
      ({ letters }, index): SpokenWord => ({
        text: letters,
        from: index,
        to: index + 1,
        language: 'zh',
        pronunciations: [syllablePhones(pinyinOf(letters))],
        source: 'dictionary',
        endsClause: true,
      }),
    );
    const heard = heardFrom(joinedFloats(...list.map(({ sound }) => sound)));
    const { verdict, words: placed } = await alignWords(heard, words);
    classifications.add(verdict);
    const written = winnersOf(alignedLabels({ words: placed }, heard));
    const contacts = new Map(
      [bilabial, labiodental].map((viseme) => [
        viseme,
        stretches(written.length, (i) => written[i] === viseme),
      ]),
    );
    let [from, made, right] = [0, 0, 0];
    for (const row of contacts.values()) made += row.length;
    for (const [index, { sound, initial }] of list.entries()) {
      const viseme = lips[initial];
      const onset = from / 16_000 + syllableOnset / 100;
      from += sound.length;
      if (viseme === undefined) continue;
      const counts = found.get(initial) ?? { hit: 0, flagged: 0, all: 0 };
      found.set(initial, counts);
      counts.all++;
      if (placed[index]?.flag !== null) counts.flagged++;
      const isThere = contacts
        .get(viseme)
        ?.some(({ start, end }) => Math.abs((start + end) / 2 - onset) <= initialWithin);
      if (!isThere) continue;
      counts.hit++;
      right++;
    }
    madeUp += made - right;
    seconds += from / 16_000;
  }
  const cells = [...found].map(
    ([initial, { hit, flagged, all }]) => `${initial} ${three(hit / all)} of ${all} (${flagged} flagged)`,
  );
  console.log(
    `Mandarin initials in lists of ${syllablesInARow} syllables (${[...classifications].join(', ')}): ${cells.join(', ')}; made up ${((60 * madeUp) / seconds).toFixed(1)} a minute`,
  );
}

console.log('synthetic voices: true phone times, words from a dictionary like ours');
if (process.argv.includes('--development')) {
  for (const name of ['kal16', 'awb']) {
    await measure(fliteVoice(name, developmentLines), await englishWords(developmentLines.join('\n')));
  }
  process.exit(0);
}
const synthetic: Measured[] = [];
for (const name of ['slt', 'rms']) {
  synthetic.push(await measure(fliteVoice(name, testLines), await englishWords(testLines.join('\n'))));
}
record('words-accuracy', synthetic, 'accuracy');
record('words-false-closures', synthetic, 'falseClosures');
record('words-false-lip-teeth', synthetic, 'falseLipTeeth');
record('words-wrong-flagged', synthetic, 'wrongFlagged');
record('words-untouched', synthetic, 'untouchedLoss');
console.log('real speakers: phone times by another aligner, rough');
const real: Measured[] = [];
for (const name of ['acoustic_corpus', 'cold_corpus']) {
  const voice = alignedRecording(name);
  if (!voice) continue;
  const text = textGridWords(name).map((word) => word.text || ',');
  real.push(await measure(voice, await englishWords(text.join(' '))));
}
record('words-real', real, 'accuracy');
record('words-real-closures', real, 'closures');
record('words-real-flagged', real, 'wrongFlagged');
console.log('real speakers: onsets by a second aligner');
for (const name of ['lj001_0001', 'lj001_0002', 'lj001_0003', 'lj001_0004']) {
  const [path, script] = ['wav', 'txt'].map((ending) => join(realSpeechFolder, `${name}.${ending}`));
  if (!path || !script || !existsSync(path) || !hasSecondAligner()) continue;
  await compareOnsets(name, readSound(path), await englishWords(readFileSync(script, 'utf8')));
}
for (const name of ['acoustic_corpus', 'cold_corpus']) {
  const voice = alignedRecording(name);
  if (!voice || !hasSecondAligner()) continue;
  const spoken = textGridWords(name).filter(({ text }) => text !== '');
  await compareOnsets(name, voice.sound, await englishWords(spoken.map(({ text }) => text).join(' ')));
}
const mandarin = join(realSpeechFolder, 'aishell_0121');
if (existsSync(`${mandarin}.wav`)) {
  const { words } = await readScript(readFileSync(`${mandarin}.txt`, 'utf8'), { language: 'zh' });
  const { verdict, words: found } = await alignWords(heardFrom(readSound(`${mandarin}.wav`)), words);
  const flagged = found.filter(({ flag }) => flag !== null).length;
  console.log(`aishell_0121 (no times are given): ${verdict}, ${flagged} of ${words.length} words flagged`);
}
const syllables = mandarinSyllables();
if (syllables.length > 0) await measureInitials(syllables);
else console.log('gcin-voice is not installed: Mandarin initials left out');
