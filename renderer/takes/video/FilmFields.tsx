import { Checkbox, NumberInput, Select } from '@mantine/core';
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
import classes from './Film.module.css';
import { FilmBackground } from './FilmBackground.tsx';
import { filmEstimate, filmSizes, isSide } from './film-choice.ts';
import type { FilmedTake } from './filming.ts';

/** How takes are filmed, all of them alike. */
export function FilmFields({ options, onChange }: FieldsProps) {
  const { t } = useTranslation('takes');
  return (
    <div className={classes.form}>
      <Select
        label={t('film.format')}
        allowDeselect={false}
        data={videoFormats.map((value) => ({ value, label: t(`film.formats.${value}`) }))}
        value={options.format}
        onChange={(format) => onChange({ format: format as VideoOptions['format'] })}
      />
      <SizeFields options={options} onChange={onChange} />
      <div className={classes.pair}>
        <Select
          label={t('film.framing')}
          allowDeselect={false}
          data={videoFramings.map((value) => ({ value, label: t(`film.framings.${value}`) }))}
          value={options.framing}
          onChange={(framing) => onChange({ framing: framing as VideoOptions['framing'] })}
        />
        <Select
          label={t('film.camera')}
          allowDeselect={false}
          data={videoCameras.map((value) => ({ value, label: t(`film.cameras.${value}`) }))}
          value={options.camera}
          onChange={(camera) => onChange({ camera: camera as VideoOptions['camera'] })}
        />
      </div>
      <FilmBackground options={options} onChange={onChange} />
      <div className={classes.pair}>
        <Select
          label={t('film.rate')}
          allowDeselect={false}
          data={[...videoRates]}
          value={options.rate}
          onChange={(rate) => onChange({ rate: rate as VideoOptions['rate'] })}
        />
        <Select
          label={t('film.detail')}
          allowDeselect={false}
          data={videoDetails.map((value) => ({ value, label: t(`film.details.${value}`) }))}
          value={options.detail}
          onChange={(detail) => onChange({ detail: detail as VideoOptions['detail'] })}
        />
      </div>
      <Checkbox
        label={t('film.subtitles')}
        description={t('film.subtitlesNote')}
        checked={options.subtitles}
        onChange={({ currentTarget }) => onChange({ subtitles: currentTarget.checked })}
      />
    </div>
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

/** Frames and size of the films. */
export function FilmEstimate({ options, takes }: { options: VideoOptions; takes: readonly FilmedTake[] }) {
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
    </p>
  );
}
