/**
 * `npm run quality -- speech [--development | --quick | --ours] [--weights <folder>] [--write]`: measures all
 * rows of the speech figures on the same audio in one run. Compares our engine live, its full pass,
 * HeadAudio, Rhubarb and log-energy.
 *
 * The voices are not in any training data: flite's slt and rms, two aligned recordings and three captured
 * faces in ../shared/speech. The contact thresholds in weights.bin and second_hearing.bin were chosen on
 * other voices (packages/speech/training/README.md).
 *
 * `--development` prints flite's kal16. `--quick` omits Rhubarb, which takes longer than the rest.
 * `--weights` measures the output of packages/speech/training/build.sh in that folder, not the committed
 * files.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadFullPassModel, loadSpeechModel } from '@likeness/speech';
import { printNoiseSuppression } from '../../test/bench/noise_suppression_figures.ts';
import {
  alignedRecording,
  capturedFaces,
  fliteVoice,
  hasFlite,
  type LabelledSound,
  mandarinSyllables,
  syllableOnset,
  visemes,
  withPinkNoise,
} from '../../test/bench/speech_audio.ts';
import {
  accuracy,
  correlation,
  eventScore,
  macroF1,
  type Stretch,
  stretches,
} from '../../test/bench/speech_figures.ts';
import { developmentLines, testLines } from '../../test/bench/speech_lines.ts';
import {
  headAudio,
  levels,
  logEnergy,
  type MadeFace,
  ourEngine,
  posteriors,
  rhubarb,
  type System,
  secondHearing,
  speechFrames,
  winnersOf,
} from '../../test/bench/speech_systems.ts';
import { recordCell } from './quality_figures.ts';

const asked = process.argv.indexOf('--weights');
const folder =
  asked < 0 ? join(import.meta.dirname, '../../packages/speech/src') : (process.argv[asked + 1] ?? '');
const [liveFile, secondFile] = [join(folder, 'weights.bin'), join(folder, 'second_hearing.bin')];
const model = loadSpeechModel(liveFile);
const ours = ourEngine(model, 4, liveFile);
const secondModel = existsSync(secondFile) ? await loadFullPassModel(secondFile) : undefined;
const second = secondModel && secondHearing(secondModel, secondFile);
if (!second) console.log(`no ${secondFile}: the second hearing left out`);

if (!hasFlite()) {
  console.error('flite is not installed: its voices slt and rms are the test (apt-get install flite)');
  process.exit(1);
}

const everything = (): boolean => true;
const speechOnly = (label: number): boolean => label !== 0;

/** Real contacts: stretches with that label. */
function contacts(labelled: LabelledSound, viseme: number): Stretch[] {
  return stretches(labelled.labels.length, (i) => labelled.labels[i] === viseme);
}

function score(
  system: System,
  labelled: LabelledSound,
  made: MadeFace,
  contact: 'closure' | 'lipTeeth',
  threshold?: number,
) {
  return eventScore(
    system.contacts(made, contact, threshold),
    contacts(labelled, contact === 'closure' ? 1 : 2),
    labelled.sound.length / 16000,
  );
}

async function printDevelopment(system: System): Promise<void> {
  const voice = fliteVoice('kal16', developmentLines);
  const made = await system.make(voice.sound);
  console.log(
    `${system.name}, kal16: accuracy ${accuracy(made.winners ?? [], voice.labels, everything).toFixed(3)}`,
  );
  for (const [name, contact, viseme] of [
    ['p/b/m', 'closure', 1],
    ['f/v', 'lipTeeth', 2],
  ] as const) {
    const real = contacts(voice, viseme).length;
    const minutes = voice.sound.length / 16000 / 60;
    const tried = Array.from({ length: 14 }, (_, k) => {
      const threshold = (k + 1) * 0.05;
      const found = score(system, voice, made, contact, threshold);
      const hits = found.hit * real;
      return { threshold, ...found, f1: (2 * hits) / (hits + found.falsePerMinute * minutes + real) };
    });
    for (const { threshold, hit, falsePerMinute, f1 } of tried) {
      console.log(
        `${name} from ${threshold.toFixed(2)}: hit ${hit.toFixed(2)}, ${falsePerMinute.toFixed(1)} false/min, F1 ${f1.toFixed(3)}`,
      );
    }
    const [best] = tried.toSorted((a, b) => b.f1 - a.f1);
    console.log(`${name}: ${best?.threshold.toFixed(2)}`);
  }
}

if (process.argv.includes('--development')) {
  for (const system of [ours, second]) if (system) await printDevelopment(system);
  process.exit(0);
}

const quick = process.argv.includes('--quick');
const others = process.argv.includes('--ours')
  ? []
  : [await headAudio(), quick ? undefined : await rhubarb(), logEnergy];
const systems = [ours, second, ...others].filter((system) => system !== undefined);
const expected = others.length === 0 ? [] : quick ? ['HeadAudio'] : ['HeadAudio', 'Rhubarb'];
for (const name of expected) {
  if (!systems.some((system) => system.name === name)) console.log(`${name} is not installed: left out`);
}

const two = (...values: (number | undefined)[]): string =>
  values.map((value) => (value === undefined || Number.isNaN(value) ? '–' : value.toFixed(2))).join(' / ');

/**
 * Adds a row: the cell that `of` makes for each system.
 *
 * @param ids - Figures of docs/quality.md for the numbers of a cell, in turn; `-live` or `-full` is added.
 */
async function row(
  name: string,
  of: (system: System) => Promise<string>,
  ids: readonly string[] = [],
): Promise<void> {
  const cells = [name];
  for (const system of systems) cells.push(await of(system));
  console.log(cells.join(' | '));
  // Only the committed weights' figures are recorded.
  if (asked >= 0) return;
  recordCell({ ids, cell: cells[1], suffix: 'live' });
  if (second) recordCell({ ids, cell: cells[2], suffix: 'full' });
}

const made = new Map<string, MadeFace>();
async function face(system: System, name: string, sound: Float32Array): Promise<MadeFace> {
  const key = `${system.name} ${name}`;
  const known = made.get(key) ?? (await system.make(sound));
  made.set(key, known);
  return known;
}

console.log(['', ...systems.map((system) => system.name)].join(' | '));
const voices = ['slt', 'rms'].map((voice) => fliteVoice(voice, testLines));

await row(
  'frame accuracy, 15 visemes, slt / rms',
  async (system) => {
    const values = [];
    for (const voice of voices) {
      const { winners } = await face(system, voice.name, voice.sound);
      values.push(winners && accuracy(winners, voice.labels, everything));
    }
    return two(...values);
  },
  ['speech-accuracy'],
);
await row('macro-F1, slt / rms', async (system) => {
  const values = [];
  for (const voice of voices) {
    const { winners } = await face(system, voice.name, voice.sound);
    values.push(winners && macroF1(winners, voice.labels));
  }
  return two(...values);
});
for (const [name, contact, ids] of [
  ['p/b/m closures hit, slt / rms (false a minute)', 'closure', ['speech-closures', 'speech-false-closures']],
  [
    'f/v contacts hit, slt / rms (false a minute)',
    'lipTeeth',
    ['speech-lip-teeth', 'speech-false-lip-teeth'],
  ],
] as const) {
  await row(
    name,
    async (system) => {
      const cells = [];
      for (const voice of voices) {
        const made = await face(system, voice.name, voice.sound);
        if (!made[contact]) return '–';
        const { hit, falsePerMinute } = score(system, voice, made, contact);
        cells.push(`${hit.toFixed(2)} (${falsePerMinute.toFixed(1)})`);
      }
      return cells.join(' / ');
    },
    ids,
  );
}

const aligned = ['acoustic_corpus', 'cold_corpus'].flatMap((name) => alignedRecording(name) ?? []);
if (aligned.length === 2) {
  await row(
    'real speech, two recordings, accuracy (speech frames only)',
    async (system) => {
      let [all, speech] = [0, 0];
      for (const recording of aligned) {
        const { winners } = await face(system, recording.name, recording.sound);
        if (!winners) return '–';
        all += accuracy(winners, recording.labels, everything) / aligned.length;
        speech += accuracy(winners, recording.labels, speechOnly) / aligned.length;
      }
      return `${two(all)} (${two(speech)})`;
    },
    ['speech-real'],
  );
} else {
  console.log('no ../shared/speech: real speech left out');
}

const captured = capturedFaces();
if (captured.length > 0) {
  for (const channel of ['jaw', 'round'] as const) {
    await row(
      `captured ${channel === 'jaw' ? 'jaw' : 'rounding'}, r: whole / speech frames (late, ms)`,
      async (system) => {
        let [whole, speech, late] = [0, 0, 0];
        for (const { name, sound, rows: truth } of captured) {
          const { [channel]: made } = await face(system, name, sound);
          if (!made) return '–';
          const talking = speechFrames(sound);
          const values = truth.map((row) => ({ time: row.time, value: row[channel] }));
          const all = correlation(made, values, everything);
          whole += all.r / captured.length;
          late += (all.late * 1000) / captured.length;
          speech +=
            correlation(
              made,
              values,
              (k) => talking[Math.round((values[k] as { time: number }).time * 100)] === 1,
            ).r / captured.length;
        }
        return `${two(whole, speech)} (${late.toFixed(0)})`;
      },
    );
  }
}

const vowels = ['aa', 'E', 'I', 'O', 'U'];
/** Share of visemes that are detected correctly: mean of the five, and each. */
function vowelCell(heard: readonly { is: string; as: number }[]): string {
  const shares = vowels.map((vowel) => {
    const of = heard.filter(({ is }) => is === vowel);
    return of.filter(({ as }) => as === visemes.indexOf(vowel)).length / of.length;
  });
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return `${mean.toFixed(2)} (${shares.map((share) => share.toFixed(2)).join(' ')})`;
}

for (const voice of voices) {
  await row(`English vowels at their middle, ${voice.name}: mean (${vowels.join(' ')})`, async (system) => {
    const { winners } = await face(system, voice.name, voice.sound);
    if (!winners) return '–';
    return vowelCell(
      vowels.flatMap((is) =>
        contacts(voice, visemes.indexOf(is)).map(({ start, end }) => ({
          is,
          as: winners[Math.floor((start + end) * 50)] as number,
        })),
      ),
    );
  });
}

/** The frame at which a syllable's sound begins in its recording, and one just after it. */
const [firstFrame, onsetFrame] = [syllableOnset, syllableOnset + 2];
const syllables = mandarinSyllables();
if (syllables.length > 0) {
  /** The result of a system for each syllable; made once. */
  const heardBy = new Map<
    System,
    { winner: number; closed: (from: number) => boolean; touched: boolean }[]
  >();
  const hear = async (system: System) => {
    const known = heardBy.get(system);
    if (known) return known;
    const heard = [];
    for (const { sound } of syllables) {
      const { winners, closure, lipTeeth } = await system.make(sound);
      if (!winners || !closure || !lipTeeth) break;
      const level = levels(sound);
      const { thresholds = { closure: 0.5, lipTeeth: 0.5 } } = system;
      const loudest = level.indexOf(Math.max(...level));
      const some = (sure: Float32Array, from: number, threshold: number): boolean =>
        sure.subarray(from, loudest).some((value) => value >= threshold);
      heard.push({
        winner: winners[loudest] as number,
        closed: (from: number) => some(closure, from, thresholds.closure),
        touched: some(lipTeeth, onsetFrame, thresholds.lipTeeth),
      });
    }
    heardBy.set(system, heard);
    return heard;
  };
  await row(
    `Mandarin vowels of an unheard voice at their loudest: mean (${vowels.join(' ')})`,
    async (system) => {
      const heard = await hear(system);
      if (heard.length === 0) return '–';
      return vowelCell(
        syllables.flatMap(({ vowel }, k) =>
          vowel ? [{ is: vowel, as: (heard[k] as { winner: number }).winner }] : [],
        ),
      );
    },
  );
  await row('Mandarin m closed; f touched; (either made up in d t g k and others)', async (system) => {
    const heard = await hear(system);
    if (heard.length === 0) return '–';
    const share = (kinds: readonly string[], is: (one: (typeof heard)[number]) => boolean): string => {
      const of = heard.filter((_, k) => kinds.includes((syllables[k] as { initial: string }).initial));
      return (of.filter(is).length / of.length).toFixed(2);
    };
    const closed = ({ closed }: (typeof heard)[number]): boolean => closed(onsetFrame);
    const touched = ({ touched }: (typeof heard)[number]): boolean => touched;
    return `${share(['m'], closed)}; ${share(['f'], touched)}; (${share(['d t g k', 'other'], (one) => closed(one) || touched(one))})`;
  });
  await row('Mandarin b p closed at the burst (d t g k)', async (system) => {
    const heard = await hear(system);
    if (heard.length === 0) return '–';
    const share = (initial: string): string => {
      const of = heard.filter((_, k) => (syllables[k] as { initial: string }).initial === initial);
      return (of.filter(({ closed }) => closed(firstFrame - 8)).length / of.length).toFixed(2);
    };
    return `${share('b p')} (${share('d t g k')})`;
  });
} else {
  console.log('gcin-voice is not installed: Mandarin left out');
}

const noisy = voices.map((voice) => withPinkNoise(voice));
await row(
  '10 dB pink noise, accuracy, slt / rms',
  async (system) => {
    if (system.name === 'Rhubarb' || system.name === 'log-energy') return '–';
    const values = [];
    for (const voice of noisy) {
      const { winners } = await face(system, voice.name, voice.sound);
      values.push(winners && accuracy(winners, voice.labels, everything));
    }
    return two(...values);
  },
  ['speech-noise'],
);
printNoiseSuppression(voices, model, secondModel);
await row('size, KB; real-time factor on one core', async (system) => {
  const [voice] = voices as [LabelledSound];
  const { took } = await system.make(voice.sound);
  return `${Math.round(system.size / 1024)}; ${(took / (voice.sound.length / 16000)).toFixed(4)}`;
});

console.log('\nours by lookahead: accuracy slt / rms');
for (const lookahead of model.lookaheads) {
  const values = voices.map(({ sound, labels }) =>
    accuracy(winnersOf(posteriors(model, sound, lookahead)), labels, everything),
  );
  console.log(`${lookahead * 10} ms: ${two(...values)}`);
}
const minutes = voices.reduce((sum, { sound }) => sum + sound.length / 16000 / 60, 0);
console.log(`\n${minutes.toFixed(1)} minutes of slt and rms; frames with no known viseme left out`);
