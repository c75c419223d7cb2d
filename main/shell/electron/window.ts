import { join } from 'node:path';
import { BrowserWindow, nativeTheme, screen, type WebPreferences } from 'electron';
import { pageAddress } from './page_scheme.ts';
import { keepWindowState, readWindowState, windowBounds } from './window_state.ts';

export interface StudioWindowOptions {
  /** Folder of the window's place on the screen. */
  dataFolder: string;
  /** The built preload, a CommonJS file: a sandboxed preload can be nothing else. */
  preload: string;
  developerTools: boolean;
}

/** What every window of ours is held to: a sandboxed page that reaches nothing but the bridge. */
export const pagePreferences = ({
  preload,
  developerTools,
}: Pick<StudioWindowOptions, 'preload' | 'developerTools'>): WebPreferences => ({
  preload,
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  // Its dictionaries are fetched from a server of Google's.
  spellcheck: false,
  devTools: developerTools,
  // A take goes on being recorded, and a face to be captured, while another program is in front.
  backgroundThrottling: false,
});

/** The studio's main window: a sandboxed page of our own, shown when it has something to show. */
export function openStudioWindow({
  dataFolder,
  preload,
  developerTools,
}: StudioWindowOptions): BrowserWindow {
  const stateFile = join(dataFolder, 'window.json');
  const state = readWindowState(stateFile);
  const window = new BrowserWindow({
    ...windowBounds(state, screen.getAllDisplays()),
    title: 'Likeness Studio',
    show: false,
    // The page's own background (renderer/app), so that nothing flashes before it is drawn.
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#141718' : '#f1f5f6',
    autoHideMenuBar: false,
    webPreferences: pagePreferences({ preload, developerTools }),
  });
  if (state?.maximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  window.on('close', () => keepWindowState(stateFile, window));
  // A page that can't be loaded is shown too: a window that never appears explains nothing.
  window.loadURL(pageAddress).catch(() => {
    if (!window.isDestroyed()) window.show();
  });
  return window;
}
