import { Button } from '@mantine/core';
import { IconBooks, IconPhotoScan, IconSearchOff, IconTrash } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelCard } from '#contract';
import { assetUrl } from '../app/asset-url.ts';
import { attempt } from '../app/notices.tsx';
import { go } from '../app/route.ts';
import { Callout } from '../ui/Callout.tsx';
import { EmptyPlace } from '../ui/EmptyPlace.tsx';
import { ListFailure } from '../ui/ListFailure.tsx';
import { useLongList } from '../ui/long-list.ts';
import { PictureGrid } from '../ui/PictureGrid.tsx';
import { type KeyPress, usePlaceKeys } from '../ui/place-keys.ts';
import { howMany, useSelection } from '../ui/selection.ts';
import { HeadViewerOnDemand } from '../viewer/OnDemand.tsx';
import { BrowseHeader } from './BrowseHeader.tsx';
import { edit, trash, undo } from './edits.ts';
import { Facets } from './Facets.tsx';
import classes from './Library.module.css';
import { ModelCell, modelCellHeight } from './ModelCell.tsx';
import { ModelTable } from './ModelTable.tsx';
import {
  asSelection,
  isNarrowed,
  modelList,
  modelSelection,
  scrolled,
  searchAfresh,
  useView,
} from './model-list.ts';
import { SearchBar } from './SearchBar.tsx';
import { type BulkDialog, SelectionBar } from './SelectionBar.tsx';
import { AbsentLibraries, useLibraries } from './shelves.ts';

const open = (id: string): void => go('library', 'model', id);
const openCell = (_: number, { id }: ModelCard): void => open(id);

/** All heads: searched, narrowed, sorted, chosen. */
export function Browse({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { t } = useTranslation(['library', 'app']);
  const listed = useLongList(modelList);
  const { query, shown, total, failure } = listed;
  const view = useView();
  const chosen = useSelection(modelSelection);
  const count = howMany(chosen, total ?? 0);
  const [dialog, setDialog] = useState<BulkDialog>();
  const libraries = useLibraries().data;
  const absent = useMemo(
    () => new Set(libraries?.filter(({ available }) => !available).map(({ id }) => id)),
    [libraries],
  );

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
    <AbsentLibraries value={absent}>
      {header}
      <SearchBar listed={listed} />
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
    </AbsentLibraries>
  );
}
