import { arkitBlendshapeNames, oculusVisemeNames } from '@likeness/proto/blendshapes.ts';
import { Button, CloseButton } from '@mantine/core';
import { memo, useCallback, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './NameTables.module.css';
import { entryOf, newRow, type TableRow } from './table-rows.ts';

const knownShapes = [...arkitBlendshapeNames, ...oculusVisemeNames];

/** The rows of a name table: a face shape and its new name. Built-in tables are read-only. */
export function NameRows(props: {
  rows: readonly TableRow[];
  isReadOnly: boolean;
  onRows: (rows: readonly TableRow[]) => void;
}) {
  const { t } = useTranslation('library');
  const shapes = useId();
  const body = useRef<HTMLTableSectionElement>(null);
  // Stable callbacks, so that typing in a row does not render the other rows again.
  const latest = useRef(props);
  latest.current = props;
  const change = useCallback((row: TableRow): void => {
    const { rows, onRows } = latest.current;
    onRows(rows.map((one) => (one.key === row.key ? row : one)));
  }, []);
  const remove = useCallback((key: number): void => {
    const { rows, onRows } = latest.current;
    onRows(rows.filter((one) => one.key !== key));
  }, []);
  const add = (): void => {
    props.onRows([...props.rows, newRow(props.rows)]);
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>('tr:last-child input')?.focus());
  };
  return (
    <div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard */}
      <section className={classes.rows} aria-label={t('nameTables.lines')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('nameTables.columns.shape')}</th>
              <th scope="col">{t('nameTables.columns.name')}</th>
              <th scope="col">{t('nameTables.columns.weight')}</th>
              <th scope="col">{t('nameTables.columns.side')}</th>
              <th scope="col">{t('nameTables.columns.variant')}</th>
              {!props.isReadOnly && <td />}
            </tr>
          </thead>
          <tbody ref={body}>
            {props.rows.map((row, at) =>
              props.isReadOnly ? (
                <FixedRow key={row.key} row={row} />
              ) : (
                <OwnRow
                  key={row.key}
                  row={row}
                  line={at + 1}
                  shapes={shapes}
                  onChange={change}
                  onRemove={remove}
                />
              ),
            )}
          </tbody>
        </table>
      </section>
      {!props.isReadOnly && (
        <>
          <datalist id={shapes}>
            {knownShapes.map((shape) => (
              <option key={shape} value={shape} />
            ))}
          </datalist>
          <Button variant="subtle" mt="xs" onClick={add}>
            {t('nameTables.addLine')}
          </Button>
        </>
      )}
    </div>
  );
}

const FixedRow = memo(({ row }: { row: TableRow }) => {
  const { t } = useTranslation('library');
  return (
    <tr>
      <td>{row.shape || t('nameTables.atRest')}</td>
      <td>{row.name}</td>
      <td className="figures">{row.weight}</td>
      <td>{row.side && t(`nameTables.sides.${row.side}`)}</td>
      <td className="figures">{row.variant}</td>
    </tr>
  );
});

const OwnRow = memo(
  (props: {
    row: TableRow;
    line: number;
    /** Id of the list of known shapes. */
    shapes: string;
    onChange: (row: TableRow) => void;
    onRemove: (key: number) => void;
  }) => {
    const { t } = useTranslation('library');
    const { row, line } = props;
    const field = (column: 'shape' | 'name' | 'weight' | 'variant') => ({
      'aria-label': t('nameTables.cell', { column: t(`nameTables.columns.${column}`), line }),
      value: row[column],
      onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
        props.onChange({ ...row, [column]: currentTarget.value }),
    });
    return (
      <tr data-unfinished={entryOf(row) === null || undefined}>
        <td>
          <input
            {...field('shape')}
            list={props.shapes}
            maxLength={100}
            placeholder={t('nameTables.atRest')}
          />
        </td>
        <td>
          <input {...field('name')} maxLength={100} aria-invalid={row.name.trim() === ''} />
        </td>
        <td>
          <input {...field('weight')} inputMode="decimal" maxLength={8} className={classes.short} />
        </td>
        <td>
          <select
            aria-label={t('nameTables.cell', { column: t('nameTables.columns.side'), line })}
            value={row.side}
            onChange={({ currentTarget }) =>
              props.onChange({ ...row, side: currentTarget.value as TableRow['side'] })
            }
          >
            <option value="">{t('nameTables.sides.both')}</option>
            <option value="left">{t('nameTables.sides.left')}</option>
            <option value="right">{t('nameTables.sides.right')}</option>
          </select>
        </td>
        <td>
          <input {...field('variant')} inputMode="numeric" maxLength={1} className={classes.short} />
        </td>
        <td>
          <CloseButton
            size="sm"
            aria-label={t('nameTables.removeLine', { line })}
            onClick={() => props.onRemove(row.key)}
          />
        </td>
      </tr>
    );
  },
);
