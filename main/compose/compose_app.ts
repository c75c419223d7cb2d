import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { Handlers, Settings } from '#contract';
import type { Connections } from '../connections/connections.ts';
import { createSettingsBackUp } from '../settings/settings_back_up.ts';
import { createStorageMeter } from '../settings/storage_use.ts';
import type { OpenPages, Shell } from '../shell/shell.ts';
import type { UpdateWatch } from '../updates.ts';
import type { CoreServices } from './compose_core.ts';

export interface AppCallsOptions {
  core: CoreServices;
  shell: Shell;
  connections: Connections;
  updates: UpdateWatch;
  libraryFolders: () => readonly string[];
  /** Called when the user chooses another default head. */
  onDefaultHead: () => Promise<void>;
}

/** Implements the calls about the studio itself: settings, updates, windows, quitting. */
export function appCalls({
  core,
  shell,
  connections,
  updates,
  libraryFolders,
  onDefaultHead,
}: AppCallsOptions): Handlers['app'] {
  const { version, layout, log, settings, emit } = core;
  shell.openPages?.onChanged((pages) => emit('app', 'openPagesChanged', pages));
  const changeSettings = async (changes: { [K in keyof Settings]?: Settings[K] | undefined }) => {
    const { defaultHead } = settings.get();
    await settings.change(withoutUndefined(changes));
    return announceSettings(defaultHead);
  };
  /** Sends a change with the current settings: a later change may have been saved meanwhile. */
  const announceSettings = async (headBefore: Settings['defaultHead']): Promise<Settings> => {
    if (settings.get().defaultHead !== headBefore) await onDefaultHead();
    const now = settings.get();
    emit('app', 'settingsChanged', now);
    updates.settingsChanged();
    return now;
  };
  const backUp = createSettingsBackUp({
    settings: settings.get,
    changeSettings,
    connections,
    clock: Date.now,
  });
  const storage = createStorageMeter({ layout, libraryFolders, clock: Date.now });
  return {
    info: () => ({
      version,
      shell: shell.kind,
      platform: process.platform,
      dataFolder: layout.folder,
      runtime: shell.runtime,
      unprotected: shell.unprotected ?? false,
    }),
    settings: () => settings.get(),
    changeSettings,
    settingsRevision: () => ({ settings: settings.get(), revision: settings.revision }),
    async changeSettingsFrom({ revision, changes }) {
      const { defaultHead } = settings.get();
      const isChanged = await settings.changeFrom(revision, withoutUndefined(changes));
      return { isChanged, settings: isChanged ? await announceSettings(defaultHead) : settings.get() };
    },
    backUpSettings: ({ page }) => backUp.save(page),
    compareBackUp: ({ text }) => backUp.compare(text),
    readBackUp: ({ text }) => backUp.read(text),
    undoBackUp: () => backUp.undo(),
    reportError({ message, stack }) {
      log.error({ where: 'page', stack }, message);
      return undefined;
    },
    askForMicrophone: () => shell.askForMicrophone(),
    storageUse: () => storage.measure(),
    clearCaches: async () => ({ bytes: await storage.clearCaches() }),
    updates: () => updates.state(),
    checkForUpdates: () => updates.check(),
    downloadUpdate: () => updates.download(),
    stopUpdateDownload: () => updates.stopDownload(),
    installUpdate: () => updates.install(),
    quit() {
      if (!shell.quit) {
        throw new Failure('unsupported', t('studio.only_desktop_quits'), {
          hint: t('studio.stop_in_terminal'),
        });
      }
      shell.quit();
      return undefined;
    },
    openPages: () => openPagesOf(shell).list(),
    endPages({ ids }) {
      openPagesOf(shell).end(ids);
      return openPagesOf(shell).list();
    },
    offerLink() {
      openPagesOf(shell).offerLink();
      return undefined;
    },
  };
}

/** @throws Failure `unsupported` if the studio does not run in a browser */
function openPagesOf({ openPages }: Shell): OpenPages {
  if (openPages) return openPages;
  throw new Failure('unsupported', t('studio.no_browser'));
}

/** zod's partial may contain `undefined` for missing fields, which must not overwrite settings. */
function withoutUndefined<T extends object>(partial: { [K in keyof T]?: T[K] | undefined }): Partial<T> {
  return Object.fromEntries(Object.entries(partial).filter(([, value]) => value !== undefined)) as Partial<T>;
}
