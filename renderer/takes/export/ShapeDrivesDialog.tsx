import { arkitBlendshapeNames, oculusVisemeNames } from '@likeness/proto/blendshapes.ts';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { memo, useCallback, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { HeadDrives } from '#contract';
import { attempt, notify } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { drivesKey, useHeadDrives } from '../../speaking/head-drives.ts';
import { MountedModal } from '../../ui/dialogs/MountedModal.tsx';
import { driveOf, type TypedRow, typedRow } from './drive-rows.ts';
import classes from './ShapeDrivesDialog.module.css';

const channels = [...arkitBlendshapeNames, ...oculusVisemeNames];

/** Opens the table of what moves a head's shapes. */
export function ShapeDrivesButton(props: {
  modelId: string | null;
  disabled?: boolean;
  onOpened?: (isOpen: boolean) => void;
}) {
  const { t } = useTranslation('takeExport');
  const [isOpen, setOpen] = useState(false);
  const { data } = useHeadDrives(props.modelId);
  const open = (wanted: boolean): void => {
    setOpen(wanted);
    props.onOpened?.(wanted);
  };
  return (
    <>
      <Button variant="default" disabled={props.disabled || !data} onClick={() => open(true)}>
        {t('mapping.open')}
      </Button>
      {isOpen && data && (
        <ShapeDrivesDialog modelId={props.modelId} drives={data} onClose={() => open(false)} />
      )}
    </>
  );
}

function ShapeDrivesDialog(props: { modelId: string | null; drives: HeadDrives; onClose: () => void }) {
  const { t } = useTranslation(['takeExport', 'app']);
  const client = useQueryClient();
  const { modelId, drives } = props;
  const [rows, setRows] = useState(() => drives.rows.map(typedRow));
  const [wanted, setWanted] = useState('');
  const change = useCallback(
    (row: TypedRow): void =>
      setRows((all) => all.map((one) => (one.shape === row.shape ? { ...row, isOwn: true } : one))),
    [],
  );
  const fault = rows.find((row) => row.isOwn && driveOf(row) === null);
  const keep = (own: readonly TypedRow[]): void =>
    attempt(async () => {
      const saved = own.flatMap((row) => driveOf(row) ?? []);
      client.setQueryData(drivesKey(modelId), await studio.names.saveDrives({ modelId, rows: saved }));
      notify({ level: 'success', title: t('mapping.saved'), text: '' });
      props.onClose();
    });
  const shown = rows.filter(({ shape, parts }) =>
    `${shape} ${parts}`.toLowerCase().includes(wanted.trim().toLowerCase()),
  );
  return (
    <MountedModal
      onClose={props.onClose}
      title={t('mapping.title')}
      size={760}
      closeButtonProps={{ 'aria-label': t('app:actions.close') }}
    >
      <Stack gap="sm">
        <Text size="sm">{t('mapping.text')}</Text>
        <Vocabulary id={drives.vocabulary} />
        <TextInput
          label={t('mapping.find')}
          value={wanted}
          onChange={({ currentTarget }) => setWanted(currentTarget.value)}
        />
        <DriveRows rows={shown} onChange={change} />
        <Text
          size="sm"
          c={fault ? 'var(--mantine-color-error)' : 'dimmed'}
          role={fault ? 'alert' : undefined}
        >
          {fault ? t('mapping.fault', { text: `${fault.shape}: ${fault.parts}` }) : t('mapping.partsNote')}
        </Text>
        <Group justify="space-between" gap="xs">
          <Button variant="default" onClick={() => keep([])}>
            {t('mapping.reset')}
          </Button>
          <Button disabled={fault !== undefined} onClick={() => keep(rows.filter(({ isOwn }) => isOwn))}>
            {t('mapping.save')}
          </Button>
        </Group>
      </Stack>
    </MountedModal>
  );
}

type Known = keyof typeof import('./words/en.ts')['en']['mapping']['vocabularies'];

function Vocabulary({ id }: { id: string | null }) {
  const { t } = useTranslation('takeExport');
  const text =
    id === null
      ? t('mapping.unknown')
      : t('mapping.vocabulary', { name: t(`mapping.vocabularies.${id as Known}`) });
  return (
    <Text size="sm" c="dimmed">
      {text}
    </Text>
  );
}

function DriveRows(props: { rows: readonly TypedRow[]; onChange: (row: TypedRow) => void }) {
  const { t } = useTranslation('takeExport');
  const known = useId();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={classes.rows} aria-label={t('mapping.lines')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('mapping.shape')}</th>
            <th scope="col">{t('mapping.parts')}</th>
            <th scope="col">{t('mapping.gain')}</th>
            <th scope="col">{t('mapping.curve')}</th>
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <Row key={row.shape} row={row} known={known} onChange={props.onChange} />
          ))}
        </tbody>
      </table>
      <datalist id={known}>
        {channels.map((channel) => (
          <option key={channel} value={channel} />
        ))}
      </datalist>
    </section>
  );
}

/** A line that is typed into does not draw the others anew. */
const Row = memo(
  ({ row, known, onChange }: { row: TypedRow; known: string; onChange: (row: TypedRow) => void }) => {
    const { t } = useTranslation('takeExport');
    const field = (column: 'parts' | 'gain' | 'curve') => ({
      'aria-label': t('mapping.cell', { column: t(`mapping.${column}`), shape: row.shape }),
      value: row[column],
      onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
        onChange({ ...row, [column]: currentTarget.value }),
    });
    return (
      <tr data-unfinished={(row.isOwn && driveOf(row) === null) || undefined}>
        <th scope="row">
          {row.shape}
          {row.isOwn && <span className={classes.own}>{t('mapping.own')}</span>}
        </th>
        <td>
          <input {...field('parts')} list={known} placeholder={t('mapping.still')} />
        </td>
        <td>
          <input {...field('gain')} className={classes.short} inputMode="decimal" />
        </td>
        <td>
          <input {...field('curve')} className={classes.short} inputMode="decimal" />
        </td>
      </tr>
    );
  },
);
