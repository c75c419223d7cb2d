import { ActionIcon, Button, Menu, Select, TextInput } from '@mantine/core';
import {
  IconChevronDown,
  IconDots,
  IconEye,
  IconFileExport,
  IconFileImport,
  IconFolder,
  IconFolders,
  IconPhotoPlus,
  IconSearch,
  IconSearchOff,
  IconTrash,
} from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Photo } from '#contract';
import { photoSorts } from '#contract/constants.ts';
import { attempt } from '../../base/notices.tsx';
import { useFigures } from '../../base/number-format.ts';
import { go } from '../../base/route.ts';
import { studio } from '../../base/studio.ts';
import { useBatchOverview } from '../../base/studio-queries.ts';
import { download } from '../../ui/download.ts';
import { EmptyPlace } from '../../ui/EmptyPlace.tsx';
import { ListFailure } from '../../ui/lists/ListFailure.tsx';
import { useLongList } from '../../ui/lists/long-list.ts';
import { PictureGrid } from '../../ui/lists/PictureGrid.tsx';
import { howMany, useSelection } from '../../ui/lists/selection.ts';
import { PlaceHeader } from '../../ui/PlaceHeader.tsx';
import { type KeyPress, usePlaceKeys } from '../../ui/place-keys.ts';
import { useFolders } from '../batch-state.ts';
import classes from '../Portraits.module.css';
import { PortraitsTabs } from '../PortraitsTabs.tsx';
import { RunStrip } from '../queue/RunStrip.tsx';
import { IntakeNote } from './IntakeNote.tsx';
import { ManifestProblems } from './ManifestProblems.tsx';
import type { ManyDialog } from './ManyWords.tsx';
import { type Manifest, readManifest, troubled } from './manifest.ts';
import { PhotoCell, photoCellHeight } from './PhotoCell.tsx';
import { PhotoInspector } from './PhotoInspector.tsx';
import { asSelection, type Filter, filterPhotos, photoList, photoSelection, scrolled } from './photo-list.ts';
import { StartBar } from './StartBar.tsx';
import { removePhotos, tag, tagByFolder, undo } from './tagging.ts';

const checks = ['pending', 'ok', 'warning', 'blocked'] as const satisfies readonly Photo['check'][];
const sexes = ['female', 'male', 'unset'] as const;

/** Pixels across: enough to judge a face by. */
const leastCell = 138;

const openReview = (index: number): void => go('portraits', 'review', String(index));

/** Photos before they are sent: said what they are, looked over, and let go. */
export function Tray(props: { onPickFiles: () => void; onPickFolder: () => void }) {
  const { t } = useTranslation(['portraits', 'app']);
  const figures = useFigures();
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

  const onKey = (event: KeyPress): void => {
    if (event.altKey || event.defaultPrevented) return;
    const key = event.key.toLowerCase();
    const command = event.ctrlKey || event.metaKey;
    const said: readonly (readonly [string, () => void])[] = [
      ['f', () => tag(selection, { sex: 'female' })],
      ['m', () => tag(selection, { sex: 'male' })],
      ['1', () => tag(selection, { eyelidType: 'single' })],
      ['2', () => tag(selection, { eyelidType: 'double' })],
      ...(count > 1 ? [['f2', () => setDialog('rename')] as const] : []),
      ['delete', () => removePhotos(selection)],
      ['backspace', () => removePhotos(selection)],
    ];
    const action = command
      ? key === 'z'
        ? undo
        : undefined
      : count > 0 && said.find(([one]) => one === key)?.[1];
    if (!action) return;
    event.preventDefault();
    action();
  };
  // The only photo is the one that is meant: what was found on it, and what it still needs, are said at once.
  const only = total === 1 && !narrowed ? listed.at(0)?.id : undefined;
  useEffect(() => {
    if (only) photoSelection.only(0);
  }, [only]);
  usePlaceKeys(onKey, () => photoSelection.everything());

  const header = (
    <PlaceHeader title={t('app:places.portraits')} note={<PortraitsTabs current="tray" />}>
      {photos > 0 && (
        <>
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="default" size={30} aria-label={t('more')}>
                <IconDots size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<IconFileImport size={15} />} onClick={() => manifest.current?.click()}>
                {t('manifest.import')}
              </Menu.Item>
              <Menu.Item
                leftSection={<IconFileExport size={15} />}
                onClick={() =>
                  attempt(async () => download(await studio.batch.exportManifest({ selection })))
                }
              >
                {t('manifest.export')}
              </Menu.Item>
              <Menu.Item leftSection={<IconFolders size={15} />} onClick={() => tagByFolder(selection)}>
                {t('byFolder')}
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
          <Button
            variant="default"
            leftSection={<IconEye size={15} />}
            onClick={() => openReview(Math.max(0, chosen.cursor))}
          >
            {t('review.open')}
          </Button>
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
              <Menu.Item leftSection={<IconPhotoPlus size={15} />} onClick={props.onPickFiles}>
                {t('addPhotos')}
              </Menu.Item>
              <Menu.Item leftSection={<IconFolder size={15} />} onClick={props.onPickFolder}>
                {t('addFolder')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </>
      )}
    </PlaceHeader>
  );
  const manifestInput = (
    <input
      ref={manifest}
      type="file"
      hidden
      accept=".csv,.tsv,text/csv"
      aria-label={t('manifest.import')}
      onChange={({ currentTarget }) => {
        const file = currentTarget.files?.[0];
        currentTarget.value = '';
        if (file) attempt(async () => setRead(await readManifest(file)));
      }}
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
        <div className={classes.empty}>
          <div className={classes.frame}>
            <Oval />
            <h2>{t('dropTitle')}</h2>
            <p>{t('dropText')}</p>
            <div className={classes.actions}>
              <Button leftSection={<IconPhotoPlus size={16} />} onClick={props.onPickFiles}>
                {t('addPhotos')}
              </Button>
              <Button variant="default" leftSection={<IconFolder size={16} />} onClick={props.onPickFolder}>
                {t('addFolder')}
              </Button>
            </div>
            <p className={classes.formats}>{t('dropFormats')}</p>
          </div>
        </div>
        <RunStrip />
      </>
    );
  return (
    <>
      {header}
      {manifestInput}
      <TrayFilters filter={query} total={total ?? 0} written={figures.number(total ?? 0)} />
      <div className={classes.columns}>
        <div className={classes.tray}>
          <IntakeNote />
          {troubled(read ? [read] : []).map((manifest) => (
            <ManifestProblems
              key={manifest.fileName}
              manifest={manifest}
              onClose={() => setRead(undefined)}
            />
          ))}
          {total === 0 ? (
            <EmptyPlace
              icon={<IconSearchOff size={44} stroke={1.1} />}
              title={t('nothingTitle')}
              text={t('nothingText')}
            >
              <Button variant="default" onClick={clearFilter}>
                {t('clearFilter')}
              </Button>
            </EmptyPlace>
          ) : (
            <PictureGrid
              list={photoList}
              listed={listed}
              selection={photoSelection}
              label={t('grid')}
              least={leastCell}
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

const isNarrowed = ({ sort: _order, ...filter }: Filter): boolean => Object.keys(filter).length > 0;

const clearFilter = (): void =>
  filterPhotos({ text: undefined, sex: undefined, check: undefined, folder: undefined });

function TrayFilters({ filter, total, written }: { filter: Filter; total: number; written: string }) {
  const { t } = useTranslation('portraits');
  const overview = useBatchOverview().data;
  const folders = useFolders().data ?? [];
  const [text, setText] = useState(filter.text ?? '');
  if (text.trim() !== (filter.text ?? '')) setText(filter.text ?? '');
  return (
    <search className={classes.filters} aria-label={t('filters')}>
      <TextInput
        type="search"
        className={classes.text ?? ''}
        aria-label={t('filterText')}
        placeholder={t('filterText')}
        leftSection={<IconSearch size={15} />}
        value={text}
        maxLength={200}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          filterPhotos({ text: currentTarget.value.trim() || undefined });
        }}
      />
      <Select
        className={classes.filter ?? ''}
        aria-label={t('sex')}
        value={filter.sex ?? ''}
        allowDeselect={false}
        data={[
          { value: '' as const, label: t('anySex') },
          ...sexes.map((value) => ({
            value,
            label: value === 'unset' ? t('untaggedOnly', { count: overview?.untagged ?? 0 }) : t(value),
          })),
        ]}
        onChange={(sex) => filterPhotos({ sex: sex || undefined })}
      />
      <Select
        className={classes.filter ?? ''}
        aria-label={t('check')}
        value={filter.check ?? ''}
        allowDeselect={false}
        data={[
          { value: '' as const, label: t('anyCheck') },
          ...checks.map((value) => ({
            value,
            label: t('checkCount', { name: t(`checks.${value}`), count: overview?.checks[value] ?? 0 }),
          })),
          {
            value: 'usable' as const,
            label: t('checkCount', {
              name: t('usable'),
              count: (overview?.photos ?? 0) - (overview?.checks.blocked ?? 0),
            }),
          },
        ]}
        onChange={(check) => filterPhotos({ check: check || undefined })}
      />
      {folders.length > 1 && (
        <Select
          className={classes.filter ?? ''}
          aria-label={t('folder')}
          value={filter.folder === undefined ? '*' : `/${filter.folder}`}
          allowDeselect={false}
          searchable={folders.length > 8}
          data={[
            { value: '*', label: t('anyFolder') },
            ...folders.map(({ folder, photos }) => ({
              value: `/${folder}`,
              label: t('checkCount', { name: folder || t('topFolder'), count: photos }),
            })),
          ]}
          onChange={(folder) =>
            filterPhotos({ folder: folder && folder !== '*' ? folder.slice(1) : undefined })
          }
        />
      )}
      <Select
        className={classes.filter ?? ''}
        aria-label={t('sort')}
        value={filter.sort ?? 'name'}
        allowDeselect={false}
        data={photoSorts.map((value) => ({ value, label: t(`sorts.${value}`) }))}
        onChange={(sort) => filterPhotos({ sort: sort === 'name' ? undefined : (sort ?? undefined) })}
      />
      <span className={classes.count} role="status">
        {t('photos', { count: total, shown: written })}
      </span>
      {isNarrowed(filter) && (
        <Button variant="subtle" color="gray" onClick={clearFilter}>
          {t('clearFilter')}
        </Button>
      )}
    </search>
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
