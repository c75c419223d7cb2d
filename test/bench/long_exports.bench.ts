/**
 * A take of three hours beside one of ten minutes, each exported, edited, scored and prepared for a film in a process of
 * its own: what the process holds at most beside what it held before. A longer take may hold its packed faces, but neither
 * its sound nor its frames as objects: 18 times as long, it holds at most 8 times as much. `LONG_HOURS=1` for a look.
 */
import { fork } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { joinedChunks } from '@likeness/node-kit/storage/joined_chunks.ts';
import { arkitBlendshapeNames, oculusVisemeNames } from '@likeness/proto/blendshapes.ts';
import { noEdits } from '@likeness/proto/takes/edits/apply_operation.ts';
import { editedFace } from '@likeness/proto/takes/edits/edited_face.ts';
import type { TakeEdits } from '@likeness/proto/takes/edits/take_edits.ts';
import { timeMap } from '@likeness/proto/takes/edits/time_map.ts';
import { frameRateOf } from '@likeness/proto/takes/frame_rates.ts';
import { exportTake } from '../../main/takes/export/take_export.ts';
import { faceMessages } from '../../main/takes/full_pass_face.ts';
import { arrivalFigures, arrivalsIn } from '../../main/takes/scorecard/arrival_figures.ts';
import { fileEnergy } from '../../main/takes/scorecard/file_energy.ts';
import { scorecardOf } from '../../main/takes/scorecard/scorecard.ts';
import { writeMonoWav } from '../../main/takes/sound/mono_sound.ts';
import { type TakeRecord, takeFiles } from '../../main/takes/take_record.ts';
import { writeFilmSources } from '../../main/takes/video/film_sources.ts';
import { playedFace } from '../../main/takes/views/packed_face_file.ts';
import { report } from './limits.ts';

const frameRate = 60;
const soundRate = 48_000;
const channelNames = [...arkitBlendshapeNames, ...oculusVisemeNames];
const MB = 1e6;

function* frames(seconds: number) {
  for (let at = 0; at < seconds * frameRate; at += 1)
    yield {
      timeCode: at / frameRate,
      weights: Float32Array.from(channelNames, (_, k) => 0.5 + 0.5 * Math.sin(at * (0.05 + 0.01 * k))),
      headPose: { translation: [0, 0, 0] as const, rotation: [0, 0, 0, 1] as const },
      eyeGaze: { leftYaw: 0.1, leftPitch: 0, rightYaw: 0.1, rightPitch: 0 },
    };
}

async function* sound(seconds: number): AsyncGenerator<Float32Array> {
  const second = Float32Array.from({ length: soundRate }, (_, at) => Math.sin(at * 0.03) / 2);
  for (let at = 0; at < seconds; at += 1) yield second;
}

/** What is done with a take in a process of its own. */
const works = {
  exported: 'exported',
  edited: 'exported with edits',
  scored: 'edited and scored',
  filmed: 'edited and prepared for a film',
} as const;
type Work = keyof typeof works;

/** A mouth that does more, a smooth jaw, a head that nobody moved, blinks, and a minute cut out. */
function edits(seconds: number): TakeEdits {
  const { regions } = noEdits;
  return {
    ...noEdits,
    regions: {
      ...regions,
      mouth: { ...regions.mouth, gain: 1.2 },
      jaw: { ...regions.jaw, smoothing: 60, shift: -0.02 },
      head: { ...regions.head, source: 'generated', seed: 7 },
    },
    blinks: { recorded: false, added: [1, seconds / 2] },
    pieces: [
      { from: 0, to: 60, speed: 1 },
      { from: 120, to: seconds, speed: 1 },
    ],
  };
}

/** Does it, and nothing else. */
async function workOn(folder: string, seconds: number, work: Work): Promise<void> {
  const audio = { path: join(folder, takeFiles.audio) };
  const recorded = await playedFace(folder, 'live');
  const changes = work === 'exported' ? noEdits : edits(seconds);
  const map = timeMap(changes.pieces, seconds);
  const face = editedFace(recorded, changes, { seconds, attempts: new Map(), inferred: null });
  const record = { id: 'long', name: 'Long', createdAt: 0, shownFace: 'live', latency: null } as TakeRecord;
  const finished = { record, face, seconds: map.seconds, words: null, audio };
  if (work === 'scored') {
    const arrivals = await arrivalFigures(arrivalsIn(join(folder, takeFiles.face)));
    const energy = await fileEnergy(audio.path);
    scorecardOf({ finished, energy, recorded, map, isEdited: true, arrivals, lipGap: () => 0, modelId: '' });
  } else if (work === 'filmed') {
    const rate = frameRateOf('30', 30);
    await writeFilmSources(join(folder, 'film'), { rate, frames: Math.ceil(map.seconds * 30) }, finished, {});
  } else {
    const formats = work === 'exported' ? allTexts : (['livelink', 'csv'] as const);
    const none = (): Promise<never> => Promise.reject(new Error('no head and no thread is needed'));
    await exportTake(
      { ...finished, name: 'Long', createdAt: 0, head: none },
      formats,
      join(folder, work),
      none,
    );
  }
}

const allTexts = ['livelink', 'csv', 'jsonl', 'a2f', 'visemes'] as const;

interface Held {
  /** Bytes more than before, at most. */
  memory: number;
  /** Seconds of processor. */
  processor: number;
}

async function held(folder: string, seconds: number, work: Work): Promise<Held> {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  const start = process.cpuUsage();
  await workOn(folder, seconds, work);
  const { user, system } = process.cpuUsage(start);
  // The kernel's own highest mark: a timer has no turn while a face is edited.
  return { memory: process.resourceUsage().maxRSS * 1024 - before, processor: (user + system) / 1e6 };
}

async function measured(seconds: number): Promise<Record<Work, Held>> {
  const folder = await mkdtemp(join(tmpdir(), 'likeness-long-exports-'));
  try {
    await writeMonoWav(join(folder, takeFiles.audio), soundRate, sound(seconds));
    const face = { channelNames, frameRate, frames: frames(seconds) };
    await writeFile(join(folder, takeFiles.face), joinedChunks(faceMessages(face, seconds)));
    const all: Partial<Record<Work, Held>> = {};
    for (const work of Object.keys(works) as Work[]) {
      all[work] = await inProcess(folder, seconds, work);
      for (const made of [work, 'film']) await rm(join(folder, made), { recursive: true, force: true });
    }
    return all as Record<Work, Held>;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const inProcess = (folder: string, seconds: number, work: Work): Promise<Held> =>
  new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), [folder, String(seconds), work]);
    child.once('message', (message) => resolve(message as Held));
    child.once('exit', (code) => reject(new Error(`It ended with ${code}.`)));
  });

const [folder, seconds, work] = process.argv.slice(2);
if (folder !== undefined && seconds !== undefined && work !== undefined && process.send) {
  process.send(await held(folder, Number(seconds), work as Work));
} else {
  const [short, long] = [600, Number(process.env.LONG_HOURS ?? 3) * 3600];
  const [ten, three] = [await measured(short), await measured(long)];
  console.log(`load ${loadavg()[0]!.toFixed(1)}`);
  for (const [name, what] of Object.entries(works) as [Work, string][]) {
    const [few, many] = [ten[name], three[name]];
    const told = ({ memory, processor }: Held): string =>
      `${(memory / MB).toFixed(0)} MB, ${processor.toFixed(1)} s of processor`;
    console.log(`${what}: ten minutes ${told(few)}; ${long / 3600} hours ${told(many)}`);
    report({
      name: `memory of ${long / 3600} hours that are ${what}, against ten minutes`,
      value: many.memory / few.memory,
      unit: 'times',
      limit: 8,
      kind: 'most',
    });
  }
}
