import { Button, Group, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { builtInNameTables, CallOutput, NameTableCard } from '#contract';
import { attempt } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { queryClient } from '../../base/studio-queries.ts';
import { Callout } from '../../ui/Callout.tsx';
import { Confirm } from '../../ui/dialogs/Confirm.tsx';
import { download } from '../../ui/download.ts';
import { NameRows } from './NameRows.tsx';
import classes from './NameTables.module.css';
import { entriesOf, rowsOf, type TableRow } from './table-rows.ts';

type Table = CallOutput<'names', 'table'>;

/** Names that are listed before the rest is only counted. */
const maxListed = 12;

interface Props {
  card: NameTableCard;
  label: string;
  modelId: string | null;
  /** Whether there are changes that are not saved. */
  onChanged: (isChanged: boolean) => void;
  onShow: (id: string) => void;
}

/** One table: what it makes of a head's shapes, its lines, and what can be done with it. */
export function NameTable(props: Props) {
  const { id } = props.card;
  const table = useQuery({ queryKey: ['name-table', id], queryFn: () => studio.names.table({ id }) });
  if (table.isError) return <Callout tone="bad">{table.error.message}</Callout>;
  if (!table.data) return null;
  // Anew when it was saved.
  return <OpenTable key={table.dataUpdatedAt} {...props} table={table.data} />;
}

function OpenTable({ card, label, modelId, table, onChanged, onShow }: Props & { table: Table }) {
  const { t } = useTranslation('library');
  const [name, setName] = useState(card.name);
  const [rows, setRows] = useState<readonly TableRow[]>(() => rowsOf(table.entries));
  const [isChanged, setIsChanged] = useState(false);
  const [busy, setBusy] = useState(false);
  const entries = entriesOf(rows);
  const isWhole = entries.length > 0 && entries.every((entry) => entry !== null) && name.trim() !== '';
  const changed = (is: boolean): void => {
    setIsChanged(is);
    onChanged(is);
  };
  const busily = (work: () => Promise<void>): void => {
    setBusy(true);
    attempt(() => work().finally(() => setBusy(false)));
  };
  const save = (): void =>
    busily(async () => {
      if (!isWhole) return;
      await studio.names.save({
        id: card.id,
        name: name.trim(),
        entries: entries.filter((one) => one !== null),
      });
      changed(false);
      await Promise.all(
        ['name-table', 'name-check'].map((key) =>
          queryClient.invalidateQueries({ queryKey: [key, card.id] }),
        ),
      );
    });
  const copy = (): void =>
    busily(async () => {
      const { id } = await studio.names.save({
        name: t('nameTables.copyOf', { name: label }),
        entries: table.entries,
      });
      onShow(id);
    });
  return (
    <>
      {card.builtIn ? (
        <div>
          <Title order={3} size="h4">
            {label}
          </Title>
          <Text size="sm" c="dimmed">
            {t(`nameTables.builtIn.${card.id as (typeof builtInNameTables)[number]}.text`)}
          </Text>
        </div>
      ) : (
        <TextInput
          label={t('nameTables.name')}
          value={name}
          maxLength={100}
          error={name.trim() === '' ? t('nameTables.nameMissing') : undefined}
          onChange={({ currentTarget }) => {
            setName(currentTarget.value);
            changed(true);
          }}
        />
      )}
      <Moving id={card.id} modelId={modelId} isChanged={isChanged} />
      <NameRows
        rows={rows}
        isReadOnly={card.builtIn}
        onRows={(now) => {
          setRows(now);
          changed(true);
        }}
      />
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Button
            variant="default"
            onClick={() => attempt(async () => download(await studio.names.exportTable({ id: card.id })))}
          >
            {t('nameTables.export')}
          </Button>
          {!card.builtIn && <RemoveTable card={card} onRemoved={() => onShow('as-is')} />}
        </Group>
        <Group gap="xs">
          {isChanged && (
            <Text size="sm" c="dimmed" role="status">
              {t(isWhole ? 'nameTables.changed' : 'nameTables.unfinished')}
            </Text>
          )}
          {card.builtIn ? (
            <Button loading={busy} onClick={copy}>
              {t('nameTables.copy')}
            </Button>
          ) : (
            <Button loading={busy} disabled={!isChanged || !isWhole} onClick={save}>
              {t('nameTables.save')}
            </Button>
          )}
        </Group>
      </Group>
    </>
  );
}

/** The effect of the saved table on the head's shapes, and the names that will not move. */
function Moving({ id, modelId, isChanged }: { id: string; modelId: string | null; isChanged: boolean }) {
  const { t } = useTranslation('library');
  const check = useQuery({
    queryKey: ['name-check', id, modelId],
    queryFn: () => studio.names.check({ id, modelId }),
  });
  if (check.isError) return <Callout tone="bad">{check.error.message}</Callout>;
  if (!check.data) return <Text size="sm">{t('nameTables.trying')}</Text>;
  const { made, missing, unused } = check.data;
  const listed = (names: readonly string[]): string =>
    names.slice(0, maxListed).join(', ') + (names.length > maxListed ? ' …' : '');
  const without = made.filter(({ lacking }) => lacking.length > 0);
  return (
    <div className={classes.moving} aria-live="polite">
      <Text size="sm">{t('nameTables.moves', { count: made.length })}</Text>
      {missing.length > 0 && (
        <Text size="sm">
          {t('nameTables.still', { count: missing.length, names: listed(missing.map(({ name }) => name)) })}
        </Text>
      )}
      {without.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('nameTables.lacking', { count: without.length, names: listed(without.map(({ name }) => name)) })}
        </Text>
      )}
      {unused.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('nameTables.unused', { count: unused.length, names: listed(unused) })}
        </Text>
      )}
      {isChanged && (
        <Text size="sm" c="dimmed">
          {t('nameTables.asSaved')}
        </Text>
      )}
    </div>
  );
}

function RemoveTable({ card, onRemoved }: { card: NameTableCard; onRemoved: () => void }) {
  const { t } = useTranslation('library');
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('nameTables.remove')}
      </Button>
      <Confirm
        opened={asking}
        title={t('nameTables.removing.title', { name: card.name })}
        text={t('nameTables.removing.text')}
        action={t('nameTables.removing.action')}
        onConfirm={async () => {
          queryClient.setQueryData(['names'], await studio.names.remove({ id: card.id }));
          onRemoved();
        }}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
