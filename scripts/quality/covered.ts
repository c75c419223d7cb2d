/**
 * node scripts/quality/covered.ts <folder of portraits> [--out <folder>] [--only <name,name>]
 *
 * Measures how often the photo check reports a covered face. Uses each portrait that passes the check:
 * unchanged, with objects that cover nothing (beards, moustaches, shade, coloured light, dark skin, glasses
 * low on the nose), and with objects that cover it (masks, scarves, cups, hands, dark glasses). A seeded
 * generator draws them over the photo at its landmarks.
 *
 * Each count has the margin of the nearest picture: its distance from the other result, as a fraction of the
 * limit. `--out` saves the pictures, which show people. `--only` selects photos by the beginning of their
 * names.
 */
import { mkdir, readdir } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { parseArgs } from 'node:util';
import { PortraitError } from '@likeness/portrait/contract/portrait_error.ts';
import { loadFaceNetworks } from '@likeness/portrait/landmarks/face_networks.ts';
import type { FaceLandmarks } from '@likeness/portrait/landmarks/landmarks.ts';
import { type Picture, readPhoto } from '@likeness/portrait/photo/photo.ts';
import { checkFace } from '@likeness/portrait/preflight/portrait_check.ts';
import sharp from 'sharp';
import { covered, uncovered, vary } from './cover_drawings.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string' }, only: { type: 'string' } },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const [folder] = positionals;
if (!folder) {
  print('usage: node scripts/quality/covered.ts <folder of portraits> [--out <folder>]');
  process.exit(2);
}
if (values.out) await mkdir(values.out, { recursive: true });

const networks = await loadFaceNetworks();
/**
 * The error code, `''` if the photo passes; and the distance beyond the limits of a covered face, negative
 * within.
 */
function classify(picture: Picture): { outcome: string; score: number | null } {
  try {
    const { overridden, cover } = checkFace(networks, picture, true);
    const covered = overridden.find(({ code }) => code === 'covered_face');
    const [first] = overridden;
    return {
      outcome: covered ? `covered (${String(covered.params.what ?? 'face')})` : (first?.code ?? ''),
      score: Math.max(cover.eyes, cover.mouth),
    };
  } catch (error) {
    if (!(error instanceof PortraitError)) throw error;
    return { outcome: error.code, score: null };
  }
}

const scores = new Map<string, number[]>();
const tally = new Map<string, Map<string, number>>();
let photos = 0;
const only = values.only?.split(',');
const isWanted = (name: string): boolean => !only || only.some((start) => name.startsWith(start));
for (const file of (await readdir(folder))
  .filter((name) => /\.(jpe?g|png|webp)$/i.test(name) && isWanted(name))
  .sort()) {
  const picture = await readPhoto(join(folder, file));
  let landmarks: FaceLandmarks;
  try {
    ({ landmarks } = checkFace(networks, picture));
  } catch (error) {
    if (!(error instanceof PortraitError)) throw error;
    continue;
  }
  photos++;
  for (const [name, variant] of [...Object.entries(uncovered), ...Object.entries(covered)]) {
    const varied = await vary(picture, landmarks, variant, name.startsWith('grey photo'));
    const { outcome, score } = classify(varied);
    if (score !== null) scores.set(name, [...(scores.get(name) ?? []), score]);
    const counts = tally.get(name) ?? new Map<string, number>();
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    tally.set(name, counts);
    if (values.out) {
      await sharp(varied.data, { raw: { width: varied.width, height: varied.height, channels: 3 } })
        .jpeg()
        .toFile(join(values.out, `${parse(file).name}, ${name}${outcome && `, ${outcome}`}.jpg`));
    }
  }
}

for (const [title, variants] of [
  ['Nothing covers the face', uncovered],
  ['Something covers the face', covered],
] as const) {
  let called = 0;
  let all = 0;
  print(`\n${title}: called covered of ${photos}; the least margin; what was said`);
  for (const name of Object.keys(variants)) {
    const counts = [...(tally.get(name) ?? [])];
    const sum = (isCover: boolean): number =>
      counts
        .filter(([outcome]) => outcome.startsWith('covered') === isCover)
        .reduce((n, [, count]) => n + count, 0);
    called += sum(true);
    all += sum(true) + sum(false);
    const summary = counts.filter(([word]) => word !== '').map(([word, count]) => `${word} ${count}`);
    const margins = (scores.get(name) ?? []).map((score) => (variants === covered ? score : -score));
    const min = margins.length ? Math.min(...margins).toFixed(2) : '';
    print(`${name.padEnd(28)}${String(sum(true)).padStart(4)} ${min.padStart(7)}   ${summary.join(', ')}`);
  }
  print(`${'all'.padEnd(28)}${((100 * called) / Math.max(1, all)).toFixed(1).padStart(5)} % of ${all}`);
}
