/** Kills a process that records, edits and exports takes at seeded moments, and says what did not hold. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inEnglish } from '@likeness/messages';
import { encodeBareMessage } from '@likeness/proto/face_stream.ts';
import { seededRandom } from '@likeness/proto/seeded_random.ts';
import { readEditList } from '../../../main/takes/edits/edit_list.ts';
import { exportTake } from '../../../main/takes/export/take_export.ts';
import { finishedTake } from '../../../main/takes/finished_take.ts';
import { readWavSound } from '../../../main/takes/sound/wav_file.ts';
import type { TakeAnalysis } from '../../../main/takes/take_analysis.ts';
import type { Takes } from '../../../main/takes/takes.ts';
import { openTakes, takeBeginning } from '../../support/recorded_takes.ts';

/** What the process says is done. */
export interface WorkDone {
  seconds: number;
  revision: number;
  exports: number;
}

/** Seconds of sound that are recorded at once. */
export const blockSeconds = 0.02;
export const exportedFormats = ['csv', 'jsonl', 'livelink'] as const;
/** Seconds that a kill may cost. */
const maxLost = 1;

export interface Crashes {
  kills: number;
  /** The most of a recording that a kill cost, seconds. */
  lost: number;
  faults: string[];
}

/** Kills as often, each time in a new process on the same takes. */
export async function crashTakes(seed: number, kills: number): Promise<Crashes> {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-take-crash-'));
  const random = seededRandom(seed);
  const crashes: Crashes = { kills: 0, lost: 0, faults: [] };
  try {
    const stage = await prepare(folder);
    let revision = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const done = await workAndKill(stage, random() ** 2 * 1500);
      crashes.kills += 1;
      const found = await look(stage, done, revision);
      revision = found.revision;
      crashes.lost = Math.max(crashes.lost, found.lost);
      crashes.faults.push(...found.faults.map((fault) => `kill ${kill + 1}: ${fault}`));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return crashes;
}

interface Stage {
  takes: string;
  exports: string;
  edited: string;
  exported: string;
  /** Each exported file as it is when it is whole. */
  whole: ReadonlyMap<string, Buffer>;
}

const hearings = { wordsInScript: async () => null } as unknown as TakeAnalysis;
const head = () => Promise.reject(new Error('none of these needs a head'));

async function prepare(folder: string): Promise<Stage> {
  const takes = await openTakes(join(folder, 'takes'));
  const [edited, exported] = [await recorded(takes, 'Edited'), await recorded(takes, 'Exported')];
  const reference = join(folder, 'reference');
  const exports = join(folder, 'exports');
  mkdirSync(exports);
  const { record, ...take } = await finishedTake(takes, hearings, exported);
  const names = await exportTake(
    { ...take, name: record.name, createdAt: record.createdAt, head },
    exportedFormats,
    reference,
    head,
  );
  const whole = new Map(names.map((name) => [name, readFileSync(join(reference, name))]));
  return { takes: join(folder, 'takes'), exports, edited, exported, whole };
}

/** A take of some seconds with a face. @returns its id */
async function recorded(takes: Takes, name: string): Promise<string> {
  const recorder = await takes.start({ ...takeBeginning, name });
  recorder.sound(Float32Array.from({ length: 4 * takeBeginning.sampleRate }, (_, at) => Math.sin(at / 9)));
  const face = (message: Parameters<typeof encodeBareMessage>[0]): void =>
    recorder.face({ arrivedAt: 0, tier: 'local', message: encodeBareMessage(message) });
  face({ kind: 'header', traceId: 't', frameRate: 60, channelNames: ['jawOpen'], mesh: undefined });
  const rest = { headPose: undefined, eyeGaze: undefined, vertices: undefined };
  for (let index = 0; index < 240; index += 1)
    face({ kind: 'frame', index, timeCode: index / 60, weights: Float32Array.of(index / 240), ...rest });
  return (await recorder.finish({ latency: null })).id;
}

/** @param after milliseconds from its first word to its end */
async function workAndKill(stage: Stage, after: number): Promise<WorkDone> {
  const child = spawn(
    process.execPath,
    [
      '--no-warnings',
      join(import.meta.dirname, 'working_process.ts'),
      stage.takes,
      stage.exports,
      stage.edited,
      stage.exported,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const gone = new Promise((resolve) => child.once('exit', resolve));
  let said = '';
  const begun = new Promise<void>((resolve) => {
    child.stdout.on('data', (text: Buffer) => {
      said += text;
      resolve();
    });
  });
  await Promise.race([begun, gone]);
  await new Promise((resolve) => setTimeout(resolve, after));
  child.kill('SIGKILL');
  await gone;
  // What is after the last line's end is half of one.
  const last = said.slice(0, said.lastIndexOf('\n')).split('\n').at(-1) ?? '';
  if (last === '') throw new Error('The process ended before it did anything.');
  return JSON.parse(last);
}

/** What is there after a kill, and what is wrong with it. */
async function look(
  { takes: folder, exports, edited, exported, whole }: Stage,
  done: WorkDone,
  before: number,
): Promise<{ revision: number; lost: number; faults: string[] }> {
  const faults: string[] = [];
  const takes = await openTakes(folder, {
    warn: (text) => {
      faults.push(`the start warns: ${text}`);
    },
  });
  const cut = takes.list().filter(({ id }) => id !== edited && id !== exported);
  const lost = done.seconds - (cut[0]?.seconds ?? 0);
  if (cut.length > 1) faults.push(`${cut.length} takes were recorded`);
  if (lost > maxLost) faults.push(`${lost.toFixed(2)} s of the recording are lost`);
  for (const { id, seconds, recovered, damaged } of cut) {
    if (damaged) {
      faults.push(`the recording can't be read: ${inEnglish(damaged)}`);
      continue;
    }
    if (!recovered) faults.push('the recording is not said to be cut off');
    faults.push(...(await soundFaults(takes, id, seconds)));
  }
  await takes.erase(cut.map(({ id }) => id));
  // What a kill left of a recording that had nothing in it is gone by now.
  const left = readdirSync(folder).filter((name) => ![edited, exported].includes(name));
  if (left.length > 0) faults.push(`the folder of takes holds ${left.join(', ')} still`);
  const { history } = await readEditList(takes.folderOf(edited));
  const min = Math.max(before, done.revision);
  if (history.revision < min) faults.push(`edit ${min} is lost: ${history.revision} are there`);
  for (const [name, bytes] of whole) {
    const found = read(join(exports, name));
    if (found ? !found.equals(bytes) : done.exports > 0) faults.push(`${name} is not whole`);
  }
  return { revision: history.revision, lost: Math.max(0, lost), faults };
}

/** Blocks are where they belong, and frames in their order. */
async function soundFaults(takes: Takes, id: string, seconds: number): Promise<string[]> {
  const { samples, sampleRate } = readWavSound(await takes.audio(id));
  const faults: string[] = [];
  if (Math.abs(samples.length / sampleRate - seconds) > 1e-6)
    faults.push('sound and record differ in length');
  const length = Math.round(sampleRate * blockSeconds);
  for (let block = 0; block * length < samples.length; block += 1)
    if (Math.abs(samples[block * length]! - (block % 100) / 100) > 1e-5) {
      faults.push(`block ${block} is another's`);
      break;
    }
  const frames = (await takes.faces(id))[0]?.frames ?? [];
  if (frames.some(({ timeCode }, at) => Math.abs(timeCode - at * blockSeconds) > 1e-6))
    faults.push('frames are not in their order');
  return faults;
}

function read(path: string): Buffer | null {
  const [folder, name] = [join(path, '..'), path.slice(path.lastIndexOf('/') + 1)];
  return readdirSync(folder).includes(name) ? readFileSync(path) : null;
}
