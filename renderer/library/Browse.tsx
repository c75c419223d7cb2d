import {
  ActionIcon,
  Button,
  FileButton,
  Kbd,
  Loader,
  Menu,
  SegmentedControl,
  Select,
  Slider,
  TextInput,
  Tooltip,
} from '@mantine/core';
import {
  IconArrowDown,
  IconArrowUp,
  IconBooks,
  IconCopy,
  IconDots,
  IconFileCheck,
  IconFolders,
  IconLayoutGrid,
  IconList,
  IconPhotoScan,
  IconSearch,
  IconSearchOff,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { assetUrl, type ModelCard, type ModelQuery } from '#contract';
import { useFigures } from '../app/figures.ts';
import { isTyping } from '../app/keyboard.ts';
import { attempt } from '../app/notices.tsx';
import { go } from '../app/route.ts';
import { Callout } from '../ui/Callout.tsx';
import { EmptyPlace } from '../ui/EmptyPlace.tsx';
import { ListFailure } from '../ui/ListFailure.tsx';
import { useLongList } from '../ui/long-list.ts';
import { PictureGrid } from '../ui/PictureGrid.tsx';
import { PlaceHeader } from '../ui/PlaceHeader.tsx';
import { type KeyPress, usePlaceKeys } from '../ui/place-keys.ts';
import { howMany, useSelection } from '../ui/selection.ts';
import { HeadViewerOnDemand } from '../viewer/OnDemand.tsx';
import { edit, trash, undo } from './edits.ts';
import { Facets } from './Facets.tsx';
import classes from './Library.module.css';
import { ModelCell, modelCellHeight } from './ModelCell.tsx';
import { ModelTable } from './ModelTable.tsx';
import {
  asSelection,
  cardSizes,
  changeView,
  isNarrowed,
  modelList,
  modelSelection,
  scrolled,
  search,
  searchAfresh,
  useView,
} from './model-list.ts';
import { type BulkDialog, SelectionBar } from './SelectionBar.tsx';

const sorts = ['created', 'changed', 'name', 'rating', 'size'] as const;

const open = (id: string): void => go('library', 'model', id);
const openCell = (_: number, { id }: ModelCard): void => open(id);

/** All heads: searched, narrowed, sorted, chosen. */
export function Browse({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { t } = useTranslation(['library', 'app']);
  const figures = useFigures();
  const listed = useLongList(modelList);
  const { query, shown, total, loading, failure } = listed;
  const view = useView();
  const chosen = useSelection(modelSelection);
  const count = howMany(chosen, total ?? 0);
  const [dialog, setDialog] = useState<BulkDialog>();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(query.text ?? '');
  // A saved search brings words of its own; a space that is being typed is not yet another search.
  const asked = query.text ?? '';
  if (text.trim() !== asked) setText(asked);

  const onKey = (event: KeyPress): void => {
    const command = event.ctrlKey || event.metaKey;
    if (event.altKey || event.defaultPrevented) return;
    const does = (work: () => void): void => {
      event.preventDefault();
      work();
    };
    if (command && event.key.toLowerCase() === 'z') does(undo);
    if (command || count === 0) return;
    const selection = asSelection(modelSelection.chosen);
    if (query.trash) {
      if (event.key === 'Delete') does(() => setDialog('erase'));
    } else if (event.key === 'Delete' || event.key === 'Backspace')
      does(() => attempt(() => trash(selection)));
    else if (event.key === 'F2') does(() => setDialog('rename'));
    else if (/^[0-5]$/.test(event.key))
      does(() => attempt(() => edit(selection, { rating: Number(event.key) })));
  };
  usePlaceKeys(onKey, () => modelSelection.everything());
  useEffect(() => {
    const toSearch = (event: globalThis.KeyboardEvent): void => {
      if (event.key !== '/' || event.defaultPrevented || isTyping(event.target)) return;
      event.preventDefault();
      field.current?.select();
    };
    window.addEventListener('keydown', toSearch);
    return () => window.removeEventListener('keydown', toSearch);
  }, []);

  const header = (
    <PlaceHeader title={t('app:places.library')} note={query.trash ? t('facets.trash') : undefined}>
      <FileButton multiple accept=".glb,.vrm,model/gltf-binary" onChange={onFiles}>
        {(props) => (
          <Button {...props} variant="default" leftSection={<IconUpload size={15} />}>
            {t('import')}
          </Button>
        )}
      </FileButton>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label={t('keepInOrder')}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconCopy size={15} />} onClick={() => go('library', 'duplicates')}>
            {t('duplicates.title')}
          </Menu.Item>
          <Menu.Item leftSection={<IconFileCheck size={15} />} onClick={() => go('library', 'check')}>
            {t('check.title')}
          </Menu.Item>
          <Menu.Item leftSection={<IconFolders size={15} />} onClick={() => go('library', 'folders')}>
            {t('folders.title')}
          </Menu.Item>
          <Menu.Item leftSection={<IconTrash size={15} />} onClick={() => searchAfresh({ trash: true })}>
            {t('facets.trash')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button leftSection={<IconPhotoScan size={15} />} onClick={() => go('portraits')}>
        {t('makeHeads')}
      </Button>
    </PlaceHeader>
  );

  if (failure && total === undefined)
    return (
      <>
        {header}
        <div className={classes.callout}>
          <ListFailure failure={failure} onRetry={() => modelList.refresh()} />
        </div>
      </>
    );
  if (total === 0 && !isNarrowed(shown) && !shown.trash && !shown.libraryId)
    return (
      <>
        {header}
        <div className={classes.columns}>
          <EmptyPlace
            icon={<IconBooks size={48} stroke={1.1} />}
            title={t('emptyTitle')}
            text={t('emptyText')}
          >
            <Button leftSection={<IconPhotoScan size={16} />} onClick={() => go('portraits', 'pick')}>
              {t('make')}
            </Button>
          </EmptyPlace>
          <section className={classes.stage} aria-label={t('default')}>
            <HeadViewerOnDemand url={assetUrl('default', 'default-head')} />
          </section>
        </div>
      </>
    );

  return (
    <>
      {header}
      <search className={classes.search} aria-label={t('search')}>
        <TextInput
          ref={field}
          type="search"
          className={classes.text ?? ''}
          aria-label={t('search')}
          placeholder={t('searchHint')}
          leftSection={<IconSearch size={15} />}
          rightSection={query.text ? undefined : <Kbd size="xs">/</Kbd>}
          value={text}
          maxLength={200}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            search({ text: currentTarget.value.trim() || undefined });
          }}
        />
        <span className={classes.count} role="status">
          {total === undefined ? (
            <Loader size={12} color="gray" />
          ) : (
            t('count', { count: total, shown: figures.number(total) })
          )}
          {loading && total !== undefined && <Waiting />}
        </span>
        {isNarrowed(query) && (
          <Button variant="subtle" color="gray" onClick={() => searchAfresh()}>
            {t('clear')}
          </Button>
        )}
        <Select
          className={classes.sort ?? ''}
          aria-label={t('sort')}
          value={query.sort ?? 'created'}
          allowDeselect={false}
          data={sorts.map((value) => ({ value, label: t(`sorts.${value}`) }))}
          onChange={(sort) =>
            search({
              sort: (sort ?? 'created') as ModelQuery['sort'],
              descending: sort !== 'name' || undefined,
            })
          }
        />
        <Tooltip label={query.descending ? t('descending') : t('ascending')}>
          <ActionIcon
            variant="default"
            size={30}
            aria-label={query.descending ? t('descending') : t('ascending')}
            onClick={() => search({ descending: query.descending ? undefined : true })}
          >
            {query.descending ? <IconArrowDown size={15} /> : <IconArrowUp size={15} />}
          </ActionIcon>
        </Tooltip>
        {view.layout === 'grid' && (
          <Slider
            className={classes.size ?? ''}
            size="xs"
            min={cardSizes.least}
            max={cardSizes.most}
            step={4}
            label={null}
            value={view.size}
            thumbLabel={t('pictureSize')}
            onChange={(size) => changeView({ size })}
          />
        )}
        <SegmentedControl
          aria-label={t('layout')}
          value={view.layout}
          data={[
            {
              value: 'grid' as const,
              label: <IconLayoutGrid size={15} aria-label={t('grid')} style={{ display: 'block' }} />,
            },
            {
              value: 'list' as const,
              label: <IconList size={15} aria-label={t('list')} style={{ display: 'block' }} />,
            },
          ]}
          onChange={(layout) => changeView({ layout })}
        />
      </search>
      <div className={classes.body}>
        <Facets query={query} />
        <div className={classes.found}>
          {failure && (
            <div className={classes.callout}>
              <Callout tone="bad" title={failure.message}>
                {failure.hint}
              </Callout>
            </div>
          )}
          {total === 0 ? (
            <EmptyPlace
              icon={
                query.trash ? <IconTrash size={44} stroke={1.1} /> : <IconSearchOff size={44} stroke={1.1} />
              }
              title={shown.trash && !isNarrowed(shown) ? t('trashEmpty') : t('nothingTitle')}
              text={shown.trash && !isNarrowed(shown) ? t('trashEmptyText') : t('nothingText')}
            >
              <Button variant="default" onClick={() => searchAfresh()}>
                {shown.trash ? t('backToAll') : t('clear')}
              </Button>
            </EmptyPlace>
          ) : view.layout === 'grid' ? (
            <PictureGrid
              list={modelList}
              listed={listed}
              selection={modelSelection}
              label={t('grid')}
              least={view.size}
              heightOf={modelCellHeight}
              cell={ModelCell}
              scrolled={scrolled}
              onOpen={openCell}
              onKey={onKey}
            />
          ) : (
            <ModelTable listed={listed} onOpen={open} onKey={onKey} />
          )}
          {count > 0 && (
            <SelectionBar chosen={chosen} count={count} query={query} dialog={dialog} setDialog={setDialog} />
          )}
        </div>
      </div>
    </>
  );
}

/** Shown only to those who have to wait: an answer within a moment needs no sign that it is coming. */
function Waiting() {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const due = setTimeout(() => setLate(true), 250);
    return () => clearTimeout(due);
  }, []);
  return late ? <Loader size={12} color="gray" /> : null;
}
