import { Menu } from '@mantine/core';
import {
  IconColumns2,
  IconDownload,
  IconFolderOpen,
  IconMovie,
  IconStar,
  IconTrash,
} from '@tabler/icons-react';
import { type MouseEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Take } from '#contract';
import type { Action } from '../../base/actions.ts';
import { attempt } from '../../base/notices.tsx';
import { go } from '../../base/route.ts';
import { shortcut } from '../../base/shortcuts/shortcut-table.ts';
import { ActionItems } from '../../ui/ActionItems.tsx';
import { ContextMenu, type MenuPoint } from '../../ui/ContextMenu.tsx';
import { rowMenuPoint } from '../../ui/lists/row-menu.ts';
import { howMany } from '../../ui/lists/selection.ts';
import { ExportTakesDialog } from '../export/ExportTakesDialog.tsx';
import { revealTake } from '../take-actions.ts';
import { filming } from '../video/filming.ts';
import { TakesDialogs } from './SeveralTakes.tsx';
import { asTakeSelection, inListOrder, takeList, takeSelection } from './take-list.ts';
import { type TakesAt, type TakesDialog, takeListActions } from './take-list-actions.ts';
import { trashTake } from './take-marks.ts';

interface MenuAt extends TakesAt {
  /** Those that are listed one by one; empty where everything that was found is chosen. */
  ids: readonly string[];
  /** The only one that is chosen. */
  take: Take | undefined;
  askFiles: (what: 'export' | 'film') => void;
}

const isWhole = ({ take }: MenuAt): boolean => !take?.damaged;

/** Actions on the shown take or on several, beside `takeListActions`. */
const menuActions: readonly Action<MenuAt>[] = [
  {
    id: 'takes.compare',
    words: 'takes:compare.action',
    icon: IconColumns2,
    applies: ({ ids }) => ids.length === 2,
    run: ({ ids }) => go('takes', 'compare', ...inListOrder(ids)),
  },
  {
    id: 'takes.files',
    words: 'takes:export',
    icon: IconDownload,
    applies: (at) => at.ids.length > 0 && isWhole(at),
    run: ({ askFiles }) => askFiles('export'),
  },
  {
    id: 'takes.films',
    words: 'takes:film.several',
    icon: IconMovie,
    applies: (at) => at.ids.length > 0 && isWhole(at) && filming.get() === null,
    run: ({ askFiles }) => askFiles('film'),
  },
  {
    id: 'takes.reveal',
    words: 'takes:reveal',
    icon: IconFolderOpen,
    applies: ({ take }) => take !== undefined,
    run: ({ take }) => take && revealTake(take.id),
  },
  {
    ...shortcut('takes.trash'),
    icon: IconTrash,
    applies: ({ take }) => take !== undefined,
    run: ({ take }) => take && attempt(() => trashTake(take)),
  },
];

const nothing = (): void => undefined;
const nothingChosen: MenuAt = {
  selection: { ids: [] },
  count: 0,
  ids: [],
  take: undefined,
  ask: nothing,
  askFiles: nothing,
};

type Asked = TakesDialog | 'export' | 'film';

/** The menu of the list's rows, and what opens it. The take under a right click is shown, as by any click. */
export function useTakeMenu(total: number) {
  // It stays mounted while it is closed: only so does it give the focus back.
  const [{ point: openedAt, at }, setOpened] = useState<{ point: MenuPoint | undefined; at: MenuAt }>({
    point: undefined,
    at: nothingChosen,
  });
  const [asked, setAsked] = useState<Asked>();
  const onMenu = (event: MouseEvent<HTMLElement>): void => {
    const point = rowMenuPoint(event, takeList, takeSelection, ['take-']);
    if (!point) return;
    const { chosen } = takeSelection;
    const ids = [...chosen.ids];
    const take = ids.length === 1 ? takeList.at(takeList.indexOf(ids[0]!)) : undefined;
    if (take) go('takes', take.id);
    const those: MenuAt = {
      selection: asTakeSelection(chosen),
      count: howMany(chosen, total),
      ids,
      take,
      ask: setAsked,
      askFiles: setAsked,
    };
    setOpened({ point, at: those });
  };
  const close = (): void => setAsked(undefined);
  const menu = (
    <>
      <TakeMenu point={openedAt} at={at} onClose={() => setOpened({ at, point: undefined })} />
      {(asked === 'export' || asked === 'film') && (
        <ExportTakesDialog
          ids={inListOrder(at.ids)}
          first={asked === 'film' ? 'film' : undefined}
          onClose={close}
        />
      )}
      {(asked === 'tags' || asked === 'join') && (
        <TakesDialogs dialog={asked} at={at} ids={at.ids} onClose={close} />
      )}
    </>
  );
  return { menu, onMenu };
}

function TakeMenu(props: { point: MenuPoint | undefined; at: MenuAt; onClose: () => void }) {
  const { t } = useTranslation(['takes', 'library']);
  const { at } = props;
  return (
    <ContextMenu
      at={props.point}
      label={at.take ? t('library:act.menu', { name: at.take.name }) : t('list.several', { count: at.count })}
      onClose={props.onClose}
    >
      {isWhole(at) && (
        <>
          <Menu.Sub>
            <Menu.Sub.Target>
              <Menu.Sub.Item leftSection={<IconStar size={15} />}>{t('library:bulk.rate')}</Menu.Sub.Item>
            </Menu.Sub.Target>
            <Menu.Sub.Dropdown>
              <ActionItems table={takeListActions} at={at} groups={[['takes.rate.']]} />
            </Menu.Sub.Dropdown>
          </Menu.Sub>
          <ActionItems table={takeListActions} at={at} groups={[['takes.tags', 'takes.join']]} />
          <Menu.Divider />
        </>
      )}
      <ActionItems
        table={menuActions}
        at={at}
        groups={[
          ['takes.compare', 'takes.files', 'takes.films'],
          ['takes.reveal', 'takes.trash'],
        ]}
      />
      <ActionItems table={takeListActions} at={at} groups={[['takes.trash']]} />
    </ContextMenu>
  );
}
