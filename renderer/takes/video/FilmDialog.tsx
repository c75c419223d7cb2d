import { Button, Group, NumberInput, Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { VideoOptions } from '#contract';
import {
  videoCameras,
  videoDetails,
  videoFormats,
  videoFramings,
  videoLimits,
  videoRates,
} from '#contract/video_options.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { MountedModal } from '../../ui/dialogs/MountedModal.tsx';
import classes from './Film.module.css';
import { FilmBackground } from './FilmBackground.tsx';
import { chosen, filmChoice, filmEstimate, filmName, filmSizes, isSide } from './film-choice.ts';
import { type FilmedTake, makeFilms } from './filming.ts';

/** Chooses how takes are filmed, all of them alike. */
export function FilmDialog({ takes, onClose }: { takes: readonly FilmedTake[]; onClose: () => void }) {
  const { t } = useTranslation(['takes', 'takeExport', 'app']);
  const options = filmChoice.use();
  const fileName = filmName.use();
  const change = (changes: Partial<VideoOptions>): void => filmChoice.set(chosen(options, changes));
  const canFilm = isSide(options.width) && isSide(options.height);
  const film = (): void => {
    onClose();
    void makeFilms(takes, options, fileName.trim() || '{name}');
  };
  return (
    <MountedModal
      onClose={onClose}
      title={t('takes:film.title', { count: takes.length })}
      size={520}
      closeButtonProps={{ 'aria-label': t('app:actions.close') }}
    >
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (canFilm) film();
        }}
      >
        <Select
          data-autofocus
          label={t('takes:film.format')}
          allowDeselect={false}
          data={videoFormats.map((value) => ({ value, label: t(`takes:film.formats.${value}`) }))}
          value={options.format}
          onChange={(format) => change({ format: format as VideoOptions['format'] })}
        />
        <SizeFields options={options} onChange={change} />
        <div className={classes.pair}>
          <Select
            label={t('takes:film.framing')}
            allowDeselect={false}
            data={videoFramings.map((value) => ({ value, label: t(`takes:film.framings.${value}`) }))}
            value={options.framing}
            onChange={(framing) => change({ framing: framing as VideoOptions['framing'] })}
          />
          <Select
            label={t('takes:film.camera')}
            allowDeselect={false}
            data={videoCameras.map((value) => ({ value, label: t(`takes:film.cameras.${value}`) }))}
            value={options.camera}
            onChange={(camera) => change({ camera: camera as VideoOptions['camera'] })}
          />
        </div>
        <FilmBackground options={options} onChange={change} />
        <div className={classes.pair}>
          <Select
            label={t('takes:film.rate')}
            allowDeselect={false}
            data={[...videoRates]}
            value={options.rate}
            onChange={(rate) => change({ rate: rate as VideoOptions['rate'] })}
          />
          <Select
            label={t('takes:film.detail')}
            allowDeselect={false}
            data={videoDetails.map((value) => ({ value, label: t(`takes:film.details.${value}`) }))}
            value={options.detail}
            onChange={(detail) => change({ detail: detail as VideoOptions['detail'] })}
          />
        </div>
        <TextInput
          label={t('takeExport:fileName')}
          description={t('takeExport:fileNameNote')}
          value={fileName}
          maxLength={200}
          onChange={({ currentTarget }) => filmName.set(currentTarget.value)}
        />
        <Estimate options={options} takes={takes} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('app:actions.cancel')}
          </Button>
          <Button type="submit" disabled={!canFilm}>
            {t('takes:film.start')}
          </Button>
        </Group>
      </form>
    </MountedModal>
  );
}

interface FieldsProps {
  options: VideoOptions;
  onChange: (changes: Partial<VideoOptions>) => void;
}

/** Preset sizes, or a custom one. */
function SizeFields({ options: { width, height }, onChange }: FieldsProps) {
  const { t } = useTranslation('takes');
  const preset = filmSizes.find((size) => size[0] === width && size[1] === height);
  const side = (label: string, value: number, set: (value: number) => void) => (
    <NumberInput
      label={label}
      min={videoLimits.side.least}
      max={videoLimits.side.most}
      step={2}
      allowDecimal={false}
      value={value}
      error={isSide(value) ? undefined : t('film.sideHint')}
      onChange={(next) => set(Number(next))}
    />
  );
  return (
    <div className={classes.triple}>
      <Select
        label={t('film.size')}
        allowDeselect={false}
        data={[
          ...filmSizes.map(([w, h]) => ({ value: `${w}x${h}`, label: `${shapeOf(w, h)} · ${w} × ${h}` })),
          { value: 'own', label: t('film.ownSize') },
        ]}
        value={preset ? preset.join('x') : 'own'}
        onChange={(value) => {
          const size = filmSizes.find((one) => one.join('x') === value);
          if (size) onChange({ width: size[0], height: size[1] });
          else if (preset) onChange({ width: width - 2 });
        }}
      />
      {side(t('film.width'), width, (next) => onChange({ width: next }))}
      {side(t('film.height'), height, (next) => onChange({ height: next }))}
    </div>
  );
}

const shapeOf = (width: number, height: number): string =>
  width === height ? '1:1' : width > height ? '16:9' : '9:16';

function Estimate({ options, takes }: { options: VideoOptions; takes: readonly FilmedTake[] }) {
  const { t } = useTranslation('takes');
  const figures = useFigures();
  const seconds = takes.reduce((sum, take) => sum + take.seconds, 0);
  const films = takes.map((take) => filmEstimate(options, take.seconds));
  const frames = films.reduce((sum, film) => sum + film.frames, 0);
  const bytes = films.reduce<number | null>(
    (sum, film) => (sum === null || film.bytes === null ? null : sum + film.bytes),
    0,
  );
  return (
    <p className={classes.quiet}>
      {t('film.frames', { count: frames, seconds: figures.seconds(seconds) })}
      {bytes !== null && ` · ${t('film.about', { size: figures.bytes(bytes) })}`}
      {options.format === 'mp4' && ` · ${t('film.noAlpha')}`}
    </p>
  );
}
