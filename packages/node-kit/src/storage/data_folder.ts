import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, posix, resolve, win32 } from 'node:path';
import { joinMessages, t } from '@likeness/messages';
import { Failure } from '../failure.ts';
import { storageFailure } from './storage_failure.ts';

const folderName = 'likeness-studio';

/** The facts that decide the location of the data folder. */
export interface HostEnvironment {
  platform: NodeJS.Platform;
  environment: Readonly<Record<string, string | undefined>>;
  /** The person's home folder. */
  home: string;
}

/**
 * Returns the folder of settings, keys, databases and logs, the same for all three entries: `LIKENESS_HOME`
 * if set. Otherwise it is the platform's folder for local data, because databases and wrapped keys must not
 * roam.
 */
export function dataFolderPath({ platform, environment, home }: HostEnvironment): string {
  const chosen = environment.LIKENESS_HOME;
  if (chosen) return resolve(chosen);
  if (platform === 'win32') {
    return win32.join(environment.LOCALAPPDATA || win32.join(home, 'AppData', 'Local'), folderName);
  }
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', folderName);
  // The XDG base directory specification says to ignore relative paths.
  const xdg = environment.XDG_DATA_HOME;
  return posix.join(xdg && isAbsolute(xdg) ? xdg : posix.join(home, '.local', 'share'), folderName);
}

/** The paths of all stored files; only this module builds them. */
export interface DataLayout {
  folder: string;
  /** The settings of the whole studio. */
  settingsFile: string;
  /** The person's custom vocabularies of face shapes. */
  nameTablesFile: string;
  /** Targets for sending faces, and the access tokens of viewers. */
  sendingFile: string;
  /** A person's mappings of face channels to a head's shapes. */
  shapeDrivesFile: string;
  connectionsDatabase: string;
  /** Keyring, encrypted keys, and damaged ones kept aside. */
  keysFolder: string;
  journalFolder: string;
  batchFolder: string;
  libraryFolder: string;
  takesFolder: string;
  /** One folder per engine, because several may run side by side. */
  engineFolder: string;
  logsFolder: string;
  /** Files that may be removed while the studio is not running. */
  temporaryFolder: string;
}

function dataLayout(folder: string): DataLayout {
  return {
    folder,
    settingsFile: join(folder, 'settings.json'),
    nameTablesFile: join(folder, 'name-tables.json'),
    sendingFile: join(folder, 'sending.json'),
    shapeDrivesFile: join(folder, 'shape-drives.json'),
    connectionsDatabase: join(folder, 'connections.db'),
    keysFolder: join(folder, 'keys'),
    journalFolder: join(folder, 'journal'),
    batchFolder: join(folder, 'batch'),
    libraryFolder: join(folder, 'library'),
    takesFolder: join(folder, 'takes'),
    engineFolder: join(folder, 'engine'),
    logsFolder: join(folder, 'logs'),
    temporaryFolder: join(folder, 'temporary'),
  };
}

/** Marks a folder as the studio's, so that its permissions may be restricted. */
const markFile = '.likeness-studio';
const markText = 'This folder is Likeness Studio’s own: it keeps it for its owner only.\n';

/** Every studio older than the mark made this file; no other program does. */
const signatureFile = 'connections.db';
/** Prefixes of names in the folders of such studios. Other programs have some of them too (`library`, `logs`). */
const known =
  /^(?:settings|connections|engine|window|instance|erasing|keys|journal|batch|library|takes|logs|temporary|chromium|Singleton|lockfile|Crashpad)(?:$|[.\-A-Z])/;

/**
 * Makes the data folder and checks that it is writable. On POSIX it becomes private to its owner (0700) if it
 * is the studio's own: made by it, empty before, or holding only what studios keep. A folder with other
 * things in it keeps its permissions, as do the folders that were in it; new ones are 0700 anyway.
 *
 * @throws Failure `storage` with what to do.
 */
export function prepareDataFolder(folder: string): DataLayout {
  const layout = dataLayout(folder);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const ours = isOurs(folder);
    if (ours) {
      const mark = join(folder, markFile);
      if (!existsSync(mark)) writeFileSync(mark, markText, { mode: 0o600 });
      if (process.platform !== 'win32' && (statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
    }
    for (const inner of [layout.keysFolder, layout.journalFolder, layout.logsFolder]) {
      mkdirSync(inner, { recursive: true, mode: 0o700 });
      if (ours && process.platform !== 'win32') chmodSync(inner, 0o700);
    }
    const probe = join(folder, `.likeness-probe-${process.pid}`);
    writeFileSync(probe, 'can this folder be written?', { mode: 0o600 });
    rmSync(probe);
  } catch (error) {
    const failure = storageFailure(error, folder);
    throw failure instanceof Failure
      ? new Failure('storage', t('storage.data_folder', { folder, message: failure.userMessage }), {
          hint: joinMessages(failure.advice, t('storage.choose_home')),
          cause: error,
        })
      : failure;
  }
  return layout;
}

const isOurs = (folder: string): boolean => {
  const names = readdirSync(folder);
  const others = names.filter((name) => !name.startsWith('.likeness-'));
  if (others.length === 0 || names.includes(markFile)) return true;
  return others.includes(signatureFile) && others.every((name) => known.test(name));
};

/**
 * Removes uploads and exports that an earlier run left, or that nobody fetched. Only for the holder of the
 * data folder's instance lock: another studio may be writing them. If a removal fails now, the next start
 * tries again.
 */
export function emptyTemporary({ temporaryFolder }: Pick<DataLayout, 'temporaryFolder'>): void {
  try {
    for (const name of readdirSync(temporaryFolder)) {
      rmSync(join(temporaryFolder, name), { recursive: true, force: true });
    }
  } catch {
    // The folder is missing, or a program has a file in it open (Windows).
  }
}
