import { ActionIcon, Button, Kbd, Menu } from '@mantine/core';
import {
  IconChevronDown,
  IconDots,
  IconEye,
  IconFileExport,
  IconFileImport,
  IconFolder,
  IconFolders,
  IconPhotoPlus,
  IconSearchOff,
  IconTrash,
  IconUsersMinus,
  IconUsersPlus,
} from '@tabler/icons-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useActions } from '../../base/actions.ts';
import { printed } from '../../base/keyboard.ts';
import { attempt } from '../../base/notices.tsx';
import { go } from '../../base/route.ts';
import { studio } from '../../base/studio.ts';
import { useBatchOverview } from '../../base/studio-queries.ts';
import { download } from '../../ui/download.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ListFailure } from '../../ui/lists/ListFailure.tsx';
import { useLongList } from '../../ui/lists/long-list.ts';
import { PictureGrid } from '../../ui/lists/PictureGrid.tsx';
import { type Chosen, howMany, useSelection } from '../../ui/lists/selection.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { type KeyPress, useListKeys } from '../../ui/page-keys.ts';
import classes from '../Portraits.module.css';
import { PortraitsTabs } from '../PortraitsTabs.tsx';
import { PersonSuggestions } from '../people/PersonSuggestions.tsx';
import { samePerson, separate } from '../people/people-orders.ts';
import { RunStrip } from '../queue/RunStrip.tsx';
import { IntakeNote } from './IntakeNote.tsx';
import { ManifestProblems } from './ManifestProblems.tsx';
import type { ManyDialog } from './ManyWords.tsx';
import { type Manifest, readManifest, troubled } from './manifest.ts';
import { PhotoCell, photoCellHeight } from './PhotoCell.tsx';
import { PhotoInspector } from './PhotoInspector.tsx';
import {
  asSelection,
  isTaskDone,
  type PhotoSelection,
  photoList,
  photoSelection,
  scrolled,
} from './photo-list.ts';
import { StartBar } from './StartBar.tsx';
import { clearFilter, isNarrowed, TrayFilters } from './TrayFilters.tsx';
import { photoHistory, removePhotos, tag, tagByFolder } from './tagging.ts';

/** Pixels across: enough to judge a face by. */
const minCellWidth = 138;

const openReview = (index: number): void => go('portraits', 'review', String(index));

/**
 * Key bindings for the selected photos.
 * @returns The same for the list, which sometimes has the focus.
 */
function useTrayKeys(
  selection: PhotoSelection,
  count: number,
  onRename: () => void,
): (event: KeyPress) => void {
  const onKey = (event: KeyPress): void => {
    if (event.altKey || event.defaultPrevented) return;
    const key = event.key.toLowerCase();
    const command = event.ctrlKey || event.metaKey;
    const shortcuts: readonly (readonly [string, () => void])[] = [
      ['f', () => tag(selection, { sex: 'female' })],
      ['m', () => tag(selection, { sex: 'male' })],
      ['1', () => tag(selection, { eyelidType: 'single' })],
      ['2', () => tag(selection, { eyelidType: 'double' })],
      ...(count > 1 ? [['f2', onRename] as const] : []),
      ['p', () => (event.shiftKey ? separate(selection) : samePerson(selection))],
      ['delete', () => removePhotos(selection)],
      ['backspace', () => removePhotos(selection)],
    ];
    const action = !command && count > 0 && shortcuts.find(([one]) => one === key)?.[1];
    if (!action) return;
    event.preventDefault();
    action();
  };
  useListKeys(onKey, () => photoSelection.everything());
  useActions('pages.portraits', photoHistory, undefined);
  return onKey;
}

interface Pickers {
  onPickFiles: () => void;
  onPickFolder: () => void;
}

/** Photos before they are sent: said what they are, looked over, and let go. */
export function ImportListView(pickers: Pickers) {
  const { t } = useTranslation('portraits');
  const overview = useBatchOverview();
  const listed = useLongList(photoList);
  const chosen = useSelection(photoSelection);
  const { query, total, failure } = listed;
  const count = howMany(chosen, total ?? 0);
  const selection = asSelection(chosen);
  const [read, setRead] = useState<Manifest>();
  const [dialog, setDialog] = useState<ManyDialog>();
  const manifest = useRef<HTMLInputElement>(null);
  const photos = overview.data?.photos ?? total ?? 0;
  const narrowed = isNarrowed(query);
  // The only photo is the one that is meant: what was found on it, and what it still needs, are said at once.
  const only = total === 1 && !narrowed ? listed.at(0)?.id : undefined;
  useEffect(() => {
    if (only) photoSelection.only(0);
  }, [only]);
  const isDone = photos > 0 && isTaskDone(listed);
  useEffect(() => {
    if (isDone) clearFilter();
  }, [isDone]);
  const onKey = useTrayKeys(selection, count, () => setDialog('rename'));

  const header = (
    <TrayHeader
      {...pickers}
      hasPhotos={photos > 0}
      chosen={chosen}
      onImport={() => manifest.current?.click()}
    />
  );
  if (failure && total === undefined)
    return (
      <>
        {header}
        <div className={classes.callout}>
          <ListFailure failure={failure} onRetry={() => photoList.refresh()} />
        </div>
      </>
    );
  if (total === 0 && !narrowed && photos === 0)
    return (
      <>
        {header}
        <IntakeNote />
        <NoPhotos {...pickers} />
        <RunStrip />
      </>
    );
  return (
    <>
      {header}
      <ManifestInput input={manifest} onRead={setRead} />
      <TrayFilters filter={query} total={total} />
      <div className={classes.columns}>
        <div className={classes.tray}>
          <IntakeNote />
          <PersonSuggestions />
          {troubled(read ? [read] : []).map((manifest) => (
            <ManifestProblems
              key={manifest.fileName}
              manifest={manifest}
              onClose={() => setRead(undefined)}
            />
          ))}
          {total === 0 ? (
            <NothingFound />
          ) : (
            <PictureGrid
              list={photoList}
              listed={listed}
              selection={photoSelection}
              label={t('grid')}
              least={minCellWidth}
              heightOf={photoCellHeight}
              cell={PhotoCell}
              scrolled={scrolled}
              onOpen={openReview}
              onKey={onKey}
            />
          )}
        </div>
        <PhotoInspector
          listed={listed}
          chosen={chosen}
          count={count}
          onLeaf={openReview}
          dialog={dialog}
          setDialog={setDialog}
        />
      </div>
      <RunStrip />
      <StartBar chosen={chosen} count={count} />
    </>
  );
}

function TrayHeader(props: Pickers & { hasPhotos: boolean; chosen: Chosen; onImport: () => void }) {
  const { t } = useTranslation(['portraits', 'app']);
  const { hasPhotos, chosen } = props;
  return (
    <PageHeader title={t('app:pages.portraits')} note={<PortraitsTabs current="tray" />}>
      {hasPhotos && (
        <>
          <MoreMenu selection={asSelection(chosen)} onImport={props.onImport} />
          <Button
            variant="default"
            leftSection={<IconEye size={15} />}
            onClick={() => openReview(Math.max(0, chosen.cursor))}
          >
            {t('review.open')}
          </Button>
          <AddMenu onPickFiles={props.onPickFiles} onPickFolder={props.onPickFolder} />
        </>
      )}
    </PageHeader>
  );
}

/** The list as a table that other programs read and write, and what is done to many photos at once. */
function MoreMenu({ selection, onImport }: { selection: PhotoSelection; onImport: () => void }) {
  const { t } = useTranslation('portraits');
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label={t('more')}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconFileImport size={15} />} onClick={onImport}>
          {t('manifest.import')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconFileExport size={15} />}
          onClick={() => attempt(async () => download(await studio.batch.exportManifest({ selection })))}
        >
          {t('manifest.export')}
        </Menu.Item>
        <Menu.Item leftSection={<IconFolders size={15} />} onClick={() => tagByFolder(selection)}>
          {t('byFolder')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconUsersPlus size={15} />}
          rightSection={<Kbd>P</Kbd>}
          onClick={() => samePerson(selection)}
        >
          {t('people.same')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconUsersMinus size={15} />}
          rightSection={<Kbd>{printed('Shift+P')}</Kbd>}
          onClick={() => separate(selection)}
        >
          {t('people.separate')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => attempt(() => studio.batch.recheck({ selection }))}>
          {t('recheck')}
        </Menu.Item>
        <Menu.Item leftSection={<IconTrash size={15} />} onClick={() => removePhotos({ filter: {} })}>
          {t('clear')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function AddMenu({ onPickFiles, onPickFolder }: Pickers) {
  const { t } = useTranslation('portraits');
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconPhotoPlus size={16} />}
          rightSection={<IconChevronDown size={13} />}
        >
          {t('addMore')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPhotoPlus size={15} />} onClick={onPickFiles}>
          {t('addPhotos')}
        </Menu.Item>
        <Menu.Item leftSection={<IconFolder size={15} />} onClick={onPickFolder}>
          {t('addFolder')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Where the browser asks for a manifest; the menu presses it. */
function ManifestInput(props: {
  input: RefObject<HTMLInputElement | null>;
  onRead: (manifest: Manifest) => void;
}) {
  const { t } = useTranslation('portraits');
  return (
    <input
      ref={props.input}
      type="file"
      hidden
      accept=".csv,.tsv,text/csv"
      aria-label={t('manifest.import')}
      onChange={({ currentTarget }) => {
        const file = currentTarget.files?.[0];
        currentTarget.value = '';
        if (file) attempt(async () => props.onRead(await readManifest(file)));
      }}
    />
  );
}

/** An empty tray: what to put into it. */
function NoPhotos({ onPickFiles, onPickFolder }: Pickers) {
  const { t } = useTranslation('portraits');
  return (
    <div className={classes.empty}>
      <div className={classes.frame}>
        <Oval />
        <h2>{t('dropTitle')}</h2>
        <p>{t('dropText')}</p>
        <div className={classes.actions}>
          <Button leftSection={<IconPhotoPlus size={16} />} onClick={onPickFiles}>
            {t('addPhotos')}
          </Button>
          <Button variant="default" leftSection={<IconFolder size={16} />} onClick={onPickFolder}>
            {t('addFolder')}
          </Button>
        </div>
        <p className={classes.formats}>{t('dropFormats')}</p>
      </div>
    </div>
  );
}

/** There are photos, and the filters let none through. */
function NothingFound() {
  const { t } = useTranslation('portraits');
  return (
    <EmptyState
      icon={<IconSearchOff size={44} stroke={1.1} />}
      title={t('nothingTitle')}
      text={t('nothingText')}
    >
      <Button variant="default" onClick={clearFilter}>
        {t('clearFilter')}
      </Button>
    </EmptyState>
  );
}

/** How a good portrait is framed: head upright in the middle, eyes a little above half. */
function Oval() {
  return (
    <svg viewBox="0 0 120 132" width="108" height="119" className={classes.oval} aria-hidden="true">
      <path d="M4 26V10q0-6 6-6h16M94 4h16q6 0 6 6v16M116 106v16q0 6-6 6H94M26 128H10q-6 0-6-6v-16" />
      <path d="M60 20c17 0 27 12 27 32 0 22-12 42-27 42S33 74 33 52c0-20 10-32 27-32Z" />
      <path d="M43 54q6-4 11 0M66 54q5-4 11 0M60 58v12q0 3-4 3M52 81q8 4 16 0" />
      <path d="M46 88v8q0 6-12 10-12 4-16 14M74 88v8q0 6 12 10 12 4 16 14" />
    </svg>
  );
}
