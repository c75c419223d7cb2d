import { Button, CopyButton, Menu, Modal, Select, Text, TextInput } from '@mantine/core';
import { IconArrowLeft, IconChevronDown, IconFolderPlus } from '@tabler/icons-react';
import i18next from 'i18next';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Library } from '#contract';
import { attempt, notify } from '../base/notices.tsx';
import { go } from '../base/route.ts';
import { studio } from '../base/studio.ts';
import { queryClient, useAppInfo } from '../base/studio-queries.ts';
import { useFigures } from '../base/text/number-format.ts';
import { Callout } from '../ui/Callout.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import { useLibraries } from './library-queries.ts';
import classes from './Order.module.css';

const keep = (libraries: Library[]): unknown => queryClient.setQueryData(['library', 'libraries'], libraries);

/** Where heads are kept: one folder or several, each of which can be moved, renamed or let go. */
export function Folders() {
  const { t } = useTranslation(['library', 'app']);
  const adding = useAddFolder();
  return (
    <>
      <PageHeader title={t('folders.title')}>
        <Button variant="default" leftSection={<IconArrowLeft size={15} />} onClick={() => go('library')}>
          {t('backToAll')}
        </Button>
        {adding.button}
      </PageHeader>
      <div className={classes.page}>
        <p className={classes.intro}>{t('folders.intro')}</p>
        <FolderList />
      </div>
      {adding.dialog}
    </>
  );
}

/** A button that opens or makes a library, and the dialog that it may need. */
export function useAddFolder(): { button: ReactNode; dialog: ReactNode } {
  const { t } = useTranslation('library');
  const inBrowser = useAppInfo().data?.shell === 'browser';
  const [asking, setAsking] = useState(false);
  const add = (): void => {
    if (inBrowser) setAsking(true);
    else
      attempt(async () => {
        const added = await studio.library.addLibrary({});
        if (added) await queryClient.invalidateQueries({ queryKey: ['library', 'libraries'] });
      });
  };
  return {
    button: (
      <Button leftSection={<IconFolderPlus size={15} />} onClick={add}>
        {t('folders.add')}
      </Button>
    ),
    dialog: <ByCommand command={asking ? 'add' : undefined} onClose={() => setAsking(false)} />,
  };
}

/** All libraries with what can be done to each. */
export function FolderList() {
  const libraries = useLibraries();
  const inBrowser = useAppInfo().data?.shell === 'browser';
  const [moving, setMoving] = useState(false);
  return (
    <>
      {libraries.error && <Callout tone="bad" title={libraries.error.message} />}
      {libraries.data?.map((library) => (
        <Folder
          key={library.folder}
          library={library}
          only={libraries.data.length === 1}
          onMove={() => {
            if (inBrowser) setMoving(true);
            else attempt(() => move(library.id));
          }}
        />
      ))}
      <ByCommand command={moving ? 'move' : undefined} onClose={() => setMoving(false)} />
    </>
  );
}

async function move(id: string): Promise<void> {
  const moved = await studio.library.moveLibrary({ id });
  if (!moved) return;
  await queryClient.invalidateQueries({ queryKey: ['library', 'libraries'] });
  notify({ level: 'success', title: i18next.t('library:folders.moved'), text: moved.folder });
}

/** A page in a browser may not name folders of the machine: whoever owns it does so in a terminal. */
function ByCommand({ command, onClose }: { command: 'add' | 'move' | undefined; onClose: () => void }) {
  const { t } = useTranslation(['library', 'app']);
  // Its words stay while it closes.
  const [shown, setShown] = useState<'add' | 'move'>('add');
  if (command !== undefined && command !== shown) setShown(command);
  const line = `npm run likeness -- library ${shown} `;
  return (
    <Modal
      opened={command !== undefined}
      onClose={onClose}
      title={t(shown === 'add' ? 'folders.add' : 'folders.move')}
      size={520}
      closeButtonProps={{ 'aria-label': t('app:actions.close') }}
    >
      <Text c="dimmed" mb="sm">
        {t('folders.byCommand')}
      </Text>
      <div className={classes.command}>
        <code>
          {line}
          <var>{t('folders.folder')}</var>
        </code>
        <CopyButton value={line}>
          {({ copied, copy }) => (
            <Button variant="default" data-autofocus onClick={copy}>
              {copied ? t('app:actions.copied') : t('app:actions.copy')}
            </Button>
          )}
        </CopyButton>
      </div>
      <Text c="dimmed" mt="sm">
        {t(shown === 'add' ? 'folders.afterAdd' : 'folders.afterMove')}
      </Text>
    </Modal>
  );
}

function Folder(props: { library: Library; only: boolean; onMove: () => void }) {
  const { library, only, onMove } = props;
  const { t } = useTranslation('library');
  const figures = useFigures();
  const { id, isDefault, available, writable } = library;
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
                <Menu.Item onClick={() => attempt(() => studio.library.revealLibrary({ id }))}>
                  {t('folders.reveal')}
                </Menu.Item>
                <Menu.Item onClick={onMove}>{t('folders.move')}</Menu.Item>
                <Menu.Item
                  onClick={() =>
                    attempt(async () => {
                      const { models } = await studio.library.rebuild({ libraryId: id });
                      notify({ level: 'success', title: t('folders.rebuilt', { count: models }), text: '' });
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
      {available && !writable && (
        <Callout tone="warn" title={t('folders.readOnlyTitle')}>
          {t('folders.readOnlyText')}
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
