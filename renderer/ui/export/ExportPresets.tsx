import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconDeviceFloppy, IconHistory, IconX } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Settings } from '#contract';
import { attempt } from '../../base/notices.tsx';
import type { PageHistory } from '../../base/page-history.ts';
import { changeSettingsBy, useSettings } from '../../base/studio-queries.ts';
import classes from './Export.module.css';

type Kind = 'takePresets' | 'headPresets';
type Preset<K extends Kind> = Settings[K][number];
type Choice<K extends Kind> = Omit<Preset<K>, 'name'>;

interface BuiltIn<K extends Kind> {
  id: string;
  label: string;
  icon: ReactNode;
  isOn: boolean;
  choice: Partial<Choice<K>>;
}

/** Presets for a purpose, the last export, and the person's own. */
export function ExportPresets<K extends Kind>(props: {
  kind: K;
  builtIn: readonly BuiltIn<K>[];
  last: Choice<K> | null;
  /** The current choice; null: nothing to save. */
  choice: Choice<K> | null;
  onChoice: (choice: Partial<Choice<K>>) => void;
  /** Takes back a deletion. */
  history: PageHistory;
}) {
  const { t } = useTranslation();
  const { kind, builtIn, last, choice, onChoice, history } = props;
  const own: readonly Preset<K>[] = useSettings()[kind];
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons, no fields
    <div role="group" aria-label={t('export.preset')} className={classes.presets}>
      <span>{t('export.preset')}</span>
      {builtIn.map((preset) => (
        <Button
          key={preset.id}
          variant={preset.isOn ? 'light' : 'default'}
          aria-pressed={preset.isOn}
          leftSection={preset.icon}
          onClick={() => onChoice(preset.choice)}
        >
          {preset.label}
        </Button>
      ))}
      {last && (
        <Button variant="default" leftSection={<IconHistory size={15} />} onClick={() => onChoice(last)}>
          {t('export.last')}
        </Button>
      )}
      {own.map((preset) => (
        <Button.Group key={preset.name}>
          <Button variant="default" onClick={() => onChoice(preset)}>
            {preset.name}
          </Button>
          <ActionIcon
            variant="default"
            size={30}
            aria-label={t('export.deletePreset', { name: preset.name })}
            onClick={() =>
              attempt(() =>
                deletePreset(kind, preset, history, t('export.presetDeleted', { name: preset.name })),
              )
            }
          >
            <IconX size={14} />
          </ActionIcon>
        </Button.Group>
      ))}
      <SavePreset
        disabled={choice === null}
        onSave={(name) => choice && attempt(() => savePreset(kind, { ...choice, name } as Preset<K>))}
      />
    </div>
  );
}

/** Replaces one of the same name. */
const savePreset = <K extends Kind>(kind: K, preset: Preset<K>): Promise<void> =>
  changeSettingsBy((settings) => ({ [kind]: [...others(settings, kind, preset.name), preset] }));

const removePreset = (kind: Kind, name: string): Promise<void> =>
  changeSettingsBy((settings) => ({ [kind]: others(settings, kind, name) }));

const others = <K extends Kind>(settings: Settings, kind: K, name: string): Preset<K>[] =>
  (settings[kind] as Preset<K>[]).filter((preset) => preset.name !== name);

async function deletePreset<K extends Kind>(
  kind: K,
  preset: Preset<K>,
  history: PageHistory,
  label: string,
): Promise<void> {
  const { name } = preset;
  await removePreset(kind, name);
  history.offer(label, {
    label,
    undo: () => savePreset(kind, preset),
    redo: () => removePreset(kind, name),
  });
}

/** A button that becomes the field for the name. */
function SavePreset(props: { disabled: boolean; onSave: (name: string) => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState<string>();
  if (name === undefined)
    return (
      <Button
        variant="subtle"
        color="gray"
        leftSection={<IconDeviceFloppy size={15} />}
        disabled={props.disabled}
        onClick={() => setName('')}
      >
        {t('export.savePreset')}
      </Button>
    );
  return (
    <TextInput
      autoFocus
      // Escape closes the field alone.
      data-mantine-stop-propagation
      aria-label={t('export.presetName')}
      placeholder={t('export.presetName')}
      maxLength={40}
      value={name}
      onChange={({ currentTarget }) => setName(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setName(undefined);
        if (event.key !== 'Enter') return;
        event.preventDefault();
        const trimmed = name.trim();
        if (trimmed) props.onSave(trimmed);
        setName(undefined);
      }}
      onBlur={() => setName(undefined)}
    />
  );
}
