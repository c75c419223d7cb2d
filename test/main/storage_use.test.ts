/** Sizes of real folders, and what clearing caches removes. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { prepareDataFolder } from '@likeness/node-kit/storage/data_folder.ts';
import { afterEach, expect, test } from 'vitest';
import { createStorageMeter } from '../../main/settings/storage_use.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const minutes = 60_000;

const folders: string[] = [];
const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-storage-'));
  folders.push(folder);
  return folder;
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function studioFolder() {
  const layout = prepareDataFolder(join(temporaryFolder(), 'studio'));
  const write = (path: string, bytes: number, age = 60 * minutes): string => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, new Uint8Array(bytes));
    utimesSync(path, new Date(now - age), new Date(now - age));
    return path;
  };
  const meter = (...libraries: string[]) =>
    createStorageMeter({
      layout,
      libraryFolders: () => [layout.libraryFolder, ...libraries],
      clock: () => now,
    });
  return { layout, write, meter };
}

test('each part has the bytes and files of its folders, libraries on other disks included', async () => {
  const { layout, write, meter } = studioFolder();
  const elsewhere = temporaryFolder();
  for (let at = 0; at < 300; at++) write(join(layout.libraryFolder, 'heads', `${at % 7}`, `${at}.glb`), 100);
  write(join(elsewhere, 'ada', 'head.glb'), 5000);
  write(join(layout.takesFolder, 'one', 'voice.wav'), 700);
  write(join(layout.batchFolder, 'photos', 'a.jpg'), 60);
  write(join(layout.engineFolder, 'one', 'incoming', 'photo.jpg'), 40);
  write(join(layout.engineFolder, 'one', 'incoming', 'recordings', 'voice.wav'), 900);
  write(join(layout.temporaryFolder, 'films', 'film.mp4'), 80);
  write(join(layout.folder, 'settings.json'), 30);
  symlinkSync(elsewhere, join(layout.takesFolder, 'link'), 'junction');
  const { parts, unreadable } = await meter(elsewhere).measure();
  const sums = Object.fromEntries(parts.map(({ part, bytes, files }) => [part, [bytes, files]]));
  expect(sums).toMatchObject({
    library: [35_000, 301],
    takes: [700, 1],
    photos: [60, 1],
    engine: [940, 2],
    caches: [80, 1],
    logs: [0, 0],
  });
  expect(sums.other![0]).toBeGreaterThanOrEqual(30);
  expect(unreadable).toEqual([]);
});

test('a folder that cannot be read is named, and the others are counted', async () => {
  const { layout, write, meter } = studioFolder();
  write(join(layout.takesFolder, 'one', 'voice.wav'), 700);
  const away = join(temporaryFolder(), 'disk-that-is-away');
  // A file in place of a folder fails for everyone; permissions don't stop root.
  const noFolder = write(join(temporaryFolder(), 'library'), 12);
  const { parts, unreadable } = await meter(away, noFolder).measure();
  expect(unreadable).toEqual([away, noFolder]);
  expect(parts.find(({ part }) => part === 'takes')).toEqual({ part: 'takes', bytes: 700, files: 1 });
  expect(parts.find(({ part }) => part === 'library')!.bytes).toBe(0);
});

test('clearing caches removes old copies of exports, and nothing that is still needed', async () => {
  const { layout, write, meter } = studioFolder();
  const inTemporary = (...path: string[]): string => join(layout.temporaryFolder, ...path);
  write(inTemporary('exports', 'a', 'ada.glb'), 1000);
  write(inTemporary('take-exports', 'b', 'take.csv'), 200);
  const kept = [
    write(inTemporary('exports', 'c', 'new.glb'), 10, 2 * minutes),
    write(inTemporary('uploads', 'photo.jpg'), 20),
    write(inTemporary('films', 'film.mp4'), 30),
    write(join(layout.libraryFolder, 'exports', 'head.glb'), 40),
  ];
  const storage = meter();
  expect((await storage.measure()).clearable).toBe(1200);
  expect(await storage.clearCaches()).toBe(1200);
  const files = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  expect([...files(layout.temporaryFolder), ...files(layout.libraryFolder)].toSorted()).toEqual(
    kept.toSorted(),
  );
  expect((await storage.measure()).clearable).toBe(0);
  expect(await storage.clearCaches()).toBe(0);
});
