import { Button, Group, Progress, Select, Text, TextInput } from '@mantine/core';
import { IconBadge3d, IconMask, IconWorld } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { HeadPreset } from '#contract';
import { exportFormats, headPresetNames, headPresets } from '#contract/constants.ts';
import { assetUrl } from '../../base/asset-url.ts';
import { attempt, notify } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { changeSettings, useSettings } from '../../base/studio-queries.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { worded } from '../../base/text/sentence-text.ts';
import { Callout } from '../../ui/Callout.tsx';
import { useOutcome } from '../../ui/dialogs/use-outcome.ts';
import { downloadFrom } from '../../ui/download.ts';
import { ExportModal } from '../../ui/export/ExportModal.tsx';
import { ExportPresets } from '../../ui/export/ExportPresets.tsx';
import { ExportTargets, FormatBoxes, ticked } from '../../ui/export/ExportTargets.tsx';
import { createLastExport } from '../../ui/export/last-export.ts';
import { libraryHistory } from '../edits.ts';
import type { ModelSelection } from '../model-list.ts';
import { NameTablesButton } from '../names/NameTablesDialog.tsx';
import { useShapeNames } from '../shape-names.ts';
import classes from './ExportDialog.module.css';

type Format = (typeof exportFormats)[number];

/** Names of face shapes that are listed before the rest is only counted. */
const maxListed = 12;

/** Programs and uses that heads are exported for, and the formats of each. */
const targets = [
  { id: 'blender', group: 'programs', formats: ['glb'] },
  { id: 'engines', group: 'programs', formats: ['fbx'] },
  { id: 'vrm', group: 'programs', formats: ['vrm', 'vrm0'] },
  { id: 'web', group: 'web', formats: ['glb-meshopt'] },
  { id: 'ar', group: 'web', formats: ['usdz'] },
  { id: 'separate', group: 'files', formats: ['gltf', 'obj'] },
  { id: 'everything', group: 'files', formats: ['zip'] },
] as const satisfies readonly {
  id: string;
  group: 'programs' | 'web' | 'files';
  formats: readonly Format[];
}[];
type TargetId = (typeof targets)[number]['id'];

const formatsOf = (id: TargetId): readonly Format[] =>
  targets.find((target) => target.id === id)?.formats ?? [];
const targetOf = (format: Format | undefined): TargetId =>
  targets.find(({ id }) => format && formatsOf(id).includes(format))?.id ?? 'blender';

const lastExport = createLastExport<Omit<HeadPreset, 'name'>>(
  'likeness.heads.export',
  ({ formats, names = 'as-is', fileName = '{name}' }) =>
    Array.isArray(formats)
      ? { formats: exportFormats.filter((format) => formats.includes(format)), names, fileName }
      : null,
);

const presetIcons = { web: IconWorld, vtuber: IconMask, vrchat: IconBadge3d } as const;

/** Takes heads out of the studio, in the form that the next program wants. */
export function ExportDialog(props: { selection: ModelSelection; count: number; onClose: () => void }) {
  const { t } = useTranslation(['library', 'app']);
  const { headExport, rememberExport } = useSettings();
  const [formats, setFormats] = useState<readonly Format[]>([headExport.format]);
  const [marked, setMarked] = useState(targetOf(headExport.format));
  const [names, setNames] = useState(headExport.names);
  const [fileName, setFileName] = useState('{name}');
  const shapeNames = useShapeNames();
  const [busy, setBusy] = useState(false);
  const [tablesOpen, setTablesOpen] = useState(false);
  const last = lastExport.use();
  // A table may be deleted while it is chosen.
  const isNamed = shapeNames.length < 2 || shapeNames.some(({ value }) => value === names);
  if (!isNamed) setNames('as-is');
  const { selection } = props;
  const choice = { formats: [...formats], names, fileName: fileName.trim() || '{name}' };
  const [first] = formats;
  const save = (): void => {
    setBusy(true);
    attempt(async () => {
      try {
        await exported({ selection, ...choice }, t);
        lastExport.keep(choice);
        if (rememberExport && first) await changeSettings({ headExport: { format: first, names } });
        props.onClose();
      } finally {
        setBusy(false);
      }
    });
  };
  const choose = (kept: Partial<typeof choice>): void => {
    if (kept.names !== undefined) setNames(kept.names);
    if (kept.fileName !== undefined) setFileName(kept.fileName);
    if (kept.formats === undefined) return;
    setFormats(kept.formats);
    setMarked(targetOf(kept.formats[0]));
  };
  const own = formatsOf(marked);
  return (
    <ExportModal
      title={t('export.title', { count: props.count })}
      presets={
        <ExportPresets
          kind="headPresets"
          builtIn={headPresetNames.map((id) => {
            const Picture = presetIcons[id];
            const preset = { formats: [...headPresets[id].formats], names: headPresets[id].names };
            const isOn =
              names === preset.names && formats.toSorted().join() === preset.formats.toSorted().join();
            return {
              id,
              label: t(`export.presets.${id}`),
              icon: <Picture size={15} />,
              isOn,
              choice: preset,
            };
          })}
          last={last}
          choice={first ? choice : null}
          onChoice={choose}
          history={libraryHistory}
        />
      }
      targets={
        <ExportTargets
          groups={(['programs', 'web', 'files'] as const).map((group) => ({
            name: t(`export.groups.${group}`),
            targets: targets
              .filter((target) => target.group === group)
              .map(({ id }) => ({
                id,
                name: t(`export.targetNames.${id}`),
                note: t(`export.targetNotes.${id}`),
                isOn: formatsOf(id).some((format) => formats.includes(format)),
              })),
          }))}
          marked={marked}
          onMark={setMarked}
          onTick={(id, isOn) => {
            setMarked(id);
            setFormats((now) => ticked(now, formatsOf(id), isOn));
          }}
        />
      }
      written={
        <>
          <TextInput
            label={t('export.fileName')}
            description={t('export.fileNameNote')}
            value={fileName}
            disabled={busy}
            maxLength={200}
            onChange={({ currentTarget }) => setFileName(currentTarget.value)}
          />
          {formats.map((format) => (
            <Outcome
              key={format}
              order={{ selection, format, names: choice.names, fileName: choice.fileName }}
              count={props.count}
            />
          ))}
          {formats.length > 1 && <Text size="sm">{t('export.asZip')}</Text>}
          {busy && <ExportProgress count={props.count * formats.length} />}
        </>
      }
      foot={<OpenInBlender selection={selection} names={names} disabled={busy} />}
      count={formats.length}
      canExport={formats.length > 0}
      busy={busy}
      isCovered={tablesOpen}
      onExport={save}
      onStop={() => attempt(() => studio.library.cancelExports())}
      onClose={props.onClose}
    >
      <FormatBoxes<Format>
        formats={own.map((value) => ({
          value,
          label: t(`export.formats.${value}.label`),
          note: t(`export.formats.${value}.text`),
        }))}
        value={formats}
        disabled={busy}
        onChange={setFormats}
      />
      {own.some(takesNames) && (
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
            modelId={soleOf(selection) ?? null}
            disabled={busy}
            onOpened={setTablesOpen}
          />
        </Group>
      )}
    </ExportModal>
  );
}

/** The head, where it is one. */
const soleOf = (selection: ModelSelection): string | undefined =>
  'ids' in selection && selection.ids.length === 1 ? selection.ids[0] : undefined;

type Order = Parameters<typeof studio.library.exportModels>[0];
type FormatOrder = Parameters<typeof studio.library.previewExport>[0];
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

/** Preview of the exported file in one format. */
function Outcome({ order, count }: { order: FormatOrder; count: number }) {
  const { t } = useTranslation('library');
  const figures = useFigures();
  const { data, error } = useOutcome(`export ${order.format}`, order, studio.library.previewExport);
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
