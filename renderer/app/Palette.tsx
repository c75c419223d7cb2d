import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData } from '@mantine/spotlight';
import {
  IconActivity,
  IconAdjustmentsHorizontal,
  IconBooks,
  IconCamera,
  IconCompass,
  IconKeyboard,
  IconLanguage,
  IconMicrophone,
  IconMoon,
  IconMovie,
  IconPhotoScan,
  IconPlugConnected,
  IconPlus,
  IconRefresh,
  IconSearch,
  IconShieldCheck,
  IconStar,
  IconSun,
  IconSunMoon,
  IconTestPipe,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { languages } from '#contract';
import { languageNames } from './language.ts';
import { attempt, tell } from './notices.tsx';
import { paletteStore } from './palette-store.ts';
import { profileName } from './profile-name.ts';
import { changeSettings, useProfiles } from './rooms.ts';
import { go, type Place, places } from './route.ts';
import { studio } from './studio.ts';

const icon = { size: 18, stroke: 1.6 } as const;
const placeIcons: Record<Place, React.ReactNode> = {
  portraits: <IconPhotoScan {...icon} />,
  library: <IconBooks {...icon} />,
  live: <IconMicrophone {...icon} />,
  takes: <IconMovie {...icon} />,
  activity: <IconActivity {...icon} />,
  settings: <IconAdjustmentsHorizontal {...icon} />,
};

/** Goes somewhere from anywhere, the first steps included. */
function leaveFor(place: Place, ...rest: string[]): void {
  attempt(() => changeSettings({ welcomed: true }));
  go(place, ...rest);
}

export function Palette({ onShortcuts }: { onShortcuts: () => void }) {
  const { t } = useTranslation();
  const { t: s } = useTranslation('settings');
  const profiles = useProfiles().data ?? [];

  const sections = ['general', 'connections', 'keys', 'engine', 'about'] as const;
  const actions: SpotlightActionGroupData[] = [
    {
      group: t('palette.go'),
      actions: [
        ...places.map((place) => ({
          id: `go-${place}`,
          label: t(`places.${place}`),
          leftSection: placeIcons[place],
          onClick: () => leaveFor(place),
        })),
        ...sections.map((section) => ({
          id: `go-settings-${section}`,
          label: `${t('places.settings')}: ${s(`sections.${section}`)}`,
          leftSection: placeIcons.settings,
          onClick: () => leaveFor('settings', section),
        })),
      ],
    },
    {
      group: t('palette.do'),
      actions: [
        {
          id: 'make-head',
          label: t('palette.makeHead'),
          leftSection: <IconCamera {...icon} />,
          onClick: () => leaveFor('portraits', 'pick'),
        },
        {
          id: 'say-word',
          label: t('palette.sayWord'),
          leftSection: <IconMicrophone {...icon} />,
          onClick: () => leaveFor('live', 'listen'),
        },
        {
          id: 'restart-engine',
          label: t('palette.restartEngine'),
          leftSection: <IconRefresh {...icon} />,
          onClick: () =>
            attempt(async () => {
              await studio.engine.restart();
              tell({ level: 'success', title: t('palette.engineRestarted'), text: '' });
            }),
        },
        {
          id: 'verify-journal',
          label: t('palette.verifyJournal'),
          leftSection: <IconShieldCheck {...icon} />,
          onClick: () => leaveFor('activity', 'journal', 'verify'),
        },
        {
          id: 'shortcuts',
          label: t('palette.shortcuts'),
          leftSection: <IconKeyboard {...icon} />,
          onClick: onShortcuts,
        },
        {
          id: 'first-steps',
          label: t('palette.firstSteps'),
          leftSection: <IconCompass {...icon} />,
          onClick: () => attempt(() => changeSettings({ welcomed: false })),
        },
      ],
    },
    {
      group: t('palette.connections'),
      actions: [
        {
          id: 'new-connection',
          label: t('palette.newConnection'),
          leftSection: <IconPlus {...icon} />,
          onClick: () => leaveFor('settings', 'connections', 'new'),
        },
        ...profiles.flatMap(({ id, isDefault, ...profile }): SpotlightActionData[] => {
          const name = profileName(t, profile);
          return [
            {
              id: `open-${id}`,
              label: t('palette.openConnection', { name }),
              leftSection: <IconPlugConnected {...icon} />,
              onClick: () => leaveFor('settings', 'connections', id),
            },
            {
              id: `test-${id}`,
              label: t('palette.testConnection', { name }),
              leftSection: <IconTestPipe {...icon} />,
              onClick: () => leaveFor('settings', 'connections', id, 'test'),
            },
            ...(isDefault
              ? []
              : [
                  {
                    id: `default-${id}`,
                    label: t('palette.makeDefault', { name }),
                    leftSection: <IconStar {...icon} />,
                    onClick: () => attempt(() => studio.connections.setDefault({ id })),
                  },
                ]),
          ];
        }),
      ],
    },
    {
      group: t('palette.look'),
      actions: [
        {
          id: 'theme-dark',
          label: t('palette.themeDark'),
          leftSection: <IconMoon {...icon} />,
          onClick: () => attempt(() => changeSettings({ theme: 'dark' })),
        },
        {
          id: 'theme-light',
          label: t('palette.themeLight'),
          leftSection: <IconSun {...icon} />,
          onClick: () => attempt(() => changeSettings({ theme: 'light' })),
        },
        {
          id: 'theme-system',
          label: t('palette.themeSystem'),
          leftSection: <IconSunMoon {...icon} />,
          onClick: () => attempt(() => changeSettings({ theme: 'system' })),
        },
        ...languages.map((language) => ({
          id: `language-${language}`,
          label: languageNames[language],
          leftSection: <IconLanguage {...icon} />,
          onClick: () => attempt(() => changeSettings({ language })),
        })),
      ],
    },
  ];

  return (
    <Spotlight
      store={paletteStore}
      attributes={{ content: { 'aria-label': t('palette.open') } }}
      actions={actions}
      shortcut={null}
      nothingFound={t('palette.nothing')}
      highlightQuery
      scrollable
      maxHeight={420}
      size={560}
      radius="lg"
      transitionProps={{ duration: 0 }}
      overlayProps={{ backgroundOpacity: 0.45, blur: 0 }}
      searchProps={{
        leftSection: <IconSearch size={18} stroke={1.6} />,
        placeholder: t('palette.placeholder'),
        'aria-label': t('palette.open'),
        size: 'md',
      }}
    />
  );
}
