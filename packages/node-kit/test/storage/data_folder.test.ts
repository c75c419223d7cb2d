import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataFolderPath, emptyTemporary, prepareDataFolder } from '../../src/storage/data_folder.ts';

describe('the data folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'likeness-folder-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const mode = (path: string): number => statSync(path).mode & 0o777;

  it('is where each platform keeps what stays on the machine, unless LIKENESS_HOME says otherwise', () => {
    const at = (platform: NodeJS.Platform, home: string, environment = {}): string =>
      dataFolderPath({ platform, home, environment });
    expect(at('linux', '/home/ann')).toBe('/home/ann/.local/share/likeness-studio');
    expect(at('linux', '/home/ann', { XDG_DATA_HOME: '/data' })).toBe('/data/likeness-studio');
    expect(at('linux', '/home/ann', { XDG_DATA_HOME: 'relative' })).toBe(
      '/home/ann/.local/share/likeness-studio',
    );
    expect(at('darwin', '/Users/ann')).toBe('/Users/ann/Library/Application Support/likeness-studio');
    expect(at('win32', 'C:\\Users\\ann')).toBe('C:\\Users\\ann\\AppData\\Local\\likeness-studio');
    expect(at('win32', 'C:\\Users\\ann', { LOCALAPPDATA: 'D:\\Local' })).toBe('D:\\Local\\likeness-studio');
    expect(at('linux', '/home/ann', { LIKENESS_HOME: '/elsewhere' })).toBe('/elsewhere');
  });

  it('is for its owner only', () => {
    const layout = prepareDataFolder(join(folder, 'a', 'b'));
    expect(mode(layout.folder)).toBe(0o700);
    chmodSync(layout.folder, 0o755);
    chmodSync(layout.keysFolder, 0o755);
    prepareDataFolder(layout.folder);
    for (const own of [layout.folder, layout.keysFolder, layout.journalFolder, layout.logsFolder]) {
      expect(mode(own), own).toBe(0o700);
    }
  });

  it('leaves the permissions of a folder alone that holds other people’s things', () => {
    writeFileSync(join(folder, 'thesis.txt'), 'mine');
    chmodSync(folder, 0o755);
    const layout = prepareDataFolder(folder);
    expect(mode(folder)).toBe(0o755);
    // Each start prepares it more than once, and what the studio put there does not make the rest its own.
    prepareDataFolder(folder);
    expect(mode(folder)).toBe(0o755);
    expect(mode(layout.keysFolder)).toBe(0o700);
  });

  it('of another program keeps its permissions, even if all names in it are ours too', () => {
    for (const name of ['library', 'logs']) mkdirSync(join(folder, name), { mode: 0o755 });
    chmodSync(folder, 0o755);
    const layout = prepareDataFolder(folder);
    prepareDataFolder(folder);
    expect([folder, layout.libraryFolder, layout.logsFolder].map(mode)).toEqual([0o755, 0o755, 0o755]);
    expect([layout.keysFolder, layout.journalFolder].map(mode)).toEqual([0o700, 0o700]);
  });

  it('of a studio before the mark is its own still', () => {
    for (const name of ['keys', 'journal', 'library']) mkdirSync(join(folder, name));
    for (const name of ['settings.json', 'connections.db', 'connections.db-wal'])
      writeFileSync(join(folder, name), '');
    chmodSync(folder, 0o755);
    prepareDataFolder(folder);
    expect(mode(folder)).toBe(0o700);
    // From then on it is, whatever else comes into it.
    writeFileSync(join(folder, 'note.txt'), '');
    chmodSync(folder, 0o755);
    prepareDataFolder(folder);
    expect(mode(folder)).toBe(0o700);
  });

  it('loses what an earlier run left in its temporary folder', () => {
    const { temporaryFolder } = prepareDataFolder(folder);
    emptyTemporary({ temporaryFolder });
    mkdirSync(join(temporaryFolder, 'uploads'), { recursive: true });
    writeFileSync(join(temporaryFolder, 'uploads', 'portrait'), 'of somebody');
    emptyTemporary({ temporaryFolder });
    expect(readdirSync(temporaryFolder)).toEqual([]);
  });

  it('says what stands in the way', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(() => prepareDataFolder(file)).toThrow(/data folder .*file can't be used.*already exists/);
    mkdirSync(join(folder, 'home'));
    writeFileSync(join(folder, 'home', 'keys'), '');
    expect(() => prepareDataFolder(join(folder, 'home'))).toThrow(/can't be used/);
  });
});
