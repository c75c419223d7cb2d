import { Button, Menu, Select, TextInput } from '@mantine/core';
import { IconArrowLeft, IconChevronDown, IconFolderPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Library } from '#contract';
import { useFigures } from '../app/figures.ts';
import { attempt, tell } from '../app/notices.tsx';
import { queryClient } from '../app/rooms.ts';
import { go } from '../app/route.ts';
import { studio } from '../app/studio.ts';
import { Callout } from '../ui/Callout.tsx';
import { PlaceHeader } from '../ui/PlaceHeader.tsx';
import classes from './Order.module.css';
import { useLibraries } from './shelves.ts';

const keep = (libraries: Library[]): unknown => queryClient.setQueryData(['library', 'libraries'], libraries);

/** Where heads are kept: one folder or several, each of which can be moved, renamed or let go. */
export function Folders() {
  const { t } = useTranslation(['library', 'app']);
  const libraries = useLibraries();
  const add = (): void =>
    attempt(async () => {
      const added = await studio.library.addLibrary({});
      if (added) await queryClient.invalidateQueries({ queryKey: ['library', 'libraries'] });
    });
  return (
    <>
      <PlaceHeader title={t('folders.title')}>
        <Button variant="default" leftSection={<IconArrowLeft size={15} />} onClick={() => go('library')}>
          {t('backToAll')}
        </Button>
        <Button leftSection={<IconFolderPlus size={15} />} onClick={add}>
          {t('folders.add')}
        </Button>
      </PlaceHeader>
      <div className={classes.page}>
        <p className={classes.intro}>{t('folders.intro')}</p>
        {libraries.error && <Callout tone="bad" title={libraries.error.message} />}
        {libraries.data?.map((library) => (
          <Folder key={library.id} library={library} only={libraries.data.length === 1} />
        ))}
      </div>
    </>
  );
}

function Folder({ library, only }: { library: Library; only: boolean }) {
  const { t } = useTranslation('library');
  const figures = useFigures();
  const { id, isDefault, available } = library;
  const [name, setName] = useState(library.name);
  const change = (changes: Parameters<typeof studio.library.changeLibrary>[0]['changes']): void =>
    attempt(async () => keep(await studio.library.changeLibrary({ id, changes })));
  const rename = (): void => {
    const trimmed = name.trim();
    if (trimmed === '') setName(library.name);
    else if (trimmed !== library.name) change({ name: trimmed });
  };
  return (
    <section className={classes.folder} aria-label={library.name}>
      <div className={classes.fields}>
        <TextInput
          aria-label={t('folders.name')}
          className={classes.folderName ?? ''}
          value={name}
          maxLength={120}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          onBlur={rename}
          onKeyDown={(event) => event.key === 'Enter' && rename()}
        />
        {isDefault && <span className={classes.tag}>{t('folders.default')}</span>}
        <Menu position="bottom-end">
          <Menu.Target>
            <Button
              variant="default"
              rightSection={<IconChevronDown size={13} />}
              className={classes.last ?? ''}
            >
              {t('folders.actions')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {!isDefault && (
              <Menu.Item onClick={() => change({ isDefault: true })}>{t('folders.makeDefault')}</Menu.Item>
            )}
            {available && (
              <>
                <Menu.Item
                  onClick={() =>
                    attempt(async () => {
                      const moved = await studio.library.moveLibrary({ id });
                      if (!moved) return;
                      await queryClient.invalidateQueries({ queryKey: ['library', 'libraries'] });
                      tell({ level: 'success', title: t('folders.moved'), text: moved.folder });
                    })
                  }
                >
                  {t('folders.move')}
                </Menu.Item>
                <Menu.Item
                  onClick={() =>
                    attempt(async () => {
                      const { models } = await studio.library.rebuild({ libraryId: id });
                      tell({ level: 'success', title: t('folders.rebuilt', { count: models }), text: '' });
                    })
                  }
                >
                  {t('folders.rebuild')}
                </Menu.Item>
              </>
            )}
            {!only && !isDefault && (
              <Menu.Item
                onClick={() => attempt(async () => keep(await studio.library.removeLibrary({ id })))}
              >
                {t('folders.forget')}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      </div>
      <p className={classes.path}>{library.folder}</p>
      {available ? (
        <p className={classes.quiet}>
          {t('count', { count: library.models, shown: figures.number(library.models) })} ·{' '}
          {figures.bytes(library.bytes)}
          {library.trashed > 0 && ` · ${t('folders.trashed', { count: library.trashed })}`}
        </p>
      ) : (
        <Callout tone="warn" title={t('folders.awayTitle')}>
          {t('folders.awayText')}
        </Callout>
      )}
      <Select
        className={classes.keepPhotos ?? ''}
        label={t('folders.photos')}
        value={library.keepPhotos}
        allowDeselect={false}
        data={(['copy', 'reference'] as const).map((value) => ({
          value,
          label: t(`folders.keepPhotos.${value}`),
        }))}
        onChange={(keepPhotos) => keepPhotos && change({ keepPhotos })}
      />
    </section>
  );
}
