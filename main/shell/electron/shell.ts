import {
  app,
  type BrowserWindow,
  clipboard,
  shell as desktop,
  dialog,
  Notification,
  powerSaveBlocker,
  systemPreferences,
} from 'electron';
import type { PopOut } from '#contract';
import type { NoUpdates, Shell, Updater } from '../shell.ts';
import { setGlobalHotkeys } from './global_hotkeys.ts';
import { systemSecrets } from './system_secrets.ts';
import { forkUtility } from './utility.ts';

export interface ElectronShellOptions {
  window: () => BrowserWindow | null;
  popOut: (options: PopOut) => void;
  unprotected: boolean;
  updater: Updater | NoUpdates;
}

/** The desktop as the studio's host. Only after the app is ready. */
export function createElectronShell({ window, popOut, unprotected, updater }: ElectronShellOptions): Shell {
  return {
    kind: 'electron',
    unprotected,
    updater,
    runtime: `Electron ${process.versions.electron}`,
    dataFolder: app.getPath('userData'),
    systemSecrets: systemSecrets(process.platform),
    fork: forkUtility,
    openPages: null,

    async reveal(path) {
      desktop.showItemInFolder(path);
    },

    async choose({ title, kind, extensions }) {
      const options: Electron.OpenDialogOptions = {
        title,
        properties:
          kind === 'folder' ? ['openDirectory', 'createDirectory'] : ['openFile', 'multiSelections'],
        ...(kind === 'files' && extensions ? { filters: [{ name: title, extensions }] } : {}),
      };
      const parent = window();
      const { canceled, filePaths } = await (parent
        ? dialog.showOpenDialog(parent, options)
        : dialog.showOpenDialog(options));
      return canceled ? null : filePaths;
    },

    async confirm({ title, message, detail, yes, no }) {
      const parent = window();
      const options: Electron.MessageBoxOptions = {
        type: 'warning',
        title,
        message,
        detail,
        buttons: [yes, no],
        defaultId: 1,
        cancelId: 1,
        noLink: true,
      };
      const { response } = await (parent
        ? dialog.showMessageBox(parent, options)
        : dialog.showMessageBox(options));
      return response === 0;
    },

    notify({ title, body }) {
      if (!Notification.isSupported()) return;
      const notification = new Notification({ title, body });
      notification.on('click', () => bringForward(window()));
      notification.show();
    },

    setProgress(fraction) {
      const shown = window();
      // -1 removes the bar; above 1 Electron would show an indeterminate one.
      if (shown && !shown.isDestroyed()) shown.setProgressBar(fraction === null ? -1 : Math.min(1, fraction));
    },

    keepAwake() {
      const blocker = powerSaveBlocker.start('prevent-app-suspension');
      return () => {
        if (powerSaveBlocker.isStarted(blocker)) powerSaveBlocker.stop(blocker);
      };
    },

    async revealSecret(_label, secret) {
      await clipboard.writeText(secret);
      return 'clipboard';
    },

    async askForMicrophone() {
      if (process.platform !== 'darwin') return 'granted';
      return (await systemPreferences.askForMediaAccess('microphone')) ? 'granted' : 'denied';
    },

    async popOut(options) {
      popOut(options);
    },

    quit: () => app.quit(),
    async setHotkeys(hotkeys, onPressed) {
      return setGlobalHotkeys(hotkeys, onPressed);
    },
  };
}

/** Brings the window to the front, even if minimized or hidden. */
export function bringForward(window: BrowserWindow | null): void {
  if (!window || window.isDestroyed()) return;
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
