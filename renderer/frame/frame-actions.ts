/** Actions that are available anywhere: pages, themes, languages, the engine, and the connections. */
import {
  IconArchive,
  IconBroadcast,
  IconCamera,
  IconCompass,
  IconCopy,
  IconDeviceFloppy,
  IconDownload,
  IconEraser,
  IconEye,
  IconFileCheck,
  IconFileMusic,
  IconFolderPlus,
  IconFolders,
  IconKeyboard,
  IconLanguage,
  IconMicrophone,
  IconMoon,
  IconMovie,
  IconPhotoScan,
  IconPlayerRecord,
  IconPlus,
  IconRefresh,
  IconRefreshDot,
  IconShieldCheck,
  IconStack2,
  IconSun,
  IconSunMoon,
  IconTrash,
  IconUpload,
  IconVolume,
} from '@tabler/icons-react';
import i18next from 'i18next';
import type { AppInfo } from '#contract';
import { type Action, startWhenOffered } from '../base/actions.ts';
import { toggleJobs } from '../base/jobs.ts';
import { attempt, notify } from '../base/notices.tsx';
import { go, type Page, pages, parseRoute } from '../base/route.ts';
import { shortcut } from '../base/shortcuts/shortcut-table.ts';
import { studio } from '../base/studio.ts';
import { changeSettings } from '../base/studio-queries.ts';
import { searchAfresh } from '../library/model-list.ts';
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

/** Starts an action of another page there. @param rest of the page's address */
function startOn(page: Page, id: string, ...rest: string[]): void {
  leaveFor(page, ...rest);
  startWhenOffered(
    id,
    () => parseRoute(window.location.hash).page === page,
    () => notify({ level: 'info', title: i18next.t('palette.notNow'), text: '' }),
  );
}

/** Actions that a page offers by the same ids. */
const pageVerbs: readonly Action<FrameAt>[] = [
  {
    id: 'library.import',
    words: 'palette.importHeads',
    icon: IconUpload,
    run: () => startOn('library', 'library.import'),
  },
  {
    id: 'board.make',
    words: 'palette.makeAll',
    icon: IconPhotoScan,
    run: () => startOn('portraits', 'board.make'),
  },
  {
    id: 'board.review',
    words: 'palette.review',
    icon: IconEye,
    run: () => startOn('portraits', 'board.review'),
  },
  {
    id: 'board.archive',
    words: 'palette.archiveDone',
    icon: IconArchive,
    run: () => startOn('portraits', 'board.archive'),
  },
  {
    id: 'live.record',
    words: 'palette.record',
    icon: IconPlayerRecord,
    run: () => startOn('live', 'live.record', 'listen'),
  },
  {
    id: 'send.open',
    words: 'palette.send',
    icon: IconBroadcast,
    run: () => startOn('live', 'send.open'),
  },
  {
    id: 'takes.fromFile',
    words: 'palette.takeFromFile',
    icon: IconFileMusic,
    run: () => startOn('takes', 'takes.fromFile'),
  },
  {
    id: 'takes.fromSample',
    words: 'palette.takeFromSample',
    icon: IconVolume,
    run: () => startOn('takes', 'takes.fromSample'),
  },
  {
    id: 'takes.film',
    words: 'palette.film',
    icon: IconMovie,
    run: () => startOn('takes', 'takes.film'),
  },
  {
    id: 'takes.export',
    words: 'palette.exportTake',
    icon: IconDownload,
    run: () => startOn('takes', 'takes.export'),
  },
];

/** Actions of each page that start from any page. */
export const frameActions: readonly Action<FrameAt>[] = [
  ...pageVerbs,
  {
    id: 'studio.makeHead',
    words: 'palette.makeHead',
    icon: IconCamera,
    run: () => leaveFor('portraits', 'pick'),
  },
  {
    id: 'studio.addFolder',
    words: 'palette.addFolder',
    icon: IconFolderPlus,
    run: () => leaveFor('portraits', 'pick-folder'),
  },
  {
    id: 'studio.duplicates',
    words: 'palette.duplicates',
    icon: IconCopy,
    run: () => leaveFor('library', 'duplicates'),
  },
  {
    id: 'studio.checkHeads',
    words: 'palette.checkHeads',
    icon: IconFileCheck,
    run: () => leaveFor('library', 'check'),
  },
  {
    id: 'studio.headTrash',
    words: 'palette.headTrash',
    icon: IconTrash,
    run: () => {
      searchAfresh({ trash: true });
      leaveFor('library');
    },
  },
  {
    id: 'studio.libraries',
    words: 'palette.libraries',
    icon: IconFolders,
    run: () => leaveFor('library', 'folders'),
  },
  {
    id: 'studio.sayWord',
    words: 'palette.startSpeaking',
    icon: IconMicrophone,
    run: () => leaveFor('live', 'listen'),
  },
  {
    id: 'studio.sampleVoice',
    words: 'welcome.sampleVoice',
    icon: IconVolume,
    run: () => leaveFor('live', 'sample'),
  },
  {
    id: 'studio.backUp',
    words: 'palette.backUp',
    icon: IconDeviceFloppy,
    run: () => leaveFor('settings', 'backUp'),
  },
  {
    id: 'studio.clearCaches',
    words: 'palette.clearCaches',
    icon: IconEraser,
    run: () => leaveFor('settings', 'storage'),
  },
  {
    id: 'studio.changeShortcuts',
    words: 'palette.changeShortcuts',
    icon: IconKeyboard,
    run: () => leaveFor('settings', 'shortcuts'),
  },
  {
    id: 'studio.checkUpdates',
    words: 'palette.checkUpdates',
    icon: IconRefreshDot,
    run: () => leaveFor('settings', 'updates'),
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
