import { Button, Menu } from '@mantine/core';
import { IconBooks, IconPhotoScan, IconSearchOff, IconStar, IconTrash } from '@tabler/icons-react';
import { type MouseEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelCard } from '#contract';
import { useActions } from '../../base/actions.ts';
import { assetUrl } from '../../base/asset-url.ts';
import { go } from '../../base/route.ts';
import { ActionItems } from '../../ui/ActionItems.tsx';
import { Callout } from '../../ui/Callout.tsx';
import { ContextMenu, type MenuPoint, menuPoint } from '../../ui/ContextMenu.tsx';
import { EmptyPlace } from '../../ui/EmptyPlace.tsx';
import { ListFailure } from '../../ui/lists/ListFailure.tsx';
import { useLongList } from '../../ui/lists/long-list.ts';
import { PictureGrid } from '../../ui/lists/PictureGrid.tsx';
import { howMany, isChosen, useSelection } from '../../ui/lists/selection.ts';
import { usePlaceKeys } from '../../ui/place-keys.ts';
import { HeadViewerOnDemand } from '../../viewer/OnDemand.tsx';
import { type HeadDialog, type HeadsAt, headActions, mostCompared } from '../head-actions.ts';
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
import { ModelCell, modelCellHeight } from './ModelCell.tsx';
import { ModelTable } from './ModelTable.tsx';
import { SearchBar } from './SearchBar.tsx';
import { SelectionBar } from './SelectionBar.tsx';

const open = (id: string): void => go('library', 'model', id);
/** The keys of heads are the page's; the lists know only how to choose among them. */
const ignore = (): void => undefined;
const known = (ids: ReadonlySet<string>): (ModelCard | undefined)[] =>
  [...ids].map((id) => modelList.at(modelList.indexOf(id)));
const openCell = (_: number, { id }: ModelCard): void => open(id);

/** All heads: searched, narrowed, sorted, chosen. */
export function Browse({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { t } = useTranslation(['library', 'app']);
  const listed = useLongList(modelList);
  const { query, shown, total, failure } = listed;
  const view = useView();
  const chosen = useSelection(modelSelection);
  const count = howMany(chosen, total ?? 0);
  const [dialog, setDialog] = useState<HeadDialog>();
  const libraries = useLibraries().data;
  const absent = useMemo(
    () => new Set(libraries?.filter(({ available }) => !available).map(({ id }) => id)),
    [libraries],
  );

  usePlaceKeys(
    () => undefined,
    () => modelSelection.everything(),
  );
  const at: HeadsAt = {
    selection: asSelection(chosen),
    count,
    heads:
      count > mostCompared
        ? []
        : (chosen.all
            ? Array.from({ length: count }, (_, index) => listed.at(index))
            : known(chosen.ids)
          ).filter((head) => head !== undefined),
    inTrash: query.trash === true,
    onPage: false,
    ask: setDialog,
  };
  useActions('places.library', headActions, at);
  const [menu, setMenu] = useState<MenuPoint>();
  /** A right click selects what is under it, unless it is of the selection, and asks what to do with that. */
  const onContextMenu = (event: MouseEvent<HTMLElement>): void => {
    const under = event.target as Element;
    const list = under.closest('[role=listbox], [role=grid]');
    const active = list && document.getElementById(list.getAttribute('aria-activedescendant') ?? '');
    const item = under.closest('[id^=option-], [id^=model-]') ?? active;
    const id = item?.id.replace(/^(option|model)-/, '');
    const index = id === undefined ? -1 : modelList.indexOf(id);
    if (!id || index < 0) return;
    event.preventDefault();
    if (!isChosen(chosen, id)) modelSelection.only(index);
    setMenu(menuPoint(event, item));
  };

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
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the list in it has the focus, and the key of the menu */}
        <div className={classes.found} onContextMenu={onContextMenu}>
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
              onKey={ignore}
            />
          ) : (
            <ModelTable listed={listed} onOpen={open} onKey={ignore} />
          )}
          {count > 0 && (
            <SelectionBar
              chosen={chosen}
              count={count}
              query={query}
              at={at}
              dialog={dialog}
              setDialog={setDialog}
            />
          )}
          <ContextMenu
            at={menu}
            label={
              at.heads[0] && count === 1 ? t('act.menu', { name: at.heads[0].name }) : t('act.selection')
            }
            onClose={() => setMenu(undefined)}
          >
            <ActionItems
              table={headActions}
              at={at}
              groups={[
                ['heads.open', 'heads.compare', 'heads.speak', 'heads.makeAgain', 'heads.outline'],
                ['heads.pick', 'heads.reject', 'heads.unflag'],
              ]}
            />
            {!at.inTrash && (
              <Menu.Sub>
                <Menu.Sub.Target>
                  <Menu.Sub.Item leftSection={<IconStar size={15} />}>{t('bulk.rate')}</Menu.Sub.Item>
                </Menu.Sub.Target>
                <Menu.Sub.Dropdown>
                  <ActionItems table={headActions} at={at} groups={[['heads.rate.']]} />
                </Menu.Sub.Dropdown>
              </Menu.Sub>
            )}
            <Menu.Divider />
            <ActionItems
              table={headActions}
              at={at}
              groups={[
                ['heads.tags', 'heads.rename', 'heads.consent'],
                ['heads.export', 'heads.reveal'],
                ['heads.restore', 'heads.trash', 'heads.erase'],
              ]}
            />
          </ContextMenu>
        </div>
      </div>
    </AbsentLibraries>
  );
}
