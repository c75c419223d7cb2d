import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Journal } from '@likeness/journal/journal.ts';
import { inEnglish } from '@likeness/messages';
import { type DataLayout, prepareDataFolder } from '@likeness/node-kit/storage/data_folder.ts';
import { createLog, type Log } from '@likeness/node-kit/storage/log.ts';
import { createScrub, type Scrub } from '@likeness/node-kit/storage/scrub.ts';
import type { Emit } from '#contract';
import { type ModelDrives, openModelDrives } from '../names/model_drives.ts';
import { type NameTables, openNameTables } from '../names/name_tables.ts';
import { openSettings, type SettingsStore } from '../settings/settings.ts';
import type { Shell } from '../shell/shell.ts';

/** The services that every room needs. */
export interface CoreServices {
  version: string;
  layout: DataLayout;
  scrub: Scrub;
  log: Log;
  /** Logs an internal error. */
  report(where: string, error: unknown): void;
  emit: Emit;
  settings: SettingsStore;
  nameTables: NameTables;
  modelDrives: ModelDrives;
  journal: Journal;
}

/**
 * @param packageFile - The studio's `package.json`, for its version. Absolute.
 * @throws Failure `storage` if the data folder can't be used.
 */
export async function openCoreServices(shell: Shell, packageFile: string, emit: Emit): Promise<CoreServices> {
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
  const layout = prepareDataFolder(shell.dataFolder);
  const scrub = createScrub();
  const log = createLog({ folder: layout.logsFolder, scrub });
  log.info({ version, runtime: shell.runtime, platform: process.platform }, 'the studio starts');

  const settings = await openSettings({
    path: layout.settingsFile,
    clock: Date.now,
    systemLanguage: Intl.DateTimeFormat().resolvedOptions().locale,
  });
  if (settings.problem) log.warn(inEnglish(settings.problem));
  const nameTables = await openNameTables({
    path: layout.nameTablesFile,
    clock: Date.now,
    randomId: () => randomBytes(6).toString('hex'),
    onChanged: (tables) => emit('names', 'changed', tables),
  });
  if (nameTables.problem) log.warn(nameTables.problem);
  const modelDrives = await openModelDrives(layout.shapeDrivesFile, Date.now);
  if (modelDrives.problem) log.warn(modelDrives.problem);

  const journal = new Journal({
    folder: layout.journalFolder,
    clock: Date.now,
    scrub,
    onAppended: (entry) => emit('journal', 'appended', entry),
    processId: process.pid,
    run: randomUUID(),
  });
  for (const detail of journal.openLosses) log.warn(`The journal is not what was written. ${detail}`);
  if (journal.quarantined) log.warn(`The journal was damaged; it is kept as ${journal.quarantined}.`);
  const report = (where: string, error: unknown): void => log.error({ where, err: error }, 'a defect');
  return { version, layout, scrub, log, report, emit, settings, nameTables, modelDrives, journal };
}
