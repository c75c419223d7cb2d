/**
 * What a person waits for while a take of ten minutes is edited: opening its list of edits, a drag reaching the picture,
 * the whole face for an export, and a stretch at another speed.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { percentile } from '@likeness/proto/percentile.ts';
import { seededRandom } from '@likeness/proto/seeded_random.ts';
import { EditError } from '@likeness/proto/takes/edits/apply_operation.ts';
import { EditHistory } from '@likeness/proto/takes/edits/edit_history.ts';
import { editedFace, noContext, shapedFace } from '@likeness/proto/takes/edits/edited_face.ts';
import { encodeWav } from '@likeness/proto/wav.ts';
import { readEditList } from '../../main/takes/edits/edit_list.ts';
import { renderSound } from '../../main/takes/edits/render_sound.ts';
import { anyOperation } from '../proto/takes/any_operation.ts';
import { speakingFace } from '../proto/takes/edited_faces.ts';
import { report } from './limits.ts';

const seconds = 600;
/** Edits of a long day. */
const entries = 3000;
const folder = mkdtempSync(join(tmpdir(), 'likeness-edits-bench-'));

/** A list as a person leaves it, and what it comes to. */
function livedIn(take: string): EditHistory {
  const random = seededRandom(3);
  const history = new EditHistory();
  const lines = ['{"schemaVersion":1}'];
  while (history.revision < entries) {
    const step = { do: 'apply' as const, operations: [anyOperation(random)] };
    try {
      history.add(step, 0);
      lines.push(JSON.stringify({ revision: history.revision, at: 0, step }));
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
    }
  }
  mkdirSync(take, { recursive: true });
  writeFileSync(join(take, 'edits.jsonl'), `${lines.join('\n')}\n`);
  return history;
}

async function times(count: number, work: (at: number) => unknown): Promise<number[]> {
  const taken: number[] = [];
  for (let at = 0; at < count; at++) {
    const begun = performance.now();
    await work(at);
    taken.push(performance.now() - begun);
  }
  return taken;
}

try {
  const take = join(folder, 'take');
  const { edits } = livedIn(take);
  const opening = await times(5, () => readEditList(take));
  report({
    name: `opening ${entries} edits of a take`,
    value: percentile(opening, 0.5) / 1000,
    unit: 's',
    limit: 0.3,
    kind: 'most',
  });

  const face = speakingFace(seconds);
  const all = {
    ...edits,
    regions: {
      ...edits.regions,
      mouth: { ...edits.regions.mouth, muted: false, gain: 1.2, smoothing: 80, shift: -0.05 },
      jaw: { ...edits.regions.jaw, muted: false, gain: 1.1, smoothing: 80 },
    },
  };
  shapedFace(face, all, noContext(seconds), { from: 0, to: 1 });
  const drags = await times(40, (at) =>
    shapedFace(face, all, noContext(seconds), { from: at * 14, to: at * 14 + 10 }),
  );
  report({
    name: 'an edit to the ten seconds in sight',
    value: percentile(drags, 0.95),
    unit: 'ms',
    limit: 50,
    kind: 'most',
  });
  const [whole] = await times(1, () => editedFace(face, { ...all, pieces: [] }, noContext(seconds)));
  console.log(`  the whole face of ${seconds} s: ${Math.round(whole!)} ms`);

  const sampleRate = 48_000;
  const from = join(take, 'audio.wav');
  const samples = Float32Array.from({ length: 10 * sampleRate }, (_, at) => Math.sin(at / 35) * 0.4);
  writeFileSync(from, encodeWav({ sampleRate, samples }));
  const pieces = [
    { from: 0, to: 2, speed: 1 },
    { from: 2, to: 5, speed: 1.25 },
    { from: 5, to: 10, speed: 1 },
  ];
  const retiming = await times(5, () => renderSound({ from, to: join(take, 'edited.wav'), pieces }));
  report({
    name: 'three seconds at another speed',
    value: percentile(retiming, 0.5) / 1000,
    unit: 's',
    limit: 0.2,
    kind: 'most',
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
