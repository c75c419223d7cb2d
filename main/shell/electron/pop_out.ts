import { BrowserWindow } from 'electron';
import type { PopOut } from '#contract';
import { pageAddress } from './page_scheme.ts';
import { pagePreferences, type StudioWindowOptions } from './window.ts';

/** The live head's own window. There is one at most. */
export interface PopOutWindow {
  /** Opens it, or changes the one that is open. */
  show(options: PopOut): void;
  close(): void;
}

/**
 * A window with nothing but the head in it, for programs that capture windows (OBS): no frame, and where it
 * is wished nothing behind the head either. It is our own page with the same preferences as the main window;
 * it shows the face that the main window's page has, and goes with that window.
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
      // Whether a window lets through what is behind it is settled when it is made.
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
          // On some systems a transparent window that can be resized is not transparent any more.
          resizable: !transparent,
          webPreferences: pagePreferences(page),
        });
        const opened = { window, transparent };
        open = opened;
        window.once('ready-to-show', () => window.showInactive());
        // A page that crashed shows nothing and can't be told to close.
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
