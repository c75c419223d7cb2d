import { Button } from '@mantine/core';
import { IconBooks, IconPhotoScan, IconSearchOff, IconTrash } from '@tabler/icons-react';
import { type MouseEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelCard, ModelQuery } from '#contract';
import { useActions } from '../../base/actions.ts';
import { go } from '../../base/route.ts';
import { useHeadUrl } from '../../speaking/head-url.ts';
import { Callout } from '../../ui/Callout.tsx';
import type { MenuPoint } from '../../ui/ContextMenu.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { useFocusedList } from '../../ui/lists/focused-list.ts';
import { ListFailure } from '../../ui/lists/ListFailure.tsx';
import { type Listed, useLongList } from '../../ui/lists/long-list.ts';
import { PictureGrid } from '../../ui/lists/PictureGrid.tsx';
import { type Chosen, howMany, useSelection } from '../../ui/lists/selection.ts';
import { useSelectAllKey } from '../../ui/page-keys.ts';
import { HeadViewerOnDemand } from '../../viewer/OnDemand.tsx';
import { OutdatedHeads } from '../again/Outdated.tsx';
import { type HeadDialog, type HeadsAt, headActions, maxCompared } from '../head-actions.ts';
import classes from '../Library.module.css';
import { AbsentLibraries, useLibraries } from '../library-queries.ts';
import {
  asSelection,
  isNarrowed,
  modelList,
  modelSelection,
  scrolled,
  searchAfresh,
  useView,
} from '../model-list.ts';
import { BrowseHeader } from './BrowseHeader.tsx';
import { Facets } from './Facets.tsx';
import { HeadMenu, headMenuPoint } from './HeadMenu.tsx';
import { ModelCell, modelCellHeight } from './ModelCell.tsx';
import { ModelTable } from './ModelTable.tsx';
import { SearchBar } from './SearchBar.tsx';
import { SelectionBar } from './SelectionBar.tsx';

type Heads = Listed<ModelCard, ModelQuery>;

const open = (id: string): void => go('library', 'model', id);
const known = (ids: ReadonlySet<string>): (ModelCard | undefined)[] =>
  [...ids].map((id) => modelList.at(modelList.indexOf(id)));
const openCell = (_: number, { id }: ModelCard): void => open(id);

/** The heads that the actions apply to: the selected ones. */
function useChosenHeads(listed: Heads, chosen: Chosen, ask: HeadsAt['ask']): HeadsAt {
  const count = howMany(chosen, listed.total ?? 0);
  const at: HeadsAt = {
    selection: asSelection(chosen),
    count,
    heads:
      count > maxCompared
        ? []
        : (chosen.all
            ? Array.from({ length: count }, (_, index) => listed.at(index))
            : known(chosen.ids)
          ).filter((head) => head !== undefined),
    inTrash: listed.query.trash === true,
    onPage: false,
    ask,
  };
  useActions('pages.library', headActions, at);
  return at;
}

function useAbsentLibraries(): ReadonlySet<string> {
  const libraries = useLibraries().data;
  return useMemo(
    () => new Set(libraries?.filter(({ available }) => !available).map(({ id }) => id)),
    [libraries],
  );
}

/** All heads: searched, narrowed, sorted, chosen. */
export function Browse({ onFiles }: { onFiles: (files: File[]) => void }) {
  const listed = useLongList(modelList);
  const { query, shown, total, failure } = listed;
  const chosen = useSelection(modelSelection);
  const [dialog, setDialog] = useState<HeadDialog>();
  const at = useChosenHeads(listed, chosen, setDialog);
  const absent = useAbsentLibraries();
  const [menu, setMenu] = useState<MenuPoint>();
  useSelectAllKey(
    () => modelSelection.everything(),
    () => modelSelection.clear(),
  );
  const onContextMenu = (event: MouseEvent<HTMLElement>): void => {
    const point = headMenuPoint(event);
    if (point) setMenu(point);
  };

  const found = useFocusedList(total !== undefined);

  const header = <BrowseHeader trash={query.trash === true} onFiles={onFiles} />;
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
        <NoHeads />
      </>
    );
  return (
    <AbsentLibraries value={absent}>
      {header}
      <SearchBar listed={listed} />
      <div className={classes.body}>
        <Facets query={query} />
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the list in it has the focus, and the key of the menu */}
        <div ref={found} className={classes.found} data-notice-area onContextMenu={onContextMenu}>
          {failure && (
            <div className={classes.callout}>
              <Callout tone="bad" title={failure.message}>
                {failure.hint}
              </Callout>
            </div>
          )}
          <OutdatedHeads />
          <FoundHeads listed={listed} />
          {at.count > 0 && (
            <SelectionBar
              chosen={chosen}
              count={at.count}
              query={query}
              at={at}
              dialog={dialog}
              setDialog={setDialog}
            />
          )}
          <HeadMenu point={menu} at={at} onClose={() => setMenu(undefined)} />
        </div>
      </div>
    </AbsentLibraries>
  );
}

/** A library without heads: how one is made, and one to look at; or the way to its trash. */
function NoHeads() {
  const { t } = useTranslation('library');
  const libraries = useLibraries().data;
  const url = useHeadUrl('');
  if (libraries?.some(({ trashed }) => trashed > 0))
    return (
      <EmptyState
        icon={<IconTrash size={44} stroke={1.1} />}
        title={t('onlyTrash')}
        text={t('onlyTrashText')}
      >
        <Button variant="default" onClick={() => searchAfresh({ trash: true })}>
          {t('showTrash')}
        </Button>
        <Button leftSection={<IconPhotoScan size={16} />} onClick={() => go('portraits', 'pick')}>
          {t('make')}
        </Button>
      </EmptyState>
    );
  return (
    <div className={classes.columns}>
      <EmptyState icon={<IconBooks size={48} stroke={1.1} />} title={t('emptyTitle')} text={t('emptyText')}>
        <Button leftSection={<IconPhotoScan size={16} />} onClick={() => go('portraits', 'pick')}>
          {t('make')}
        </Button>
      </EmptyState>
      <section className={classes.stage} data-notice-area aria-label={t('default')}>
        <HeadViewerOnDemand url={url} />
      </section>
    </div>
  );
}

/** The found heads, as a grid or a list. */
function FoundHeads({ listed }: { listed: Heads }) {
  const { t } = useTranslation('library');
  const view = useView();
  const { query, shown, total } = listed;
  const emptyTrash = shown.trash && !isNarrowed(shown);
  if (total === 0)
    return (
      <EmptyState
        icon={query.trash ? <IconTrash size={44} stroke={1.1} /> : <IconSearchOff size={44} stroke={1.1} />}
        title={emptyTrash ? t('trashEmpty') : t('nothingTitle')}
        text={emptyTrash ? t('trashEmptyText') : t('nothingText')}
      >
        <Button variant="default" onClick={() => searchAfresh()}>
          {shown.trash ? t('backToAll') : t('clear')}
        </Button>
      </EmptyState>
    );
  if (view.layout === 'list') return <ModelTable listed={listed} onOpen={open} />;
  return (
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
    />
  );
}
