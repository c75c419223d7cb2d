import { type KeyedMessage, type Language, t, translate } from '@likeness/messages';
import type { MenuItemConstructorOptions } from 'electron';
import type { EventPayload, Settings } from '#contract';

export type Page = EventPayload<'app', 'navigate'>['to'];

export interface MenuOptions {
  language: Language;
  platform: NodeJS.Platform;
  developerTools: boolean;
  /** Keys that the user changed. */
  shortcuts: Settings['shortcuts'];
  /** Sends the page to a route. */
  go: (to: Page) => void;
}

/** Keys of the page that Electron names otherwise, or can't show. */
const electronKeys: Readonly<Record<string, string>> = {
  Ctrl: 'CmdOrCtrl',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  ' ': 'Space',
};

/** The first changed key that a menu can show; sequences such as `G P` can't be shown. */
function acceleratorOf(changed: readonly string[] | undefined, usual?: string): string | undefined {
  if (!changed) return usual;
  const key = changed.find((one) => one === ' ' || !one.includes(' '));
  // A plus sign may be the key itself.
  const parts = key
    ?.split(/(?<=.)\+(?=.)/)
    .map((part) => electronKeys[part] ?? part.replace(/^Numpad/, 'num'));
  return parts?.map((part) => (part === '+' ? 'Plus' : part)).join('+');
}

/**
 * The menu bar. System items (copy, minimize, quit) use roles; ours go to the page as `app.navigate`. Our
 * shortcuts are displayed but not registered: the page handles the keyboard, and a key must not trigger
 * twice.
 */
export function menuTemplate({
  language,
  platform,
  developerTools,
  shortcuts,
  go,
}: MenuOptions): MenuItemConstructorOptions[] {
  const shown = (message: KeyedMessage): string => translate(message, language);
  const mac = platform === 'darwin';
  const pageItem = (to: Page, label: string, usual?: string): MenuItemConstructorOptions => {
    const id = to === 'palette' || to === 'shortcuts' ? `studio.${to}` : `go.${to}`;
    const accelerator = acceleratorOf(shortcuts[id], usual);
    return {
      label,
      click: () => go(to),
      ...(accelerator === undefined ? {} : { accelerator, registerAccelerator: false }),
    };
  };
  const settings = pageItem('settings', shown(t('desktop.settings')), 'CmdOrCtrl+,');
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
    label: shown(t('desktop.menu_file')),
    submenu: mac ? [{ role: 'close' }] : [settings, separator, { role: 'quit' }],
  };
  const edit: MenuItemConstructorOptions = {
    label: shown(t('desktop.menu_edit')),
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
    label: shown(t('desktop.menu_view')),
    submenu: [
      pageItem('palette', shown(t('desktop.palette')), 'CmdOrCtrl+K'),
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
    label: shown(t('desktop.menu_go')),
    submenu: [
      pageItem('portraits', shown(t('desktop.portraits')), 'CmdOrCtrl+1'),
      pageItem('library', shown(t('desktop.library')), 'CmdOrCtrl+2'),
      pageItem('live', shown(t('desktop.live')), 'CmdOrCtrl+3'),
      pageItem('takes', shown(t('desktop.takes')), 'CmdOrCtrl+4'),
      separator,
      pageItem('activity', shown(t('desktop.activity'))),
    ],
  };
  const window: MenuItemConstructorOptions = {
    role: 'windowMenu',
    label: shown(t('desktop.menu_window')),
    submenu: mac
      ? [{ role: 'minimize' }, { role: 'zoom' }, separator, { role: 'front' }]
      : [{ role: 'minimize' }, { role: 'close' }],
  };
  const help: MenuItemConstructorOptions = {
    role: 'help',
    label: shown(t('desktop.menu_help')),
    submenu: [
      pageItem('shortcuts', shown(t('desktop.shortcuts'))),
      ...(mac ? [] : [{ role: 'about' as const }]),
    ],
  };
  return [...(mac ? [app] : []), file, edit, view, pagesMenu, window, help];
}
