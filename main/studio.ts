import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type AssetKind, type Handlers, type Settings, serverFeatures } from '#contract';
import { inEnglish, say } from '#sentences';
import { systemClock } from './base/clock.ts';
import { Connections, type ResolvedConnection } from './connections/connections.ts';
import { connectionsCalls } from './connections/connections_calls.ts';
import { createRebinding, type Rebinding } from './connections/rebinding.ts';
import { KeyStore } from './connections/vault/key_store.ts';
import type { OpenSecretFile } from './connections/vault/secret_file.ts';
import type { EngineConnection } from './engine_host/engine_run.ts';
import { createEngine } from './engine_host/engine_supervisor.ts';
import { externalAccessIn } from './engine_host/external_access.ts';
import { createPhotoClient } from './engine_host/photo_client.ts';
import { Failure } from './failure.ts';
import { openNameTables } from './formats/names/name_tables.ts';
import { namesCalls } from './formats/names/names_calls.ts';
import { createHeads, type Heads } from './heads.ts';
import { createDroppedFiles, type DroppedFiles } from './intake/dropped_files.ts';
import { createDispatcher, type Dispatcher } from './ipc/dispatcher.ts';
import { Journal } from './journal/journal.ts';
import { journalCalls } from './journal/journal_calls.ts';
import { exportJournal } from './journal/journal_export.ts';
import { type LiveOptions, liveCalls } from './live/live_calls.ts';
import { speakAfterwards } from './live/speak_afterwards.ts';
import { createMeteredClients, type MeteredClientsOptions } from './metered_clients.ts';
import { openSettings } from './settings/settings.ts';
import { createSettingsBackUp } from './settings/settings_back_up.ts';
import type { OpenPages, Shell } from './shell/shell.ts';
import { prepareDataFolder } from './storage/data_folder.ts';
import { createLog } from './storage/log.ts';
import { createScrub } from './storage/scrub.ts';
import { Takes } from './takes/takes.ts';
import { TakeExports, takesCalls } from './takes/takes_calls.ts';
import { openUpdates, type UpdateWatch } from './updates.ts';
import type { UpstreamClient } from './upstream/client.ts';
import { createPaces } from './upstream/transport/pace.ts';

export interface StudioOptions {
  /** Opens the encrypted store of keys: electron-store on the desktop, conf elsewhere. They write the same file. */
  openSecretFile: OpenSecretFile;
  /** The origin of our own page; null while, or where, there is none. */
  pageOrigin: () => string | null;
  /** The engine's process, `out/main/engine.js`. Absolute. */
  engineEntry: string;
  /** The studio's `package.json`, for its version. Absolute. */
  packageFile: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** Photos of a connection under way at once, where the person said so (`--jobs`). */
  jobsAtOnce?: number;
}

/** The studio as an entry holds it. */
export interface Studio {
  dispatcher: Dispatcher;
  /** What is behind the contract, for entries that are no page (the command line). */
  handlers: Handlers;
  settings(): Settings;
  updates: Pick<UpdateWatch, 'atEnd'>;
  /** The whole journal as text, piece by piece. */
  exportJournal(format: 'csv' | 'jsonl'): AsyncIterable<string>;
  /** Lets keys that stayed behind follow their connection, for the command line. */
  rebinding: Rebinding;
  /** A connection with every field of its profile; its secrets only when asked for. */
  connection(profileId: string): Promise<ResolvedConnection>;
  /** The metered client of a connection. */
  client(profileId: string): Promise<UpstreamClient>;
  /** Portraits and Library, for the command line. */
  heads: Heads;
  /** Files that the shell took from a drop; the page names them by id. */
  dropped: DroppedFiles;
  /** Absolute path of an asset by kind and id; null where there is none. */
  asset(kind: AssetKind, id: string): Promise<string | null>;
  /** Work that quitting would interrupt; null where there is none. */
  busy(): { what: 'heads' | 'take' } | null;
  /** Writes a defect to the log. */
  report(where: string, error: unknown): void;
  close(): Promise<void>;
}

/**
 * The composition root: builds every room from one Shell and hands each what it needs of the others. Nothing else
 * does.
 *
 * @throws Failure `storage` where the data folder can't be used.
 */
export async function createStudio(shell: Shell, options: StudioOptions): Promise<Studio> {
  const { pageOrigin, engineEntry, environment } = options;
  const version = versionIn(options.packageFile);
  const layout = prepareDataFolder(shell.dataFolder);
  const clock = Date.now;
  const scrub = createScrub();
  const log = createLog({ folder: layout.logsFolder, scrub });
  const report = (where: string, error: unknown): void => log.error({ where, err: error }, 'a defect');
  log.info({ version, runtime: shell.runtime, platform: process.platform }, 'the studio starts');

  // What a room tells the page goes through here; rooms are built before the dispatcher that carries it.
  let dispatcher: Dispatcher | undefined;
  const emit: Dispatcher['emit'] = (room, event, payload) => dispatcher?.emit(room, event, payload);

  const settings = await openSettings({
    path: layout.settingsFile,
    clock,
    systemLanguage: Intl.DateTimeFormat().resolvedOptions().locale,
  });
  if (settings.problem) log.warn(inEnglish(settings.problem));
  const nameTables = await openNameTables({
    path: layout.nameTablesFile,
    clock,
    randomId: () => randomBytes(6).toString('hex'),
    onChanged: (tables) => emit('names', 'changed', tables),
  });
  if (nameTables.problem) log.warn(nameTables.problem);

  const journal = new Journal({
    folder: layout.journalFolder,
    clock,
    scrub,
    onAppended: (entry) => emit('journal', 'appended', entry),
    processId: process.pid,
    run: randomUUID(),
  });
  if (journal.quarantined) log.warn(`The journal was damaged; it is kept as ${journal.quarantined}.`);

  const keys = await KeyStore.open({
    folder: layout.keysFolder,
    openFile: options.openSecretFile,
    system: shell.systemSecrets,
    passphrase: environment.LIKENESS_PASSPHRASE,
    clock,
    know: scrub.know,
  });

  const external = externalAccessIn(join(layout.folder, 'engine.json'), keys);
  const engine = createEngine({
    fork: shell.fork,
    entry: engineEntry,
    folder: layout.engineFolder,
    version,
    clock: systemClock,
    randomBytes,
    loadExternal: external.load,
    saveExternal: external.save,
    onChanged: (status) => emit('engine', 'changed', status),
    onStarted: () => openHeads?.engineStarted(),
    log: (level, message) => log[level === 'warning' ? 'warn' : level](message),
  });

  const connectToEngine = async (): Promise<EngineConnection> => {
    const connection = await engine.connect();
    for (const secret of [connection.accessToken, connection.apiKey]) scrub.know(secret);
    return connection;
  };
  const photos = createPhotoClient(connectToEngine);

  let openHeads: Heads | undefined;
  const connections = await Connections.open({
    database: layout.connectionsDatabase,
    keys,
    async builtIn() {
      const { url, accessToken, apiKey } = await connectToEngine();
      return { groupAUrl: url, groupBUrl: url, accessToken, apiKey };
    },
    clock,
    randomId: () => randomBytes(9).toString('base64url'),
    // On the desktop keys come from the vault alone.
    environment: shell.kind === 'electron' ? {} : environment,
    hasPage: shell.kind !== 'none',
    know: scrub.know,
    warn: (text) => log.warn(text),
    onChanged: (profiles) => {
      clients.keepOnly(profiles);
      openHeads?.connectionsChanged();
      emit('connections', 'changed', profiles);
    },
    onKeyStoreChanged(state) {
      emit('connections', 'keyStoreChanged', state);
      if (!state.locked) openHeads?.connectionsChanged();
      if (!state.locked) void engine.applyStoredExternal().catch((error: unknown) => report('engine', error));
    },
  });

  const rebinding = createRebinding({
    keysBehind: (id) => connections.keysBehind(id),
    bind: (behind) => connections.bind(behind),
    profile: (id) => connections.profile(id),
    confirm: (question) => shell.confirm(question),
    language: () => settings.get().language,
    clock,
  });

  const metered: Pick<MeteredClientsOptions, 'resolve' | 'pace' | 'scrub' | 'onTrouble'> = {
    scrub,
    resolve: (id) => connections.resolve(id),
    pace: createPaces(systemClock),
    onTrouble: (error) => report('journal', error),
  };
  const clients = createMeteredClients({ ...metered, journal: journal.shared });
  clients.keepOnly(await connections.list());

  const dropped = createDroppedFiles(() => randomBytes(16).toString('base64url'));

  const voices: Pick<LiveOptions, 'journal' | 'openClients' | 'profile'> = {
    journal,
    openClients: (meter) => createMeteredClients({ ...metered, journal: meter, live: true }),
    async profile(id) {
      const { profileName, stream } = await connections.resolve(id);
      return { name: profileName, words: stream.words };
    },
  };
  const takes = await Takes.open({
    folder: layout.takesFolder,
    clock,
    randomId: () => randomBytes(4).toString('hex'),
    speak: (sound, frameRate) => speakAfterwards(voices, sound, frameRate),
    warn: (text) => log.warn(text),
    onChanged: (list) => emit('takes', 'changed', list),
  });
  const asset: Studio['asset'] = async (kind, id) => {
    if (kind === 'take-audio') return takes.file(id, 'audio');
    if (kind === 'take-face') return takes.file(id, 'face');
    if (kind === 'take-export') return takeExports.file(id);
    if (kind === 'default-head') return join(dirname(engineEntry), 'default-head.glb');
    return heads.asset(kind, id);
  };
  const takeExports = new TakeExports(layout.temporaryFolder, () => randomBytes(9).toString('base64url'));

  const heads = await createHeads({
    layout,
    shell,
    dropped,
    profiles: () => connections.list(),
    keysLocked: async () => (await connections.keyStore()).locked,
    service: (id) => clients.client(id),
    erasure: {
      takes,
      takeExports,
      eraseFromLog: (names) => log.erase(names),
      receipt: (event) => journal.appendEvent(event),
    },
    emit,
    settings: () => settings.get(),
    report,
    checker: photos,
    libraryThread: join(dirname(engineEntry), 'library-thread.js'),
    nameTables,
    convertThread: join(dirname(engineEntry), 'convert-thread.js'),
    ...(options.jobsAtOnce !== undefined && { jobsAtOnce: options.jobsAtOnce }),
  });

  openHeads = heads;
  const busy = (): 'heads' | 'take' | null => {
    const { queued, running } = engine.status();
    if (queued + running > 0 || heads.busy()) return 'heads';
    return takes.recording ? 'take' : null;
  };
  const updates = await openUpdates({
    updater: shell.updater ?? 'not_installed',
    path: join(layout.folder, 'updates.json'),
    settings: () => settings.get(),
    busy,
    onChanged: (state) => emit('app', 'updatesChanged', state),
    report: (error) => report('updates', error),
    quit: () => shell.quit?.(),
    clock: systemClock,
    random: Math.random,
  });
  const openPages = (): OpenPages => {
    if (shell.openPages) return shell.openPages;
    throw new Failure('unsupported', say('studio.no_browser'));
  };
  shell.openPages?.onChanged((pages) => emit('app', 'openPagesChanged', pages));

  const headBytes = async (modelId: string | null): Promise<Buffer> => {
    if (modelId !== null) return heads.libraries.modelBytes(modelId);
    return readFile(join(dirname(engineEntry), 'default-head.glb'));
  };
  const changeSettings: Handlers['app']['changeSettings'] = async (changes) => {
    const changed = await settings.change(withoutUndefined(changes));
    emit('app', 'settingsChanged', changed);
    updates.settingsChanged();
    return changed;
  };
  const backUp = createSettingsBackUp({
    settings: settings.get,
    changeSettings: async (changes) => changeSettings(changes),
    connections,
    clock,
  });

  const handlers: Handlers = {
    app: {
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
      backUpSettings: ({ page }) => backUp.save(page),
      compareBackUp: ({ text }) => backUp.compare(text),
      readBackUp: ({ text }) => backUp.read(text),
      undoBackUp: () => backUp.undo(),
      reportError({ message, stack }) {
        log.error({ where: 'page', stack }, message);
        return undefined;
      },
      askForMicrophone: () => shell.askForMicrophone(),
      updates: () => updates.state(),
      checkForUpdates: () => updates.check(),
      downloadUpdate: () => updates.download(),
      stopUpdateDownload: () => updates.stopDownload(),
      installUpdate: () => updates.install(),
      quit() {
        if (!shell.quit) {
          throw new Failure('unsupported', say('studio.only_desktop_quits'), {
            hint: say('studio.stop_in_terminal'),
          });
        }
        shell.quit();
        return undefined;
      },
      openPages: () => openPages().list(),
      endPages({ ids }) {
        openPages().end(ids);
        return openPages().list();
      },
      offerLink() {
        openPages().offerLink();
        return undefined;
      },
    },
    connections: {
      ...connectionsCalls(connections, rebinding),
      async test({ id }) {
        const client = await clients.client(id);
        const steps = await client.probe();
        const ok =
          steps.some(({ outcome }) => outcome === 'ok') && steps.every(({ outcome }) => outcome !== 'failed');
        const answered = steps.filter(({ httpStatus }) => httpStatus !== null);
        const latencyMs =
          answered.length > 0 ? Math.min(...answered.map(({ milliseconds }) => milliseconds)) : null;
        const speaks = steps.some(({ operation, outcome }) => operation === 'get_model' && outcome === 'ok');
        const can = speaks ? await client.extensions() : null;
        const features = serverFeatures.filter((feature) => can?.[feature] === true);
        return { profileId: id, at: clock(), ok, latencyMs, features, steps };
      },
    },
    journal: journalCalls({
      journal,
      profiles: () => connections.metered(),
      nameOf: (profileId, remoteModelId) => heads.nameOf(profileId, remoteModelId),
      clock,
    }),
    engine: {
      status: () => engine.status(),
      restart: () => engine.restart(),
      setExternal: (wanted) => engine.setExternal(wanted),
      renewExternalKey: () => engine.renewExternalKey(),
      async handOverExternalKey() {
        return { to: await shell.handOver('Key of the built-in engine', await engine.externalKey()) };
      },
    },
    ...heads.handlers,
    live: {
      ...liveCalls({
        ...voices,
        startTake: (take) => takes.start(take),
        onSpeaking(isSpeaking) {
          heads.yieldTo(isSpeaking);
          engine.yieldTo(isSpeaking);
        },
        now: clock,
        onDefect: report,
      }),
      async popOut(wanted) {
        await shell.popOut(wanted);
        return undefined;
      },
      async setHotkeys(hotkeys) {
        return { refused: await shell.setHotkeys(hotkeys, (action) => emit('live', 'hotkey', { action })) };
      },
    },
    takes: takesCalls({
      takes,
      exports: takeExports,
      reveal: (path) => shell.reveal(path),
      head: headBytes,
      convertTake: heads.convertTake,
    }),
    names: namesCalls({ tables: nameTables, head: headBytes }),
  };
  dispatcher = createDispatcher({ handlers, pageOrigin, onDefect: report });
  void takes.fillAllGaps();

  return {
    dispatcher,
    handlers,
    settings: () => settings.get(),
    heads,
    rebinding,
    connection: (profileId) => connections.resolve(profileId),
    client: (profileId) => clients.client(profileId),
    exportJournal: (format) => exportJournal(journal, format, {}),
    dropped,
    asset,
    updates,
    busy() {
      const what = busy();
      return what && { what };
    },
    report,
    async close() {
      updates.close();
      await dropped.close();
      // Before its clients: a submit under way comes to its end.
      await heads.close();
      await photos.close();
      await takeExports.close();
      await clients.close();
      await engine.close();
      connections.close();
      journal.close();
      log.info('the studio ends');
      log.end();
    },
  };
}

function versionIn(packageFile: string): string {
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
  return version;
}

/** A partial from zod may hold `undefined` for what was left out; that must not overwrite what is set. */
function withoutUndefined<T extends object>(partial: { [K in keyof T]?: T[K] | undefined }): Partial<T> {
  return Object.fromEntries(Object.entries(partial).filter(([, value]) => value !== undefined)) as Partial<T>;
}
