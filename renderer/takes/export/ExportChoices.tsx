import { ActionIcon, Button, Checkbox, TextInput, UnstyledButton } from '@mantine/core';
import {
  IconBroadcast,
  IconDeviceFloppy,
  IconDeviceMobile,
  IconDeviceTv,
  IconHistory,
  IconX,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { VideoOptions } from '#contract';
import { filmPresetNames, filmPresets } from '#contract/video_options.ts';
import { takesHistory } from '../takes-history.ts';
import classes from './ExportTakesDialog.module.css';
import {
  type ExportChoice,
  lastExport,
  type OwnPreset,
  ownPresets,
  removePreset,
  savePreset,
} from './export-presets.ts';
import { type ExportTarget, exportTargets, type TakeFileFormat } from './export-targets.ts';

const presetIcons = { short: IconDeviceMobile, '1080p': IconDeviceTv, obs: IconBroadcast } as const;

/** Film settings for a purpose, the last export, and the person's own. */
export function ExportPresets(props: {
  /** The current choice. */
  choice: ExportChoice;
  onFilm: (options: Partial<VideoOptions>) => void;
  onChoice: (kept: ExportChoice) => void;
}) {
  const { t } = useTranslation('takeExport');
  const { choice, onFilm, onChoice } = props;
  const { film } = choice;
  const last = lastExport.use();
  const own = ownPresets.use();
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
        <Button variant="default" leftSection={<IconHistory size={15} />} onClick={() => onChoice(last)}>
          {t('presets.last')}
        </Button>
      )}
      {own.map((preset) => (
        <Own key={preset.name} preset={preset} onChoice={onChoice} />
      ))}
      <SavePreset choice={choice} />
    </div>
  );
}

function Own({ preset, onChoice }: { preset: OwnPreset; onChoice: (kept: ExportChoice) => void }) {
  const { t } = useTranslation('takeExport');
  const { name } = preset;
  const remove = (): void => {
    removePreset(name);
    const label = t('presetDeleted', { name });
    takesHistory.offer(label, {
      label,
      undo: async () => savePreset(preset),
      redo: async () => removePreset(name),
    });
  };
  return (
    <Button.Group>
      <Button variant="default" onClick={() => onChoice(preset)}>
        {name}
      </Button>
      <ActionIcon variant="default" size={30} aria-label={t('deletePreset', { name })} onClick={remove}>
        <IconX size={14} />
      </ActionIcon>
    </Button.Group>
  );
}

/** A button that becomes the field for the name. */
function SavePreset({ choice }: { choice: ExportChoice }) {
  const { t } = useTranslation('takeExport');
  const [name, setName] = useState<string>();
  const save = (): void => {
    const trimmed = name?.trim();
    if (trimmed) savePreset({ name: trimmed, ...choice });
    setName(undefined);
  };
  if (name === undefined)
    return (
      <Button
        variant="subtle"
        color="gray"
        leftSection={<IconDeviceFloppy size={15} />}
        disabled={choice.film === null && choice.formats.length === 0}
        onClick={() => setName('')}
      >
        {t('savePreset')}
      </Button>
    );
  return (
    <TextInput
      autoFocus
      // Escape closes the field alone.
      data-mantine-stop-propagation
      aria-label={t('presetName')}
      placeholder={t('presetName')}
      maxLength={40}
      value={name}
      onChange={({ currentTarget }) => setName(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setName(undefined);
        if (event.key !== 'Enter') return;
        event.preventDefault();
        save();
      }}
      onBlur={() => setName(undefined)}
    />
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
