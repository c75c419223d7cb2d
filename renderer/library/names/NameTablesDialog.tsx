import { Button, FileButton, Group, NavLink, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallOutput } from '#contract';
import { attempt } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { Callout } from '../../ui/Callout.tsx';
import { Confirm } from '../../ui/dialogs/Confirm.tsx';
import { MountedModal } from '../../ui/dialogs/MountedModal.tsx';
import { useNameTables } from '../shape-names.ts';
import { NameTable } from './NameTable.tsx';
import classes from './NameTables.module.css';

type Fault = CallOutput<'names', 'importTable'>['faults'][number];

/** Faults of a CSV file that are listed before the rest is only counted. */
const maxFaults = 8;

/**
 * The tables of names that face shapes can get: the studio's own to read and to make others of, and the
 * person's.
 *
 * @param first - Id of the table that it begins with; `as-is` is none.
 * @param modelId - The head on which is tried what will move; null: the default one.
 */
function NameTablesDialog(props: { first: string; modelId: string | null; onClose: () => void }) {
  const { t } = useTranslation(['library', 'app']);
  const { tables, labelOf } = useNameTables();
  const [chosen, setChosen] = useState(props.first);
  const [isChanged, setIsChanged] = useState(false);
  /** The action that waits for confirmation, because it would discard changes. */
  const [leaving, setLeaving] = useState<(() => void) | null>(null);
  const [faults, setFaults] = useState<{ file: string; list: Fault[] } | null>(null);
  const card = tables.find(({ id }) => id === chosen) ?? tables[0];
  const leave = (then: () => void): void => {
    if (isChanged) setLeaving(() => then);
    else then();
  };
  const show = (id: string): void => {
    setIsChanged(false);
    setFaults(null);
    setChosen(id);
  };
  const read = (file: File): void =>
    attempt(async () => {
      const name = file.name.replace(/\.[^.]*$/, '').slice(0, 100) || file.name;
      const { table, faults: list } = await studio.names.importTable({ name, csv: await file.text() });
      if (table) show(table.id);
      else setFaults({ file: file.name, list });
    });
  return (
    <MountedModal
      onClose={() => leave(props.onClose)}
      closeOnEscape={leaving === null}
      trapFocus={leaving === null}
      title={t('nameTables.title')}
      size={1060}
      closeButtonProps={{ 'aria-label': t('app:actions.close') }}
    >
      <div className={classes.dialog}>
        <nav className={classes.tables} aria-label={t('nameTables.tables')}>
          {tables.map((one) => (
            <NavLink
              key={one.id}
              component="button"
              type="button"
              label={labelOf(one)}
              description={one.builtIn ? undefined : t('nameTables.own')}
              active={one.id === card?.id}
              aria-current={one.id === card?.id ? 'true' : undefined}
              onClick={() => leave(() => show(one.id))}
            />
          ))}
        </nav>
        <FileButton accept=".csv,text/csv" onChange={(file) => file && leave(() => read(file))}>
          {(button) => (
            <Button {...button} variant="default" className={classes.import}>
              {t('nameTables.import')}
            </Button>
          )}
        </FileButton>
        <div className={classes.table}>
          {faults && <CsvFaults file={faults.file} faults={faults.list} />}
          {card && (
            <NameTable
              key={card.id}
              card={card}
              label={labelOf(card)}
              modelId={props.modelId}
              onChanged={setIsChanged}
              onShow={show}
            />
          )}
        </div>
      </div>
      <Confirm
        opened={leaving !== null}
        title={t('nameTables.unsaved.title')}
        text={t('nameTables.unsaved.text')}
        action={t('nameTables.unsaved.leave')}
        keep={t('nameTables.unsaved.stay')}
        onConfirm={async () => leaving?.()}
        onClose={() => setLeaving(null)}
      />
    </MountedModal>
  );
}

/** Why a file was not taken, line by line. */
function CsvFaults({ file, faults }: { file: string; faults: readonly Fault[] }) {
  const { t } = useTranslation('library');
  return (
    <Callout tone="bad">
      <Text size="sm">{t('nameTables.notImported', { file })}</Text>
      <ul className={classes.faults}>
        {faults.slice(0, maxFaults).map(({ line, column, fault, value }) => (
          <li key={`${line} ${column} ${fault}`}>
            {t('nameTables.fault', { line, column, what: t(`nameTables.faults.${fault}`, { value }) })}
          </li>
        ))}
      </ul>
      {faults.length > maxFaults && (
        <Text size="sm">{t('nameTables.moreFaults', { count: faults.length - maxFaults })}</Text>
      )}
    </Callout>
  );
}

/** Opens the tables, from wherever names are chosen. */
export function NameTablesButton(props: {
  first: string;
  modelId: string | null;
  disabled?: boolean | undefined;
  /** While the tables are open, what lies below them must not close with them. */
  onOpened?: (opened: boolean) => void;
}) {
  const { t } = useTranslation('library');
  const [opened, setOpened] = useState(false);
  const open = (is: boolean): void => {
    setOpened(is);
    props.onOpened?.(is);
  };
  return (
    <Group gap={0}>
      <Button variant="default" disabled={props.disabled ?? false} onClick={() => open(true)}>
        {t('nameTables.open')}
      </Button>
      {opened && <NameTablesDialog first={props.first} modelId={props.modelId} onClose={() => open(false)} />}
    </Group>
  );
}
