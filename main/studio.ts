import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { KeptClient } from '@likeness/client/current_client.ts';
import { exportJournal } from '@likeness/journal/journal_export.ts';
import { t } from '@likeness/messages';
import { systemClock } from '@likeness/node-kit/clock.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { anyDefaultHead, type DefaultHead } from '@likeness/proto/heads/default_heads.ts';
import type { AssetKind, Emit, EngineStatus, Handlers, Settings } from '#contract';
import type { PortraitChecker } from './batch/ports.ts';
import { type Connected, composeConnections, openKeys } from './compose/compose_connections.ts';
import { type CoreServices, openCoreServices } from './compose/compose_core.ts';
import { composeEngine, connectToEngine } from './compose/compose_engine.ts';
import { composeHandlers } from './compose/compose_handlers.ts';
import { composeHeads, type Heads } from './compose/compose_heads.ts';
import { composeSending } from './compose/compose_sending.ts';
import { composeFilms, composeTakes, composeVoices, type FaceOfSound } from './compose/compose_takes.ts';
import { knownHeads } from './compose/known_heads.ts';
import type { ResolvedConnection } from './connections/connections.ts';
import type { Rebinding } from './connections/rebinding.ts';
import type { OpenSecretFile } from './connections/vault/secret_file.ts';
import { createDroppedFiles, type DroppedFiles } from './dropped_files.ts';
import { createPhotoClient } from './engine_host/photo_client.ts';
import { createRecordingClient } from './engine_host/recording_client.ts';
import { createDispatcher, type Dispatcher } from './ipc/dispatcher.ts';
import type { Sending } from './send/sending.ts';
import type { DrawingPage, Shell } from './shell/shell.ts';
import { createSoundThread } from './takes/edits/edited_sounds.ts';
import { overdubAsset } from './takes/edits/take_overdubs.ts';
import type { ExportedTakes } from './takes/export/exported_takes.ts';
import type { Takes } from './takes/takes.ts';
import type { FilmPictures } from './takes/video/film_pictures.ts';
import type { Films } from './takes/video/films.ts';
import { createViewThread, type Viewed } from './takes/views/take_views.ts';
import { openUpdates, type UpdateWatch } from './updates.ts';

export interface StudioOptions {
  /**
   * Opens the encrypted key store: electron-store on the desktop, conf elsewhere. Both write the same file.
   */
  openSecretFile: OpenSecretFile;
  /** The origin of our page; null if there is none (yet). */
  pageOrigin: () => string | null;
  /** The engine's process, `out/main/engine.js`. Absolute. */
  engineEntry: string;
  /** The studio's `package.json`, for its version. Absolute. */
  packageFile: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** Concurrent photos per connection, if the user set it (`--jobs`). */
  concurrentJobs?: number;
  /** Opens a hidden page that draws a film. Absent: only open pages draw films. */
  drawFilm?: (filmId: string, studio: Studio) => Promise<DrawingPage>;
}

/** The studio as an entry sees it. */
export interface Studio {
  dispatcher: Dispatcher;
  /** The rooms behind the contract, for entries without a page (the command line). */
  handlers: Handlers;
  settings(): Settings;
  updates: Pick<UpdateWatch, 'atEnd'>;
  /** The whole journal as text, in chunks. */
  exportJournal(format: 'csv' | 'jsonl'): AsyncIterable<string>;
  /** Binds keys to a connection's new address, for the command line. */
  rebinding: Rebinding;
  /** A connection with all fields of its profile; its secrets on demand. */
  connection(profileId: string): Promise<ResolvedConnection>;
  /** The metered client of a connection. */
  client(profileId: string): Promise<KeptClient>;
  /** The built-in engine's state, for the command line. */
  engineStatus(): EngineStatus;
  /** Portraits and Library, for the command line. */
  heads: Heads;
  /** The full pass over audio that is not a take, for the command line. */
  faceOfSound: FaceOfSound;
  /** Folder for a command's temporary files; emptied when the studio starts. */
  scratch: string;
  /** Sends and receives faces of other programs, for the command line. */
  sending: Pick<Sending, 'send' | 'serve'>;
  /** Films of takes, for the command line, and the pages that draw them. */
  films: Films;
  pictures: FilmPictures;
  drawFilm(filmId: string): Promise<DrawingPage>;
  /** Files from drops; the page names them by id. */
  dropped: DroppedFiles;
  /** Absolute path of an asset by kind and id; null if there is none. */
  asset(kind: AssetKind, id: string): Promise<string | null>;
  /** Work that quitting would interrupt; null if there is none. */
  busy(): { what: 'heads' | 'take' } | null;
  /** Logs an internal error. */
  report(where: string, error: unknown): void;
  close(): Promise<void>;
}

/** Assets that the page shows instead of a take's files. */
const viewOf: Partial<Record<AssetKind, Viewed>> = {
  'take-audio-view': 'audio',
  'take-face-view': 'face',
  'take-second-view': 'second',
};

/** Files of the built studio that rooms start or serve. */
const builtFiles = (engineEntry: string) => ({
  libraryThread: join(dirname(engineEntry), 'library-thread.js'),
  convertThread: join(dirname(engineEntry), 'convert-thread.js'),
  soundThread: join(dirname(engineEntry), 'sound-thread.js'),
  viewThread: join(dirname(engineEntry), 'view-thread.js'),
  defaultHeads: {
    default: join(dirname(engineEntry), 'default-head.glb'),
    man: join(dirname(engineEntry), 'default-head-man.glb'),
    stylised: join(dirname(engineEntry), 'default-head-stylised.glb'),
  } satisfies Record<DefaultHead, string>,
  viewerFolder: join(dirname(engineEntry), '..', 'viewer'),
});

/**
 * The composition root: builds every room from one Shell and passes each its dependencies. `compose/`
 * contains the steps.
 *
 * @throws Failure `storage` if the data folder can't be used.
 */
export async function createStudio(shell: Shell, options: StudioOptions): Promise<Studio> {
  const { engineEntry, environment } = options;
  // Rooms are built before the dispatcher, so their events go through here.
  let dispatcher: Dispatcher | undefined;
  const emit: Emit = (room, event, payload) => dispatcher?.emit(room, event, payload);
  // The queue needs the connections, and they notify it of changes.
  let queue: Heads | undefined;

  const files = builtFiles(engineEntry);
  const core = await openCoreServices(shell, options.packageFile, emit);
  const keys = await openKeys(core, shell, options.openSecretFile, environment);
  const engine = composeEngine(core, shell, keys, engineEntry, () => queue?.engineStarted());
  const photos = createPhotoClient(() => connectToEngine(engine, core));
  const speech = createRecordingClient(() => connectToEngine(engine, core));
  const onChanged = (): void => queue?.connectionsChanged();
  const connected = await composeConnections({ core, shell, keys, engine, environment, onChanged });
  const voices = composeVoices(core, connected);
  const sound = createSoundThread(files.soundThread);
  const viewing = createViewThread(files.viewThread);
  const { takes, takeViews, takeList, takeFeed, analysis, takeExports, faceOfSound } = await composeTakes(
    core,
    voices,
    speech,
    { renderSound: sound.render, makeView: viewing.make },
  );
  const dropped = createDroppedFiles(() => randomBytes(16).toString('base64url'));
  const { concurrentJobs } = options;
  const heads = await openHeads({
    core,
    shell,
    connected,
    takes,
    takeExports,
    dropped,
    checker: photos,
    ...files,
    ...(concurrentJobs !== undefined && { concurrentJobs }),
  });
  queue = heads;
  const busy = (): 'heads' | 'take' | null => {
    const { queued, running } = engine.status();
    if (queued + running > 0 || heads.busy()) return 'heads';
    return takes.recording ? 'take' : null;
  };
  const updates = await openUpdatesOf(core, shell, busy);
  const { defaultHeads, viewerFolder } = files;
  const known = knownHeads(core, heads, defaultHeads);
  const { films, pictures } = composeFilms({
    core,
    takes,
    analysis,
    takeExports,
    knownHeads: known,
    cropPhoto: photos.crop,
  });
  const asset: Studio['asset'] = async (kind, id) => {
    if (kind === 'take-audio') return takes.file(id, 'audio');
    if (kind === 'take-face') return takes.file(id, 'face');
    if (kind === 'take-edited-audio') return takes.editedAudio(id);
    if (kind === 'take-overdub') return overdubAsset(takes, id, 'face');
    if (kind === 'take-overdub-audio') return overdubAsset(takes, id, 'audio');
    if (kind === 'take-second') return takes.file(id, 'second');
    const viewed = viewOf[kind];
    if (viewed) return takeViews.path(await takes.file(id, viewed), viewed);
    if (kind === 'take-export') return takeExports.file(id);
    if (kind === 'film-source') return films.source(id);
    if (kind === 'default-head')
      return defaultHeads[id === 'chosen' ? known.defaultHead() : anyDefaultHead(id)];
    return heads.asset(kind, id);
  };
  const sending = await composeSending({ core, takes, viewerFolder, asset, heads: known });
  const rooms = {
    core,
    shell,
    connected,
    engine,
    voices,
    heads,
    takes,
    takeList,
    analysis,
    takeExports,
    sending,
    films,
    pictures,
    takeDropped: dropped.take,
    updates,
    knownHeads: known,
  };
  const handlers = composeHandlers(rooms);
  dispatcher = createDispatcher({ handlers, pageOrigin: options.pageOrigin, onDefect: core.report });
  // A command ends soon, and a running studio has already opened the user's targets.
  if (shell.kind !== 'none') {
    void takes.fillAllGaps();
    analysis.resume();
    await sending.start();
  }

  const { settings, journal, report, log } = core;
  const { connections, rebinding, clients } = connected;
  const studio: Studio = {
    dispatcher,
    handlers,
    settings: () => settings.get(),
    engineStatus: () => engine.status(),
    heads,
    faceOfSound,
    scratch: join(core.layout.temporaryFolder, 'commands'),
    films,
    pictures,
    async drawFilm(filmId) {
      if (options.drawFilm) return options.drawFilm(filmId, studio);
      throw new Failure('unsupported', t('film.no_page'), { hint: t('film.install_chromium') });
    },
    rebinding,
    connection: (profileId) => connections.resolve(profileId),
    client: (profileId) => clients.client(profileId),
    exportJournal: (format) => exportJournal(journal, format, {}),
    dropped,
    sending,
    asset,
    updates,
    busy() {
      const what = busy();
      return what && { what };
    },
    report,
    async close() {
      updates.close();
      await sending.close();
      await dropped.close();
      await films.close();
      await analysis.close();
      takeFeed.close();
      // Before its clients: running submissions finish.
      await heads.close();
      await photos.close();
      await speech.close();
      await takeExports.close();
      await sound.close();
      await viewing.close();
      await clients.close();
      await engine.close();
      connections.close();
      journal.close();
      log.info('the studio ends');
      log.end();
    },
  };
  return studio;
}

interface HeadsParts {
  core: CoreServices;
  shell: Shell;
  connected: Connected;
  takes: Takes;
  takeExports: ExportedTakes;
  dropped: DroppedFiles;
  checker: PortraitChecker;
  libraryThread: string;
  convertThread: string;
  concurrentJobs?: number;
}

/** Portraits and Library with their dependencies. */
function openHeads({ core, connected, takes, takeExports, ...rest }: HeadsParts): Promise<Heads> {
  const { layout, log, report, emit, settings, nameTables, modelDrives, journal } = core;
  const { connections, clients } = connected;
  return composeHeads({
    ...rest,
    layout,
    profiles: () => connections.list(),
    keysLocked: async () => (await connections.keyStore()).locked,
    service: (id) => clients.client(id),
    erasure: {
      takes,
      takeExports,
      modelDrives,
      eraseFromLog: (names) => log.erase(names),
      receipt: (event) => journal.appendEvent(event),
    },
    emit,
    settings: () => settings.get(),
    report,
    nameTables,
  });
}

function openUpdatesOf(
  { layout, settings, emit, report }: CoreServices,
  shell: Shell,
  busy: () => 'heads' | 'take' | null,
): Promise<UpdateWatch> {
  return openUpdates({
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
}
