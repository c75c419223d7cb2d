import { Button, Checkbox, UnstyledButton } from '@mantine/core';
import { IconBroadcast, IconDeviceMobile, IconDeviceTv, IconHistory } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { VideoOptions } from '#contract';
import { filmPresetNames, filmPresets } from '#contract/video_options.ts';
import classes from './ExportTakesDialog.module.css';
import { type ExportTarget, exportTargets, type TakeFileFormat } from './export-targets.ts';
import { type ExportChoice, lastExport } from './last-export.ts';

const presetIcons = { short: IconDeviceMobile, '1080p': IconDeviceTv, obs: IconBroadcast } as const;

/** Film settings for a purpose, and the last export. */
export function ExportPresets(props: {
  /** Null: no film is chosen. */
  film: VideoOptions | null;
  onFilm: (options: Partial<VideoOptions>) => void;
  onLast: (last: ExportChoice) => void;
}) {
  const { t } = useTranslation('takeExport');
  const { film, onFilm, onLast } = props;
  const last = lastExport.use();
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons, no fields
    <div role="group" aria-label={t('preset')} className={classes.presets}>
      <span>{t('preset')}</span>
      {filmPresetNames.map((name) => {
        const options = { ...filmPresets[name], picture: null };
        const Picture = presetIcons[name];
        const isOn =
          film !== null && Object.entries(options).every(([key, value]) => film[key as 'rate'] === value);
        return (
          <Button
            key={name}
            variant={isOn ? 'light' : 'default'}
            aria-pressed={isOn}
            leftSection={<Picture size={15} />}
            onClick={() => onFilm(options)}
          >
            {t(`presets.${name}`)}
          </Button>
        );
      })}
      {last && (
        <Button variant="default" leftSection={<IconHistory size={15} />} onClick={() => onLast(last)}>
          {t('presets.last')}
        </Button>
      )}
    </div>
  );
}

/** Ticks for each target; the marked one shows its settings. */
export function ExportTargets(props: {
  formats: readonly TakeFileFormat[];
  hasFilm: boolean;
  marked: ExportTarget['id'];
  onMark: (id: ExportTarget['id']) => void;
  onTick: (target: ExportTarget, isOn: boolean) => void;
}) {
  const { t } = useTranslation('takeExport');
  const { formats, hasFilm, marked, onMark, onTick } = props;
  return (
    <nav className={classes.targets} aria-label={t('targets')}>
      {(['picture', 'programs', 'text'] as const).map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: several buttons, no fields alone
        <div key={group} role="group" aria-label={t(`groups.${group}`)}>
          <p className={classes.group}>{t(`groups.${group}`)}</p>
          {exportTargets
            .filter((target) => target.group === group)
            .map((target) => {
              const { id } = target;
              const isOn =
                id === 'film'
                  ? hasFilm
                  : formats.some((format) => (target.formats as readonly TakeFileFormat[]).includes(format));
              return (
                <div key={id} className={classes.target} data-marked={id === marked || undefined}>
                  <Checkbox
                    aria-label={t(`targetNames.${id}`)}
                    checked={isOn}
                    onChange={({ currentTarget }) => onTick(target, currentTarget.checked)}
                  />
                  <UnstyledButton aria-current={id === marked || undefined} onClick={() => onMark(id)}>
                    <b>{t(`targetNames.${id}`)}</b>
                    <small>{t(`targetNotes.${id}`)}</small>
                  </UnstyledButton>
                </div>
              );
            })}
        </div>
      ))}
    </nav>
  );
}
