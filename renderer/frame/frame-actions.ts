/** Actions that are available anywhere: pages, themes, languages, the engine, and the connections. */
import {
  IconCamera,
  IconCompass,
  IconKeyboard,
  IconLanguage,
  IconMicrophone,
  IconMoon,
  IconPlus,
  IconRefresh,
  IconShieldCheck,
  IconStack2,
  IconSun,
  IconSunMoon,
} from '@tabler/icons-react';
import i18next from 'i18next';
import type { AppInfo } from '#contract';
import type { Action } from '../base/actions.ts';
import { toggleJobs } from '../base/jobs.ts';
import { attempt, notify } from '../base/notices.tsx';
import { go, type Page, pages } from '../base/route.ts';
import { shortcut } from '../base/shortcuts/shortcut-table.ts';
import { studio } from '../base/studio.ts';
import { changeSettings } from '../base/studio-queries.ts';
import { hasSection, sectionNames } from '../settings/section-names.ts';
import { pageIcons } from './page-icons.ts';

export interface FrameAt {
  /** Opens the sheet of keys. */
  shortcuts(): void;
  shell: AppInfo['shell'] | undefined;
}

/** Goes somewhere from anywhere, the first steps included. */
export function leaveFor(page: Page, ...rest: string[]): void {
  attempt(() => changeSettings({ welcomed: true }));
  go(page, ...rest);
}

export const goActions: readonly Action<FrameAt>[] = [
  ...pages.map(
    (page): Action<FrameAt> => ({
      ...shortcut(`go.${page}`),
      icon: pageIcons[page],
      run: () => leaveFor(page),
    }),
  ),
  ...sectionNames.map(
    (section): Action<FrameAt> => ({
      id: `go.settings.${section}`,
      of: 'pages.settings',
      words: `settings:sections.${section}`,
      icon: pageIcons.settings,
      applies: ({ shell }) => hasSection(section, shell),
      run: () => leaveFor('settings', section),
    }),
  ),
];

export const frameActions: readonly Action<FrameAt>[] = [
  {
    id: 'studio.makeHead',
    words: 'palette.makeHead',
    icon: IconCamera,
    run: () => leaveFor('portraits', 'pick'),
  },
  {
    id: 'studio.sayWord',
    words: 'palette.testMicrophone',
    icon: IconMicrophone,
    run: () => leaveFor('live', 'listen'),
  },
  {
    id: 'studio.restartEngine',
    words: 'palette.restartEngine',
    icon: IconRefresh,
    run: () =>
      attempt(async () => {
        await studio.engine.restart();
        notify({ level: 'success', title: i18next.t('palette.engineRestarted'), text: '' });
      }),
  },
  {
    id: 'studio.verifyJournal',
    words: 'palette.verifyJournal',
    icon: IconShieldCheck,
    run: () => leaveFor('activity', 'journal', 'verify'),
  },
  {
    id: 'studio.newConnection',
    words: 'palette.newConnection',
    icon: IconPlus,
    run: () => leaveFor('settings', 'connections', 'new'),
  },
  {
    ...shortcut('studio.jobs'),
    icon: IconStack2,
    run: toggleJobs,
  },
  {
    ...shortcut('studio.shortcuts'),
    icon: IconKeyboard,
    run: ({ shortcuts }) => shortcuts(),
  },
  {
    id: 'studio.firstSteps',
    words: 'palette.firstSteps',
    icon: IconCompass,
    run: () => attempt(() => changeSettings({ welcomed: false })),
  },
];

export const lookActions: readonly Action<FrameAt>[] = [
  {
    id: 'look.dark',
    words: 'palette.themeDark',
    icon: IconMoon,
    run: () => attempt(() => changeSettings({ theme: 'dark' })),
  },
  {
    id: 'look.light',
    words: 'palette.themeLight',
    icon: IconSun,
    run: () => attempt(() => changeSettings({ theme: 'light' })),
  },
  {
    id: 'look.system',
    words: 'palette.themeSystem',
    icon: IconSunMoon,
    run: () => attempt(() => changeSettings({ theme: 'system' })),
  },
  {
    id: 'look.english',
    words: 'palette.english',
    icon: IconLanguage,
    run: () => attempt(() => changeSettings({ language: 'en' })),
  },
  {
    id: 'look.chinese',
    words: 'palette.chinese',
    icon: IconLanguage,
    run: () => attempt(() => changeSettings({ language: 'zh-CN' })),
  },
];
