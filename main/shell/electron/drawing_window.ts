import { BrowserWindow } from 'electron';
import type { DrawingPage } from '../shell.ts';
import { pageAddress } from './page_scheme.ts';
import { pagePreferences, type StudioWindowOptions } from './window.ts';

/** A hidden window that draws one film: our own page, with the same preferences as the main one. */
export function openDrawingWindow(
  filmId: string,
  page: Pick<StudioWindowOptions, 'preload' | 'developerTools'>,
): DrawingPage {
  const ended = Promise.withResolvers<void>();
  const window = new BrowserWindow({ show: false, webPreferences: pagePreferences(page) });
  const close = async (): Promise<void> => {
    if (!window.isDestroyed()) window.destroy();
  };
  window.on('closed', () => ended.resolve());
  window.webContents.on('render-process-gone', () => void close());
  window.loadURL(`${pageAddress}?film=${filmId}`).catch(() => void close());
  return { ended: ended.promise, close };
}
