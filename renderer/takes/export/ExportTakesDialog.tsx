import { type ExportRate, exportRates } from '@likeness/proto/takes/frame_rates.ts';
import { Button, Checkbox, Group, Progress, Select, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallInput, EventPayload } from '#contract';
import type { takeFormats } from '#contract/takes/take_constants.ts';
import { attempt, notify } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { useSettings } from '../../base/studio-queries.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { worded } from '../../base/text/sentence-text.ts';
import { HeadSelect } from '../../live/panels/HeadSelect.tsx';
import { useHeadDrives } from '../../speaking/head-drives.ts';
import { Callout } from '../../ui/Callout.tsx';
import { MountedModal } from '../../ui/dialogs/MountedModal.tsx';
import { useOutcome } from '../../ui/dialogs/use-outcome.ts';
import classes from './ExportTakesDialog.module.css';
import { saveExports } from './export-files.ts';
import { ShapeDrivesButton } from './ShapeDrivesDialog.tsx';

type Format = (typeof takeFormats)[number];
type Order = CallInput<'takeExports', 'preview'>;
type Progressed = EventPayload<'takeExports', 'progress'>;

const groups = [
  ['head', ['glb', 'fbx', 'vrma']],
  ['face', ['livelink', 'csv', 'jsonl', 'a2f']],
  ['mouth', ['visemes', 'rhubarb', 'blair', 'moho']],
  ['words', ['textgrid', 'srt', 'vtt']],
] as const satisfies (readonly [string, readonly Format[]])[];

/** Names that are listed before the rest is only counted. */
const maxListed = 8;
const listed = (names: readonly string[]): string =>
  names.slice(0, maxListed).join(', ') + (names.length > maxListed ? ' …' : '');

export interface ExportTakesDialogProps {
  ids: readonly string[];
  /** The head that is shown now; empty: the default one. Without it each take has its own. */
  modelId?: string | undefined;
  onClose: () => void;
}

/** Takes as files for other programs: several formats at once, on one time base. */
export function ExportTakesDialog({ ids, modelId: shown, onClose }: ExportTakesDialogProps) {
  const { t } = useTranslation(['takeExport', 'app']);
  const { takeExport } = useSettings();
  const [formats, setFormats] = useState<readonly Format[]>([takeExport]);
  const [rate, setRate] = useState<ExportRate>('own');
  const [fileName, setFileName] = useState('{name}');
  const [isOwnHead, setOwnHead] = useState(shown === undefined);
  const [modelId, setModelId] = useState(shown ?? '');
  const [busy, setBusy] = useState(false);
  const [drivesOpen, setDrivesOpen] = useState(false);
  const [progress, setProgress] = useState<Progressed | null>(null);
  // From the first on: the export begins to tell before its bar is drawn.
  useEffect(() => studio.takeExports.onProgress(setProgress), []);
  const showsHead = formats.some((format) => format === 'glb' || format === 'fbx');
  const order: Order = {
    ids: [...ids],
    formats: [...formats],
    rate,
    fileName: fileName.trim() || '{name}',
    ...(isOwnHead ? {} : { modelId: modelId || null }),
  };
  const save = (event: FormEvent): void => {
    event.preventDefault();
    setBusy(true);
    setProgress(null);
    attempt(() =>
      exported(order, t)
        .finally(() => setBusy(false))
        .then((isDone) => isDone && onClose()),
    );
  };
  const close = (): void => {
    if (busy) attempt(() => studio.takeExports.cancel());
    else onClose();
  };
  return (
    <MountedModal
      onClose={close}
      closeOnEscape={!drivesOpen}
      trapFocus={!drivesOpen}
      title={t('title', { count: ids.length })}
      size={860}
      closeButtonProps={{ 'aria-label': t('app:actions.close') }}
    >
      <form onSubmit={save}>
        <Stack gap="md">
          <Formats value={formats} disabled={busy} onChange={setFormats} />
          <div className={classes.options}>
            <Select
              label={t('rate')}
              description={t('rateNote')}
              value={rate}
              disabled={busy}
              allowDeselect={false}
              data={exportRates.map((value) => ({ value, label: value === 'own' ? t('ownRate') : value }))}
              onChange={(value) => setRate((value ?? 'own') as ExportRate)}
            />
            <TextInput
              label={t('fileName')}
              description={t('fileNameNote')}
              value={fileName}
              disabled={busy}
              maxLength={200}
              onChange={({ currentTarget }) => setFileName(currentTarget.value)}
            />
          </div>
          {showsHead && (
            <Stack gap="xs">
              <Checkbox
                label={t('ownHead')}
                checked={isOwnHead}
                disabled={busy}
                onChange={({ currentTarget }) => setOwnHead(currentTarget.checked)}
              />
              {!isOwnHead && (
                <Group gap="xs" align="end">
                  <HeadSelect value={modelId} onChange={setModelId} />
                  <ShapeDrivesButton modelId={modelId || null} disabled={busy} onOpened={setDrivesOpen} />
                </Group>
              )}
              {!isOwnHead && <Movement modelId={modelId || null} />}
            </Stack>
          )}
          {formats.length > 0 && <Outcome order={order} />}
          {busy && <ExportProgress progress={progress} />}
        </Stack>
        <Group gap="xs" mt="lg" justify="flex-end">
          <Button variant="default" onClick={close}>
            {busy ? t('stop') : t('app:actions.cancel')}
          </Button>
          <Button type="submit" loading={busy} disabled={formats.length === 0}>
            {t('action')}
          </Button>
        </Group>
      </form>
    </MountedModal>
  );
}

type Words = ReturnType<typeof useTranslation<['takeExport', 'app']>>['t'];

/** @returns False where the person stopped it: the dialog stays. */
async function exported(order: Order, t: Words): Promise<boolean> {
  const isOne = order.ids.length === 1 && order.formats.length === 1;
  try {
    const { files, problems } = await studio.takeExports.make({ ...order, as: isOne ? 'files' : 'zip' });
    await saveExports(files);
    const [first] = files;
    const title =
      files.length === 1 ? t('done', { name: first?.fileName }) : t('doneSeveral', { count: files.length });
    if (first) notify({ level: 'success', title, text: '' });
    if (problems.length > 0)
      notify({
        level: 'warning',
        title: t('leftOut', { count: problems.length }),
        text: problems.map(({ name, problem }) => `${name}: ${worded(problem)}`).join('\n'),
      });
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'cancelled') throw error;
    notify({ level: 'info', title: t('cancelled'), text: '' });
    return false;
  }
}

function Formats(props: {
  value: readonly Format[];
  disabled: boolean;
  onChange: (formats: readonly Format[]) => void;
}) {
  const { t } = useTranslation('takeExport');
  return (
    <Checkbox.Group
      label={t('formats')}
      value={[...props.value]}
      onChange={(value) => props.onChange(value as Format[])}
    >
      <div className={classes.formats}>
        {groups.map(([group, formats]) => (
          <fieldset key={group} className={classes.group}>
            <legend>{t(`groups.${group}`)}</legend>
            {formats.map((format) => (
              <Checkbox
                key={format}
                value={format}
                disabled={props.disabled}
                label={t(`labels.${format}`)}
                description={t(`hints.${format}`)}
              />
            ))}
          </fieldset>
        ))}
      </div>
    </Checkbox.Group>
  );
}

/** Preview of the exported files. */
function Outcome({ order }: { order: Order }) {
  const { t } = useTranslation('takeExport');
  const figures = useFigures();
  const { data, error } = useOutcome('take-export', order, studio.takeExports.preview);
  if (error) return <Callout tone="bad">{error.message}</Callout>;
  const isZip = order.ids.length > 1 || order.formats.length > 1;
  return (
    <div className={classes.outcome} aria-live="polite" aria-busy={!data}>
      <Text size="sm">
        {data
          ? t('outcome', {
              count: order.ids.length,
              names: listed(data.fileNames),
              frames: figures.number(data.frames),
            })
          : t('weighing')}
        {isZip && data && ` ${t('asZip')}`}
      </Text>
      {data && data.withoutWords.length > 0 && (
        <Callout tone="warn">{t('withoutWords', { names: listed(data.withoutWords) })}</Callout>
      )}
    </div>
  );
}

/** Shows the channels that move a head, and its shapes that stay still. */
function Movement({ modelId }: { modelId: string | null }) {
  const { t } = useTranslation('takeExport');
  const { data, error } = useHeadDrives(modelId);
  if (error) return <Callout tone="bad">{error.message}</Callout>;
  if (!data)
    return (
      <Text size="sm" c="dimmed">
        {t('weighing')}
      </Text>
    );
  const { still, unheard } = data;
  return (
    <div className={classes.outcome} aria-live="polite">
      <Text size="sm">
        {unheard.length > 0 ? t('unheard', { count: unheard.length, names: listed(unheard) }) : t('moves')}
      </Text>
      {still.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('still', { count: still.length, names: listed(still) })}
        </Text>
      )}
    </div>
  );
}

function ExportProgress({ progress }: { progress: Progressed | null }) {
  const { t } = useTranslation('takeExport');
  const figures = useFigures();
  const { done = 0, total = 1, name = '', secondsLeft = null } = progress ?? {};
  return (
    <div role="status">
      <Progress value={(100 * done) / total} size="sm" aria-label={t('progress')} />
      <Text size="xs" className="figures" mt={4}>
        {name} {figures.number(done)} / {figures.number(total)}
        {secondsLeft !== null && ` · ${t('left', { time: figures.seconds(Math.ceil(secondsLeft)) })}`}
      </Text>
    </div>
  );
}
