/**
 * npm run quality -- shape [--data <folder>] [--out <folder>] [--only 00,03] [--views front,l90] [--made]
 *
 * Measures how far generated heads are from the true ones, in millimetres. ../shared/shapes, beside the
 * project, contains photos of sixteen heads with known shapes, and the measuring script (its README has the
 * protocol). A head is made from each photo and measured. Two references use no photo: the average of the
 * generated heads, and the mean of the true heads' population.
 *
 * With several `--views`, the first is the front photo and the others are additional; `profile` means l90.
 * `--made` measures existing heads in the output folder.
 *
 * Writes heads, figures and the measurement's own tables into the output folder (default
 * .cache/quality/shape).
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { Document } from '@gltf-transform/core';
import { gltfIo } from '@likeness/gltf/gltf_io.ts';
import type { HeadModel } from '@likeness/portrait/contract/head_model.ts';
import type { Sex } from '@likeness/portrait/contract/head_request.ts';
import { PortraitError } from '@likeness/portrait/contract/portrait_error.ts';
import { loadFaceNetworks } from '@likeness/portrait/landmarks/face_networks.ts';
import { detectFaces, findLandmarks } from '@likeness/portrait/landmarks/landmarks.ts';
import { modelHead } from '@likeness/portrait/make_head.ts';
import { readPhoto } from '@likeness/portrait/photo/photo.ts';
import { percentile } from '@likeness/proto/percentile.ts';
import {
  cosine,
  describeFace,
  describeHead,
  drawTurned,
  lightMouth,
  loadDescriptor,
  photoOutline,
} from './likeness.ts';
import { compareSilhouettes, describeProfile, type KnownCamera, type SideFigures } from './side_view.ts';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: join(import.meta.dirname, '../../../shared/shapes') },
    out: { type: 'string', default: '.cache/quality/shape' },
    only: { type: 'string' },
    views: { type: 'string', default: 'front' },
    made: { type: 'boolean', default: false },
  },
});
const shapes = resolve(options.data);
const print = (line: string): void => void process.stdout.write(`${line}\n`);
if (!existsSync(join(shapes, 'measure.mjs'))) {
  print(`no measure.mjs in ${shapes}: nothing to measure heads against`);
  process.exit(0);
}
const out = resolve(options.out);
const only = options.only?.split(',');

interface KnownHead {
  readonly name: string;
  readonly sex: Sex;
  readonly views: Readonly<Record<string, { readonly photo: string; readonly camera: KnownCamera }>>;
}

/** Likeness of heads turned by 30° to photos of the same view, and to the front photo they were made from. */
const turned: { readonly toSide: number; readonly toFront: number; readonly photos: number }[] = [];

/** Compares a head with photos from both sides, because the front photo doesn't show the sides. */
async function judgeSides(lit: HeadModel, views: KnownHead['views']): Promise<void> {
  const descriptor = await loadDescriptor();
  const describe = async (view: string): Promise<Float32Array> => {
    const photo = await readPhoto(join(shapes, views[view]!.photo));
    const networks = await loadFaceNetworks();
    const landmarks = findLandmarks(networks, photo, detectFaces(networks, photo)[0]!);
    return describeFace(descriptor, photo, photoOutline(landmarks), landmarks.roll);
  };
  const front = await describe('front');
  for (const [view, yaw] of [
    ['l30', 30],
    ['r30', -30],
  ] as const) {
    const side = await describe(view);
    const made = describeHead(descriptor, lit, yaw, true);
    turned.push({
      toSide: cosine(side, made),
      toFront: cosine(front, made),
      photos: cosine(front, side),
    });
  }
}

/** Side views, and the side of the picture to which the nose points. */
const profiles: Readonly<Record<string, 1 | -1>> = { l90: 1, r90: -1 };

/** Compares heads with the side photo that was also used: outlines, and descriptions of photo and head. */
const fromSide: SideFigures[] = [];
const inProfile: { readonly photo: Float32Array; readonly made: Float32Array }[] = [];

async function judgeProfile(
  lit: HeadModel,
  { name, views }: KnownHead,
  view: string,
  triangles: Uint16Array,
): Promise<void> {
  const toNose = profiles[view]!;
  const { photo, camera } = views[view]!;
  const truth = new Float32Array(
    Uint8Array.from(await readFile(join(shapes, 'truth', `${name}.bin`))).buffer,
  );
  fromSide.push(compareSilhouettes(lit, truth, triangles, camera, toNose));
  const [networks, descriptor] = [await loadFaceNetworks(), await loadDescriptor()];
  const seen = describeProfile(descriptor, networks, await readPhoto(join(shapes, photo)));
  const drawn = drawTurned(lit, 90 * toNose, true);
  const made = describeProfile(descriptor, networks, drawn.picture);
  if (seen && made) inProfile.push({ photo: seen, made });
}

/** The part of measure.mjs's output for one head that is used here. */
interface Measured {
  readonly summary: {
    readonly proportions: Readonly<Record<string, { readonly r: number; readonly bias: number }>>;
    readonly scaled: {
      readonly surface: Readonly<Record<string, { readonly median: number; readonly bias: number }>>;
      readonly side: Readonly<Record<string, { readonly mean: number; readonly bias: number }>>;
    };
  };
  readonly heads: Readonly<
    Record<string, Readonly<Record<'rigid' | 'scaled', { readonly surface: { face: { median: number } } }>>>
  >;
}

/** Only skin and hair, each a mesh with all vertices: a head's file omits some and has another order. */
async function plainGlb(model: HeadModel): Promise<Uint8Array> {
  const file = new Document();
  const buffer = file.createBuffer();
  const scene = file.createScene();
  for (const { name, points, triangles } of model.surfaces) {
    if (name !== 'Skin' && name !== 'Hair') continue;
    const positions = file
      .createAccessor()
      .setBuffer(buffer)
      .setType('VEC3')
      .setArray(Float32Array.from(points));
    const corners = file
      .createAccessor()
      .setBuffer(buffer)
      .setType('SCALAR')
      .setArray(Uint32Array.from(triangles));
    const primitive = file.createPrimitive().setAttribute('POSITION', positions).setIndices(corners);
    scene.addChild(file.createNode(name).setMesh(file.createMesh(name).addPrimitive(primitive)));
  }
  return (await gltfIo()).writeBinary(file);
}

async function makeHeads(): Promise<void> {
  const known = JSON.parse(await readFile(join(shapes, 'heads.json'), 'utf8')) as {
    heads: KnownHead[];
    triangles: number;
  };
  const topology = Uint8Array.from(await readFile(join(shapes, 'topology.bin'))).buffer;
  const triangles = new Uint16Array(topology, 0, 3 * known.triangles);
  await mkdir(out, { recursive: true });
  const wanted = options.views.split(',').map((word) => (word === 'profile' ? 'l90' : word));
  for (const one of known.heads) {
    const { name, sex, views } = one;
    if (only && !only.includes(name)) continue;
    const [photo = '', ...others] = wanted.map((word) => {
      const view = views[word];
      if (!view) throw new Error(`No view ${word}: there are ${Object.keys(views).join(', ')}.`);
      return join(shapes, view.photo);
    });
    const file = join(out, `${name}.glb`);
    await rm(file, { force: true });
    try {
      const head = await modelHead({ photo, others, sex });
      for (const { index, used, reason } of head.report.photos ?? [])
        if (!used) print(`${name}: photo ${index} is left out: ${reason?.en}`);
      await writeFile(file, await plainGlb(head.model));
      const { model, fit, picture } = await modelHead({ photo, others, sex, options: { light: 1 } });
      const lit = lightMouth(model, fit, picture);
      if (others.length === 0) await judgeSides(lit, views);
      const profile = wanted.find((word, i) => word in profiles && head.report.photos?.[i - 1]?.used);
      if (profile) await judgeProfile(lit, one, profile, triangles);
    } catch (error) {
      if (!(error instanceof PortraitError)) throw error;
      print(`${name}: ${error.code} ${JSON.stringify(error.params)}`);
    }
  }
}

/** Runs the measurement; its own tables go into the output folder as `<name>.txt`. */
async function measure(name: string, ...what: string[]): Promise<Measured> {
  const json = join(out, `${name}.json`);
  await rm(json, { force: true });
  const args = [
    join(shapes, 'measure.mjs'),
    ...what,
    '--json',
    json,
    ...(only ? ['--only', only.join()] : []),
  ];
  // It exits with 1 if a head is missing, but writes the others' measurements.
  const run = promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 24 });
  const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error);
  if (!existsSync(json)) throw new Error(`measure.mjs failed: ${stderr}`);
  await writeFile(join(out, `${name}.txt`), stdout);
  return JSON.parse(await readFile(json, 'utf8')) as Measured;
}

if (!options.made) await makeHeads();
const made = await measure('made', '--heads', out);
const average = await measure('average', '--average', out);
const mean = await measure('mean', '--mean');

const names = Object.keys(made.heads);
type Kind = 'rigid' | 'scaled';
const face = (of: Measured, name: string, kind: Kind): number => of.heads[name]![kind].surface.face.median;
const overall = (of: Measured, kind: Kind): number =>
  names.reduce((sum, name) => sum + face(of, name, kind) / names.length, 0);
const nearer = (than: Measured): number =>
  names.filter((name) => face(made, name, 'scaled') < face(than, name, 'scaled')).length;
const row = (what: string, figure: (of: Measured) => string): void =>
  print(`${what.padEnd(34)}${[made, average, mean].map((of) => figure(of).padStart(16)).join('')}`);
const signed = (value: number): string => `${value < 0 ? '' : '+'}${value.toFixed(1)}`;

print(`\n${names.length} heads, millimetres; ${options.out} has the whole tables\n`);
print(
  `${''.padEnd(34)}${['made', 'their average', 'true mean'].map((title) => title.padStart(16)).join('')}`,
);
row('face, as made: median', (of) => overall(of, 'rigid').toFixed(2));
row('face, scaled: median', (of) => overall(of, 'scaled').toFixed(2));
row('worst head, scaled', (of) => Math.max(...names.map((name) => face(of, name, 'scaled'))).toFixed(2));
row('made head is nearer, of all', (of) => (of === made ? '' : String(nearer(of))));
for (const region of Object.keys(made.summary.scaled.surface).filter((name) => name !== 'face'))
  row(`${region}: median (bias)`, ({ summary }) => {
    const { median, bias } = summary.scaled.surface[region]!;
    return `${median.toFixed(2)} (${signed(bias)})`;
  });
for (const side of Object.keys(made.summary.scaled.side))
  row(`${side}: mean (bias)`, ({ summary }) => {
    const figure = summary.scaled.side[side]!;
    return `${figure.mean.toFixed(1)} (${signed(figure.bias)})`;
  });
print('\nproportions, hundredths of the outer eye distance: r of made with true; made less true');
for (const [what, { r, bias }] of Object.entries(made.summary.proportions))
  print(`${what.padEnd(34)}${(r ?? Number.NaN).toFixed(2).padStart(16)}${signed(bias).padStart(16)}`);
if (turned.length > 0) {
  const mean = (figure: keyof (typeof turned)[number]): string =>
    (turned.reduce((sum, view) => sum + view[figure], 0) / turned.length).toFixed(3);
  print(
    `\nlikeness at ±30°: ${mean('toSide')} to the photos from there; ${mean('toFront')} to the front photo, to which`,
  );
  print(`the photos from there have ${mean('photos')}`);
}
if (fromSide.length > 0) {
  const mean = fromSide.reduce((sum, side) => sum + side.mean / fromSide.length, 0);
  const max = Math.max(...fromSide.map((side) => side.mean));
  const p90 = fromSide.reduce((sum, side) => sum + side.p90 / fromSide.length, 0);
  print('\noutline from the side against that of the photo, chin to nape, hundredths of its height');
  print(`mean ${mean.toFixed(2)}, of the worst head ${max.toFixed(2)}; 90th percentile ${p90.toFixed(2)}`);
}
if (inProfile.length > 0) {
  const own = inProfile.map(({ photo, made }) => cosine(photo, made));
  const first = inProfile.filter(({ made }, i) =>
    inProfile.every(({ photo }, k) => k === i || cosine(photo, made) < own[i]!),
  );
  print(
    `likeness at 90° to the photo from there: median ${percentile(own, 0.5).toFixed(3)}, least ${Math.min(...own).toFixed(3)};` +
      ` own photo first in ${first.length} of ${inProfile.length}`,
  );
}
process.exit(0);
