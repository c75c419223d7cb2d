import type { FaceState } from '@likeness/proto/live/face_state.ts';
import { type ExportRate, exportRates } from '@likeness/proto/takes/frame_rates.ts';
import { Checkbox, Group, Progress, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconBroadcast, IconDeviceMobile, IconDeviceTv } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallInput, EventPayload, VideoOptions } from '#contract';
import { filmPresetNames, filmPresets } from '#contract/video_options.ts';
import { attempt, notify } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { useSettings } from '../../base/studio-queries.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { worded } from '../../base/text/sentence-text.ts';
import { HeadSelect } from '../../live/panels/HeadSelect.tsx';
import { useHeadDrives } from '../../speaking/head-drives.ts';
import { Callout } from '../../ui/Callout.tsx';
import { useOutcome } from '../../ui/dialogs/use-outcome.ts';
import { ExportModal } from '../../ui/export/ExportModal.tsx';
import { ExportPresets } from '../../ui/export/ExportPresets.tsx';
import { ExportTargets, FormatBoxes, ticked } from '../../ui/export/ExportTargets.tsx';
import { takesHistory } from '../takes-history.ts';
import { FilmEstimate, FilmFields } from '../video/FilmFields.tsx';
import { chosen, filmChoice, filmName, isSide } from '../video/film-choice.ts';
import { type FilmedTake, filming, makeFilms, takesToFilm } from '../video/filming.ts';
import classes from './ExportTakesDialog.module.css';
import { saveExports } from './export-files.ts';
import {
  type ExportTarget,
  exportTargets,
  type TakeFileFormat as Format,
  formatsOf,
  lastExport,
  targetOf,
} from './export-targets.ts';
import { FilmPreview } from './FilmPreview.tsx';
import { ShapeDrivesButton } from './ShapeDrivesDialog.tsx';

type Order = CallInput<'takeExports', 'preview'>;
type Progressed = EventPayload<'takeExports', 'progress'>;

/** Names that are listed before the rest is only counted. */
const maxListed = 8;
const listed = (names: readonly string[]): string =>
  names.slice(0, maxListed).join(', ') + (names.length > maxListed ? ' …' : '');

export interface ExportTakesDialogProps {
  ids: readonly string[];
  /** The head that is shown now; empty: the default one. Without it each take has its own. */
  modelId?: string | undefined;
  /** Ticked at first; default: the format that was exported last. */
  first?: 'film' | undefined;
  /** The shown take's face at the playhead, for a preview. */
  frame?: { face: () => FaceState | null; at: number; seconds: number } | undefined;
  onClose: () => void;
}

/** Takes as films and as files for other programs: several outputs at once. */
export function ExportTakesDialog(props: ExportTakesDialogProps) {
  const { t } = useTranslation(['takeExport', 'takes', 'app']);
  const { ids, modelId: shown, first, frame, onClose } = props;
  const { takeExport } = useSettings();
  const [formats, setFormats] = useState<readonly Format[]>(first === 'film' ? [] : [takeExport]);
  const [hasFilm, setFilm] = useState(first === 'film');
  const [marked, setMarked] = useState<ExportTarget['id']>(first ?? targetOf(takeExport));
  const film = filmChoice.use();
  const fileName = filmName.use();
  const [rate, setRate] = useState<ExportRate>('own');
  const [isOwnHead, setOwnHead] = useState(shown === undefined);
  const [modelId, setModelId] = useState(shown ?? '');
  const [busy, setBusy] = useState(false);
  const [drivesOpen, setDrivesOpen] = useState(false);
  const [progress, setProgress] = useState<Progressed | null>(null);
  const isFilming = filming.use((now) => now !== null);
  // From the first on: the export begins to tell before its bar is drawn.
  useEffect(() => studio.takeExports.onProgress(setProgress), []);
  const takes = useFilmedTakes(ids, isOwnHead ? undefined : modelId, frame?.seconds);
  const order: Order = {
    ids: [...ids],
    formats: [...formats],
    rate,
    fileName: fileName.trim() || '{name}',
    ...(isOwnHead ? {} : { modelId: modelId || null }),
  };
  const count = formats.length + (hasFilm ? 1 : 0);
  const canExport = count > 0 && (!hasFilm || (isSide(film.width) && isSide(film.height) && !isFilming));
  const choice = { formats: [...formats], rate, fileName: order.fileName, film: hasFilm ? film : null };
  const save = (): void => {
    setBusy(true);
    setProgress(null);
    attempt(async () => {
      try {
        if (formats.length > 0 && !(await exported(order, t))) return;
        lastExport.keep(choice);
        onClose();
        if (hasFilm) void makeFilms(takes ?? (await takesToFilm(ids)), film, order.fileName);
      } finally {
        setBusy(false);
      }
    });
  };
  const tick = (id: ExportTarget['id'], isOn: boolean): void => {
    setMarked(id);
    if (id === 'film') setFilm(isOn);
    else setFormats((now) => ticked(now, formatsOf(id), isOn));
  };
  const changeFilm = (changes: Partial<VideoOptions>): void => {
    filmChoice.set(chosen(film, changes));
    setFilm(true);
  };
  const choose = (kept: Partial<typeof choice>): void => {
    if (kept.rate !== undefined) setRate(kept.rate);
    if (kept.fileName !== undefined) filmName.set(kept.fileName);
    if (kept.formats !== undefined) setFormats(kept.formats);
    // A picture is known as long as the studio runs.
    if (kept.film) changeFilm({ ...kept.film, picture: null });
    else setFilm(false);
    setMarked(kept.film || !kept.formats?.[0] ? 'film' : targetOf(kept.formats[0]));
  };
  const target = exportTargets.find(({ id }) => id === marked) ?? exportTargets[0];
  return (
    <ExportModal
      title={t('title', { count: ids.length })}
      presets={
        <ExportPresets
          kind="takePresets"
          builtIn={filmPresetNames.map((id) => builtInPreset(id, choice.film, t))}
          last={lastExport.use()}
          choice={count > 0 ? choice : null}
          onChoice={choose}
          history={takesHistory}
        />
      }
      targets={
        <ExportTargets
          groups={(['picture', 'programs', 'text'] as const).map((group) => ({
            name: t(`groups.${group}`),
            targets: exportTargets
              .filter((one) => one.group === group)
              .map(({ id }) => ({
                id,
                name: t(`targetNames.${id}`),
                note: t(`targetNotes.${id}`),
                isOn: id === 'film' ? hasFilm : formatsOf(id).some((format) => formats.includes(format)),
              })),
          }))}
          marked={marked}
          onMark={setMarked}
          onTick={tick}
        />
      }
      written={
        <>
          <TextInput
            label={t('fileName')}
            description={t('fileNameNote')}
            value={fileName}
            disabled={busy}
            maxLength={200}
            onChange={({ currentTarget }) => filmName.set(currentTarget.value)}
          />
          {hasFilm && takes && <FilmEstimate options={film} takes={takes} />}
          {hasFilm && isFilming && <Callout tone="warn">{t('takes:film.busy')}</Callout>}
          {formats.length > 0 && <Outcome order={order} />}
          {busy && <ExportProgress progress={progress} />}
        </>
      }
      count={count}
      canExport={canExport}
      busy={busy}
      isCovered={drivesOpen}
      onExport={save}
      onStop={() => attempt(() => studio.takeExports.cancel())}
      onClose={onClose}
    >
      {target.id === 'film' ? (
        <div className={classes.film}>
          {frame && (
            <FilmPreview takeId={ids[0]} options={film} modelId={modelId} face={frame.face} at={frame.at} />
          )}
          <FilmFields options={film} onChange={changeFilm} />
        </div>
      ) : (
        <FileSettings
          target={target}
          formats={formats}
          rate={rate}
          modelId={isOwnHead ? null : modelId}
          busy={busy}
          onFormats={setFormats}
          onRate={setRate}
          onOwnHead={setOwnHead}
          onModel={setModelId}
          onDrives={setDrivesOpen}
        />
      )}
    </ExportModal>
  );
}

const presetIcons = { short: IconDeviceMobile, '1080p': IconDeviceTv, obs: IconBroadcast } as const;

/** A built-in preset: a film and no other file. */
function builtInPreset(id: keyof typeof presetIcons, film: VideoOptions | null, t: Words) {
  const options = { ...filmPresets[id], picture: null };
  const Picture = presetIcons[id];
  return {
    id,
    label: t(`presets.${id}`),
    icon: <Picture size={15} />,
    isOn: film !== null && Object.entries(options).every(([key, value]) => film[key as 'rate'] === value),
    choice: { formats: [], film: chosen(filmChoice.get(), options) },
  };
}

/** Formats, rate and head of files. */
function FileSettings(props: {
  target: ExportTarget;
  formats: readonly Format[];
  rate: ExportRate;
  /** Null: each take has its own. */
  modelId: string | null;
  busy: boolean;
  onFormats: (formats: readonly Format[]) => void;
  onRate: (rate: ExportRate) => void;
  onOwnHead: (isOwn: boolean) => void;
  onModel: (modelId: string) => void;
  onDrives: (isOpen: boolean) => void;
}) {
  const { t } = useTranslation('takeExport');
  const { target, formats, rate, modelId, busy, onModel } = props;
  const showsHead = formats.some((format) => format === 'glb' || format === 'fbx');
  return (
    <>
      <FormatBoxes<Format>
        formats={target.formats.map((value) => ({
          value,
          label: t(`labels.${value}`),
          note: t(`hints.${value}`),
        }))}
        value={formats}
        disabled={busy}
        onChange={props.onFormats}
      />
      <Select
        className={classes.rate ?? ''}
        label={t('rate')}
        description={t('rateNote')}
        value={rate}
        disabled={busy}
        allowDeselect={false}
        data={exportRates.map((value) => ({ value, label: value === 'own' ? t('ownRate') : value }))}
        onChange={(value) => props.onRate((value ?? 'own') as ExportRate)}
      />
      {showsHead && (
        <Stack gap="xs">
          <Checkbox
            label={t('ownHead')}
            checked={modelId === null}
            disabled={busy}
            onChange={({ currentTarget }) => props.onOwnHead(currentTarget.checked)}
          />
          {modelId !== null && (
            <>
              <Group gap="xs" align="end">
                <HeadSelect value={modelId} onChange={onModel} />
                <ShapeDrivesButton modelId={modelId || null} disabled={busy} onOpened={props.onDrives} />
              </Group>
              <Movement modelId={modelId || null} />
            </>
          )}
        </Stack>
      )}
    </>
  );
}

/** The takes as they are filmed: on their own heads, or on the given one; undefined until they are read. */
function useFilmedTakes(
  ids: readonly string[],
  modelId: string | undefined,
  seconds: number | undefined,
): readonly FilmedTake[] | undefined {
  const { data } = useQuery({ queryKey: ['filmed-takes', ids], queryFn: () => takesToFilm(ids), gcTime: 0 });
  return data?.map((take) => ({
    ...take,
    ...(modelId !== undefined && { modelId }),
    ...(seconds !== undefined && { seconds }),
  }));
}

type Words = ReturnType<typeof useTranslation<['takeExport', 'takes', 'app']>>['t'];

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
