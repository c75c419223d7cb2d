/**
 * npm run quality -- same record <folder of photos> <folder of sounds> <file>
 * npm run quality -- same compare <folder of photos> <folder of sounds> <file>
 *
 * Shows that a refactoring changed nothing. `record` writes the SHA-256 sum of each output of the built-in
 * engine, one per line. `compare` makes the outputs again, names those that differ, and then exits with 1.
 *
 * - `head`: each photo's GLB, made as `likeness head` makes it, of the sex in `manifest.csv` (file,sex), else
 *   female. The first photo also with both types of eyelid and with corrections.
 * - `report`: the engine's report on the photo, without times.
 * - `thumbnail`: the head drawn at 256 × 256 pixels.
 * - `face`: the frames of each sound at 60 a second, as the stream carries them.
 * - `default`: the head that ships with the studio.
 *
 * Compare sums of one machine only: sharp and the networks round differently on another kind of processor.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { thumbnail } from '@likeness/head-renderer/thumbnail.ts';
import type { HeadRequest } from '@likeness/portrait/contract/head_request.ts';
import { PortraitError } from '@likeness/portrait/contract/portrait_error.ts';
import { createPortraitEngine } from '@likeness/portrait/engine.ts';
import { encodeFrame } from '@likeness/proto/face_stream.ts';
import type { HeadCorrections } from '@likeness/proto/heads/head_corrections.ts';
import { loadSpeechModel, SpeechFace } from '@likeness/speech';
import { defaultHead } from '@likeness/synthetic-heads/default_head.ts';
import { readSoundFile } from '../../main/takes/sound/sound_file.ts';

const [mode, photos, sounds, file] = process.argv.slice(2);
if ((mode !== 'record' && mode !== 'compare') || !photos || !sounds || !file) {
  console.error('usage: npm run quality -- same record|compare <folder of photos> <folder of sounds> <file>');
  process.exit(2);
}

const sumOf = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const sums = new Map<string, string>();
const note = (name: string, bytes: string | Uint8Array): void => {
  sums.set(name, sumOf(bytes));
  console.log(`${sums.get(name)?.slice(0, 12)} ${name}`);
};

const corrected: HeadCorrections = {
  crown: 0.06,
  strokes: [
    { kind: 'hair', radius: 0.03, points: [0.5, 0.12, 0.6, 0.14] },
    { kind: 'background', radius: 0.02, points: [0.2, 0.4, 0.2, 0.55] },
  ],
};

async function noteHeads(folder: string): Promise<void> {
  const engine = await createPortraitEngine();
  const manifest = await readFile(join(folder, 'manifest.csv'), 'utf8').catch(() => '');
  const men = new Set(manifest.match(/^[^,\n]+(?=,male\s*$)/gm));
  const pictures = (await readdir(folder)).filter((name) => /\.(jpe?g|png|webp)$/i.test(name)).sort();
  const noteHead = async (name: string, request: HeadRequest): Promise<void> => {
    try {
      const { glb, report } = await engine.head(request);
      note(`head ${name}`, glb);
      note(`report ${name}`, JSON.stringify({ ...report, stageMs: undefined }));
      note(`thumbnail ${name}`, (await thumbnail(glb, 256)).data);
    } catch (error) {
      if (!(error instanceof PortraitError)) throw error;
      note(`head ${name}`, `refused: ${error.code}`);
    }
  };
  for (const [n, name] of pictures.entries()) {
    const request: HeadRequest = { photo: join(folder, name), sex: men.has(name) ? 'male' : 'female' };
    await noteHead(name, request);
    if (n > 0) continue;
    await noteHead(`${name}, single eyelids`, { ...request, eyelidType: 'single' });
    await noteHead(`${name}, double eyelids`, { ...request, eyelidType: 'double' });
    await noteHead(`${name}, corrected`, { ...request, corrections: corrected });
    await noteHead(`${name}, other sex`, { ...request, sex: request.sex === 'male' ? 'female' : 'male' });
  }
  await engine.close();
}

async function noteFaces(folder: string): Promise<void> {
  const model = loadSpeechModel();
  for (const name of (await readdir(folder)).filter((name) => /\.(wav|flac|mp3|ogg)$/i.test(name)).sort()) {
    const { samples, sampleRate } = await readSoundFile(join(folder, name));
    const face = new SpeechFace(model, { sampleRate, channels: 1 });
    const frames = [...face.push(samples), ...face.end()];
    note(`face ${name}`, Buffer.concat(frames.map((frame) => encodeFrame(frame))));
  }
}

const shipped = await defaultHead();
note('default head', shipped);
note('default thumbnail', (await thumbnail(shipped, 256)).data);
await noteHeads(photos);
await noteFaces(sounds);

if (mode === 'record') {
  await writeFile(file, [...sums].map(([name, sum]) => `${sum} ${name}\n`).join(''));
  process.exit(0);
}
const before = new Map(
  (await readFile(file, 'utf8'))
    .split('\n')
    .filter((line) => line)
    .map((line) => [line.slice(65), line.slice(0, 64)]),
);
const names = new Set([...before.keys(), ...sums.keys()]);
const different = [...names].filter((name) => before.get(name) !== sums.get(name));
for (const name of different) console.error(`differs: ${name}`);
console.log(`${names.size - different.length} of ${names.size} are the same`);
process.exit(different.length > 0 ? 1 : 0);
