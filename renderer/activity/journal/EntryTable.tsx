import { UnstyledButton } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { JournalEntry } from '#contract';
import { builtInProfileId } from '#contract/constants.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { VirtualTable } from '../../ui/lists/VirtualTable.tsx';
import { useVirtualRows } from '../../ui/lists/virtual-rows.ts';
import { StateDot, type Tone } from '../../ui/StateDot.tsx';
import { operationName } from '../operation-name.ts';
import classes from './EntryTable.module.css';
import { type FoldedRow, foldLooks } from './fold.ts';
import { headKey } from './head-names.ts';

const rowHeight = 30; // pixels
const columns = [
  'at',
  'connection',
  'operation',
  'subject',
  'outcome',
  'http',
  'firstByte',
  'total',
  'cost',
] as const;
const tones: Record<JournalEntry['outcome'], Tone> = {
  ok: 'good',
  failed: 'bad',
  cancelled: 'idle',
  refused: 'warn',
};

/**
 * The journal as a grid. Up and down move, right and left expand and collapse groups. The chosen entry
 * appears beside it.
 */
export function EntryTable(props: {
  entries: readonly JournalEntry[];
  /** Names of heads, by `headKey`. */
  names: ReadonlyMap<string, string>;
  /** There are older ones that were not read yet. */
  more: boolean;
  chosen: number | undefined;
  onChoose: (entry: JournalEntry | undefined) => void;
  onNearEnd: () => void;
}) {
  const { t } = useTranslation('activity');
  const { entries, names, chosen, onChoose, onNearEnd } = props;
  const { shown, setOpen } = useFoldedLooks(entries);
  const cells = useCells(names, setOpen);
  const rows = useVirtualRows({ total: shown.length, rowHeight, headHeight: rowHeight });
  const cursor = chosen === undefined ? -1 : shown.findIndex(({ entry }) => entry.sequence === chosen);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks again when the end comes near, not when the asker changes
  useEffect(() => {
    if (entries.length > 0 && rows.last > shown.length - 40) onNearEnd();
  }, [rows.last, entries.length]);

  const onKey = (event: KeyboardEvent): number | undefined => {
    const page = rows.pageSize();
    const steps: Record<string, number> = {
      ArrowDown: cursor + 1,
      ArrowUp: Math.max(0, cursor - 1),
      PageDown: cursor + page,
      PageUp: cursor - page,
      Home: 0,
      End: shown.length - 1,
    };
    const step = steps[event.key];
    const fold = shown[cursor]?.fold;
    if (fold && (event.key === 'ArrowRight' || event.key === 'ArrowLeft')) {
      event.preventDefault();
      setOpen(fold.key, event.key === 'ArrowRight');
    }
    if (event.key === 'Escape') onChoose(undefined);
    if (step === undefined || shown.length === 0) return undefined;
    event.preventDefault();
    const next = Math.min(shown.length - 1, Math.max(0, step));
    onChoose(shown[next]?.entry);
    return next;
  };

  return (
    <VirtualTable
      rows={rows}
      label={t('journal.table')}
      className={classes.table}
      line={classes.line}
      columns={columns}
      head={{ heading: (column) => t(`journal.columns.${column}`) }}
      at={(index) => shown[index]}
      idOf={({ entry }) => `entry-${entry.sequence}`}
      cells={cells}
      cellsOfText
      isSelected={({ entry }) => entry.sequence === chosen}
      cursor={cursor}
      count={props.more ? -1 : shown.length}
      rowProps={({ entry, inside }) => ({
        'data-inside': inside || undefined,
        onClick: () => onChoose(entry),
      })}
      onKey={onKey}
    />
  );
}

type SetOpen = (key: string, open: boolean) => void;

/** The entries with looks at one head folded, and which folds are open. */
function useFoldedLooks(entries: readonly JournalEntry[]): { shown: readonly FoldedRow[]; setOpen: SetOpen } {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const shown = useMemo(() => foldLooks(entries, opened), [entries, opened]);
  const setOpen: SetOpen = (key, open) =>
    setOpened((now) => new Set(open ? [...now, key] : [...now].filter((other) => other !== key)));
  return { shown, setOpen };
}

function useCells(names: ReadonlyMap<string, string>, setOpen: SetOpen) {
  const { t } = useTranslation('activity');
  const { t: frame } = useTranslation();
  const figures = useFigures();
  return ({ entry, fold }: FoldedRow): Record<(typeof columns)[number], ReactNode> => ({
    at: figures.dateTime(entry.at),
    connection: entry.profileId === builtInProfileId ? frame('builtIn') : entry.profileName,
    operation: (
      <>
        {operationName(t, entry.operation)}
        {fold && <FoldButton fold={fold} setOpen={setOpen} />}
      </>
    ),
    // A probe's subject is the operation it asked after.
    subject: names.get(headKey(entry)) ?? operationName(t, entry.subject),
    outcome: (
      <>
        <StateDot tone={tones[entry.outcome]} /> {t(`outcomes.${entry.outcome}`)}
      </>
    ),
    http: entry.httpStatus ?? '',
    firstByte: entry.firstByteMs === null ? '' : figures.milliseconds(entry.firstByteMs),
    total: figures.milliseconds(entry.totalMs),
    cost: entry.cost > 0 ? figures.money(entry.cost, entry.currency) : '',
  });
}

/** How many looks lie under the row; opens and closes them. */
function FoldButton({ fold, setOpen }: { fold: NonNullable<FoldedRow['fold']>; setOpen: SetOpen }) {
  const { t } = useTranslation('activity');
  const figures = useFigures();
  const shown = figures.number(fold.count);
  return (
    <UnstyledButton
      className={classes.fold}
      tabIndex={-1}
      aria-expanded={fold.open}
      aria-label={t('journal.repeatedQueries', { count: fold.count, shown })}
      onClick={(event) => {
        event.stopPropagation();
        setOpen(fold.key, !fold.open);
      }}
    >
      × {shown} {fold.open ? '▴' : '▾'}
    </UnstyledButton>
  );
}
