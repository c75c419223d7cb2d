/**
 * The board of Portraits with 10,000 tiles in all states, as a person meets it in the browser shell: counting
 * them, asking for their order, scrolling them. A real Chromium at 1280 × 800 on the built studio; without a
 * GPU it draws by llvmpipe.
 */
import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openDatabase } from '@likeness/node-kit/storage/database.ts';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { batchMigrations } from '../../main/batch/batch_schema.ts';
import { chromiumFlags, findChromium } from '../../scripts/chromium.ts';
import { startStudio } from '../e2e/studio.ts';
import { report } from './limits.ts';
import { scrollGrid } from './scroll_grid.ts';

const many = 10_000;
const home = await mkdtemp(join(tmpdir(), 'likeness-bench-board-'));
writeFileSync(join(home, 'settings.json'), JSON.stringify({ schemaVersion: 1, welcomed: true }));

/** Puts photos and jobs of every state where the studio looks for them, with their small pictures. */
async function fill(): Promise<void> {
  const folder = join(home, 'batch');
  const previews = join(folder, 'previews');
  mkdirSync(previews, { recursive: true });
  const pictures = await Promise.all(
    Array.from({ length: 20 }, async (_, at) => {
      const path = join(folder, `${at}.webp`);
      const noise = { type: 'gaussian' as const, mean: 100 + 5 * at, sigma: 20 };
      await sharp({ create: { width: 260, height: 320, channels: 3, background: '#888', noise } })
        .blur(6)
        .webp()
        .toFile(path);
      return path;
    }),
  );
  const { db } = openDatabase({
    path: join(folder, 'batch.db'),
    migrations: batchMigrations,
    durability: 'normal',
  });
  const findings = (code: string, severity: string): string =>
    JSON.stringify([{ code, severity, message: '', figure: 96, limit: 128, unit: 'px' }]);
  const kinds = [
    { check: 'ok', sex: null, findings: '[]' },
    { check: 'ok', sex: 'female', findings: '[]' },
    { check: 'warning', sex: 'male', findings: findings('covered_face', 'warning') },
    { check: 'blocked', sex: null, findings: findings('face_too_small', 'blocking') },
    { check: 'ok', sex: 'female', findings: '[]', job: 'failed' },
    { check: 'ok', sex: 'male', findings: '[]', job: 'done' },
  ];
  const photo = db.prepare(
    `INSERT INTO photos (id, path, owned, fileName, nameKey, folder, format, bytes, width, height, sha256, addedAt,
       sequence, sex, name, tags, "check", findings, outline, inTray)
     VALUES (?, ?, 0, ?, ?, '', 'jpeg', 30000, 450, 550, ?, ?, ?, ?, ?, '[]', ?, ?, 1, ?)`,
  );
  const job = db.prepare(
    `INSERT INTO jobs (id, photoId, state, position, fileName, name, sex, tags, profileId, profileName, libraryId, modelId,
       idempotencyKey, queuedAt, changedAt) VALUES (?, ?, ?, ?, ?, ?, 'female', '[]', 'built-in', '', 'main', ?, ?, ?, ?)`,
  );
  db.exec('BEGIN');
  for (let at = 0; at < many; at += 1) {
    const kind = kinds[at % kinds.length]!;
    const hash = randomBytes(32).toString('hex');
    const name = `portrait-${String(at).padStart(5, '0')}`;
    const picture = pictures[at % pictures.length]!;
    linkSync(picture, join(previews, `${hash}-small.webp`));
    const added = 1_795_000_000_000 + at;
    photo.run(
      `photo-${at}`,
      picture,
      `${name}.jpg`,
      name,
      hash,
      added,
      at + 1,
      kind.sex,
      name,
      kind.check,
      kind.findings,
      kind.job ? 0 : 1,
    );
    if (kind.job)
      job.run(
        `job-${at}`,
        `photo-${at}`,
        kind.job,
        at,
        `${name}.jpg`,
        name,
        `model-${at}`,
        `key-${at}`,
        added,
        added,
      );
  }
  db.exec('COMMIT');
  db.close();
}
await fill();

const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: chromiumFlags });
const studio = await startStudio(home);
const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
await page.goto(studio.link());
await page.getByRole('gridcell').first().waitFor({ timeout: 60_000 });
await page.getByRole('button', { name: 'All 10,000' }).waitFor();
const load = (): string => `load of the last minute ${loadavg()[0]?.toFixed(1)}`;

await page.mouse.move(500, 500);
await wait(2000); // what the first screen asked for has come
const places = { grid: '[role=grid]', cell: '[role=gridcell]' };
await scrollGrid(page, places, 60);
for (const [name, pixels] of [
  ['read', 40],
  ['leafed', 160],
] as const) {
  const { fps, slowest, empty } = await scrollGrid(page, places, pixels);
  console.log(
    `${name}, ${Math.round(pixels * 30)} pixels a second: ${fps.toFixed(1)} fps, longest frame ${slowest.toFixed(0)} ms, ` +
      `${Math.round(100 * empty)} % of the looked-at places still empty; ${load()}`,
  );
  report({ name: `board of 10,000, ${name}`, value: fps, unit: 'fps', limit: 55, kind: 'least' });
}

await studio.stop();
await browser.close();
await rm(home, { recursive: true, force: true });
