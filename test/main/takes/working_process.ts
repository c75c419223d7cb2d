/**
 * Records one take, edits a second and exports a third, all at once, until it is killed. Says what was done once it is
 * done: seconds recorded, the revision of the edits, and how many exports are whole.
 *
 * Arguments: the folder of takes, the folder for exports, the ids of the second and the third.
 */

import { encodeBareMessage } from '@likeness/proto/face_stream.ts';
import { exportTake } from '../../../main/takes/export/take_export.ts';
import { finishedTake } from '../../../main/takes/finished_take.ts';
import type { TakeAnalysis } from '../../../main/takes/take_analysis.ts';
import { openTakes, takeBeginning } from '../../support/recorded_takes.ts';
import { blockSeconds, exportedFormats, type WorkDone } from './take_crashes.ts';

const [folder = '', exportsTo = '', edited = '', exported = ''] = process.argv.slice(2);
const done: WorkDone = { seconds: 0, revision: 0, exports: 0 };
const tell = (): boolean => process.stdout.write(`${JSON.stringify(done)}\n`);
const takes = await openTakes(folder, { randomId: () => `r${process.pid}` });

async function record(): Promise<void> {
  const { sampleRate } = takeBeginning;
  const recorder = await takes.start({ ...takeBeginning, name: 'Cut off', frameRate: 50 });
  const face = (arrivedAt: number, message: Parameters<typeof encodeBareMessage>[0]): void =>
    recorder.face({ arrivedAt, tier: 'local', message: encodeBareMessage(message) });
  face(0, { kind: 'header', traceId: 't', frameRate: 50, channelNames: ['jawOpen'], mesh: undefined });
  const begun = performance.now();
  for (let block = 0; ; block += 1) {
    const timeCode = block * blockSeconds;
    const early = begun + timeCode * 1000 - performance.now();
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, early)));
    // Each block tells where it belongs.
    recorder.sound(new Float32Array(sampleRate * blockSeconds).fill((block % 100) / 100));
    const weights = Float32Array.of((block % 100) / 100);
    const rest = { headPose: undefined, eyeGaze: undefined, vertices: undefined };
    face(timeCode, { kind: 'frame', index: block, timeCode, weights, ...rest });
    done.seconds = timeCode + blockSeconds;
    tell();
  }
}

async function edit(): Promise<void> {
  let state = await takes.edits.open(edited);
  for (;;) {
    const marker = { time: 1, note: 'x'.repeat(state.revision % 500) };
    state = await takes.edits.step(edited, state.revision, {
      do: 'apply',
      operations: [{ kind: 'marker', id: `m${state.revision % 50}`, marker }],
    });
    done.revision = state.revision;
    tell();
  }
}

async function exportAgain(): Promise<void> {
  const hearings = { wordsInScript: async () => null } as unknown as TakeAnalysis;
  const { record, ...take } = await finishedTake(takes, hearings, exported);
  const head = () => Promise.reject(new Error('none of these needs a head'));
  for (;;) {
    const whole = { ...take, name: record.name, createdAt: record.createdAt, head };
    await exportTake(whole, exportedFormats, exportsTo, head);
    done.exports += 1;
    tell();
  }
}

await Promise.all([record(), edit(), exportAgain()]);
