/**
 * npm run quality -- portrait [--data <folder>] [--out <folder>] [--only <name,name>] [--sheets-only] [--write]
 *
 * Makes a head of every photo in a folder and measures it: re-projection, likeness, shapes, validity, sizes,
 * times. Writes quality.csv, a summary and contact sheets into the output folder (default
 * .cache/quality/portrait, which git ignores: the sheets show people).
 * `manifest.csv` in the folder (file,sex) gives the sex; without it every head is made as female.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readHead, writeWebHead } from '@likeness/gltf/head_file.ts';
import { renderHead } from '@likeness/head-renderer/rasteriser.ts';
import { csvLine } from '@likeness/node-kit/csv.ts';
import { PortraitError } from '@likeness/portrait/contract/portrait_error.ts';
import { writeGlb } from '@likeness/portrait/gltf/write_glb.ts';
import { loadFaceNetworks } from '@likeness/portrait/landmarks/face_networks.ts';
import { type FaceLandmarks, findLandmarks } from '@likeness/portrait/landmarks/landmarks.ts';
import { modelHead } from '@likeness/portrait/make_head.ts';
import type { Picture } from '@likeness/portrait/photo/photo.ts';
import { prepareSilhouette } from '@likeness/portrait/segment/silhouette.ts';
import { percentile } from '@likeness/proto/percentile.ts';
import validator from 'gltf-validator';
import sharp from 'sharp';
import { parseManifest } from '../../main/batch/photos/manifest.ts';
import {
  asPicture,
  cosine,
  describeFace,
  describeHead,
  drawTurned,
  lightMouth,
  loadDescriptor,
  photoOutline,
  renderInPhotoPose,
  withoutBackground,
} from './likeness.ts';
import { recordFigure, writesFigures } from './quality_figures.ts';
import { distance, judgedPoints, loadSecondJudge } from './second_judge.ts';
import { measureShapes } from './shape_checks.ts';
import { sideDifference } from './side_difference.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string', default: join(import.meta.dirname, '../../../shared/portraits') },
    out: { type: 'string', default: '.cache/quality/portrait' },
    only: { type: 'string' },
    'sheets-only': { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const folder = positionals[0] ?? options.data;
const print = (line: string): void => void process.stdout.write(`${line}\n`);
if (!existsSync(folder)) {
  print(`no folder ${folder}: nothing to make heads from (--data <folder> of photos)`);
  process.exit(0);
}
const out = resolve(options.out);
await mkdir(out, { recursive: true });
const manifest = await readFile(join(folder, 'manifest.csv'), 'utf8').catch(() => '');
const sexes = new Map(parseManifest(manifest).rows.map(({ file, sex }) => [file, sex]));
const only = options.only?.split(',');
const files = (await readdir(folder))
  .filter(
    (file) =>
      /\.(jpe?g|png|webp|avif|tiff?)$/i.test(file) && (!only || only.some((name) => file.startsWith(name))),
  )
  .sort();

const tile = 220;
const views: { yaw: number; morphs?: Record<string, number> }[] = [
  { yaw: 0 },
  { yaw: 30 },
  { yaw: -30 },
  { yaw: 60 },
  { yaw: -60 },
  { yaw: 90 },
  { yaw: 180 },
  { yaw: 0, morphs: { jawOpen: 1 } },
  { yaw: 0, morphs: { eyeBlinkLeft: 1, eyeBlinkRight: 1 } },
  { yaw: 0, morphs: { mouthSmileLeft: 1, mouthSmileRight: 1, cheekSquintLeft: 0.6, cheekSquintRight: 0.6 } },
  { yaw: 0, morphs: { mouthPucker: 1 } },
  { yaw: 0, morphs: { mouthFunnel: 1 } },
  { yaw: 20, morphs: { jawOpen: 1, mouthClose: 1 } },
];

interface Row {
  file: string;
  [figure: string]: string | number;
}
const rows: Row[] = [];
const strips: Buffer[] = [];
const photos: { file: string; description: Float32Array; second: Float32Array }[] = [];
const heads: { file: string; neutral: Float32Array; asPhotographed: Float32Array; second: Float32Array }[] =
  [];
const networks = await loadFaceNetworks();
const descriptor = await loadDescriptor();
const judge = await loadSecondJudge();

for (const file of files) {
  const path = join(folder, file);
  const sex = sexes.get(file) ?? 'female';
  const cpuBefore = process.cpuUsage();
  let head: Awaited<ReturnType<typeof modelHead>>;
  try {
    head = await modelHead({ photo: path, sex });
  } catch (error) {
    if (!(error instanceof PortraitError)) throw error;
    print(`${file}: ${error.code} ${JSON.stringify(error.params)}`);
    rows.push({ file, refused: error.code });
    continue;
  }
  const { model, fit, picture, landmarks, report } = head;
  const spent = process.cpuUsage(cpuBefore);
  const cpuMs = (spent.user + spent.system) / 1000;
  const tiles = [await sharp(path).resize(tile, tile, { fit: 'cover' }).removeAlpha().raw().toBuffer()];
  for (const view of views) {
    const drawn = renderHead(model, { ...view, size: tile, background: [92, 98, 106] });
    tiles.push(
      await sharp(drawn.data, { raw: { width: tile, height: tile, channels: 4 } })
        .removeAlpha()
        .raw()
        .toBuffer(),
    );
  }
  strips.push(
    await sharp({ create: { width: tile * tiles.length, height: tile, channels: 3, background: '#000' } })
      .composite(
        tiles.map((input, i) => ({
          input,
          raw: { width: tile, height: tile, channels: 3 as const },
          left: i * tile,
          top: 0,
        })),
      )
      .png()
      .toBuffer(),
  );
  const row: Row = {
    file,
    refused: '',
    lipGap: fit.lipGap,
    silhouette: report.silhouette,
    cpuMs,
    yaw: report.yaw,
    iod: report.iodPx,
  };
  rows.push(row);
  if (options['sheets-only']) continue;

  const neutral = asPicture(renderInPhotoPose(model, fit, picture));
  // With the photo's own mouth and light, which the neutral head lacks.
  const withLight = (await modelHead({ photo: path, sex, options: { light: 1 } })).model;
  const lit = lightMouth(withLight, fit, picture);
  const drawn = renderInPhotoPose(lit, fit, picture, true);
  const asPhotographed = asPicture(drawn);
  row.reprojection = reprojection(asPhotographed, landmarks);
  row.reprojectionNeutral = reprojection(neutral, landmarks);
  const describe = (p: Picture): Float32Array =>
    describeFace(descriptor, p, photoOutline(landmarks), landmarks.roll);
  const outline = prepareSilhouette(picture, landmarks, networks.segmentation)(undefined);
  const photo = describe(withoutBackground(picture, drawn, outline));
  const descriptions = { neutral: describe(neutral), asPhotographed: describe(asPhotographed) };
  // The same points align photo and drawing, so that only the head differs.
  const points = judgedPoints.map((i) => [landmarks.points[3 * i]!, landmarks.points[3 * i + 1]!] as const);
  const secondPhoto = await judge(withoutBackground(picture, drawn, outline), points);
  const second = await judge(asPhotographed, points);
  photos.push({ file, description: photo, second: secondPhoto });
  heads.push({ file, ...descriptions, second });
  row.second = distance(secondPhoto, second);
  row.secondNeutral = distance(secondPhoto, await judge(neutral, points));
  for (const yaw of [30, -30]) {
    const turned = drawTurned(lit, yaw, true);
    row[`secondAt${yaw}`] = distance(secondPhoto, await judge(turned.picture, turned.pointsOf(judgedPoints)));
  }
  row.likeness = cosine(photo, descriptions.asPhotographed);
  row.likenessNeutral = cosine(photo, descriptions.neutral);
  // The earlier comparison: the unchanged photo with background and clothes, and the mouth without its light.
  const whole = describe(picture);
  row.wholeLikeness = cosine(whole, describe(asPicture(renderInPhotoPose(withLight, fit, picture, true))));
  row.wholeLikenessNeutral = cosine(whole, descriptions.neutral);
  for (const yaw of [0, 15, -15, 30, -30, 45, -45])
    row[`at${yaw}`] = cosine(photo, describeHead(descriptor, lit, yaw, true));
  for (const yaw of [0, 30, -30])
    row[`at${yaw}Neutral`] = cosine(photo, describeHead(descriptor, model, yaw, false));
  for (const yaw of [30, -30])
    row[`wholeAt${yaw}`] = cosine(whole, describeHead(descriptor, withLight, yaw, true));
  Object.assign(row, measureShapes(model));
  row.sides = sideDifference(model);
  const start = performance.now();
  const glb = await writeGlb(model);
  row.writeMs = performance.now() - start;
  for (const [kind, bytes] of [
    ['glb', glb],
    ['web', await writeWebHead(await readHead(glb))],
  ] as const) {
    const { issues } = await validator.validateBytes(bytes);
    row[`${kind}Bytes`] = bytes.byteLength;
    row[`${kind}Errors`] = issues.numErrors + issues.numWarnings;
  }
  Object.assign(
    row,
    Object.fromEntries(Object.entries(report.stageMs).map(([stage, ms]) => [`ms_${stage}`, ms])),
  );
  row.ms = Object.values(report.stageMs).reduce((sum, ms) => sum + ms, 0) + Number(row.writeMs);
  print(
    `${file}: reprojection ${Number(row.reprojection).toFixed(2)} % likeness ${Number(row.likeness).toFixed(3)} (neutral ${Number(row.likenessNeutral).toFixed(3)}) ±30 ${Number(row.at30).toFixed(2)}/${Number(row['at-30']).toFixed(2)} outline ${report.silhouette} ${Math.round(Number(row.ms))} ms`,
  );
}

/** Distance of a rendering's landmarks from the photo's, % of the outer eye distance. */
function reprojection(rendering: Picture, landmarks: FaceLandmarks): number {
  const outline = photoOutline(landmarks);
  const ys = outline.map(([, y]) => y);
  const seen = findLandmarks(networks, rendering, {
    cx: outline.reduce((sum, [x]) => sum + x / outline.length, 0),
    cy: ys.reduce((sum, y) => sum + y / ys.length, 0),
    size: Math.max(...ys) - Math.min(...ys),
    roll: landmarks.roll,
  });
  let error = 0;
  for (let i = 0; i < 468; i++) {
    error +=
      Math.hypot(
        seen.points[3 * i]! - landmarks.points[3 * i]!,
        seen.points[3 * i + 1]! - landmarks.points[3 * i + 1]!,
      ) / 468;
  }
  return (100 * error) / landmarks.iod;
}

for (const [i, head] of heads.entries()) {
  const row = rows.find((candidate) => candidate.file === head.file)!;
  for (const [name, like] of [
    ['', (photo) => cosine(photo.description, head.asPhotographed)],
    ['Neutral', (photo) => cosine(photo.description, head.neutral)],
    ['Second', (photo) => -distance(photo.second, head.second)],
  ] satisfies [string, (photo: (typeof photos)[number]) => number][]) {
    const values = photos.map(like);
    const own = values.splice(i, 1)[0]!;
    row[`rank${name}`] = 1 + values.filter((value) => value >= own).length;
    row[`margin${name}`] = own - Math.max(-2, ...values);
  }
}

const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
await writeFile(
  join(out, 'quality.csv'),
  [
    columns,
    ...rows.map((row) =>
      columns.map((c) => {
        const cell = row[c] ?? null;
        return typeof cell === 'number' ? Number(cell.toPrecision(5)) : cell;
      }),
    ),
  ]
    .map(csvLine)
    .join(''),
);
for (let i = 0; i < strips.length; i += 8) {
  const part = strips.slice(i, i + 8);
  await sharp({
    create: { width: tile * (views.length + 1), height: tile * part.length, channels: 3, background: '#000' },
  })
    .composite(part.map((input, k) => ({ input, left: 0, top: k * tile })))
    .png()
    .toFile(join(out, `sheet-${1 + i / 8}.png`));
}

const figure = (name: string): number[] =>
  rows.map((row) => row[name]).filter((value): value is number => typeof value === 'number');
const summary: string[] = [
  `# ${basename(resolve(folder))}: ${heads.length} heads of ${files.length} photos`,
  '',
];
const closed = rows.filter((row) => typeof row.lipGap === 'number' && row.lipGap <= 0.06);
summary.push(
  `photos with the mouth closed: ${closed.length}, neutral likeness median ${percentile(
    closed.map((row) => Number(row.likenessNeutral)),
    0.5,
  ).toPrecision(3)}, min ${Math.min(...closed.map((row) => Number(row.likenessNeutral))).toPrecision(3)}`,
  '',
);
for (const name of columns.filter((c) => figure(c).length)) {
  const values = figure(name);
  summary.push(
    `${name.padEnd(14)} median ${percentile(values, 0.5).toPrecision(4).padStart(9)}  P95 ${percentile(values, 0.95).toPrecision(4).padStart(9)}  min ${Math.min(
      ...values,
    )
      .toPrecision(4)
      .padStart(9)}  max ${Math.max(...values)
      .toPrecision(4)
      .padStart(9)}`,
  );
}
// The page's figures are of all photos, not of a selection.
if (writesFigures() && !only) {
  const median = (name: string): number => percentile(figure(name), 0.5);
  const min = (name: string): number => Math.min(...figure(name));
  const max = (name: string): number => Math.max(...figure(name));
  const measured: Record<string, number | number[]> = {
    reprojection: [median('reprojection'), max('reprojection')],
    likeness: [median('likeness'), min('likeness')],
    'likeness-neutral': [median('likenessNeutral'), min('likenessNeutral')],
    'side-colour': [median('sides'), max('sides')],
    'own-photo-first': figure('rank').filter((rank) => rank === 1).length,
    'second-judge': [median('second'), max('second')],
    'second-judge-neutral': [median('secondNeutral'), max('secondNeutral')],
    'second-judge-30': [max('secondAt30'), max('secondAt-30')],
    'likeness-30': [median('at30'), median('at-30')],
    'jaw-open-gap': [min('jawOpen'), max('jawOpen')],
    'blink-opening': [100 * min('blink'), 100 * max('blink')],
    'lid-inside-eye': max('lidDepth'),
    validator: max('glbErrors') + max('webErrors'),
    'head-size': [max('glbBytes') / 1e6, max('webBytes') / 1e6],
  };
  for (const [id, value] of Object.entries(measured)) recordFigure({ id, value });
}
await writeFile(join(out, 'summary.txt'), summary.join('\n'));
print(`\n${summary.join('\n')}`);
