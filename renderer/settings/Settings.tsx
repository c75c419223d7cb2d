import { Button, UnstyledButton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { address, go, useRoute } from '../base/route.ts';
import { useAppInfo, useProfiles } from '../base/studio-queries.ts';
import { profileName } from '../base/text/profile-name.ts';
import { PageHeader } from '../ui/PageHeader.tsx';
import { About } from './About.tsx';
import { BackUp } from './BackUp.tsx';
import { Connections } from './connections/Connections.tsx';
import { newDraftId, useUnsaved } from './connections/drafts.ts';
import { Drawing } from './Drawing.tsx';
import { Engine } from './Engine.tsx';
import { Exports } from './Exports.tsx';
import { General } from './General.tsx';
import { Help } from './help/Help.tsx';
import { Keys } from './Keys.tsx';
import { Libraries } from './Libraries.tsx';
import { Microphone } from './Microphone.tsx';
import { OpenPages } from './OpenPages.tsx';
import { Pronunciations } from './Pronunciations.tsx';
import classes from './Settings.module.css';
import { Storage } from './Storage.tsx';
import { hasSection, type SectionName, sectionNames } from './section-names.ts';
import { Shortcuts } from './shortcuts/Shortcuts.tsx';
import { Updates } from './Updates.tsx';

const parts: Record<SectionName, ComponentType> = {
  general: General,
  libraries: Libraries,
  microphone: Microphone,
  drawing: Drawing,
  shortcuts: Shortcuts,
  exports: Exports,
  pronunciations: Pronunciations,
  connections: Connections,
  keys: Keys,
  engine: Engine,
  pages: OpenPages,
  storage: Storage,
  backUp: BackUp,
  updates: Updates,
  help: Help,
  about: About,
};

export function Settings() {
  const { t } = useTranslation(['settings', 'app']);
  const { rest } = useRoute();
  const shell = useAppInfo().data?.shell;
  const shown = sectionNames.filter((name) => hasSection(name, shell));
  const current = shown.find((name) => name === rest[0]) ?? 'general';
  const Part = parts[current];
  return (
    <>
      <PageHeader title={t('app:pages.settings')} />
      <div className={classes.columns}>
        <nav className={classes.nav} aria-label={t('nav')}>
          {shown.map((name) => (
            <div key={name}>
              <a
                className={classes.item}
                href={address('settings', name)}
                aria-current={name === current && (name === 'help' || rest.length < 2) ? 'page' : undefined}
              >
                {t(`sections.${name}`)}
              </a>
              {name === 'connections' && <ConnectionList current={current === name ? rest[1] : undefined} />}
            </div>
          ))}
        </nav>
        <div className={classes.part}>
          <Part />
        </div>
      </div>
    </>
  );
}

function ConnectionList({ current }: { current: string | undefined }) {
  const { t } = useTranslation(['settings', 'app']);
  const { t: frame } = useTranslation();
  const profiles = useProfiles().data ?? [];
  const unsaved = useUnsaved();
  return (
    <div className={classes.list}>
      {profiles.map((profile) => (
        <a
          key={profile.id}
          className={classes.connection}
          href={address('settings', 'connections', profile.id)}
          aria-current={profile.id === current ? 'page' : undefined}
        >
          <span className={classes.name}>{profileName(frame, profile)}</span>
          {unsaved.has(profile.id) && <span className={classes.unsaved}>{t('connections.unsaved')}</span>}
          {profile.isDefault && <span className={classes.tag}>{t('connections.default')}</span>}
        </a>
      ))}
      {unsaved.has(newDraftId) && current !== newDraftId && (
        <UnstyledButton
          className={classes.connection}
          onClick={() => go('settings', 'connections', newDraftId)}
        >
          <span className={classes.name}>{t('connections.new')}</span>
          <span className={classes.unsaved}>{t('connections.unsaved')}</span>
        </UnstyledButton>
      )}
      <Button
        variant="subtle"
        color="gray"
        justify="flex-start"
        leftSection={<IconPlus size={15} />}
        className={classes.add}
        aria-current={current === newDraftId ? 'page' : undefined}
        onClick={() => go('settings', 'connections', newDraftId)}
      >
        {t('connections.new')}
      </Button>
    </div>
  );
}
