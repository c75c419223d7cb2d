import { ActionIcon, Button, Menu, Popover, Select, Slider, TextInput, Tooltip } from '@mantine/core';
import {
  type Icon,
  IconChevronDown,
  IconFilter,
  IconLayoutSidebarRight,
  IconSearch,
  IconX,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BatchOverview, BoardState } from '#contract';
import { boardSorts, boardStates, sexes } from '#contract/constants.ts';
import { useKeyNames } from '../../base/shortcuts/shortcuts.ts';
import { studio } from '../../base/studio.ts';
import { useFigures } from '../../base/text/number-format.ts';
import classes from './Board.module.css';
import { boardView, changeView, countTiles, type Filter, filterBoard } from './board-list.ts';
import { StateMark } from './StateMark.tsx';
import type { Mark } from './tile-appearance.ts';

export type BoardWidth = 'wide' | 'middle' | 'small';
const tileWidths = { least: 104, most: 240 };

/** The states with their counts, which are filters, and how the board is shown. */
export function StatesRow({
  overview,
  filter,
  room,
}: {
  overview: BatchOverview;
  filter: Filter;
  room: BoardWidth;
}) {
  const { t } = useTranslation('portraits');
  const view = boardView.use();
  const which = room === 'wide' ? 'pane' : 'drawer';
  const pane = view[which];
  return (
    <div className={classes.states}>
      {room === 'small' ? (
        <StatesMenu overview={overview} filter={filter} />
      ) : (
        <StateButtons overview={overview} filter={filter} />
      )}
      <span className={classes.grow} />
      {room === 'wide' ? (
        <>
          <Search filter={filter} />
          <FieldsButton label={t('board.filter')} icon={IconFilter} isOn={isNarrowed(filter)}>
            <SexAndFolder filter={filter} />
          </FieldsButton>
          <Order filter={filter} />
          <TileSize />
        </>
      ) : (
        <FieldsButton
          label={t('board.searchAndOrder')}
          icon={IconSearch}
          isOn={isNarrowed(filter) || filter.text !== undefined}
        >
          <Search filter={filter} />
          <SexAndFolder filter={filter} />
          <Order filter={filter} isInPopover />
          <TileSize />
        </FieldsButton>
      )}
      <Tooltip label={t('board.pane')}>
        <ActionIcon
          variant={pane ? 'light' : 'subtle'}
          color={pane ? 'patina' : 'gray'}
          size={28}
          aria-label={t('board.pane')}
          aria-pressed={pane}
          onClick={() => changeView({ [which]: !pane })}
        >
          <IconLayoutSidebarRight size={16} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}

const choose = (state: BoardState | undefined): void => filterBoard({ state, reason: undefined });
const shownStates = ({ board }: BatchOverview, filter: Filter): BoardState[] =>
  boardStates.filter((state) => state !== 'checking' || board.checking > 0 || filter.state === state);
const markOf = (state: BoardState, { paused }: BatchOverview): Mark =>
  state === 'making' && paused ? 'paused' : state;

function StateButtons({ overview, filter }: { overview: BatchOverview; filter: Filter }) {
  const { t } = useTranslation('portraits');
  const keyOf = useKeyNames();
  const key = (state: BoardState | undefined): string | undefined =>
    state === 'checking' ? undefined : keyOf(state ? `board.show.${state}` : 'board.all');
  const figures = useFigures();
  return (
    <fieldset className={classes.buttons} aria-label={t('board.show')}>
      {[undefined, ...shownStates(overview, filter)].map((state) => {
        const count = state ? overview.board[state] : countTiles(overview);
        return (
          <button
            key={state ?? ''}
            type="button"
            className={classes.state}
            data-none={count === 0 || undefined}
            aria-pressed={filter.state === state}
            title={key(state)}
            onClick={() => choose(state)}
          >
            {state && <StateMark mark={markOf(state, overview)} />}
            {state ? t(`board.states.${state}`) : t('board.all')} <em>{figures.number(count)}</em>
          </button>
        );
      })}
    </fieldset>
  );
}

/** The same as one menu, where there is no room for a row. */
function StatesMenu({ overview, filter }: { overview: BatchOverview; filter: Filter }) {
  const { t } = useTranslation('portraits');
  const figures = useFigures();
  const words = (state: BoardState | undefined): string =>
    `${state ? t(`board.states.${state}`) : t('board.all')} ${figures.number(state ? overview.board[state] : countTiles(overview))}`;
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button variant="default" size="compact-sm" rightSection={<IconChevronDown size={13} />}>
          {words(filter.state)}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {[undefined, ...shownStates(overview, filter)].map((state) => (
          <Menu.Item
            key={state ?? ''}
            leftSection={state && <StateMark mark={markOf(state, overview)} />}
            onClick={() => choose(state)}
          >
            {words(state)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const isNarrowed = ({ sex, folder }: Filter): boolean => sex !== undefined || folder !== undefined;

/** Fields behind an icon, which is lit while one of them filters. */
function FieldsButton(props: { label: string; icon: Icon; isOn: boolean; children: ReactNode }) {
  const { label, icon: Sign, isOn } = props;
  return (
    <Popover position="bottom-end" trapFocus>
      <Popover.Target>
        <ActionIcon
          variant={isOn ? 'light' : 'subtle'}
          color={isOn ? 'patina' : 'gray'}
          size={28}
          aria-label={label}
          title={label}
        >
          <Sign size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <div className={classes.searching}>{props.children}</div>
      </Popover.Dropdown>
    </Popover>
  );
}

/** The filters by sex and folder. */
function SexAndFolder({ filter }: { filter: Filter }) {
  const { t } = useTranslation('portraits');
  const folders =
    useQuery({ queryKey: ['batch', 'folders'], queryFn: () => studio.batch.folders() }).data ?? [];
  return (
    <>
      <Select
        label={t('sex')}
        value={filter.sex ?? ''}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        data={[
          { value: '' as const, label: t('board.anySex') },
          ...sexes.map((value) => ({ value, label: t(value) })),
        ]}
        onChange={(sex) => filterBoard({ sex: sex || undefined })}
      />
      {folders.length > 1 && (
        <Select
          label={t('board.folder')}
          value={filter.folder === undefined ? '*' : `/${filter.folder}`}
          allowDeselect={false}
          searchable={folders.length > 8}
          comboboxProps={{ withinPortal: false }}
          data={[
            { value: '*', label: t('board.anyFolder') },
            ...folders.map(({ folder }) => ({ value: `/${folder}`, label: folder || t('board.topFolder') })),
          ]}
          onChange={(folder) =>
            filterBoard({ folder: folder && folder !== '*' ? folder.slice(1) : undefined })
          }
        />
      )}
    </>
  );
}

function Search({ filter }: { filter: Filter }) {
  const { t } = useTranslation('portraits');
  const [text, setText] = useState(filter.text ?? '');
  if (text.trim() !== (filter.text ?? '')) setText(filter.text ?? '');
  const find = (words: string): void => {
    setText(words);
    filterBoard({ text: words.trim() || undefined });
  };
  return (
    <TextInput
      type="search"
      className={classes.text ?? ''}
      aria-label={t('filterText')}
      placeholder={t('filterText')}
      leftSection={<IconSearch size={15} />}
      rightSection={
        text && (
          <ActionIcon
            size={20}
            variant="subtle"
            color="gray"
            aria-label={t('clearFilter')}
            onClick={() => find('')}
          >
            <IconX size={14} />
          </ActionIcon>
        )
      }
      value={text}
      maxLength={200}
      onChange={({ currentTarget }) => find(currentTarget.value)}
    />
  );
}

/** @param props.isInPopover - In a popover, which a click beside it would close. */
function Order({ filter, isInPopover = false }: { filter: Filter; isInPopover?: boolean }) {
  const { t } = useTranslation('portraits');
  return (
    <Select
      className={classes.order ?? ''}
      aria-label={t('sort')}
      value={filter.sort ?? 'newest'}
      allowDeselect={false}
      comboboxProps={{ withinPortal: !isInPopover }}
      data={boardSorts.map((value) => ({ value, label: t(`sorts.${value}`) }))}
      onChange={(sort) => filterBoard({ sort: sort === 'newest' ? undefined : (sort ?? undefined) })}
    />
  );
}

function TileSize() {
  const { t } = useTranslation('portraits');
  return (
    <Slider
      className={classes.size ?? ''}
      size={4}
      thumbSize={14}
      min={tileWidths.least}
      max={tileWidths.most}
      step={4}
      label={null}
      thumbLabel={t('board.size')}
      value={boardView.use().tile}
      onChange={(width) => changeView({ tile: width })}
    />
  );
}
