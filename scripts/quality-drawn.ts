/**
 * node scripts/quality-drawn.ts --photos <folder> … --drawn <folder> …
 *
 * Measures how well painted and rendered faces can be told from photographed ones by what the inner layers of the face
 * networks see, computed anyway: a linear discriminant, its covariance eased towards the unit's. Each photo counts as it
 * is and as filters and bad light make it, and only what pre-flight lets through is counted. Says how the discriminant
 * does on what it has not seen: photos by fifths, drawn faces by fifths and then by whole folders, each folder judged by
 * one that learnt from the others. Pre-flight has no such check: docs/quality.md says why.
 */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import sharp, { type Sharp } from 'sharp';
import { type FaceNetwork, loadFaceNetworks, loadNetwork } from '../main/engine/portrait/face_networks.ts';
import { checkPortrait } from '../main/engine/portrait/index.ts';
import { detectFaces, findLandmarks } from '../main/engine/portrait/landmarks.ts';
import { readPhoto } from '../main/engine/portrait/photo.ts';
import { solve } from '../main/engine/portrait/photo_light.ts';

const { values } = parseArgs({
  options: {
    photos: { type: 'string', multiple: true, default: [] },
    drawn: { type: 'string', multiple: true, default: [] },
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Channels of the inner layers, a side's part that is left out, and how many of the last passes over a face count. */
const meshLayers = { channels: [64, 128, 128, 128, 128], margin: 0.2, passes: 4 };
const irisLayers = { channels: [128], margin: 0, passes: 2 };
/** Two numbers a channel. */
const lookLength = 2 * [...meshLayers.channels, ...irisLayers.channels].reduce((sum, n) => sum + n, 0);

const inner = (model: string, layers: readonly number[]): string[] =>
  layers.map((layer) => `StatefulPartitionedCall/${model}/p_re_lu_${layer}/Relu`);
const meshRuns: Float32Array[][] = [];
const irisRuns: Float32Array[][] = [];
/** A network whose answers are the first `answers` of its outputs; the others are kept in `runs`. */
const watched = ({ side, run }: FaceNetwork, answers: number, runs: Float32Array[][]): FaceNetwork => ({
  side,
  run: (input) => {
    const outputs = run(input);
    runs.push(outputs.slice(answers));
    return outputs.slice(0, answers);
  },
});
const networks = {
  ...(await loadFaceNetworks()),
  mesh: watched(
    await loadNetwork('facemesh', 192, [
      'output_mesh',
      'output_faceflag',
      ...inner('model_1', [9, 12, 15, 17, 18]),
    ]),
    2,
    meshRuns,
  ),
  iris: watched(await loadNetwork('iris', 64, ['Identity', ...inner('model', [18])]), 1, irisRuns),
};

/** What the last passes saw: mean and deviation of every channel over a layer's middle, averaged over passes. */
function takeLook(): Float32Array {
  const look = [...pooled(meshRuns, meshLayers), ...pooled(irisRuns, irisLayers)];
  meshRuns.length = 0;
  irisRuns.length = 0;
  return Float32Array.from(look);
}

function pooled(
  all: readonly Float32Array[][],
  { channels, margin, passes }: { channels: readonly number[]; margin: number; passes: number },
): number[] {
  const runs = all.slice(-passes);
  return channels.flatMap((depth, layer) => {
    const sum = new Array<number>(2 * depth).fill(0);
    for (const run of runs) {
      const values = run[layer]!;
      const side = Math.sqrt(values.length / depth);
      const first = Math.floor(side * margin);
      const last = side - first;
      const count = (last - first) ** 2;
      const mean = new Float64Array(depth);
      const square = new Float64Array(depth);
      for (let y = first; y < last; y++) {
        for (let i = (y * side + first) * depth; i < (y * side + last) * depth; i += depth) {
          for (let c = 0; c < depth; c++) {
            const value = values[i + c]!;
            mean[c]! += value;
            square[c]! += value * value;
          }
        }
      }
      for (let c = 0; c < depth; c++) {
        const middle = mean[c]! / count;
        sum[c]! += middle / runs.length;
        sum[depth + c]! += Math.sqrt(Math.max(0, square[c]! / count - middle * middle)) / runs.length;
      }
    }
    return sum;
  });
}

/** What is added to every feature's variance, which is 1. */
const ease = 0.02;
/** Eye distances, pixels: what variants are made of, and what a small face has. */
const large = 160;
const small = 64;

interface Sample {
  readonly folder: string;
  readonly file: string;
  readonly variant: string;
  readonly look: Float32Array;
  /** Whether pre-flight lets the picture through: only then does a word on it matter. */
  readonly passes: boolean;
}

/** What happens to photos before they come here. */
const variants: Readonly<Record<string, (photo: Sharp, width: number) => Sharp>> = {
  plain: (photo) => photo,
  small: (photo, width) => photo.resize(Math.round((width * small) / large)),
  sharpened: (photo) => photo.sharpen({ sigma: 1.5, m1: 2, m2: 5 }),
  smoothed: (photo) => photo.median(5),
  grey: (photo) => photo.greyscale(),
  warm: (photo) => photo.linear([1.15, 1, 0.75], [0, 0, 0]),
  dark: (photo) => photo.linear(0.45, 0),
  gaudy: (photo) => photo.modulate({ saturation: 1.6 }).linear(1.3, -35),
};

async function lookAt(bytes: Uint8Array): Promise<{ look: Float32Array; iod: number } | undefined> {
  const picture = await readPhoto(bytes);
  let best: { look: Float32Array; iod: number } | undefined;
  for (const box of detectFaces(networks, picture).slice(0, 3)) {
    const { iod, presence, spread } = findLandmarks(networks, picture, box);
    const look = takeLook();
    if (presence < 0.8 || spread > 0.03) continue;
    if (!best || iod > best.iod) best = { look, iod };
  }
  return best;
}

async function samplesOf(folder: string, names: readonly string[]): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const file of (await readdir(folder)).toSorted()) {
    const bytes = await readFile(join(folder, file)).catch(() => undefined);
    if (!bytes || !/\.(jpe?g|png|webp)$/i.test(file)) continue;
    const { width = 0, height = 0 } = await sharp(bytes).metadata();
    // Faces in games and on web pages are small; so that they are looked at at all they are shown larger.
    const shown = await sharp(bytes)
      .rotate()
      .flatten({ background: '#808080' })
      .resize({ width: Math.round(width * Math.max(1, 500 / Math.max(width, height))), kernel: 'lanczos3' })
      .png()
      .toBuffer();
    const plain = await lookAt(shown).catch(() => undefined);
    if (!plain) continue;
    const passes = (await checkPortrait(shown)).ok;
    const { data: even, info } = await sharp(shown)
      .resize(
        Math.round(
          Math.max(1, ((await sharp(shown).metadata()).width ?? 1) * Math.min(1, large / plain.iod)),
        ),
      )
      .png()
      .toBuffer({ resolveWithObject: true });
    for (const variant of names) {
      const picture =
        variant === 'plain'
          ? plain
          : await lookAt(await variants[variant]!(sharp(even), info.width).toBuffer()).catch(() => undefined);
      if (picture) samples.push({ folder: basename(folder), file, variant, look: picture.look, passes });
    }
  }
  say(`${basename(folder)}: ${samples.filter(({ variant }) => variant === 'plain').length} faces`);
  return samples;
}

/** The discriminant: photos lie about 0, drawn faces about 1. A large folder of drawn faces doesn't drown the small. */
function learn(photos: readonly Sample[], drawn: readonly Sample[]): { weights: Float64Array; bias: number } {
  const n = lookLength;
  const sizeOf = new Map<string, number>();
  for (const { folder } of drawn) sizeOf.set(folder, (sizeOf.get(folder) ?? 0) + 1);
  const sides = [photos, drawn].map((side) => {
    const share = side === photos ? () => 1 : ({ folder }: Sample) => 1 / Math.sqrt(sizeOf.get(folder)!);
    const all = side.reduce((sum, sample) => sum + share(sample), 0);
    const mean = new Float64Array(n);
    for (const sample of side)
      for (let i = 0; i < n; i++) mean[i]! += (sample.look[i]! * share(sample)) / all;
    return { side, mean, share: (sample: Sample) => (0.5 * share(sample)) / all };
  });
  const scatter = new Float64Array(n * n);
  const row = new Float64Array(n);
  for (const { side, mean, share } of sides) {
    for (const sample of side) {
      for (let i = 0; i < n; i++) row[i] = sample.look[i]! - mean[i]!;
      for (let i = 0; i < n; i++) {
        const v = row[i]! * share(sample);
        for (let j = 0; j <= i; j++) scatter[i * n + j]! += v * row[j]!;
      }
    }
  }
  const unit = Float64Array.from({ length: n }, (_, i) => Math.sqrt(scatter[i * n + i]! + 1e-6));
  const apart = Float64Array.from(
    { length: n },
    (_, i) => (sides[1]!.mean[i]! - sides[0]!.mean[i]!) / unit[i]!,
  );
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) scatter[i * n + j]! /= unit[i]! * unit[j]!;
    scatter[i * n + i]! += ease;
  }
  const weights = solve(scatter, apart).map((w, i) => w / unit[i]!);
  const at = ({ mean }: { mean: Float64Array }): number =>
    mean.reduce((sum, v, i) => sum + v * weights[i]!, 0);
  const zero = at(sides[0]!);
  const scale = 1 / (at(sides[1]!) - zero);
  return { weights: weights.map((w) => w * scale), bias: -zero * scale };
}

const score = ({ weights, bias }: ReturnType<typeof learn>, look: Float32Array): number =>
  weights.reduce((sum, w, i) => sum + w * look[i]!, bias);

const photos: Sample[] = [];
for (const folder of values.photos) photos.push(...(await samplesOf(folder, Object.keys(variants))));
const drawn: Sample[] = [];
for (const folder of values.drawn) drawn.push(...(await samplesOf(folder, ['plain', 'small', 'grey'])));

const fifths = 5;
const fifthOf = new Map<string, number>();
for (const side of [photos, drawn]) {
  for (const folder of new Set(side.map((sample) => sample.folder))) {
    const files = [...new Set(side.filter((sample) => sample.folder === folder).map(({ file }) => file))];
    // Pictures of one person tend to lie beside one another.
    files.forEach((file, k) => {
      fifthOf.set(`${folder}/${file}`, Math.floor((k * fifths) / files.length));
    });
  }
}
const fifth = ({ folder, file }: Sample): number => fifthOf.get(`${folder}/${file}`)!;
const folders = [...new Set(drawn.map(({ folder }) => folder))];
for (const left of [undefined, ...folders]) {
  const unseen: { sample: Sample; score: number }[] = [];
  const faces = new Map<Sample, number[]>();
  for (let k = 0; k < fifths; k++) {
    const learnt = learn(
      photos.filter((sample) => fifth(sample) !== k),
      drawn.filter((sample) => (left ? sample.folder !== left : fifth(sample) !== k)),
    );
    for (const sample of photos)
      if (sample.passes && fifth(sample) === k) unseen.push({ sample, score: score(learnt, sample.look) });
    for (const sample of drawn) {
      if (!sample.passes || sample.variant !== 'plain') continue;
      if (left ? sample.folder === left : fifth(sample) === k)
        faces.set(sample, [...(faces.get(sample) ?? []), score(learnt, sample.look)]);
    }
  }
  const mean = (list: readonly number[]): number => list.reduce((sum, v) => sum + v / list.length, 0);
  unseen.sort((p, q) => q.score - p.score);
  say(left ? `${left}, learnt from the other folders` : 'every folder, learnt from its other four fifths');
  for (const limit of [0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 1]) {
    const caught = (left ? [left] : folders).map((folder) => {
      const own = [...faces].filter(([sample]) => sample.folder === folder);
      return `${own.filter(([, list]) => mean(list) > limit).length} of ${own.length} ${folder}`;
    });
    const plain = unseen.filter(({ sample }) => sample.variant === 'plain');
    const over = (list: typeof unseen): string =>
      `${list.filter((p) => p.score > limit).length} of ${list.length}`;
    say(`  above ${limit}: ${caught.join(', ')}; photos ${over(plain)}, with variants ${over(unseen)}`);
  }
  const highest = unseen.slice(0, 8).map(({ sample: { folder, file, variant }, score: value }) => {
    return `${folder}/${file} ${variant} ${value.toFixed(2)}`;
  });
  say(`  highest photos: ${highest.join(', ')}`);
}
