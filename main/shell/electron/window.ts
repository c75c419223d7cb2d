import { join } from 'node:path';
import { BrowserWindow, nativeTheme, screen, type WebPreferences } from 'electron';
import { pageAddress } from './page_scheme.ts';
import { keepWindowState, readWindowState, windowBounds } from './window_state.ts';

export interface StudioWindowOptions {
  /** Folder for the window's saved bounds. */
  dataFolder: string;
  /** The built preload, a CommonJS file: a sandboxed preload must be one. */
  preload: string;
  developerTools: boolean;
}

/** Preferences of all our windows: a sandboxed page that can use only the bridge. */
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
  // Its dictionaries would be downloaded from a Google server.
  spellcheck: false,
  devTools: developerTools,
  // Recording and capturing must continue while another program is in front.
  backgroundThrottling: false,
});

/** The studio's main window: our own sandboxed page, shown after its first paint. */
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
  // A page that fails to load is shown too: a window that never appears explains nothing.
  window.loadURL(pageAddress).catch(() => {
    if (!window.isDestroyed()) window.show();
  });
  return window;
}
