import type { Language } from '@likeness/messages';
import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, test } from 'vitest';
import { menuTemplate, type Page } from '../../../main/shell/electron/menu.ts';

const flat = (items: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
  items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flat(item.submenu) : [])]);
const build = (
  language: Language,
  platform: NodeJS.Platform,
  went: Page[] = [],
  shortcuts: Record<string, string[]> = {},
) =>
  flat(
    menuTemplate({
      language,
      platform,
      developerTools: false,
      shortcuts,
      go: (to) => void went.push(to),
    }),
  );

describe.each(['darwin', 'win32', 'linux'] as const)('the menu on %s', (platform) => {
  test('leads to every place', () => {
    const went: Page[] = [];
    for (const item of build('en', platform, went)) (item.click as (() => void) | undefined)?.();
    expect(went.toSorted()).toEqual([
      'activity',
      'library',
      'live',
      'palette',
      'portraits',
      'settings',
      'shortcuts',
      'takes',
    ]);
  });

  test('has what the system brings: editing, quitting, leaving full screen', () => {
    const roles = build('en', platform).map(({ role }) => role);
    for (const role of [
      'undo',
      'cut',
      'copy',
      'paste',
      'selectAll',
      'quit',
      'togglefullscreen',
      'minimize',
    ]) {
      expect(roles, role).toContain(role);
    }
  });

  test('shows our shortcuts and leaves the keyboard to the page', () => {
    const ours = build('en', platform).filter(({ accelerator }) => accelerator !== undefined);
    expect(ours.length).toBeGreaterThan(4);
    for (const { registerAccelerator } of ours) expect(registerAccelerator).toBe(false);
  });

  test('shows the keys that the user chose instead', () => {
    const changed = {
      'studio.palette': ['Ctrl+Shift+P'],
      'go.library': ['G B'],
      'go.takes': [],
      'go.live': ['Alt++'],
    };
    const keys = new Map(
      build('en', platform, [], changed).map(({ label, accelerator }) => [label, accelerator]),
    );
    expect(keys.get('Command Palette…')).toBe('CmdOrCtrl+Shift+P');
    expect([keys.get('Library'), keys.get('Takes'), keys.get('Live')]).toEqual([
      undefined,
      undefined,
      'Alt+Plus',
    ]);
    expect(keys.get('Portraits')).toBe('CmdOrCtrl+1');
  });

  test('says the same in both languages', () => {
    const shape = (language: Language) =>
      build(language, platform).map(({ role, type, accelerator }) => [role, type, accelerator]);
    expect(shape('zh-CN')).toEqual(shape('en'));
    expect(
      build('zh-CN', platform).flatMap(({ label }) => (label && /^[\x20-\x7e]+$/.test(label) ? [label] : [])),
    ).toEqual([]);
  });
});
