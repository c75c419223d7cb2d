import { Button, Group, Progress, Radio, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { exportFormats } from '#contract/constants.ts';
import { assetUrl } from '../../base/asset-url.ts';
import { attempt, notify } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { changeSettings, useSettings } from '../../base/studio-queries.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { worded } from '../../base/text/sentence-text.ts';
import { Callout } from '../../ui/Callout.tsx';
import { MountedModal } from '../../ui/dialogs/MountedModal.tsx';
import { useOutcome } from '../../ui/dialogs/use-outcome.ts';
import { downloadFrom } from '../../ui/download.ts';
import type { ModelSelection } from '../model-list.ts';
import { NameTablesButton } from '../names/NameTablesDialog.tsx';
import { useShapeNames } from '../shape-names.ts';
import classes from './ExportDialog.module.css';

type Format = (typeof exportFormats)[number];

/** Names of face shapes that are listed before the rest is only counted. */
const maxListed = 12;

/** Takes heads out of the studio, in the form that the next program wants. */
export function ExportDialog(props: { selection: ModelSelection; count: number; onClose: () => void }) {
  const { t } = useTranslation(['library', 'app']);
  const { headExport, rememberExport } = useSettings();
  const [format, setFormat] = useState<Format>(headExport.format);
  const [names, setNames] = useState(headExport.names);
  const [fileName, setFileName] = useState('{name}');
  const shapeNames = useShapeNames();
  const [busy, setBusy] = useState(false);
  const [tablesOpen, setTablesOpen] = useState(false);
  // A table may be deleted while it is chosen.
  const isNamed = shapeNames.length < 2 || shapeNames.some(({ value }) => value === names);
  if (!isNamed) setNames('as-is');
  const order = {
    selection: props.selection,
    format,
    names: takesNames(format) ? names : 'as-is',
    fileName: fileName.trim() || '{name}',
  } as const;
  const save = (): void => {
    setBusy(true);
    attempt(async () => {
      try {
        await exported(order, t);
        if (rememberExport) await changeSettings({ headExport: { format, names } });
        props.onClose();
      } finally {
        setBusy(false);
      }
    });
  };
  const close = (): void => {
    if (busy) attempt(() => studio.library.cancelExports());
    else props.onClose();
  };
  return (
    <MountedModal
      onClose={close}
      closeOnEscape={!tablesOpen}
      trapFocus={!tablesOpen}
      title={t('export.title', { count: props.count })}
      size={900}
      closeButtonProps={{ 'aria-label': t('app:actions.close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Stack gap="md">
          <Radio.Group
            label={t('export.format')}
            value={format}
            onChange={(value) => setFormat(value as Format)}
          >
            <div className={classes.formats}>
              {exportFormats.map((one) => (
                <Radio
                  key={one}
                  value={one}
                  disabled={busy}
                  label={t(`export.formats.${one}.label`)}
                  description={t(`export.formats.${one}.text`)}
                />
              ))}
            </div>
          </Radio.Group>
          {takesNames(format) && (
            <Group gap="xs" align="end" wrap="nowrap">
              <Select
                className={classes.names}
                label={t('export.names')}
                description={t('export.namesNote')}
                value={names}
                disabled={busy}
                allowDeselect={false}
                searchable
                data={shapeNames}
                onChange={(value) => setNames(value ?? 'as-is')}
              />
              <NameTablesButton
                first={names}
                modelId={soleOf(props.selection) ?? null}
                disabled={busy}
                onOpened={setTablesOpen}
              />
            </Group>
          )}
          <TextInput
            label={t('export.fileName')}
            description={t('export.fileNameNote')}
            value={fileName}
            disabled={busy}
            maxLength={200}
            onChange={({ currentTarget }) => setFileName(currentTarget.value)}
          />
          <Outcome order={order} count={props.count} />
          {busy && <ExportProgress count={props.count} />}
        </Stack>
        <Group justify="space-between" gap="xs" mt="lg">
          <OpenInBlender selection={props.selection} names={order.names} disabled={busy} />
          <Group gap="xs" ml="auto">
            <Button variant="default" onClick={close}>
              {busy ? t('export.stop') : t('app:actions.cancel')}
            </Button>
            <Button type="submit" loading={busy}>
              {t('export.action')}
            </Button>
          </Group>
        </Group>
      </form>
    </MountedModal>
  );
}

/** The head, where it is one. */
const soleOf = (selection: ModelSelection): string | undefined =>
  'ids' in selection && selection.ids.length === 1 ? selection.ids[0] : undefined;

type Order = Parameters<typeof studio.library.exportModels>[0];
type Words = ReturnType<typeof useTranslation<['library', 'app']>>['t'];

/** The others hold the face at rest alone, or have names of their own. */
const takesNames = (format: Format): boolean => !['obj', 'vrm', 'vrm0'].includes(format);

async function exported(order: Order, t: Words): Promise<void> {
  const { exportId, fileName, problems } = await studio.library.exportModels(order);
  downloadFrom(assetUrl(exportId, 'export'), fileName);
  notify({ level: 'success', title: t('export.done', { name: fileName }), text: '' });
  if (problems.length > 0)
    notify({
      level: 'warning',
      title: t('export.leftOut', { count: problems.length }),
      text: problems.map(({ name, problem }) => `${name}: ${worded(problem)}`).join('\n'),
    });
}

/** Preview of the exported file. */
function Outcome({ order, count }: { order: Order; count: number }) {
  const { t } = useTranslation('library');
  const figures = useFigures();
  const { data, error } = useOutcome('export', order, studio.library.previewExport);
  if (error) return <Callout tone="bad">{error.message}</Callout>;
  const still = data?.still ?? [];
  return (
    <div className={classes.outcome} aria-live="polite" aria-busy={!data}>
      {data ? (
        <Text size="sm">
          {t(data.moving > 0 ? 'export.outcome' : 'export.outcomeStill', {
            count,
            name: data.fileName,
            bytes: figures.bytes(data.bytes * count),
            shapes: figures.number(data.moving),
          })}
        </Text>
      ) : (
        <Text size="sm" c="dimmed">
          {t('export.weighing')}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {t(`export.formats.${order.format}.loses`)}
      </Text>
      {still.length > 0 && (
        <Text size="sm">
          {t('export.still', {
            count: still.length,
            names: still.slice(0, maxListed).join(', ') + (still.length > maxListed ? ' …' : ''),
          })}
        </Text>
      )}
      {data?.leftOut.map((left) => (
        <Text size="sm" key={worded(left)}>
          {worded(left)}
        </Text>
      ))}
    </div>
  );
}

function ExportProgress({ count }: { count: number }) {
  const { t } = useTranslation('library');
  const figures = useFigures();
  const [done, setDone] = useState(0);
  useEffect(
    () =>
      studio.library.onWorking((working) => {
        if (working.what === 'export') setDone(working.done);
      }),
    [],
  );
  return (
    <div role="status">
      <Progress value={(100 * done) / count} size="sm" aria-label={t('working.export')} />
      <Text size="xs" className="figures" mt={4}>
        {figures.number(done)} / {figures.number(count)}
      </Text>
    </div>
  );
}

/**
 * Where Blender is on the machine; else a way to say where. One head
 * at a time: more would stand in each other.
 */
function OpenInBlender(props: { selection: ModelSelection; names: string; disabled: boolean }) {
  const { t } = useTranslation('library');
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const blender = useQuery({ queryKey: ['blender'], queryFn: () => studio.library.blender() });
  const id = soleOf(props.selection);
  if (id === undefined || !blender.data) return null;
  const { path } = blender.data;
  const act = (): void => {
    setBusy(true);
    attempt(async () => {
      try {
        if (path === null) client.setQueryData(['blender'], await studio.library.chooseBlender());
        else {
          await studio.library.openInBlender({ id, names: props.names });
          notify({ level: 'success', title: t('export.blenderStarts'), text: '' });
        }
      } finally {
        setBusy(false);
      }
    });
  };
  return (
    <Button variant="default" loading={busy} disabled={props.disabled} onClick={act}>
      {t(path === null ? 'export.findBlender' : 'export.openInBlender')}
    </Button>
  );
}
