import type { MenuItemConstructorOptions } from 'electron';
import type { EventPayload } from '#contract';
import type { ShellWords } from './words.ts';

export type Page = EventPayload<'app', 'navigate'>['to'];

export interface MenuOptions {
  words: ShellWords;
  platform: NodeJS.Platform;
  developerTools: boolean;
  /** Sends the page to a route. */
  go: (to: Page) => void;
}

/**
 * The menu bar. System items (copy, minimize, quit) use roles; ours go to the page as `app.navigate`. Our
 * shortcuts are displayed but not registered: the page handles the keyboard, and a key must not trigger
 * twice.
 */
export function menuTemplate({
  words,
  platform,
  developerTools,
  go,
}: MenuOptions): MenuItemConstructorOptions[] {
  const mac = platform === 'darwin';
  const pageItem = (to: Page, label: string, accelerator?: string): MenuItemConstructorOptions => ({
    label,
    click: () => go(to),
    ...(accelerator === undefined ? {} : { accelerator, registerAccelerator: false }),
  });
  const settings = pageItem('settings', words.settings, 'CmdOrCtrl+,');
  const separator: MenuItemConstructorOptions = { type: 'separator' };

  const app: MenuItemConstructorOptions = {
    role: 'appMenu',
    submenu: [
      { role: 'about' },
      separator,
      settings,
      separator,
      { role: 'services' },
      separator,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      separator,
      { role: 'quit' },
    ],
  };
  const file: MenuItemConstructorOptions = {
    label: words.file,
    submenu: mac ? [{ role: 'close' }] : [settings, separator, { role: 'quit' }],
  };
  const edit: MenuItemConstructorOptions = {
    label: words.edit,
    submenu: [
      { role: 'undo' },
      { role: 'redo' },
      separator,
      { role: 'cut' },
      { role: 'copy' },
      { role: 'paste' },
      { role: 'selectAll' },
    ],
  };
  const view: MenuItemConstructorOptions = {
    label: words.view,
    submenu: [
      pageItem('palette', words.palette, 'CmdOrCtrl+K'),
      separator,
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      separator,
      { role: 'togglefullscreen' },
      ...(developerTools
        ? [separator, { role: 'reload' as const }, { role: 'toggleDevTools' as const }]
        : []),
    ],
  };
  const pagesMenu: MenuItemConstructorOptions = {
    label: words.go,
    submenu: [
      pageItem('portraits', words.portraits, 'CmdOrCtrl+1'),
      pageItem('library', words.library, 'CmdOrCtrl+2'),
      pageItem('live', words.live, 'CmdOrCtrl+3'),
      pageItem('takes', words.takes, 'CmdOrCtrl+4'),
      separator,
      pageItem('activity', words.activity),
    ],
  };
  const window: MenuItemConstructorOptions = {
    role: 'windowMenu',
    label: words.window,
    submenu: mac
      ? [{ role: 'minimize' }, { role: 'zoom' }, separator, { role: 'front' }]
      : [{ role: 'minimize' }, { role: 'close' }],
  };
  const help: MenuItemConstructorOptions = {
    role: 'help',
    label: words.help,
    submenu: [pageItem('shortcuts', words.shortcuts), ...(mac ? [] : [{ role: 'about' as const }])],
  };
  return [...(mac ? [app] : []), file, edit, view, pagesMenu, window, help];
}
