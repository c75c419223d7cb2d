/**
 * Entry: the desktop app. `Likeness --cli …` runs the command line instead: with the RunAsNode fuse off, the
 * packaged program can't run as plain Node.
 */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Language, type Message, t, translate } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import {
  type DataLayout,
  dataFolderPath,
  emptyTemporary,
  prepareDataFolder,
} from '@likeness/node-kit/storage/data_folder.ts';
import { acquireInstanceLock } from '@likeness/node-kit/storage/instance_lock.ts';
import { makeFilesPrivate } from '@likeness/node-kit/storage/private_files.ts';
import { app, type BrowserWindow, dialog, Menu, nativeTheme, session } from 'electron';
import type { Settings } from '#contract';
import type { CommandServer } from './cli_ipc/command_server.ts';
import { openToCommands } from './cli_ipc/studio_commands.ts';
import { terminalLanguage } from './commands/output/terminal_language.ts';
import { languageOf, settingsLanguage } from './settings/settings.ts';
import { bindBorder } from './shell/electron/border.ts';
import { surviveCrashes } from './shell/electron/crashes.ts';
import { askWhereToSave } from './shell/electron/downloads.ts';
import { openDrawingWindow } from './shell/electron/drawing_window.ts';
import { clearGlobalHotkeys } from './shell/electron/global_hotkeys.ts';
import { menuTemplate } from './shell/electron/menu.ts';
import { denyNavigation } from './shell/electron/navigation.ts';
import { allowOwnPagesOnly, closeEverySession } from './shell/electron/network.ts';
import { pageOrigin, registerPageScheme, servePages } from './shell/electron/page_scheme.ts';
import { grantMicrophoneOnly } from './shell/electron/permissions.ts';
import { createPopOut } from './shell/electron/pop_out.ts';
import { quitInOrder } from './shell/electron/quit.ts';
import { sandboxIsOff } from './shell/electron/sandbox.ts';
import { openElectronFile } from './shell/electron/secret_file.ts';
import { bringForward, createElectronShell } from './shell/electron/shell.ts';
import { systemSecrets } from './shell/electron/system_secrets.ts';
import { updateSource } from './shell/electron/updates/update_source.ts';
import { createElectronUpdater } from './shell/electron/updates/updater.ts';
import { forkUtility } from './shell/electron/utility.ts';
import { openStudioWindow } from './shell/electron/window.ts';
import { createPages } from './shell/pages.ts';
import type { NoUpdates, Updater } from './shell/shell.ts';
import { createStudio, type Studio } from './studio.ts';

makeFilesPrivate();
const built = join(import.meta.dirname, '..');
const packageFile = join(built, '..', 'package.json');
/**
 * Developer tools only when run from a checkout: whoever can inspect the page has all rights of the studio.
 */
const developerTools = !app.isPackaged;
let window: BrowserWindow | null = null;
const page = { preload: join(built, 'preload', 'index.cjs'), developerTools };
const popOut = createPopOut(page);

const cli = process.argv.indexOf('--cli');
if (cli >= 0) runWithoutWindow(parametersOf(process.argv.slice(cli + 1))).catch(giveUp);
else
  try {
    start();
  } catch (error) {
    giveUp(error);
  }

/**
 * `--cli -- journal verify`: the packaged `likeness` inserts a `--`, after which Chromium reads no switches.
 */
function parametersOf([first, ...rest]: string[]): string[] {
  if (first === undefined) return [];
  return first === '--' ? rest : [first, ...rest];
}

/** Settings that Electron accepts only before `ready`. */
function start(): void {
  app.enableSandbox();
  registerPageScheme();
  closeDebuggers();
  const layout = keepEverythingIn(
    dataFolderPath({ platform: process.platform, environment: process.env, home: homedir() }),
  );
  app.setAppUserModelId('studio.likeness.desktop');
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  app.on('second-instance', () => bringForward(window));
  denyNavigation();
  closeEverySession();
  app
    .whenReady()
    .then(() => onReady(layout))
    .catch(giveUp);
}

async function onReady(layout: DataLayout): Promise<void> {
  const { folder } = layout;
  const unlock = await lockDataFolder(folder);
  emptyTemporary(layout);
  const release = (): void => {
    emptyTemporary(layout);
    unlock();
  };
  const unprotected = withoutSandbox();
  // Asks in a system dialog, before there is a page or a studio that calls a server.
  if (unprotected && !(await goesOnUnprotected(layout.settingsFile))) {
    release();
    app.exit(0);
    return;
  }
  const studio = await createStudio(
    createElectronShell({ window: () => window, popOut: popOut.show, unprotected, updater: updater() }),
    {
      openSecretFile: openElectronFile,
      pageOrigin: () => pageOrigin,
      engineEntry: join(built, 'main', 'engine.js'),
      packageFile,
      environment: process.env,
      drawFilm: async (filmId) => openDrawingWindow(filmId, page),
    },
  );
  servePages(createPages({ rendererFolder: join(built, 'renderer'), asset: studio.asset }));
  grantMicrophoneOnly(session.defaultSession);
  allowOwnPagesOnly(session.defaultSession, { developerTools });
  askWhereToSave(session.defaultSession);
  bindBorder(studio.dispatcher, () => window?.webContents ?? null, studio.dropped.register);
  followSettings(studio.settings(), studio);
  const commands = await openToCommands(studio);
  const quitWith = quitSafely(studio, commands, release);
  reloadCrashedPage(studio);
  openWindow(folder, quitWith);
  app.on('activate', () => (window ? bringForward(window) : openWindow(folder, quitWith)));
  // On macOS an app without a window keeps running: a batch may be running.
  app.on('window-all-closed', () => process.platform === 'darwin' || app.quit());
}

/** Chromium's remote debugging would expose the page to any program on this machine; no fuse turns it off. */
function closeDebuggers(): void {
  if (developerTools) return;
  for (const name of ['remote-debugging-port', 'remote-debugging-pipe', 'remote-debugging-address']) {
    app.commandLine.removeSwitch(name);
  }
}

function withoutSandbox(): boolean {
  return sandboxIsOff({
    hasSwitch: (name) => app.commandLine.hasSwitch(name),
    environment: process.env,
    platform: process.platform,
    read(path) {
      try {
        return readFileSync(path, 'utf8');
      } catch {
        return null;
      }
    },
  });
}

/** The updater, or the reason why this build has none. */
function updater(): Updater | NoUpdates {
  const { platform, arch, env: environment, resourcesPath } = process;
  const source = updateSource({
    packageFile,
    packaged: app.isPackaged,
    platform,
    resourcesPath,
    environment,
  });
  if (typeof source === 'string') return source;
  return createElectronUpdater({
    source,
    platform,
    arch,
    // electron-updater's own session name, so that it gets the session restricted to the update address.
    session: session.fromPartition('electron-updater', { cache: false }),
    relaunch: () => app.relaunch(),
  });
}

/** For this run only: the next one asks again. Escape and Enter quit. */
async function goesOnUnprotected(settingsFile: string): Promise<boolean> {
  const language = await settingsLanguage(settingsFile, app.getLocale());
  const question = {
    message: t('desktop.unprotected'),
    detail: t('desktop.unprotected_why'),
    buttons: [t('desktop.quit'), t('desktop.continue_unprotected')],
  };
  return (await askPerson(question, language, 'warning')) === 1;
}

/** The data folder that all three entries share; Chromium's own data is in a subfolder. */
function keepEverythingIn(folder: string): DataLayout {
  const layout = prepareDataFolder(folder);
  app.setPath('userData', folder);
  app.setPath('sessionData', join(folder, 'chromium'));
  return layout;
}

/** Electron's lock excludes only other desktop apps; this one also excludes `serve` and the command line. */
async function lockDataFolder(folder: string): Promise<() => void> {
  const instance = await acquireInstanceLock({
    folder,
    kind: 'desktop',
    processId: process.pid,
    clock: Date.now,
  });
  if (instance.isAcquired) return instance.lock.release;
  const { holder } = instance;
  throw new Failure(
    'conflict',
    t('studio.running', { holder: holder?.kind ?? 'none', pid: holder?.pid ?? 0, folder }),
    { hint: t('studio.close_first') },
  );
}

/** Keeps the menu in the user's language and the windows in the user's theme. */
function followSettings(settings: Settings, studio: Studio): void {
  const apply = ({ language, theme, shortcuts }: Settings): void => {
    nativeTheme.themeSource = theme;
    const template = menuTemplate({
      language,
      platform: process.platform,
      developerTools,
      shortcuts,
      go: (to) => {
        bringForward(window);
        studio.dispatcher.emit('app', 'navigate', { to });
      },
    });
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
  };
  apply(settings);
  studio.dispatcher.onEvent((name) => {
    if (name === 'app.settingsChanged') apply(studio.settings());
  });
}

function quitSafely(
  studio: Studio,
  commands: CommandServer,
  release: () => void,
): (window: BrowserWindow) => void {
  let install: (() => Promise<void>) | null = null;
  return quitInOrder({
    busy: () => studio.busy()?.what ?? null,
    async ask(work: 'heads' | 'take') {
      const question = {
        message: t('desktop.quit_while_busy'),
        detail: t('desktop.quit_loses', { work }),
        buttons: [t('desktop.keep_working'), t('desktop.quit_anyway')],
      };
      return (await askPerson(question, studio.settings().language)) === 1;
    },
    async close() {
      // Closing may take seconds, so hide the window now.
      if (window && !window.isDestroyed()) window.hide();
      // Don't install an update when the user quits during work.
      install = studio.updates.atEnd();
      await commands.close();
      await studio.close();
      release();
    },
    async last() {
      // The new version may start before this one has ended, so both locks must be released.
      app.releaseSingleInstanceLock();
      await install?.();
    },
  });
}

function reloadCrashedPage(studio: Studio): void {
  surviveCrashes({
    window: () => window,
    report: studio.report,
    async ask() {
      const question = {
        message: t('desktop.page_crashed'),
        detail: t('desktop.page_crashed_twice'),
        buttons: [t('desktop.reload'), t('desktop.quit')],
      };
      return (await askPerson(question, studio.settings().language)) === 1 ? 'quit' : 'reload';
    },
    now: Date.now,
  });
}

/** Index of the button; Enter and Escape choose the first, so it must be the harmless one. */
async function askPerson(
  question: { message: Message; detail: Message; buttons: Message[] },
  language: Language,
  type: 'question' | 'warning' = 'question',
): Promise<number> {
  const shown = (text: Message): string => translate(text, language);
  const options = {
    type,
    defaultId: 0,
    cancelId: 0,
    noLink: true,
    message: shown(question.message),
    detail: shown(question.detail),
    buttons: question.buttons.map(shown),
  };
  const { response } = await (window
    ? dialog.showMessageBox(window, options)
    : dialog.showMessageBox(options));
  return response;
}

function openWindow(dataFolder: string, quitWith: (window: BrowserWindow) => void): void {
  const opened = openStudioWindow({ dataFolder, ...page });
  if (process.platform !== 'darwin') quitWith(opened);
  // Release system-wide keys once no page is there to handle them.
  opened.webContents.on('render-process-gone', clearGlobalHotkeys);
  opened.on('closed', () => {
    window = null;
    popOut.close();
    clearGlobalHotkeys();
  });
  window = opened;
}

/**
 * The command line inside Electron: with the system's key store, and without plain Node child processes.
 */
async function runWithoutWindow(parameters: string[]): Promise<void> {
  app.dock?.hide();
  await app.whenReady();
  const { runCommandLine } = await import('./command_line.ts');
  const terminal = {
    out: (text: string) => void process.stdout.write(text),
    error: (text: string) => void process.stderr.write(text),
    environment: process.env,
    fork: forkUtility,
    systemSecrets: systemSecrets(process.platform),
  };
  app.exit(await runCommandLine(parameters, terminal));
}

/** There is no fallback: report why and exit. */
function giveUp(error: unknown): void {
  const language = cli >= 0 ? terminalLanguage(process.env) : languageOf(app.getLocale());
  const [message, hint] = (
    error instanceof Failure
      ? [error.userMessage, error.advice]
      : [String(error instanceof Error ? error.stack : error), '']
  ).map((text) => translate(text, language));
  if (cli >= 0) process.stderr.write(`${message}${hint ? ` ${hint}` : ''}\n`);
  else dialog.showErrorBox(translate(t('desktop.cannot_start'), language), `${message}\n\n${hint}`);
  app.exit(1);
}
