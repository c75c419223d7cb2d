import { UnstyledButton } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { JournalEntry } from '#contract';
import { builtInProfileId } from '#contract/constants.ts';
import { useFigures } from '../../base/number-format.ts';
import { StateDot, type Tone } from '../../ui/StateDot.tsx';
import { operationName } from '../operation-name.ts';
import classes from './EntryTable.module.css';
import { foldLooks } from './fold.ts';
import { headKey } from './head-names.ts';

const rowHeight = 30; // pixels; also in the style sheet
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
 * The journal as a grid: only what is on the screen is drawn; arrows up and down move, right and left open
 * and close what is folded, the chosen entry is read beside it.
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
  const { t: frame } = useTranslation();
  const figures = useFigures();
  const { entries, names, chosen, onChoose, onNearEnd } = props;
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const shown = useMemo(() => foldLooks(entries, opened), [entries, opened]);
  const setOpen = (key: string, open: boolean): void =>
    setOpened((now) => new Set(open ? [...now, key] : [...now].filter((other) => other !== key)));
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollPaddingStart: rowHeight,
  });
  const items = rows.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks again when the end comes near, not when the asker changes
  useEffect(() => {
    if (entries.length > 0 && last > shown.length - 40) onNearEnd();
  }, [last, entries.length]);

  const onKey = (event: KeyboardEvent): void => {
    const at = shown.findIndex(({ entry }) => entry.sequence === chosen);
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 300) / rowHeight) - 2);
    const steps: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: Math.max(0, at - 1),
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: shown.length - 1,
    };
    const step = steps[event.key];
    const fold = shown[at]?.fold;
    if (fold && (event.key === 'ArrowRight' || event.key === 'ArrowLeft')) {
      event.preventDefault();
      setOpen(fold.key, event.key === 'ArrowRight');
    }
    if (event.key === 'Escape') onChoose(undefined);
    if (step === undefined || shown.length === 0) return;
    event.preventDefault();
    const next = Math.min(shown.length - 1, Math.max(0, step));
    onChoose(shown[next]?.entry);
    rows.scrollToIndex(next);
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a virtual grid can't be a table element
    <div
      ref={scroller}
      className={classes.scroller}
      role="grid"
      aria-label={t('journal.table')}
      aria-rowcount={props.more ? -1 : shown.length + 1}
      aria-activedescendant={chosen === undefined ? undefined : `entry-${chosen}`}
      tabIndex={0}
      onKeyDown={onKey}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a virtual grid can't be a table element */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the grid itself has the focus */}
      <div role="row" aria-rowindex={1} className={classes.head}>
        {columns.map((column) => (
          // biome-ignore lint/a11y/useSemanticElements: a virtual grid can't be a table element
          // biome-ignore lint/a11y/useFocusableInteractive: the grid itself has the focus
          <div key={column} role="columnheader" data-column={column}>
            {t(`journal.columns.${column}`)}
          </div>
        ))}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a virtual grid can't be a table element */}
      <div role="rowgroup" className={classes.rows} style={{ height: rows.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const { entry, fold, inside } = shown[index]!;
          const { sequence } = entry;
          const cells: Record<(typeof columns)[number], React.ReactNode> = {
            at: figures.dateTime(entry.at),
            connection: entry.profileId === builtInProfileId ? frame('builtIn') : entry.profileName,
            operation: (
              <>
                {operationName(t, entry.operation)}
                {fold && (
                  <UnstyledButton
                    className={classes.fold}
                    tabIndex={-1}
                    aria-expanded={fold.open}
                    aria-label={t('journal.looks', { count: fold.count, shown: figures.number(fold.count) })}
                    onClick={(event) => {
                      event.stopPropagation();
                      setOpen(fold.key, !fold.open);
                    }}
                  >
                    × {figures.number(fold.count)} {fold.open ? '▴' : '▾'}
                  </UnstyledButton>
                )}
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
          };
          return (
            // biome-ignore lint/a11y/useSemanticElements: a virtual grid can't be a table element
            // biome-ignore lint/a11y/useFocusableInteractive: the grid itself has the focus
            // biome-ignore lint/a11y/useKeyWithClickEvents: the grid's arrows do the same
            <div
              key={sequence}
              id={`entry-${sequence}`}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={sequence === chosen}
              data-inside={inside || undefined}
              className={classes.row}
              style={{ transform: `translateY(${start}px)` }}
              onClick={() => onChoose(entry)}
            >
              {columns.map((column) => (
                // biome-ignore lint/a11y/useSemanticElements: a virtual grid can't be a table element
                // biome-ignore lint/a11y/useFocusableInteractive: the grid itself has the focus
                <div key={column} role="gridcell" data-column={column}>
                  {cells[column]}
                </div>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}
