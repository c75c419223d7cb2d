import { BrowserWindow } from 'electron';
import type { PopOut } from '#contract';
import { pageAddress } from './page_scheme.ts';
import { pagePreferences, type StudioWindowOptions } from './window.ts';

/** The live head's separate window. There is at most one. */
export interface PopOutWindow {
  /** Opens the window, or changes the open one. */
  show(options: PopOut): void;
  close(): void;
}

/**
 * A window with only the head, for programs that capture windows (OBS): frameless, and optionally
 * transparent. It is our own page with the same preferences as the main window; it shows the main window
 * page's face, and closes with that window.
 */
export function createPopOut(page: Pick<StudioWindowOptions, 'preload' | 'developerTools'>): PopOutWindow {
  let open: { window: BrowserWindow; transparent: boolean } | null = null;

  const close = (): void => {
    const closing = open;
    open = null;
    if (closing && !closing.window.isDestroyed()) closing.window.destroy();
  };

  return {
    show({ width, height, transparent, onTop }) {
      // A window's transparency is fixed at its creation.
      const bounds = open && !open.window.isDestroyed() ? open.window.getBounds() : null;
      if (open?.transparent !== transparent || !bounds) {
        close();
        const window = new BrowserWindow({
          ...(bounds && { x: bounds.x, y: bounds.y }),
          width,
          height,
          useContentSize: true,
          title: 'Likeness Studio: Live',
          show: false,
          frame: false,
          roundedCorners: false,
          hasShadow: false,
          transparent,
          backgroundColor: transparent ? '#00000000' : '#000000',
          // On some systems a resizable window loses its transparency.
          resizable: !transparent,
          webPreferences: pagePreferences(page),
        });
        const opened = { window, transparent };
        open = opened;
        window.once('ready-to-show', () => window.showInactive());
        // A crashed page shows nothing and can't be asked to close.
        window.webContents.on('render-process-gone', () => open === opened && close());
        window.on('closed', () => {
          if (open === opened) open = null;
        });
        window.loadURL(`${pageAddress}#/pop-out`).catch(() => open === opened && close());
      } else open.window.setContentSize(width, height);
      open?.window.setAlwaysOnTop(onTop);
    },
    close,
  };
}
